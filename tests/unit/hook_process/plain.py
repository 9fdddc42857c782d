"""A host that says what it is told, word for word: for tests of what stands between the adapters and the engine."""

from __future__ import annotations

import json
from typing import Any

from policy_engine.adapters.base import Adapter, Answer, Capability, Registration
from policy_engine.model.decision import Decision
from policy_engine.model.event import Event

CAPABILITIES = {
    "Before": Capability("before_tool", True, "deny"),
    "Permission": Capability("before_permission", True, "deny"),
    "After": Capability("after_tool", False, ""),
    "Prompt": Capability("prompt", True, "deny"),
    "Start": Capability("session_start", False, ""),
    "Stop": Capability("before_completion", True, "deny"),
    "SubStop": Capability("subagent_completion", True, "deny"),
}


def _encode(decision: Decision, native: str, event: Event | None) -> Answer:
    """A line of JSON: the native event, the decision, and whether the event is known."""
    said = {"native": native, "event": None if event is None else event.id, "decision": decision.to_dict()}
    return Answer(json.dumps(said).encode())


def plain(**more: Any) -> Adapter:
    """The adapter; its payload holds the canonical event under `event`, none for what it ignores."""
    registration = Registration(
        home_folder=".plain",
        user_settings="settings.json",
        project_settings="settings.json",
        events=tuple((native, None) for native in CAPABILITIES),
        timeout=60,
        longer={"Stop": 600},
    )
    given = {
        "decode": lambda payload, name, environment: payload.get("event"),
        "encode": _encode,
        "failure": lambda native, code, text: Answer(b"", f"{native}|{code}|{text}\n".encode(), 2),
        "capabilities": CAPABILITIES,
        "continuation_cap": 0,
        **more,
    }
    return Adapter("plain", registration=registration, **given)
