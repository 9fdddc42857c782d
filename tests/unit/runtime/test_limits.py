"""A limit speaks at its steps; what limits, modes and timeouts say does not depend on who was written first."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from policy_engine.model.limits import LIMIT_KEYS
from tests.unit.compiler.asking import engine, event

CALL = {"name": "Odd", "kind": "other", "args": {}}


def said(policy: str, events: list[dict[str, Any]]) -> list[list[tuple[str, str, str]]]:
    """Per event, who spoke how, sorted."""
    made = engine(policy)
    return [sorted((one.rule, one.outcome, one.verdict) for one in made.decide(raw).rules) for raw in events]


def calls(*names: str, **more: Any) -> list[dict[str, Any]]:
    return [event("after_tool", id=f"e{n}", tool={**CALL, "name": name}, **more) for n, name in enumerate(names)]


def test_the_highest_step_reached_speaks_from_then_on() -> None:
    found = said("limit l { on after_tool repeats (tool.name) at 2 warn at 4 stop again }", calls(*"aaaaab"))
    assert [[verdict for _, _, verdict in one] for one in found] == [[], ["warn"], ["warn"], ["stop"], ["stop"], []]


def test_a_limit_is_waived_where_its_waiver_holds_and_told_in_shadow() -> None:
    policy = (
        "limit l { on after_tool counts true at 1 warn } limit s { on after_tool counts true shadow at 1 warn }\n"
        'waive l "known" { until 9999-12-31 owner "o" when tool.name == "a" }'
    )
    made = engine(policy)
    found = [made.decide(raw) for raw in calls("a", "b")]
    told = [[[one.rule for one in part] for part in (one.rules, one.waived, one.shadow)] for one in found]
    assert told == [[[], ["l"], ["s"]], [["l"], [], ["s"]]]


def test_at_every_speaks_at_multiples_only() -> None:
    found = said("limit l { on after_tool counts true at every 2 warn }", calls(*"abcde"))
    assert [len(one) for one in found] == [0, 1, 0, 1, 0]


def test_a_period_sees_cycles() -> None:
    policy = "limit l {{ on after_tool repeats (tool.name) {} at 3 warn }}"
    assert [len(one) for one in said(policy.format("period 2"), calls(*"abababx"))] == [0, 0, 0, 0, 0, 1, 0]
    assert [len(one) for one in said(policy.format(""), calls(*"ababab"))] == [0] * 6


def test_a_reset_breaks_a_run() -> None:
    found = said('limit l { on after_tool repeats (tool.kind) reset on tool.name == "x" at 2 warn }', calls(*"aaxaa"))
    assert [len(one) for one in found] == [0, 1, 0, 0, 1]


def test_a_reset_without_a_key_starts_the_counts_of_all_keys_again() -> None:
    policy = "limit l { on after_tool on prompt counts has tool.name by (tool.name) reset on prompted() at 2 warn }"
    found = said(policy, [*calls("a", "b"), event("prompt", prompt="x"), *calls("a", "b", "b")])
    assert [len(one) for one in found] == [0, 0, 0, 0, 0, 1]


def test_a_reset_with_a_key_is_of_that_key() -> None:
    policy = 'limit l { on after_tool counts true by (tool.name) reset on tool.kind == "shell" at 2 warn }'
    shell = event("after_tool", id="s", tool={"name": "a", "kind": "shell", "args": {"command": "ls"}})
    found = said(policy, [*calls("a", "b"), shell, *calls("a", "b")])
    assert [len(one) for one in found] == [0, 0, 0, 0, 1]


def test_events_that_fail_when_neither_count_nor_break_a_run() -> None:
    found = said('limit l { on after_tool when tool.name != "b" repeats (tool.name) at 2 warn }', calls(*"abab"))
    assert [len(one) for one in found] == [0, 0, 1, 0]


def test_what_cannot_be_known_is_reported_and_not_counted() -> None:
    policy = "limit l { on after_tool counts git.clean at 2 stop too_many }"
    known, unknown = {"git": {"clean": True}}, {}
    events = [event("after_tool", id=f"e{n}", **more) for n, more in enumerate((known, unknown, known))]
    assert said(policy, events) == [[], [("l", "undecided", "warn")], [("l", "violated", "stop")]]


def test_one_count_per_key_and_per_agent() -> None:
    policy = "limit l { on after_tool counts true by (tool.name) at 2 warn }"
    other = {"agent": {"kind": "explore", "name": "a"}}
    found = said(policy, [*calls("a", "b"), *calls("a", **other), *calls("b")])
    assert [len(one) for one in found] == [0, 0, 0, 1]


OF_A_KEY = """
limit l { on after_tool counts true by (tool.args["claim"]) at 99 warn }
rule r { on before_tool when limit.l.count(tool.args["claim"]) == 0 deny }
"""


def of_claims(*claims: str, point: str = "after_tool", **more: Any) -> list[dict[str, Any]]:
    found = [{**CALL, "args": {"claim": claim} if claim else {}} for claim in claims]
    return [event(point, id=f"{point}{n}{more}", tool=tool, **more) for n, tool in enumerate(found)]


def test_a_rule_asks_for_the_count_of_the_key_that_it_means() -> None:
    events = [*of_claims("a", "b"), *of_claims("a", "b", "c", "", point="before_tool")]
    assert [len(one) for one in said(OF_A_KEY, events)[2:]] == [0, 0, 1, 1]


def test_another_agent_has_counts_of_its_own() -> None:
    other = of_claims("a", point="before_tool", agent={"kind": "explore", "name": "a"})
    assert [len(one) for one in said(OF_A_KEY, [*of_claims("a"), *other])] == [0, 1]


def test_a_key_that_may_have_been_forgotten_is_undecided() -> None:
    many = [str(number) for number in range(LIMIT_KEYS + 1)]
    events = [*of_claims(*many), *of_claims("0", many[-1], point="before_tool")]
    assert said(OF_A_KEY, events)[-2:] == [[("r", "undecided", "deny")], []]


@pytest.mark.parametrize("window", ["5m", "2 rounds"])
def test_the_count_of_a_key_lapses_with_its_window(window: str) -> None:
    policy = OF_A_KEY.replace("true by", f"true within {window} by")
    early, late = {"time": "2026-11-20T10:00:00Z"}, {"time": "2026-11-20T10:06:00Z"}
    rounds = [event("after_round", id=f"r{number}", **early) for number in range(3)]
    soon, later = of_claims("a", point="before_tool", **early), of_claims("a", point="before_tool", **late)
    assert [len(one) for one in said(policy, [*of_claims("a", **early), *soon, *rounds, *later])] == [0, 0, 0, 0, 0, 1]


def test_a_reset_is_one_of_the_key() -> None:
    policy = OF_A_KEY.replace("at 99", "reset on result.ok at 99")
    failed, done = (of_claims("a", "b", result={"ok": ok, "text": ""}) for ok in (False, True))
    events = [*failed, *done[:1], *of_claims("a", "b", point="before_tool")]
    assert [len(one) for one in said(policy, events)[3:]] == [1, 0]


LIMITS = (
    "limit a { on after_tool when limit.b.count < 2 counts true at 2 warn }",
    "limit b { on after_tool when limit.a.count < 2 counts true at 2 warn }",
    "rule c { on after_tool when limit.a.count == limit.b.count and limit.a.count >= 2 remind }",
)


@pytest.mark.parametrize("items", list(itertools.permutations(LIMITS)))
def test_limits_see_each_others_counts_as_they_were_and_rules_as_they_are(items: tuple[str, ...]) -> None:
    evaluate_rule = [("a", "violated", "warn"), ("b", "violated", "warn"), ("c", "violated", "remind")]
    assert said("\n".join(items), calls(*"xxx")) == [[], evaluate_rule, [evaluate_rule[2]]]


def test_a_limit_names_its_own_count_in_its_message() -> None:
    made = engine('limit l { on after_tool counts true at 1 warn "{limit.l.count} calls" }')
    assert [made.decide(raw).rules[0].message for raw in calls(*"ab")] == ["1 calls", "2 calls"]
