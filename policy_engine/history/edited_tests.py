"""Say which test a write or an edit would keep from running, though it ran before, or would add without running it.

The file as it is is compared with what the call makes of it. Of a text that an edit replaces and that the file does not
have, the text stands for the file. Not on the hook path: it is imported when a rule asks.
"""

from __future__ import annotations

from policy_engine.history.tool_calls import edits_of
from policy_engine.model.undecided import ABSENT, Undecided
from policy_engine.test_runs.lost_tests import Texts, lost_in
from policy_engine.test_runs.switches import Change, Switch, names_of_tests, switched_off

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
        if found and not next(names_of_tests(now, path), "") and (name := next(names_of_tests(before, path), "")):
            lost.append(Switch(path, name, f"{name}, and every other test", True))
    off, new = switched_off(changes, lambda path: after[path])
    if not known:
        lost += [one for change in changes for one in _made_asynchronous(change)]
    result = [*off, *lost, *(one for one in new if one.always or not known)]
    return result[0].line if result else ABSENT


def _made_asynchronous(change: Change) -> list[Switch]:
    """Return the tests of Python that a part of a file makes asynchronous, where nobody knows what waits for them."""
    gone = {line.strip() for lines in change.removed.values() for line in lines}
    added = [line.strip() for _, line in change.added.values()]
    return [
        Switch(change.path, "", line, True)
        for line in added
        if line.startswith("async def test") and any(one.startswith(line[6:].partition("(")[0] + "(") for one in gone)
    ]


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
    return filesystem.script(filesystem.resolve(path, event.cwd), _MOST) or ""


def _change(path: str, before: str, after: str) -> Change:
    """Return what differs between two texts of a file."""
    old, new = before.split("\n"), after.split("\n")
    same = next((at for at, (one, other) in enumerate(zip(old, new, strict=False)) if one != other), None)
    start = min(len(old), len(new)) if same is None else same
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    old, new = old[start : len(old) - end], new[start : len(new) - end]
    added: dict[int, tuple[int, str]] = {}
    removed: dict[int, list[str]] = {}
    for part, (i, j, k, last) in enumerate(_differing(old, new)):
        added.update((start + at + 1, (part, new[at])) for at in range(k, last))
        if i < j:
            removed[part] = old[i:j]
    return Change(path, added, removed)


def _differing(old: list[str], new: list[str]) -> list[tuple[int, int, int, int]]:
    """Return the parts that differ, by their places in both; the whole where comparing it takes long."""
    if not old or not new or len(old) * len(new) > _MOST_PAIRS:
        return [(0, len(old), 0, len(new))]
    from difflib import SequenceMatcher

    codes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [(i, j, k, last) for kind, i, j, k, last in codes if kind != "equal"]


_MOST_PAIRS = 1_000_000  # of lines, which are compared with each other
