"""A canonical event → its Decision, both as JSON: for callers that speak the engine's own form (`POST /decide`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from policy_engine.adapters.base import Adapter, Answer, Registration
from policy_engine.model.decision import Decision
from policy_engine.model.errors import EventError
from policy_engine.model.event import Event
from policy_engine.model.strict_json import write_json
from policy_engine.runtime import engine

NAME = "canonical"


def canonical() -> Adapter:
    """For one event: a failure is told with what is known of it."""
    known: dict[str, Any] = {}

    def decode(payload: Any, _event_name: str | None, _environment: Mapping[Any, Any]) -> dict[str, Any]:
        if type(payload) is not dict:
            raise EventError("E-TYPE", "an event is a JSON object")
        known.update(payload)
        return payload

    def failure(_native: str, code: str, message: str) -> Answer:
        return _said(engine.failure(known, code, message, ""))

    def encode(decision: Decision, _native: str, _event: Event | None = None) -> Answer:
        return _said(decision)

    return Adapter(NAME, decode, encode, failure, {}, _REGISTRATION, continuation_cap=0)


def _said(decision: Decision) -> Answer:
    return Answer(write_json(decision.to_dict()))


# nothing calls a command for it; what matters is how long a caller is taken to wait
_REGISTRATION = Registration(
    home_folder="", home_variable="", user_settings="", project_settings="", other_settings=(), managed_settings=(),
    events=(), timeout=60, longer={}, fail_closed_events=frozenset(), switches=(), managed_switches=(), variables=(),
    canary={}, denial=(),
)  # fmt: skip
