"""Neutral rules → `rule-engine`: one compiled rule object per rule."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from bench.peers.base import Peer, Verdicts
from bench.rules import Rule, Test, escaped, quoted, record_of
from bench.workload import Event


def _condition(test: Test) -> str:
    field, value = test.field, test.value
    match test.op:
        case "eq":
            return f"{field} == {value if isinstance(value, int) else quoted(value)}"
        case "in":
            return f"{field} in [{', '.join(quoted(item) for item in value)}]"
        case "above":
            return f"{field} > {value}"
        case "prefix":
            return f"{field}.starts_with({quoted(value)})"
        case "contains":
            return f"{quoted(value)} in {field}"
        case "folder":
            return f"{field}.starts_with({quoted(value[0])}) and {field}.ends_with({quoted(value[1])})"
        case "sequence":
            return f"{field} =~~ {quoted(escaped(value[0]) + '.*' + escaped(value[1]))}"
    raise ValueError(test.op)


def _source(rule: Rule) -> str:
    conditions = [f"hook == {quoted(rule.hook)}"]
    if rule.kinds:
        conditions.append(_condition(Test("kind", "in", rule.kinds)))
    return " and ".join(conditions + [_condition(test) for test in rule.tests])


class RuleEngine(Verdicts):
    """Compiled rule objects with their ids."""

    def __init__(self, rules: list[Rule]) -> None:
        super().__init__(rules)
        module = import_module("rule_engine")
        self.rules = [(module.Rule(_source(rule)).matches, rule.id) for rule in rules]

    def prepare(self, event: Event) -> Any:
        return record_of(event)

    def decide(self, request: Any) -> Any:
        return [rule for matches, rule in self.rules if matches(request)]


PEER = Peer("rule-engine", "rule-engine", RuleEngine)
