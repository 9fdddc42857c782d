"""Lifecycle point `before_compact`: the context is about to be compacted."""

from __future__ import annotations

from policy_engine.hooks.base import HookPoint, payload

BEFORE_COMPACT = HookPoint(
    "before_compact",
    fires="before the context is compacted",
    verdicts=("warn", "remind", "deny"),
    fields=(),
    payload=payload("before_compact"),
)
