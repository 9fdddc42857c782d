"""Nothing un-blocks: another rule never lowers a verdict, and one that is waived or in shadow never raises it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import given

from policy_engine.model.ladder import RANK
from tests.generated.play import decided
from tests.generated.policies import Case, Item, cases, rules_alone, text_of
from tests.properties.effort import effort

# The budget of completions counts refusals until one of them is met: there another rule may well mean another round.
ENDLESS = Item("limit", "completion-budget", "{ on before_completion counts true at 1000 stop never }\n")
FOREVER = Item("waive", "more", '"It is known." { until 2126-01-01 owner "someone" }\n')


def verdicts(items: Any, events: list[dict[str, Any]]) -> list[str]:
    """The verdicts with the rule `more`, or without it; the budget of completions never ends the run."""
    kept = [item for item in items if item.name != "completion-budget"]
    return [decision.verdict for decision in decided(text_of([*kept, ENDLESS]), events)]


def more(rule: Item, shadow: bool) -> Item:
    body = rule.body.replace("\n  shadow\n", "\n")
    return replace(rule, name="more", body=body.rstrip()[:-1] + "  shadow\n}\n" if shadow else body)


@effort(60)
@given(cases(), rules_alone())
def test_another_rule_never_lowers_the_verdict(case: Case, rule: Item) -> None:
    before = verdicts(case.policy.items, case.events)
    after = verdicts([*case.policy.items, more(rule, False)], case.events)
    assert all(RANK[new] >= RANK[old] for new, old in zip(after, before, strict=True)), case.policy.text


@effort(50)
@given(cases(), rules_alone())
def test_a_waived_rule_and_one_in_shadow_change_no_verdict(case: Case, rule: Item) -> None:
    before = verdicts(case.policy.items, case.events)
    assert verdicts([*case.policy.items, more(rule, True)], case.events) == before
    assert verdicts([*case.policy.items, more(rule, False), FOREVER], case.events) == before
