"""A decision in words: what failed, with which values, why, what to do next."""

from __future__ import annotations

import re

from policy_engine.model.decision import Decision, RuleResult
from policy_engine.reports.decision_text import render_decision
from tests.unit.reports.examples import DENIED, HARM, controls_in


def test_a_denial_says_what_failed_with_which_values_and_what_to_do() -> None:
    assert render_decision(DENIED) == (
        "deny  before_tool  e-17  s-1\n"
        "\n"
        "✗ no-recursive-delete  deny  main.policy:7:1\n"
        "  `rm -rf /etc` deletes /etc.\n"
        "  Delete only below the workspace.\n"
        "  because   not (p inside workspace)\n"
        '            p = "/etc"\n'
        "  evidence  e-17\n"
        "  to pass   `p inside workspace`\n"
        "\n"
        "? tests-pass  warn  could not be decided  main.policy:20:1\n"
        "  unknown   no `cwd` was sent\n"
    )


def test_an_allowed_event_is_one_line() -> None:
    assert render_decision(Decision("e-1", "prompt", "s", "allow", "sha256:0")) == "allow  prompt  e-1  s\n"


def test_stop_reason_budget_waivers_shadow_and_errors_are_said() -> None:
    rule = RuleResult("r", "violated", "deny", at="m.policy:1:1")
    stop = RuleResult("cap", "violated", "stop", "Enough.", "m.policy:9:1", reason="repeat_cycle")
    decision = Decision(
        "e", "after_tool", "s", "stop", "x", (stop,), ("bad file",), "repeat_cycle", 90_000, (rule,), (rule,)
    )
    assert render_decision(decision) == (
        "stop  after_tool  e  s  reason repeat_cycle  time budget 90 s\n"
        "\n"
        "✗ cap  stop repeat_cycle  m.policy:9:1\n"
        "  Enough.\n"
        "\n"
        "  waived  r (violated)  m.policy:1:1\n"
        "\n"
        "  shadow  r (violated, would be deny)  m.policy:1:1\n"
        "\n"
        "  error  bad file\n"
    )


def test_a_long_value_is_cut_and_its_length_told() -> None:
    rule = RuleResult("r", "violated", "deny", because=(("content matches /x/", {"content": "y" * 1000}),))
    text = render_decision(Decision("e", "before_tool", "s", "deny", "x", (rule,)))
    assert f'content = "{"y" * 199}… (1002 characters)\n' in text


def test_nothing_an_agent_wrote_reaches_the_terminal_as_a_command() -> None:
    rule = RuleResult(HARM, "violated", "deny", HARM, HARM, ((HARM, {HARM: HARM}),), (HARM,), (HARM,), (HARM,), HARM)
    decision = Decision(HARM, HARM, HARM, "deny", HARM, (rule,), (HARM,), HARM, 1, (rule,), (rule,))
    assert controls_in(render_decision(decision)) == set()


def test_colour_changes_only_the_colours() -> None:
    colored = render_decision(DENIED, color=True)
    assert "\x1b[1;31mdeny" in colored
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == render_decision(DENIED)
