"""Order means nothing: of operands, of rules, of files; nor does saying a thing twice."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from policy_engine.loading.loader import load
from policy_engine.model.source import Source
from policy_engine.syntax import ast
from policy_engine.syntax.parser import parse
from policy_engine.syntax.printer import format_file
from tests.generated.play import answer, decided
from tests.generated.policies import Case, cases, text_of
from tests.properties.effort import effort


def reversed_operands(node: Any) -> Any:
    """The tree with every `and` and `or` the other way round."""
    if isinstance(node, tuple) and not hasattr(node, "_fields"):
        return tuple(map(reversed_operands, node))
    if isinstance(node, Source) or not is_dataclass(node) or isinstance(node, type):
        return node
    changed = {field.name: reversed_operands(getattr(node, field.name)) for field in fields(node)}
    if isinstance(node, ast.And | ast.Or):
        changed["operands"] = changed["operands"][::-1]
    return replace(node, **changed)


def answers(policy: Any, events: list[dict[str, Any]]) -> list[Any]:
    return [answer(decision) for decision in decided(policy, events)]


@effort(50)
@given(cases(length=10))
def test_the_order_of_operands_changes_nothing(case: Case) -> None:
    policy, events = case
    file, found = parse(Source("policy", policy.text))
    assert found == []
    assert answers(format_file(reversed_operands(file)), events) == answers(policy.text, events)


@effort(50)
@given(cases(length=10), st.randoms(use_true_random=False))
def test_the_order_of_rules_changes_nothing(case: Case, random: Any) -> None:
    policy, events = case
    items = list(policy.items)
    random.shuffle(items)
    assert answers(text_of(items), events) == answers(policy.text, events)


@effort(20)
@given(cases(defines=False, length=8), st.integers(1, 9))
def test_the_order_of_files_changes_nothing(tmp_path_factory: Any, case: Case, cut: int) -> None:
    policy, events = case
    halves = text_of(policy.items[:cut]), text_of(policy.items[cut:])
    found = []
    for first, second in (halves, halves[::-1]):
        folder: Path = tmp_path_factory.mktemp("files")
        (folder / "a.policy").write_text(first, "utf-8")
        (folder / "b.policy").write_text(second, "utf-8")
        found.append(answers(load([folder]), events))
    assert found[0] == found[1] == answers(policy.text, events)


@effort(40)
@given(cases(length=10), st.integers(0, 3))
def test_a_rule_said_twice_changes_no_verdict(case: Case, which: int) -> None:
    policy, events = case
    rules = policy.of("rule")
    rule = rules[which % len(rules)]
    waivers = [replace(waiver, name="again") for waiver in policy.of("waive") if waiver.name == rule.name]
    twice = text_of([replace(rule, name="again"), *policy.items, *waivers])
    assert [(found.verdict, found.stop_reason) for found in answers(twice, events)] == [
        (found.verdict, found.stop_reason) for found in answers(policy.text, events)
    ]
