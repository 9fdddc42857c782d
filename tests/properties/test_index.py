"""The index leaves out no rule that would speak, and every scanner finds the same."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from policy_engine.checker.tree import CheckedRule
from policy_engine.evaluators import lookup
from policy_engine.evaluators.context import EvaluationContext
from policy_engine.model.event import Event
from policy_engine.runtime.names import PlainScanner
from policy_engine.runtime.rule_results import UNDECIDED, VIOLATED, outcome_of
from policy_engine.runtime.scanner import automaton_scanner
from tests.generated.play import Watched, loaded, watched
from tests.generated.policies import Case, case, cases
from tests.properties.effort import effort, seeds


def listening(rules: tuple[CheckedRule, ...], event: Event) -> set[str]:
    """The ids of the rules that listen at this point and to this kind of tool."""
    return {
        rule.id
        for rule in rules
        for listen in rule.listens
        if listen.point == event.hook
        and (not (listen.kinds or listen.names) or event.tool_kind in listen.kinds or event.tool_name in listen.names)
    }


def test_every_rule_that_would_speak_is_a_candidate() -> None:
    for seed in seeds(300):
        policy, events = case(Random(seed), most=14, length=10, sorts=("mode",))
        found = loaded(policy.text)
        assert found.policy is not None
        rules = found.policy.rules

        def look(
            engine: Watched, context: EvaluationContext, rules: tuple[CheckedRule, ...] = rules, seed: int = seed
        ) -> None:
            program = engine.program
            bucket = program.bucket(context.event.hook, context.event.tool_kind)
            candidates = set() if bucket is None else set(bucket.dispatch(context))
            for number in range(program.rules):
                rule = program.rule(number)
                if rule.id in listening(rules, context.event) and number not in candidates:
                    assert outcome_of(rule, context).outcome not in (VIOLATED, UNDECIDED), (seed, rule.id)

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
@given(cases(most=12, sorts=(), length=8))
def test_the_scanner_never_changes_a_decision(case: Case) -> None:
    policy, events = case
    answers = []
    for scanner in (PlainScanner, automaton_scanner):
        found = loaded(policy.text)
        assert found.program is not None
        answers.append([decision.to_dict() for decision in watched(found, events, scanner=scanner)])
    assert answers[0] == answers[1]
