"""Lifecycle point `session_start`: a session opens, new or resumed."""

from __future__ import annotations

from policy_engine.hooks.base import HookPoint, payload

SESSION_START = HookPoint(
    "session_start",
    fires="a session opens",
    verdicts=("warn", "remind", "stop"),
    fields=(),
    payload=payload("session_start"),
)
