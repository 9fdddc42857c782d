"""Lifecycle point `before_completion`: the agent proposes to finish, with no tool calls and visible text."""

from __future__ import annotations

from policy_engine.hooks.base import ALL_VERDICTS, ANSWER_TEXT, HookPoint, payload

BEFORE_COMPLETION = HookPoint(
    "before_completion",
    fires="the agent proposes to finish",
    verdicts=ALL_VERDICTS,
    fields=(ANSWER_TEXT,),
    payload=payload("before_completion", answer="done"),
)
