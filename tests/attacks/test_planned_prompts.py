"""Prompts that the agent had planned itself: no word of a person, whatever the client calls them."""

from __future__ import annotations

import pytest

from tests.attacks.session import Session
from tests.attacks.test_runs_of_tests import dirty, finish  # noqa: F401 -- a fixture

PLANS = {
    "CronCreate": {"cron": "*/5 * * * *", "prompt": "thanks, that is all", "recurring": False},
    "ScheduleWakeup": {"delaySeconds": 60, "reason": "wait", "prompt": "thanks, that is all"},
    "mcp__timer__schedule": {"prompt": "thanks, that is all"},
}


def plan(session: Session, name: str, **more: object) -> None:
    host, given = session.host, {**PLANS[name], **more}
    for event in ("PreToolUse", "PostToolUse"):
        answer = {"tool_response": {"id": "1"}} if event == "PostToolUse" else {}
        host.call(host.payload(event, tool_name=name, tool_input=given, tool_use_id="plan", **answer))


def prompt(session: Session, text: str, **more: str) -> None:
    session.host.call(session.host.payload("UserPromptSubmit", prompt=text, **more))


@pytest.mark.parametrize("name", PLANS)
def test_a_planned_prompt_ends_no_obligation(dirty: Session, name: str) -> None:  # noqa: F811
    plan(dirty, name)
    prompt(dirty, " thanks, that is  all\n")
    assert finish(dirty) == "refused"


def test_a_plan_that_outlives_its_session_is_known_in_the_next(dirty: Session) -> None:  # noqa: F811
    plan(dirty, "CronCreate", durable=True)
    host = dirty.host
    given = {"file_path": str(dirty.workspace / "src/b.py"), "content": "x = 5\n"}
    for event, more in (("PreToolUse", {}), ("PostToolUse", {"tool_response": {"success": True}})):
        host.call(host.payload(event, session_id="s-2", tool_name="Write", tool_input=given, tool_use_id="w", **more))
    host.call(host.payload("UserPromptSubmit", session_id="s-2", prompt="thanks, that is all"))
    assert host.call({**host.stop(), "session_id": "s-2"}).refused
    host.call(host.payload("UserPromptSubmit", session_id="s-2", prompt="And now?"))
    assert not host.call({**host.stop(), "session_id": "s-2"}).refused


def test_what_a_person_says_is_heard(dirty: Session) -> None:  # noqa: F811
    plan(dirty, "CronCreate")
    prompt(dirty, "thanks, that is all, but for the name")
    assert finish(dirty) == "accepted"


def test_so_is_the_same_text_where_the_client_says_who_typed_it(dirty: Session) -> None:  # noqa: F811
    plan(dirty, "CronCreate")
    prompt(dirty, "thanks, that is all", source="user")
    assert finish(dirty) == "accepted"
