"""Lifecycle point `prompt`: the user submits a prompt; a new run begins."""

from __future__ import annotations

from policy_engine.hooks.base import PROMPT_TEXT, HookPoint, payload

PROMPT = HookPoint(
    "prompt",
    fires="the user submits a prompt",
    verdicts=("warn", "remind", "deny", "stop"),
    fields=(PROMPT_TEXT,),
    payload=payload("prompt", prompt="fix the tests"),
)
