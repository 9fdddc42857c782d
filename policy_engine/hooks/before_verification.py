"""Lifecycle point `before_verification`: the `verify` pipeline is about to run."""

from __future__ import annotations

from policy_engine.hooks.base import VERIFICATION_NAME, HookPoint, payload

BEFORE_VERIFICATION = HookPoint(
    "before_verification",
    fires="before the `verify` pipeline runs",
    verdicts=("warn", "remind", "stop"),
    fields=(VERIFICATION_NAME,),
    payload=payload("before_verification", verification={"name": "checks"}),
)
