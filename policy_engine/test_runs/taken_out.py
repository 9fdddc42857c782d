"""Say which tests a run lacks that the commit had with which the session began, and which were switched off since.

A test that was renamed to another test, or moved into another file, is none of them: only where there are fewer than
before is something said, and the run counts all the same, since honest work takes tests out too. A test that was
switched off did not pass, whatever wrote that. Not on the hook path: it is imported when a run of tests passed.
"""

from __future__ import annotations

import re
from _blake2 import blake2b
from typing import NamedTuple

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.undecided import Undecided
from policy_engine.test_runs.switches import Change, Switch, changes_of, declared, switched_off

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from policy_engine.filesystem.file_system import FileSystem

_OUT = re.compile(
    r"\b(\d+) (?:skipped|xfailed|deselected|todo|pending|ignored)\b|\b(?:skipped|todo)[ :=(]+(\d+)", re.IGNORECASE
)
"""How runners count the tests that did not run."""
_ONE_OUT = re.compile(r"^.*\bSKIP(?:PED)?\b", re.MULTILINE)
_DIFFERENCE = ("diff", "-U0", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", "--ignore-submodules=all",
               "--src-prefix=a/", "--dst-prefix=b/")  # fmt: skip
_SPEAKS = "^(async )?def test_|skip|xfail|todo|ignore|disabled|pending"
_FILES = 64  # that git does not know
_MOST = 1_000_000  # bytes of a file of tests
_SHOWN = 3


class Taken(NamedTuple):
    """The names of tests that are there no more, the lines that switch off others, and how many switch off tests that
    came with them. `state` stands for what changed in the files of tests, "" if nobody knows."""

    gone: list[str]
    off: list[Switch]
    new: int
    state: str

    def sentence(self) -> str:
        """Return what is said of them where the run counts, "" if there are none."""
        what = f"The run counts, with fewer tests than when the session began, without {named(self.gone)}."
        return f"{what} Put them back, or tell the person why." if self.gone else ""


def left_out(text: str) -> int:
    """Return how many tests did not run, by the output of a run."""
    counts = [int(found[1] or found[2]) for found in _OUT.finditer(text)]
    return sum(counts) if counts else len(_ONE_OUT.findall(text))


def taken_out(commit: str, filesystem: FileSystem) -> Taken:
    """Return the tests that are there no more, or do not run any more, since a commit."""
    try:
        repository = filesystem.repository()
        root = repository.root.rstrip("/")
        globs = _globs(filesystem, root)
        text = repository.ask(*_DIFFERENCE, commit, "--", *globs)
        changes = changes_of(text.decode("utf-8", "replace"), root)
        removed, added = _names(changes)
        off, new = switched_off(changes, _reader(filesystem))
        if len(removed) > len(added) - new:
            listed = repository.ask("ls-files", "--others", "--exclude-standard", "-z", "--", *globs)
            paths = listed.decode("utf-8", "replace").split("\0")[:_FILES]
            changes += [_new(f"{root}/{path}", filesystem) for path in paths if path]
            removed, added = _names(changes)
            off, new = switched_off(changes, _reader(filesystem))
    except Undecided:
        return Taken([], [], 0, "")
    gone = [name for name in removed if name not in added] if len(removed) > len(added) - new else []
    return Taken(gone, off, new, blake2b(text, digest_size=8).hexdigest())


def came_with_others(off: list[Switch], commit: str, began: int | None, filesystem: FileSystem) -> list[Switch]:
    """Return the lines without those that commits from before the session have, which it merged or pulled.

    `began` is when the session did, in ms.
    """
    if began is None:
        return off
    try:
        repository = filesystem.repository()
        older = ("rev-list", "-1", f"--min-age={began // 1000}", "HEAD", f"^{commit}")
        other = repository.ask(*older, failing=True).decode().strip()
        if not other:
            return off
        root = repository.root.rstrip("/")
        text = repository.ask(*_DIFFERENCE, other, "--", *_globs(filesystem, root)).decode("utf-8", "replace")
        new = switched_off(changes_of(text, root), _reader(filesystem))[0]
    except Undecided:
        return off
    return [one for one in off if one in new]


def _reader(filesystem: FileSystem) -> Callable[[str], str]:
    def text_of(path: str) -> str:
        try:
            return filesystem.script(PathValue(path, path), _MOST) or ""
        except Undecided:
            return ""

    return text_of


def _globs(filesystem: FileSystem, root: str) -> list[str]:
    below = f"{filesystem.real_workspace}/".removeprefix(f"{root}/")
    return [f":(glob,icase){below}**/*{word}*" for word in ("test", "spec")]


def _new(path: str, filesystem: FileSystem) -> Change:
    lines = _reader(filesystem)(path).split("\n")
    return Change(path, {number: (0, line) for number, line in enumerate(lines, 1)}, {})


def _names(changes: list[Change]) -> tuple[list[str], list[str]]:
    """Return the tests that went and that came."""
    removed = [line for change in changes for lines in change.removed.values() for line in lines]
    added = [line for change in changes for _, line in change.added.values()]
    return [name for line in removed if (name := declared(line))], [name for line in added if (name := declared(line))]


def declared_by(commit: str, filesystem: FileSystem) -> tuple[int, bool]:
    """Return how many functions of tests the usual files of pytest have in a commit, outside of classes, and whether
    any file of tests there speaks of tests that do not run."""
    try:
        repository = filesystem.repository()
        globs = _globs(filesystem, repository.root.rstrip("/"))
        lines = repository.ask("grep", "-h", "-o", "-I", "-i", "-E", _SPEAKS, commit, "--", *globs, failing=True)
    except Undecided:
        return 0, True
    words = lines.decode("utf-8", "replace").split("\n")
    functions = sum(word.endswith("def test_") for word in words)
    return functions, len(words) - 1 > functions


def named(names: list[str]) -> str:
    """Return the first of some names, as they are shown."""
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(f"`{name[:80]}`" for name in names[:_SHOWN]) + more
