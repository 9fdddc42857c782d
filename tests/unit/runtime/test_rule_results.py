"""What a rule says when it does not pass: one of four outcomes, a verdict, reasons, values, a witness, evidence."""

from __future__ import annotations

from typing import Any

import pytest

from policy_engine.model.decision import RuleResult
from policy_engine.model.points import FAILURE_VERDICT
from tests.unit.compiler.asking import engine, event, shell


def only(policy: str, raw: dict[str, Any]) -> RuleResult:
    """The one result of the one rule."""
    (result,) = engine(policy).decide(raw).rules
    return result


def test_a_violated_rule_shows_the_smallest_failing_conditions_with_their_values() -> None:
    result = only('rule r "R" { on before_tool when tool.name == "Write" and (tool.kind == "read" or tool.name != "x") '
                  'deny "no {tool.name}" }', event())  # fmt: skip
    assert (result.outcome, result.verdict, result.message) == ("violated", "deny", "no Write")
    assert result.because == (
        ('tool.name == "Write"', {"tool.name": "Write"}),
        ('tool.name != "x"', {"tool.name": "Write"}),
    )
    assert result.evidence == ("e",)


def test_an_event_without_an_id_is_no_evidence() -> None:
    result = only('rule r "R" { on before_tool when tool.name == "Write" deny }', {**event(), "id": ""})
    assert result.evidence == ()


def test_an_unmet_requirement_is_blamed_alone_and_says_what_would_satisfy_it() -> None:
    result = only('rule r "R" { on before_tool when tool.name == "Write" require git.clean and git.ahead == 0 deny }',
                  event(git={"clean": True, "ahead": 2}))  # fmt: skip
    assert result.because == (("git.ahead == 0", {"git.ahead": 2}),)
    assert result.satisfy == ("git.clean", "git.ahead == 0")
    assert result.message == "R"


def test_the_message_names_the_first_witness() -> None:
    when = "any c in commands { any p in c.paths { p outside workspace } }"
    policy = f'rule r {{ on before_tool(shell) when {when} deny "{{c.text}}: {{p}}" }}'
    assert only(policy, shell("cat README.md && rm /etc/a /etc/b")).message == "rm /etc/a /etc/b: /etc/a"


def test_an_undecided_rule_gives_its_reasons_and_the_undecided_witness() -> None:
    policy = (
        'rule r "R" { on before_tool(shell) when any c in commands { c.paths != [] } deny "{c.text} {git.branch}" }'
    )
    result = only(policy, shell("unknown-program x"))
    assert (result.outcome, result.verdict) == ("undecided", "deny")
    assert result.message.endswith(" R")  # no sentence with a gap
    assert result.undecided != () and result.undecided[0] in result.message


@pytest.mark.parametrize(
    ("clauses", "verdict"),
    [("warn", "warn"), ("remind", "warn"), ("ask", "ask"), ("deny", "deny"), ("stop x", "deny"),
     ("deny fail open", "warn"), ("remind fail closed", "remind"), ("timeout 3s fail closed", "warn")],
)  # fmt: skip
def test_an_undecided_rule_fails_in_its_direction(clauses: str, verdict: str) -> None:
    result = only(f"rule r {{ on before_tool when git.clean {clauses} }}", event())
    assert (result.outcome, result.verdict, result.reason) == ("undecided", verdict, "")


@pytest.mark.parametrize("point", [point for point, failure in FAILURE_VERDICT.items() if point != "before_stop"])
def test_an_undecided_stop_refuses_where_the_point_can(point: str) -> None:
    points = {"session_end": "warn", "after_compact": "warn"}
    if point in points or point in ("before_compact",):
        return  # has no stop
    more = {"prompt": "x"} if point in ("prompt", "subagent_start") else {}
    result = only(f"rule r {{ on {point} when git.clean stop x }}", event(point, **more))
    assert result.verdict == FAILURE_VERDICT[point]


@pytest.mark.parametrize(
    "clauses",
    [
        'when git.clean and tool.name == "x"',
        'when tool.name == "x" unless git.clean',
        'require git.clean or tool.name == "Write"',
    ],
)
def test_what_is_decided_despite_something_unknown_says_nothing(clauses: str) -> None:
    assert engine(f"rule r {{ on before_tool {clauses} deny }}").decide(event()).rules == ()


def test_a_waiver_covers_until_the_end_of_its_day_and_only_where_its_condition_holds() -> None:
    policy = ('rule r { on before_tool deny }\n'
              'waive r "why" { until 2026-11-20 owner "o" when tool.name == "Write" }')  # fmt: skip
    for time, tool, verdict in (
        ("2026-11-20T23:59:59Z", "Write", "allow"),
        ("2026-11-21T00:00:00Z", "Write", "deny"),
        ("2026-11-20T23:59:59Z", "Edit", "deny"),
    ):
        raw = event(time=time, tool={"name": tool, "kind": "write", "args": {"file_path": "a"}})
        decision = engine(policy).decide(raw)
        assert (decision.verdict, len(decision.waived)) == (verdict, int(verdict == "allow"))


def test_an_undecided_waiver_covers_nothing() -> None:
    policy = 'rule r { on before_tool deny }\nwaive r "why" { until 2126-01-01 owner "o" when git.clean }'
    assert engine(policy).decide(event()).verdict == "deny"


def test_a_rule_in_shadow_is_told_and_not_enforced() -> None:
    decision = engine("rule r { on before_tool shadow deny }").decide(event())
    assert (decision.verdict, [one.rule for one in decision.shadow]) == ("allow", ["r"])
