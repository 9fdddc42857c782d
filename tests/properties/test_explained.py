"""What is explained is what was decided: a rule's plain test and its traced twin never disagree."""

from __future__ import annotations

from random import Random

from hypothesis import given

from policy_engine.evaluators.context import EvaluationContext
from policy_engine.model.undecided import Undecided
from policy_engine.runtime.rule_results import NOT_APPLICABLE, SATISFIED, VIOLATED, outcome_of
from tests.generated.events import Worlds
from tests.generated.play import Watched, answer, decided, engine, loaded, watched
from tests.generated.policies import Case, case, cases
from tests.properties.effort import effort, seeds


def test_a_decided_plain_test_says_what_the_traced_twin_says() -> None:
    for seed in seeds(300):
        policy, events = case(Random(seed), most=6, length=10)

        def look(made: Watched, context: EvaluationContext, seed: int = seed) -> None:
            program = made.program
            bucket = program.bucket(context.event.hook, context.event.tool_kind)
            for number in set(bucket.dispatch(context)) if bucket is not None else ():
                rule = program.rule(number)
                try:
                    plain = rule.function("test")(context)
                except Undecided:
                    continue
                outcome = outcome_of(rule, context).outcome
                assert outcome == VIOLATED if plain else outcome in (SATISFIED, NOT_APPLICABLE), (seed, rule.id)

        watched(loaded(policy.text), events, look)


@effort(50)
@given(cases(length=10))
def test_explaining_an_event_decides_it_alike(case: Case) -> None:
    policy, events = case
    found = loaded(policy.text)
    worlds = Worlds()
    made = engine(found, worlds)
    explained = []
    for raw in events:
        worlds.happened(raw)
        decision, rules = made.explain(raw, lambda event: frozenset(rule.name for rule in policy.of("rule")))
        explained.append(answer(decision))
        spoken = {result.rule: result.outcome for result in (*decision.rules, *decision.waived, *decision.shadow)}
        for rule in rules:
            if rule.rule.kind == "rule" and rule.rule.verdict and rule.rule.id in spoken:
                assert rule.outcome == spoken[rule.rule.id], (rule.rule.id, policy.text)
    assert explained == [answer(decision) for decision in decided(found, events)]
