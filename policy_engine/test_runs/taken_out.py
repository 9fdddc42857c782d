"""Say which tests a run lacks that the commit had with which the session began.

A test that was renamed to another test, or moved into another file, is none of them: only where there are fewer than
before, or where one was switched off, is something said. The run counts all the same, since honest work takes tests
out too. Not on the hook path: it is imported when a run of tests passed.
"""

from __future__ import annotations

import re

from policy_engine.model.undecided import Undecided
from policy_engine.test_runs.task_files import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.filesystem.file_system import FileSystem

_DECLARES = re.compile(
    r"^\s*(?:async\s+|static\s+|public\s+|private\s+)*(?:def\s+(test\w*)|func\s+((?:Test|Fuzz)\w*)|function\s+(test\w+)"
    r"|(?:it|test|specify|testWidgets)\s*\(?\s*(['\"`])(.+?)\4)"
)
_SWITCHES = re.compile(
    r"^\s*del\s+(?:test|Test)|\b__test__\s*=\s*False|\bmark\.(?:skip\b|xfail\b)|@(?:unittest\.)?(?:skip|expectedFailure)\b"
    r"|\b(?:it|test|describe)\.(?:skip|todo|only)\(|\b[xf](?:it|describe)\(|\bt\.Skip(?:f|Now)?\(|#\[ignore|@(?:Disabled|Ignore)\b"
)
_FILES = 64  # that git does not know
_SHOWN = 3


def taken_out(commit: str, filesystem: FileSystem) -> str:
    """Return a sentence about the tests that are there no more since a commit, "" if there are none."""
    try:
        repository = filesystem.repository()
        below = f"{filesystem.real_workspace}/".removeprefix(f"{repository.root.rstrip('/')}/")
        globs = [f":(glob,icase){below}**/*{word}*" for word in ("test", "spec")]
        options = ("-U0", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", "--ignore-submodules=all")
        changes = repository.ask("diff", *options, commit, "--", *globs)
        others = repository.ask("ls-files", "--others", "--exclude-standard", "-z", "--", *globs)
    except Undecided:
        return ""
    removed, added, switched = _read(changes.decode("utf-8", "replace"))
    if len(removed) > len(added):
        for path in others.decode("utf-8", "replace").split("\0")[:_FILES]:
            real = f"{repository.root.rstrip('/')}/{path}"
            added += [name for line in text_of(real, filesystem).split("\n") if path and (name := _declared(line))]
    gone = [name for name in removed if name not in added] if len(removed) > len(added) else []
    parts = []
    if gone:
        parts.append(f"fewer tests than when the session began, without {_named(gone)}")
    if switched:
        parts.append(f"tests switched off ({_named(switched)})")
    return f"The run counts, with {' and '.join(parts)}. Put them back, or tell the person why." if parts else ""


def _read(changes: str) -> tuple[list[str], list[str], list[str]]:
    """Return the tests that lines of a difference remove and add, and the added lines that switch some off."""
    removed, added, switched = [], [], []
    for line in changes.split("\n"):
        name = _declared(line[1:])
        if line.startswith("-") and name:
            removed.append(name)
        elif line.startswith("+") and not line.startswith("+++ "):
            if name:
                added.append(name)
            if _SWITCHES.search(line[1:]):
                switched.append(" ".join(line[1:].split()))
    return removed, added, switched


def _declared(line: str) -> str:
    """Return the name of the test that a line declares, "" for another line."""
    found = _DECLARES.match(line)
    return (found[1] or found[2] or found[3] or found[5]) if found else ""


def _named(names: list[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(f"`{name[:80]}`" for name in names[:_SHOWN]) + more
