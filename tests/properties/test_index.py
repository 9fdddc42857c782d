"""The index leaves out no rule that would speak, and every scanner finds the same."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from policy_engine.checker.tree import CheckedRule
from policy_engine.evaluators import lookup
from policy_engine.evaluators.moment import Moment
from policy_engine.model.event import Event
from policy_engine.runtime.names import PlainScanner
from policy_engine.runtime.scanner import automaton_scanner
from policy_engine.runtime.speak import UNDECIDED, VIOLATED, outcome_of
from tests.generated.events import sequences
from tests.generated.play import Watched, loaded, watched
from tests.generated.policies import Generated, policies
from tests.properties.effort import effort


def listening(rules: tuple[CheckedRule, ...], event: Event) -> set[str]:
    """The ids of the rules that listen at this point and to this kind of tool."""
    return {
        rule.id
        for rule in rules
        for listen in rule.listens
        if listen.point == event.hook
        and (not (listen.kinds or listen.names) or event.tool_kind in listen.kinds or event.tool_name in listen.names)
    }


@effort(120)
@given(policies(most=12, sorts=("mode",)), sequences(most=6))
def test_every_rule_that_would_speak_is_a_candidate(policy: Generated, events: list[dict[str, Any]]) -> None:
    found = loaded(policy.text)
    assert found.policy is not None
    rules = found.policy.rules

    def look(engine: Watched, moment: Moment) -> None:
        program = engine.program
        bucket = program.bucket(moment.event.hook, moment.event.tool_kind)
        candidates = set() if bucket is None else set(bucket.dispatch(moment))
        for number in range(program.rules):
            rule = program.rule(number)
            if rule.id in listening(rules, moment.event) and number not in candidates:
                assert outcome_of(rule, moment).outcome not in (VIOLATED, UNDECIDED), (rule.id, policy.text)

    watched(found, events, look)


PIECES = st.text("abAB .", min_size=1, max_size=6)


@effort(300)
@given(st.dictionaries(PIECES, st.tuples(st.integers(0, 9)), max_size=30), st.text("abAB .", max_size=30))
def test_all_scanners_find_the_literals_that_occur(table: dict[str, tuple[int, ...]], text: str) -> None:
    expected = {number for literal, numbers in table.items() if literal in text for number in numbers}
    assert set(PlainScanner(table)(text)) == expected
    assert set(automaton_scanner(table)(text)) == expected
    assert set(lookup.scan_text(*lookup.grams(table), table, text)) == expected


@effort(30)
@given(policies(most=12, sorts=()), sequences(most=4))
def test_the_scanner_never_changes_a_decision(policy: Generated, events: list[dict[str, Any]]) -> None:
    answers = []
    for scanner in (PlainScanner, automaton_scanner):
        found = loaded(policy.text)
        assert found.program is not None
        answers.append([decision.to_dict() for decision in watched(found, events, scanner=scanner)])
    assert answers[0] == answers[1]
