"""Adapter of any host: canonical event (JSON) in, the decision as JSON out, and as exit status: 0 goes on, 2 is a
refusal.

For agents that have no adapter, and for scripts. The payload is the canonical event itself; the answer on standard
output is the decision with all that led to it, the reason for a refusal is on standard error too. `ask` leaves with
status 2: who reads the JSON can ask a person and go on, who reads the status alone must not.
"""

from __future__ import annotations

from policy_engine.adapters.base import (
    CANARY_SESSION,
    CANARY_TOOL,
    RECORDS,
    Adapter,
    Answer,
    Capability,
    Registration,
    paragraphs,
    visible,
)
from policy_engine.model.errors import EventError
from policy_engine.model.points import FAILURE_VERDICT, failure_verdict
from policy_engine.model.strict_json import read_json, write_json
from policy_engine.protocol.answer import settle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy_engine.adapters.base import Environment
    from policy_engine.model.decision import Decision
    from policy_engine.model.event import Event

NAME = "generic"
CAPABILITIES = {
    point: Capability(
        point, verdict == "deny", "warn remind ask deny stop" if verdict == "deny" else "warn remind stop"
    )
    for point, verdict in FAILURE_VERDICT.items()
}


def decode(payload: Any, event_name: str | None, environment: Environment) -> dict[str, Any] | None:
    """The event itself; its `hook` may stand on the command line instead. Raises EventError."""
    if type(payload) is not dict:
        raise EventError("E-TYPE", "the payload is not a JSON object")
    hook = payload.get("hook", event_name)
    if hook not in CAPABILITIES or (event_name and hook != event_name):
        raise EventError("E-POINT", f"unknown lifecycle point, or not the registered one: `{str(hook)[:80]}`")
    host = payload.get("host", {"name": NAME})
    return {**payload, "hook": hook, "host": host}


def encode(decision: Decision, native_event: str, event: Event | None = None) -> Answer:
    """The decision, and its status."""
    capability = CAPABILITIES.get(native_event) or CAPABILITIES.get(decision.hook)
    if capability is None:
        return failure(native_event, "E-POINT", "an answer to an event that is not handled")
    settled = settle(decision, capability, event)
    refused = bool(settled.refusal) and capability.gate
    said_all = paragraphs(settled.refusal, settled.context, settled.shown, *map(visible, decision.errors))
    return _answer(decision.to_dict(), said_all, refused)


def failure(native_event: str, code: str, message: str) -> Answer:
    """The point's failure verdict; an event that is not known may be a gate, and is refused."""
    text = visible(f"{code}: {message}")
    verdict = failure_verdict(native_event)
    return _answer(
        {"hook": native_event, "verdict": verdict, "rules": [], "errors": [text]},
        f"policy engine: {text}",
        verdict == "deny",
    )


def _answer(output: dict[str, Any], message: str, refused: bool) -> Answer:
    return Answer(write_json(output) + b"\n", f"{message}\n".encode() if message else b"", 2 if refused else 0)


def denies(native_event: str, answer: Answer) -> bool:
    """Return whether both channels refuse."""
    try:
        output = read_json(answer.stdout)
    except EventError:
        return False
    return answer.exit_code == 2 and type(output) is dict and output.get("verdict") in ("ask", "deny", "stop")


REGISTRATION = Registration(
    home_folder="",
    user_settings="",
    project_settings="",
    events=tuple((point, None) for point in CAPABILITIES),
    timeout=60,
    form="",
    canary={"session": CANARY_SESSION, "tool": {"name": CANARY_TOOL, "kind": "other", "args": {}}},
)
ADAPTER = Adapter(
    NAME, decode, encode, failure, CAPABILITIES, REGISTRATION, continuation_cap=0, denies=denies, event_key="hook",
    workspace_key="workspace",
    reports=tuple(RECORDS),
    evidence="the canonical form",
    failures={"any": "what the host makes of a status that is not 0"},
)  # fmt: skip
