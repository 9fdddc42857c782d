"""`limit.NAME.count` of a limit with a window is as of the event that reads it."""

from __future__ import annotations

from tests.unit.testing.playing import messages

POLICY = """
limit approvals "Approvals" {{
  on prompt
  counts prompt == "approved" within {window}
  at 9 warn "Many."
}}

rule release "A release is approved within five minutes" {{
  on before_tool(shell)
  when any c in commands {{ c.program == "release" }} and limit.approvals.count == 0
  deny "Ask for an approval."
  test {{ {steps} }}
}}
"""


def _failed(window: str, steps: str) -> list[str]:
    return [message for message in messages(POLICY.format(window=window, steps=steps)) if message]


def test_an_approval_lapses_without_another_prompt() -> None:
    steps = 'prompt "approved" shell "release" => allow wait 4m shell "release" => allow'
    assert _failed("5m", steps) == []
    assert _failed("5m", f'{steps} wait 2m shell "release" => deny') == []


def test_an_approval_lapses_after_rounds() -> None:
    assert _failed("2 rounds", 'prompt "approved" shell "release" => allow shell "ls" shell "release" => deny') == []


def test_what_is_given_holds() -> None:
    assert _failed("5m", 'shell "release" => deny given limit.approvals.count = 1 shell "release" => allow') == []
