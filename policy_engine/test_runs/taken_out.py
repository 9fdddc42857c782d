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
_SKIPPED = re.compile(r"\b(\d+) (?:skipped|xfailed)\b|\bskipped=(\d+)")
_FILES = 64  # that git does not know
_MOST = 1_000_000  # bytes of a file of tests
_SHOWN = 3
TAKEN_OUT = "taken out"
"""What a switch is about whose line is the name of a test that is there no more."""


class Taken(NamedTuple):
    """The tests that are there no more, with their names for lines, the lines that switch off others, and how many
    switch off tests that came with them. `state` stands for what changed in the files of tests, "" if nobody knows."""

    gone: list[Switch]
    off: list[Switch]
    new: int
    state: str

    def sentence(self) -> str:
        """Return what is said of them where the run counts, "" if there are none."""
        what = f"The run counts, with fewer tests than when the session began, without {named_lines(self.gone)}."
        return f"{what} Put them back, or tell the person why." if self.gone else ""


def left_out(text: str) -> int:
    """Return how many tests did not run, by the output of a run."""
    counts = [int(found[1] or found[2]) for found in _OUT.finditer(text)]
    return sum(counts) if counts else len(_ONE_OUT.findall(text))


def skipped(text: str) -> int:
    """Return how many tests were skipped, or were expected to fail, by the summary of a run of pytest or unittest."""
    return sum(int(found[1] or found[2]) for found in _SKIPPED.finditer(text))


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
        if fewer := len(removed) > len(added) - len(new):
            listed = repository.ask("ls-files", "--others", "--exclude-standard", "-z", "--", *globs)
            paths = listed.decode("utf-8", "replace").split("\0")[:_FILES]
            changes += [_new(f"{root}/{path}", filesystem) for path in paths if path]
            removed, added = _names(changes)
            off, new = switched_off(changes, _reader(filesystem))
            fewer = len(removed) > len(added) - len(new)
    except Undecided:
        return Taken([], [], 0, "")
    from policy_engine.test_runs.lost_tests import lost_tests

    gone = [one for one in removed if one.line not in added] if fewer else []
    off += [one._replace(path=f"{root}/{one.path}") for one in lost_tests(commit, filesystem)]
    return Taken(gone, off, len(new), blake2b(text, digest_size=8).hexdigest())


def came_with_others(taken: Taken, commit: str, began: int | None, filesystem: FileSystem) -> Taken:
    """Return the same without what commits from before the session say, which it merged, pulled or checked out.

    `began` is when the session did, in ms.
    """
    if began is None:
        return taken
    try:
        before = began // 1000 - 1  # a commit of the same second may be the session's
        other = filesystem.repository().ask("rev-list", "-1", f"--min-age={before}", "HEAD", failing=True)
    except Undecided:
        return taken
    found = other.decode().strip()
    if not found or found == commit:
        return taken
    left = taken_out(found, filesystem)
    gone = [one for one in taken.gone if one in left.gone]
    return taken._replace(gone=gone, off=[one for one in taken.off if one in left.off])


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


def _names(changes: list[Change]) -> tuple[list[Switch], list[str]]:
    """Return the tests that went, and the names of those that came."""
    removed = [
        Switch(change.path, TAKEN_OUT, name, True)
        for change in changes
        for lines in change.removed.values()
        for line in lines
        if (name := declared(line))
    ]
    added = [line for change in changes for _, line in change.added.values()]
    return removed, [name for line in added if (name := declared(line))]


def declared_by(commit: str, filesystem: FileSystem) -> tuple[int, bool]:
    """Return how many functions of tests the usual files of pytest have in a commit, outside of classes, and whether
    any file of tests there speaks of tests that do not run, or has some that pytest skips without a plugin."""
    try:
        repository = filesystem.repository()
        globs = _globs(filesystem, repository.root.rstrip("/"))
        lines = repository.ask("grep", "-h", "-o", "-I", "-i", "-E", _SPEAKS, commit, "--", *globs, failing=True)
    except Undecided:
        return 0, True
    words = lines.decode("utf-8", "replace").split("\n")
    functions = sum(word.endswith("def test_") for word in words)
    return functions, len(words) - 1 > functions or any(word.startswith("async") for word in words)


def speaking_now(filesystem: FileSystem) -> list[str]:
    """Return the files of tests, by their paths, that speak now of tests that do not run."""
    try:
        repository = filesystem.repository()
        root = repository.root.rstrip("/")
        words = _SPEAKS.partition("|")[2]
        files = repository.ask("grep", "-l", "-I", "-i", "-E", words, "--", *_globs(filesystem, root), failing=True)
    except Undecided:
        return []
    return [f"{root}/{file}" for file in files.decode("utf-8", "surrogateescape").split("\n") if file]


def named_lines(switches: list[Switch]) -> str:
    """Return the lines of the first of some switches, as they are shown."""
    return named([one.line for one in switches])


def named(names: list[str]) -> str:
    """Return the first of some names, as they are shown."""
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(f"`{name[:80]}`" for name in names[:_SHOWN]) + more
