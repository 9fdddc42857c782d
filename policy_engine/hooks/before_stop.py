"""Lifecycle point `before_stop`: the stop reason of the run is about to be decided."""

from __future__ import annotations

from policy_engine.hooks.base import HookPoint, payload

BEFORE_STOP = HookPoint(
    "before_stop",
    fires="the stop reason is about to be decided",
    verdicts=("warn",),
    fields=(),
    payload=payload("before_stop"),
)
