"""Lifecycle point `after_round`: one model turn and all its tool results are in."""

from __future__ import annotations

from policy_engine.hooks.base import HookPoint, payload

AFTER_ROUND = HookPoint(
    "after_round",
    fires="one model turn and all its tool results are in",
    verdicts=("warn", "remind", "stop"),
    fields=(),
    payload=payload("after_round"),
)
