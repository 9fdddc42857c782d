"""Detect the calls that write into a file the bytes which it holds already: such a call changes nothing.

A write is compared when it is proposed and, if it was the same, once more when it has ended. Other texts of edits, and
what other programs do, is not looked at. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.history.tool_calls import named_paths
from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.history.facts import Fact
    from policy_engine.history.session import History
    from policy_engine.model.event import Event

NAMESPACE = "unchanged"
_CALLS = 32  # proposed writes that are remembered until they end
_TEXTS = ("content", "contents", "file_text")


def same_bytes(event: Event, filesystem: FileSystem) -> str:
    """Return the canonical path of the file which a whole write names and which holds its text; empty if none does.

    No text is never the same: a test of a policy writes so, where it does not say what is written.
    """
    if event.tool_kind != "write" or event.unproven:
        return ""
    texts = [value for key, value in (event.tool_args or {}).items() if key in _TEXTS]
    if len(texts) != 1 or type(texts[0]) is not str or not texts[0]:
        return ""
    try:
        named = named_paths(event)
        data = texts[0].encode()
        path = filesystem.resolve(named[0][0], event.cwd)
        same = len(named) == 1 and filesystem.look(path) == ("file", len(data)) and filesystem.read(path) == data
    except (Undecided, UnicodeEncodeError, IndexError):
        return ""
    return path.real if same else ""


def note_proposed(event: Event, filesystem: FileSystem, history: History, is_known: Callable[[str], bool]) -> None:
    """Remember a proposed write that would change nothing of a file that nothing changed unseen before."""
    path = same_bytes(event, filesystem)
    if path and is_known(path):
        calls = history.namespace(NAMESPACE)
        calls[event.tool_id or path] = path
        while len(calls) > _CALLS:
            del calls[next(iter(calls))]
        history.dirty = True


def without_unchanged(
    facts: tuple[Fact, ...], event: Event, filesystem: FileSystem, history: History
) -> tuple[Fact, ...]:
    """Return the facts of an ended call without a write that left its file as it was before the call."""
    calls = history.state["rooms"].get(NAMESPACE)
    if not calls or event.tool_kind != "write":
        return facts
    path = same_bytes(event, filesystem)
    if calls.pop(event.tool_id or path, None) is None:
        return facts
    history.dirty = True
    return tuple(one for one in facts if one.kind != "wrote" or one.path is None or one.path.real != path)
