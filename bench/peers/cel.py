"""Neutral rules → CEL, through `common-expression-language` (Rust): a compiled program per rule, one shared context."""

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
            return f"{field}.startsWith({quoted(value)})"
        case "contains":
            return f"{field}.contains({quoted(value)})"
        case "folder":
            return f"{field}.startsWith({quoted(value[0])}) && {field}.endsWith({quoted(value[1])})"
        case "sequence":
            return f"{field}.matches({quoted(escaped(value[0]) + '.*' + escaped(value[1]))})"
    raise ValueError(test.op)


def _source(rule: Rule) -> str:
    conditions = [f"hook == {quoted(rule.hook)}"]
    if rule.kinds:
        conditions.append(_condition(Test("kind", "in", rule.kinds)))
    return " && ".join(conditions + [_condition(test) for test in rule.tests])


class Cel(Verdicts):
    """Compiled programs with their rule ids."""

    def __init__(self, rules: list[Rule]) -> None:
        super().__init__(rules)
        module = import_module("cel")
        self.context = module.Context
        self.programs = [(module.compile(_source(rule)).execute, rule.id) for rule in rules]

    def prepare(self, event: Event) -> Any:
        return self.context(record_of(event))

    def decide(self, request: Any) -> Any:
        return [rule for execute, rule in self.programs if execute(request)]


PEER = Peer("common-expression-language", "common-expression-language", Cel)
