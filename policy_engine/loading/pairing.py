"""A call before and after it ran → what the two do not agree in: its input, its refusal, whether it was asked about.

Hosts run the hooks of one event side by side, and one that answers after us may rewrite the input that we judged
(security R22); some do not report every call before it runs (R9), or do not heed a refusal (R2). All this can only be
told afterwards. Kept is a file per session, of one short record per call, outside the store: to open that before every
call would cost more than the decision. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.loading.beside import add, content, digest, forget, path_of, split
from policy_engine.model.points import COMPLETIONS
from policy_engine.model.strict_json import write_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.model.event import Event

FOLDER = "calls"
_PROPOSED, _REFUSED, _UNSEEN, _SAID = b"p", b"r", b"u", b"s"  # the first byte of a record; the last: at a completion
_SIZE = 17  # and then eight bytes of the call's identity and eight of its input
_NOTHING = bytes(8)
_OURS = "timeout"  # the argument that the engine itself sets, where a rule gives a call its time


def paired(event: Event, refused: bool, promised: bool) -> str:
    """Keep what the event says of its call; what is wrong with it, in words, or nothing. Raises OSError.

    `refused` is our answer to the event; `promised` says that the host reports every call before it runs.
    """
    if event.hook == "session_end":
        forget(path_of(FOLDER, event.session))
    elif event.hook in COMPLETIONS:
        return _completion(event.session)
    elif event.tool_id:
        if event.hook == "before_tool":
            _keep(event.session, _REFUSED if refused else _PROPOSED, digest(event.tool_id.encode()), _input(event))
        elif event.hook == "after_tool":
            return _ended(event, event.tool_id, promised)
    return ""


def _ended(event: Event, call: str, promised: bool) -> str:
    identity, records = digest(call.encode()), _records(event.session)
    tool = f"`{event.tool_name}` ran (call `{call}`)"
    known = next((record for record in reversed(records) if record[1:9] == identity), b"")
    if known[:1] == _PROPOSED:
        if known[9:] == _input(event):
            return ""
        return f"{tool} with another input than the engine was asked about: another hook rewrote it, and no rule saw it"
    if known[:1] == _REFUSED:
        return f"{tool} although it was refused: the host does not heed the hook"
    if known or not promised:
        return ""
    _keep(event.session, _UNSEEN, identity, _NOTHING)
    if not records:
        return ""  # the hook or the policy may be younger than the call
    return f"{tool} and the engine was not asked before: the host did not start the hook"


def _completion(session: str) -> str:
    unseen = 0
    for record in reversed(_records(session)[1:]):
        if record[:1] == _SAID:
            break
        unseen += record[:1] == _UNSEEN
    if not unseen:
        return ""
    _keep(session, _SAID, _NOTHING, _NOTHING)
    return f"calls ran ({unseen}) without the engine being asked before: the host did not start the hook"


def _input(event: Event) -> bytes:
    given = event.tool_args or {}
    return digest(write_json([event.tool_name, {key: given[key] for key in sorted(given) if key != _OURS}]))


def _records(session: str) -> list[bytes]:
    return split(content(path_of(FOLDER, session)) or b"", _SIZE)


def _keep(session: str, kind: bytes, identity: bytes, given: bytes) -> None:
    add(path_of(FOLDER, session), kind + identity + given)
