"""Say what a write or an edit makes of the files that it names, and which of their lines it changes.

Of a text that an edit replaces and that the file does not have, the text stands for the file. Not on the hook path: it
is imported when a rule asks.
"""

from __future__ import annotations

from typing import NamedTuple

from policy_engine.history.tool_calls import edits_of
from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.history.tool_calls import Edits
    from policy_engine.model.event import Event

_MOST = 1_000_000  # characters of a file; of a longer one nobody knows
_MOST_PAIRS = 1_000_000  # of lines, which are compared with each other


class FileChange(NamedTuple):
    """A file, its text before and after a call, and whether the file has what the call replaces in it."""

    path: str
    before: str
    after: str
    found: bool

    def changed_lines(self) -> frozenset[int]:
        """Return the lines of the text after the call, from 0, that came with it or stand beside lines that went."""
        lines = set[int]()
        for _, _, begin, end in differing(self.before.split("\n"), self.after.split("\n")):
            lines.update(range(begin, end) if begin < end else (begin - 1, begin))
        return frozenset(lines)


def changes_by(event: Event, filesystem: FileSystem) -> list[FileChange]:
    """Return what a call of a file tool changes. Raises Undecided where its arguments do not say it."""
    return [_read(edits, event, filesystem) for edits in edits_of(event)]


def on_disk(path: str, event: Event, filesystem: FileSystem) -> str:
    """Return the text of a file as it is, "" if there is none."""
    return filesystem.script(filesystem.resolve(path, event.cwd), _MOST) or ""


def differing(old: list[str], new: list[str]) -> list[tuple[int, int, int, int]]:
    """Return the parts that differ, by where they begin and end in both; the whole where comparing it takes long."""
    same = next((at for at, (one, other) in enumerate(zip(old, new, strict=False)) if one != other), None)
    start = min(len(old), len(new)) if same is None else same
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    last, final = len(old) - end, len(new) - end
    if start == last and start == final:
        return []
    if start in (last, final) or (last - start) * (final - start) > _MOST_PAIRS:
        return [(start, last, start, final)]
    from difflib import SequenceMatcher

    codes = SequenceMatcher(None, old[start:last], new[start:final], autojunk=False).get_opcodes()
    return [(start + i, start + j, start + k, start + m) for kind, i, j, k, m in codes if kind != "equal"]


def _read(edits: Edits, event: Event, filesystem: FileSystem) -> FileChange:
    before = on_disk(edits.path, event, filesystem)
    if max(map(len, (before, *(text for pair in edits.pairs for text in pair[:2])))) > _MOST:
        raise Undecided(f"`{edits.path}` is too long to be read")
    if edits.whole:
        return FileChange(edits.path, before, edits.pairs[0][1], True)
    text = before
    for old, new, every in edits.pairs:
        if old and old not in text:
            pairs = edits.pairs
            return FileChange(edits.path, "\n".join(one[0] for one in pairs), "\n".join(one[1] for one in pairs), False)
        text = text.replace(old, new, -1 if every else 1) if old else f"{text}{new}"
    return FileChange(edits.path, before, text, True)
