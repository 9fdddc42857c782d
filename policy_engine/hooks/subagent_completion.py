"""Lifecycle point `subagent_completion`: a sub-agent proposes to finish; it can never complete the main run."""

from __future__ import annotations

from policy_engine.hooks.base import ALL_VERDICTS, ANSWER_TEXT, HookPoint, payload

SUBAGENT_COMPLETION = HookPoint(
    "subagent_completion",
    fires="a sub-agent proposes to finish",
    verdicts=ALL_VERDICTS,
    fields=(ANSWER_TEXT,),
    payload=payload("subagent_completion", agent={"kind": "reviewer", "name": "reviewer-1"}, answer="done"),
)
