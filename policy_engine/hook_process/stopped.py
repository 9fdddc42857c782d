"""Refuse every later gate of a session whose run was stopped where the host goes on all the same.

A host that knows no `stop` before a tool takes it for one refused call, and after a tool for a remark. What stopped is
kept beside the store until a person speaks or the session begins anew. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.errors import EventError
from policy_engine.model.strict_json import read_json, write_json
from policy_engine.state.side_files import content, forget, path_of, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.adapters.base import Capability
    from policy_engine.evaluators.base import Program
    from policy_engine.model.decision import Decision, RuleResult
    from policy_engine.model.event import Event

FOLDER = "stopped"
_CHARS = 2_000  # of what stopped the run; it is said again at every event
_NOW = "Nothing more is done until a person says how to go on."


def held(event: Event, decision: Decision, capability: Capability) -> RuleResult | None:
    """Keep a `stop` that the host will not heed here; what an earlier one says of this event. Raises OSError."""
    path = path_of(FOLDER, event.session)
    if event.hook in ("prompt", "session_end") or _begins(event):
        forget(path)
    if decision.verdict == "stop":
        if "stop" not in capability.enforces:
            _keep(path, decision)
        return None
    if not capability.gate:
        return None
    data = content(path)
    return None if data is None else _again(data)


def _keep(path: str, decision: Decision) -> None:
    why = [f"{one.message} [{one.rule}]" for one in decision.rules if one.verdict == "stop"]
    try:
        replace(path, write_json([decision.stop_reason or "", " ".join(why)[:_CHARS]]))
    except OSError:
        replace(path, b"")  # it may be the room for the words that lacks


def unknown(event: Event, decision: Decision, capability: Capability, program: Program, why: str) -> RuleResult | None:
    """Return the message where a stop cannot be kept; a refusal where one may have been, and nobody can know."""
    from policy_engine.runtime.resolve import own_word

    if decision.verdict == "stop" and "stop" not in capability.enforces:
        text = f"The run is stopped, and the host will not be held to it: {why}."
        return own_word("undecided", "warn", text, "")
    if not capability.gate or event.hook == "prompt" or "stop" in capability.enforces or not _may_stop(program):
        return None
    text = f"Whether the run was stopped before cannot be known: {why}."
    return own_word("undecided", "deny", text, "")


def _begins(event: Event) -> bool:
    """Return whether somebody opens the session, new or once more; hosts report a compaction as a start as well."""
    return event.hook == "session_start" and event.raw.get("source") != "compact"


def _may_stop(program: Program) -> bool:
    rules = map(program.rule, range(program.rules))
    return any(
        one.verdict == "stop" or (one.kind == "limit" and any(step[2] == "stop" for step in one.extra[5]))
        for one in rules
    )


def _again(data: bytes) -> RuleResult:
    from policy_engine.runtime.resolve import own_word

    try:
        reason, text = read_json(data)
        message = f"The run was stopped: {text} {_NOW}"
    except (EventError, ValueError, TypeError):  # it was stopped, whatever became of the words
        reason, message = "", f"The run was stopped. {_NOW}"
    return own_word("violated", "stop", message, reason if type(reason) is str else "")
