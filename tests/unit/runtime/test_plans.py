"""What a host said of a plan or of what was used stays until it says otherwise, part by part."""

from __future__ import annotations

from typing import Any

import pytest

from policy_engine.bootstrap import Engine

POLICY = """language 1
rule status "Approved" { on before_tool when plan.status else "" == "approved" deny "approved" }
rule draft "Draft" { on before_tool when plan.status else "" == "draft" deny "draft" }
rule steps "Steps" { on before_tool fail open when plan.open_steps == 2 deny "two" }
rule none "None" { on before_tool fail open when plan.open_steps == 0 deny "none" }
rule tokens "Tokens" { on before_tool fail open when usage.tokens == 9 and usage.cents == 3 deny "both" }
"""
TWO = [
    {"id": "1"},
    {"id": "2", "status": "blocked"},
    {"id": "3", "status": "failed"},
    {"id": "4", "status": "canceled"},
]
DONE = [{"id": "1", "status": "completed"}]


def _said(*told: dict[str, Any]) -> set[str]:
    """The rules that speak after a session in which the host told these one after another."""
    engine = Engine.from_text(POLICY, log=False)
    tool = {"name": "Todo", "kind": "todo", "args": {}}
    for number, part in enumerate(told):
        call = {"session": "s", "workspace": "/w", "cwd": "/w", "tool": {**tool, "id": str(number)}}
        engine.decide({**call, "hook": "before_tool"})
        engine.decide({**call, "hook": "after_tool", "result": {"ok": True, "status": "completed"}, **part})
    decision = engine.decide({"hook": "before_tool", "session": "s", "workspace": "/w", "cwd": "/w", "tool": tool})
    return {rule.rule for rule in decision.rules if rule.verdict == "deny"}


APPROVED: dict[str, Any] = {"plan": {"status": "approved"}}


@pytest.mark.parametrize(
    ("told", "rules"),
    [
        ([APPROVED], {"status"}),
        ([APPROVED, {"plan": {"open_steps": 2}}], {"status", "steps"}),
        ([APPROVED, {"todos": TWO}], {"status", "steps"}),
        ([APPROVED, {"todos": TWO}, {"todo_changes": [{"id": "1", "status": "completed"}]}], {"status"}),
        ([{"todos": TWO}, {"todo_changes": [{"id": n, "status": "completed"} for n in "12"]}], {"none"}),
        ([{"todo_changes": [{"id": "1"}, {"id": "2"}]}, APPROVED], {"status", "steps"}),
        ([APPROVED, {"todos": DONE}], {"status", "none"}),
        ([APPROVED, {"todos": []}], {"status", "none"}),
        ([APPROVED, {"plan": {}}], {"status"}),
        ([APPROVED, {"plan": {"created": "2026-11-20T10:00:00Z"}}], {"status"}),
        ([{"plan": {"open_steps": 2}}, APPROVED], {"status", "steps"}),
        ([{"plan": {"open_steps": 2}}, {"todos": DONE}], {"steps"}),  # the host counts itself
        ([APPROVED, {"plan": {"status": "draft"}}], {"draft"}),  # a new plan is not approved
        ([APPROVED, {"plan": {"status": None}}], set()),
        ([APPROVED, {"plan": {"status": "completed", "open_steps": 0}}], {"none"}),
        ([{"usage": {"tokens": 9}}, {"usage": {"cents": 3}}], {"tokens"}),
        ([{"usage": {"tokens": 9, "cents": 1}}, {"usage": {"cents": 3}}], {"tokens"}),
        ([{"usage": {"tokens": 9, "cents": 3}}, {"usage": {"tokens": 10}}], set()),
    ],
)
def test_a_part_that_is_not_named_stays(told: list[dict[str, Any]], rules: set[str]) -> None:
    assert _said(*told) == rules


def test_what_may_have_changed_unseen_is_not_added_to() -> None:
    engine = Engine.from_text(POLICY, log=False)
    call: dict[str, Any] = {"session": "s", "workspace": "/w", "cwd": "/w", "tool": {"name": "T", "args": {}}}
    ran = {**call, "hook": "after_tool", "result": {"ok": True, "status": "completed"}}
    engine.decide({**ran, **APPROVED})
    engine.decide({**ran, "unproven": True, "plan": {"status": "rejected"}})
    engine.decide({**ran, "plan": {"open_steps": 1}})
    assert not {rule.rule for rule in engine.decide({**call, "hook": "before_tool"}).rules if rule.verdict == "deny"}
