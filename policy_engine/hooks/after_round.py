"""Lifecycle point `after_round`: one model turn and all its tool results are in."""

from __future__ import annotations

from policy_engine.hooks.base import Field, HookPoint, payload
from policy_engine.model.types import OPAQUE

AFTER_ROUND = HookPoint(
    "after_round",
    fires="one model turn and all its tool results are in",
    verdicts=("warn", "remind", "stop"),
    fields=(
        Field(
            "round.digest",
            OPAQUE,
            "a digest of the turn's calls and their results, in any order; absent without calls",
            "the engine",
            optional=True,
        ),
    ),
    payload=payload("after_round"),
)
