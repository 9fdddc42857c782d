"""Say which test a write or an edit would keep from running, though it ran before, or would add without running it.

The file as it is is compared with what the call makes of it. Not on the hook path: it is imported when a rule asks.
"""

from __future__ import annotations

from policy_engine.history.edited_files import changes_by, differing, on_disk
from policy_engine.model.undecided import ABSENT
from policy_engine.test_runs.lost_tests import Texts, lost_in
from policy_engine.test_runs.switches import Change, Switch, names_of_tests, switched_off

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.model.event import Event


def switched_off_by(event: Event, filesystem: FileSystem) -> Any:
    """Return the first line by which a call switches a test off, ABSENT if there is none.

    A line that switches a test off where something holds counts where the test was there before. Raises Undecided.
    """
    changes, lost, known = [], list[Switch](), True
    after: dict[str, str] = {}
    for path, before, now, found in changes_by(event, filesystem):
        changes.append(_change(path, before, now))
        after[path] = now
        known = known and found
        lost += lost_in(Texts(path, before, now, lambda one: on_disk(one, event, filesystem)))
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


def _change(path: str, before: str, after: str) -> Change:
    """Return what differs between two texts of a file."""
    old, new = before.split("\n"), after.split("\n")
    added: dict[int, tuple[int, str]] = {}
    removed: dict[int, list[str]] = {}
    for part, (i, j, k, last) in enumerate(differing(old, new)):
        added.update((at + 1, (part, new[at])) for at in range(k, last))
        if i < j:
            removed[part] = old[i:j]
    return Change(path, added, removed)
