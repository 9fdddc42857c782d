"""Digest a call without what does not tell it from another, and the calls of one turn of the model.

The turn's digest is the sum of its calls' digests, so that calls which end in another order are the same turn and the
state has one size. Loaded where a rule asks.
"""

from __future__ import annotations

from policy_engine.history.digest import text_digest
from policy_engine.history.limits import key_of
from policy_engine.history.recorder import agent_key
from policy_engine.model.undecided import ABSENT, Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy_engine.history.session import History
    from policy_engine.model.event import Event
    from policy_engine.shell.command import SimpleCommand

ROUND = "round"
"""The room, the kind of facts, and what a missed event may have said."""
_AGENTS = 64  # whose turns are kept; the one that began longest ago goes
NO_CALLS, _UNKNOWN = "0", ""


def call_digest(event: Event, commands: tuple[SimpleCommand, ...] | None) -> str:
    """Return a digest of the tool's name and arguments; of a line, of its commands without redirections and layout.

    A line that is not understood (`commands` is None) is only the same as one of the same text. Raises Undecided.
    """
    if commands is None:
        return key_of((event.tool_name, event.tool_args), b"")
    said = [(one.argv, one.env, one.cwd.real, one.piped_from) for one in commands]
    return key_of((event.tool_name, said), b"")


def note_turn(history: History, said: dict[str, Any], event: Event) -> None:
    """Add a call that is proposed or has ended to the turn of its agent; where one may be missing the turn is unknown.

    What is proposed counts for itself, so that turns whose calls were refused are told apart.
    """
    if event.hook not in ("before_tool", "after_tool", "after_round"):
        return
    namespace, agent = history.namespace(ROUND), agent_key(event)
    turn = history.round_of(agent)
    if ROUND in said.get("unsure", ()):
        said["unsure"] = [name for name in said["unsure"] if name != ROUND]
        namespace.update({name: [history.round_of(name), _UNKNOWN] for name in (*namespace, agent)})
    result = namespace.get(agent)
    if result is None or result[0] != turn:
        lost = result is None and "lost" in said
        namespace.pop(agent, None)
        result = namespace[agent] = [turn, _UNKNOWN if lost else NO_CALLS]
        while len(namespace) > _AGENTS:
            del namespace[next(iter(namespace))]
    if event.hook != "after_round" and result[1] != _UNKNOWN:
        total = int(result[1], 16) + _digest(event, history.key)
        result[1] = _UNKNOWN if event.unproven else format(total % 2**128, "x")
    history.dirty = True


def turn_digest(history: History, agent: str) -> Any:
    """Return the digest of the turn that ends now; absent if it made no call. Raises Undecided."""
    result = history.namespace(ROUND).get(agent, (0, NO_CALLS))[1]
    if result == _UNKNOWN:
        raise Undecided("a call of this turn is not known")
    return ABSENT if result == NO_CALLS else str(result)


def _digest(event: Event, key: bytes) -> int:
    if event.hook == "before_tool":
        return int(key_of((event.tool_name, event.tool_args), key), 16)
    result = event.result or {}
    text = result.get("text")
    seen = text_digest(text) if type(text) is str else ABSENT
    return int(key_of((event.tool_name, event.tool_args, result.get("ok", ABSENT), seen), key), 16)
