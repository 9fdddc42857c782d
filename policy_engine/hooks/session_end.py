"""Lifecycle point `session_end`: the session closes."""

from __future__ import annotations

from policy_engine.hooks.base import HookPoint, payload

SESSION_END = HookPoint(
    "session_end",
    fires="the session closes",
    verdicts=("warn",),
    fields=(),
    payload=payload("session_end"),
)
