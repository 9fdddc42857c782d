"""Lifecycle point `after_verification`: the `verify` pipeline ended."""

from __future__ import annotations

from policy_engine.hooks.base import VERIFICATION, HookPoint, payload

AFTER_VERIFICATION = HookPoint(
    "after_verification",
    fires="after the `verify` pipeline ran",
    verdicts=("warn", "remind", "stop"),
    fields=VERIFICATION,
    payload=payload(
        "after_verification",
        verification={"name": "checks", "passed": True, "stages": [{"stage": "tests", "outcome": "passed"}]},
    ),
)
