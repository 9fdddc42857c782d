"""The benchmark's hand-written limit says what the rules' plain meaning says; a wrong yardstick measures nothing."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from bench.limit import Limit
from bench.rules import Record, Rule, applies, policy_text, record_of, strictest
from bench.workload import FAMILIES, make_events, make_rules, matching_event, with_parsed_values

pytest.importorskip("ahocorasick")


def naive(rules: list[Rule], record: Record) -> tuple[str, frozenset[str]]:
    """Every rule asked in turn."""
    found = [rule for rule in rules if applies(rule, record)]
    return strictest([rule.verdict for rule in found]), frozenset(rule.id for rule in found)


@pytest.mark.parametrize("size", [0, 1, 10, 100, 1_000])
def test_the_limit_agrees_with_asking_every_rule(size: int) -> None:
    rules = make_rules(size)
    events = make_events(rules, 300)
    limit = Limit(rules)
    assert [limit.decide(event) for event in events] == [naive(rules, record_of(event)) for event in events]


@pytest.mark.parametrize("number", range(len(FAMILIES)))
def test_each_family_has_an_event_that_matches_its_rule(number: int) -> None:
    rules = make_rules(3 * len(FAMILIES))
    rule = rules[number + len(FAMILIES)]
    _, found = naive(rules, record_of(matching_event(rule, 0, rules)))
    assert found == {rule.id} or rule.family == "diff-size"
    assert found


def test_about_one_event_in_ten_matches_and_few_rules_at_once() -> None:
    rules = make_rules(1_000)
    answers = [Limit(rules).decide(event) for event in make_events(rules, 1_000)]
    assert 80 <= sum(verdict != "allow" for verdict, _ in answers) <= 120
    assert max(len(found) for _, found in answers) <= 3


def test_the_same_seed_gives_the_same_events_and_smaller_sets_are_prefixes() -> None:
    sets: list[list[Rule]] = [make_rules(size) for size in (10, 100, 1_000)]
    assert all(small == large[: len(small)] for small, large in pairwise(sets))
    assert make_events(sets[0], 50) == make_events(sets[0], 50)


def test_plain_events_do_not_depend_on_the_rules() -> None:
    def plain(size: int) -> list[dict[str, Any]]:
        rules = make_rules(size)
        return [e for e in make_events(rules, 200) if Limit(rules).decide(e)[0] == "allow"]

    assert plain(10) == plain(100)


def test_parsed_values_change_the_wording_and_not_the_meaning() -> None:
    rules = make_rules(100)
    parsed = with_parsed_values(rules)
    records = [record_of(event) for event in make_events(rules, 200)]
    assert [naive(rules, record) for record in records] == [naive(parsed, record) for record in records]


def test_the_policy_text_has_every_rule_once() -> None:
    rules = make_rules(24)
    text = policy_text(rules)
    assert [text.count(f"rule {rule.id} ") for rule in rules] == [1] * 24
