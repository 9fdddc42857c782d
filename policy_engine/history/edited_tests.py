"""Say which test a write or an edit would keep from running, though it ran before, or would add without running it.

The file as it is is compared with what the call makes of it. Of a text that an edit replaces and that the file does not
have, the text stands for the file. Not on the hook path: it is imported when a rule asks.
"""

from __future__ import annotations

from policy_engine.history.tool_calls import edits_of
from policy_engine.model.undecided import ABSENT, Undecided
from policy_engine.test_runs.lost_tests import Texts, lost_in
from policy_engine.test_runs.switches import Change, Switch, names_of_tests, switched_off
from policy_engine.test_runs.task_files import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.history.tool_calls import Edits
    from policy_engine.model.event import Event

_MOST = 1_000_000  # characters of a file; of a longer one nobody knows


def switched_off_by(event: Event, filesystem: FileSystem) -> Any:
    """Return the first line by which a call switches a test off, ABSENT if there is none.

    A line that switches a test off where something holds counts where the test was there before. Raises Undecided.
    """
    texts = [(_read(edits, event, filesystem), edits.path) for edits in edits_of(event)]
    changes, lost, known = [], list[Switch](), True
    after: dict[str, str] = {}
    for (before, now, found), path in texts:
        changes.append(_change(path, before, now))
        after[path] = now
        known = known and found
        lost += lost_in(Texts(path, before, now, lambda one: _on_disk(one, event, filesystem)))
        names = names_of_tests(before, path)
        if found and names and not names_of_tests(now, path):
            lost.append(Switch(path, names[0], f"{names[0]}, and every other test", True))
    off, new = switched_off(changes, lambda path: after[path])
    result = [*off, *lost, *(one for one in new if one.always or not known)]
    return result[0].line if result else ABSENT


def _read(edits: Edits, event: Event, filesystem: FileSystem) -> tuple[str, str, bool]:
    """Return the text of a file before and after a call, and whether the file has what is replaced in it."""
    on_disk = _on_disk(edits.path, event, filesystem)
    if max(map(len, (on_disk, *(text for pair in edits.pairs for text in pair[:2])))) > _MOST:
        raise Undecided(f"`{edits.path}` is too long to be read")
    if edits.whole:
        return on_disk, edits.pairs[0][1], True
    text = on_disk
    for old, new, every in edits.pairs:
        if old and old not in text:
            pairs = edits.pairs
            return "\n".join(one[0] for one in pairs), "\n".join(one[1] for one in pairs), False
        text = text.replace(old, new, -1 if every else 1) if old else f"{text}{new}"
    return on_disk, text, True


def _on_disk(path: str, event: Event, filesystem: FileSystem) -> str:
    return text_of(filesystem.resolve(path, event.cwd).real, filesystem)


def _change(path: str, before: str, after: str) -> Change:
    """Return what differs between two texts of a file."""
    from difflib import SequenceMatcher

    old, new = before.split("\n"), after.split("\n")
    start = next((at for at, (one, other) in enumerate(zip(old, new, strict=False)) if one != other), None)
    start = min(len(old), len(new)) if start is None else start
    added: dict[int, tuple[int, str]] = {}
    removed: dict[int, list[str]] = {}
    matcher = SequenceMatcher(None, old[start:], new[start:], autojunk=len(old) + len(new) > _LONG)
    for part, (kind, i, j, k, end) in enumerate(matcher.get_opcodes()):
        if kind != "equal":
            added.update((start + at + 1, (part, new[start + at])) for at in range(k, end))
            if lines := old[start + i : start + j]:
                removed[part] = lines
    return Change(path, added, removed)


_LONG = 2_000  # lines, of which frequent ones are not compared with each other
