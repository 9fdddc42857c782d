"""Lifecycle point `subagent_start`: a sub-agent is about to begin; its task is the prompt."""

from __future__ import annotations

from policy_engine.hooks.base import PROMPT_TEXT, HookPoint, payload

SUBAGENT_START = HookPoint(
    "subagent_start",
    fires="a sub-agent begins",
    verdicts=("warn", "remind", "deny", "stop"),
    fields=(PROMPT_TEXT,),
    payload=payload("subagent_start", agent={"kind": "reviewer", "name": "reviewer-1"}, prompt="review the change"),
)
