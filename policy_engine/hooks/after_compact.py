"""Lifecycle point `after_compact`: the context was compacted; the history is unchanged."""

from __future__ import annotations

from policy_engine.hooks.base import HookPoint, payload

AFTER_COMPACT = HookPoint(
    "after_compact",
    fires="after the context was compacted",
    verdicts=("warn", "remind"),
    fields=(),
    payload=payload("after_compact"),
)
