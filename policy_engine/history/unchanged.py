"""Detect the calls that leave in a file the bytes which it holds already: such a call changes nothing.

A write or an edit is compared when it is proposed and, if it was the same, once more when it has ended. Patches, cells
of notebooks, and what other programs do, is not looked at. Imported by the hook path.
"""

from __future__ import annotations

from _blake2 import blake2b

from policy_engine.history.tool_calls import REPLACED_KEYS, WRITTEN_KEYS, named_paths
from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.history.facts import Fact
    from policy_engine.history.session import History
    from policy_engine.model.event import Event

NAMESPACE = "unchanged"
_CALLS = 32  # proposed writes that are remembered until they end
_EDITED_BYTES = 1_048_576  # of a larger file an edit counts as a change
KINDS = ("write", "edit")
_TEXTS = ("content", "contents", "file_text")


def same_bytes(event: Event, filesystem: FileSystem) -> tuple[str, str]:
    """Return the canonical path of the file that a write or an edit leaves as it is, and a digest; empty if none.

    No text is never the same: a test of a policy writes so, where it does not say what is written.
    """
    if event.tool_kind not in KINDS or event.unproven or event.past:
        return "", ""
    args, edits = event.tool_args or {}, event.tool_kind == "edit"
    texts = [value for key, value in args.items() if key in _TEXTS]
    if not edits and (len(texts) != 1 or type(texts[0]) is not str or not texts[0]):
        return "", ""
    try:
        named = named_paths(event)
        whole = None if edits else texts[0].encode()
        path = filesystem.resolve(named[0][0], event.cwd)
        seen = filesystem.look(path)
        if len(named) != 1 or not isinstance(seen, tuple) or seen[0] != "file":
            return "", ""
        if seen[1] > _EDITED_BYTES if whole is None else seen[1] != len(whole):
            return "", ""
        data = filesystem.read(path)
        if not isinstance(data, bytes):
            return "", ""
        same = data == (_edited(args, data) if whole is None else whole)
    except (Undecided, UnicodeError, IndexError):
        return "", ""
    return (path.real, _digest(data)) if same else ("", "")


def _edited(args: dict[str, Any], data: bytes) -> bytes | None:
    """Return what edits of texts make of a file; None where that is not known, or where one of them fails."""
    edits = args.get("edits", [args])
    text = data.decode()
    for edit in edits if type(edits) is list and edits else [None]:
        given = edit if type(edit) is dict else {}
        old, new = (
            [value for key, value in given.items() if key in keys and type(value) is str]
            for keys in (REPLACED_KEYS, WRITTEN_KEYS)
        )
        if len(old) != 1 or len(new) != 1 or not old[0] or old[0] not in text:
            return None
        if text.count(old[0]) > 1 and old[0] != new[0] and given.get("replace_all") is not True:
            return None
        text = text.replace(old[0], new[0])
    return text.encode()


def _digest(data: bytes) -> str:
    return blake2b(data, digest_size=16).hexdigest()


def note_proposed(event: Event, filesystem: FileSystem, history: History, is_known: Callable[[str], bool]) -> None:
    """Remember a proposed write that would change nothing of a file that nothing changed unseen before."""
    path, digest = same_bytes(event, filesystem)
    if path and is_known(path):
        calls = history.namespace(NAMESPACE)
        calls[event.tool_id or path] = digest
        while len(calls) > _CALLS:
            del calls[next(iter(calls))]
        history.dirty = True


def without_unchanged(
    facts: tuple[Fact, ...], event: Event, filesystem: FileSystem, history: History
) -> tuple[Fact, ...]:
    """Return the facts of an ended call without a write that left its file as it was before the call."""
    calls = history.state["rooms"].get(NAMESPACE)
    if not calls or event.tool_kind not in KINDS:
        return facts
    path, digest = same_bytes(event, filesystem)
    before = calls.pop(event.tool_id or path, None)
    if before is None:
        return facts
    history.dirty = True
    if before != digest:
        return facts
    return tuple(one for one in facts if one.kind != "wrote" or one.path is None or one.path.real != path)
