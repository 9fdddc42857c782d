"""Neutral rules → Rego, through `regopy` (rego-cpp): one partial set rule per rule, compiled to a bundle once.

`regorus` has no release on the package index (its Python binding is built from source), so the other Rego engine with
a wheel stands in for it.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from bench.peers.base import Peer, Verdicts
from bench.rules import Rule, Test, escaped, quoted, record_of
from bench.workload import Event


def _condition(test: Test) -> str:
    field, value = f"input.{test.field}", test.value
    match test.op:
        case "eq":
            return f"{field} == {value if isinstance(value, int) else quoted(value)}"
        case "in":
            return f"{field} in {{{', '.join(quoted(item) for item in value)}}}"
        case "above":
            return f"{field} > {value}"
        case "prefix":
            return f"startswith({field}, {quoted(value)})"
        case "contains":
            return f"contains({field}, {quoted(value)})"
        case "folder":
            return f"startswith({field}, {quoted(value[0])}); endswith({field}, {quoted(value[1])})"
        case "sequence":
            return f"regex.match({quoted(escaped(value[0]) + '.*' + escaped(value[1]))}, {field})"
    raise ValueError(test.op)


def _rule(rule: Rule) -> str:
    conditions = [f"input.hook == {quoted(rule.hook)}"]
    if rule.kinds:
        conditions.append(_condition(Test("kind", "in", rule.kinds)))
    body = "; ".join(conditions + [_condition(test) for test in rule.tests])
    return f'matched contains "{rule.id}" if {{ {body} }}'


class Rego(Verdicts):
    """An interpreter and the bundle it compiled."""

    def __init__(self, rules: list[Rule]) -> None:
        super().__init__(rules)
        module = import_module("regopy")
        self.input = module.Input
        self.interpreter = module.Interpreter()
        text = "package bench\nimport rego.v1\n" + "\n".join(_rule(rule) for rule in rules)
        self.interpreter.add_module("bench", text)
        self.bundle = self.interpreter.build("matched = data.bench.matched")

    def prepare(self, event: Event) -> Any:
        return self.input(record_of(event))

    def decide(self, request: Any) -> Any:
        self.interpreter.set_input(request)
        output = self.interpreter.query_bundle(self.bundle)
        return output[0]["matched"]


PEER = Peer("regopy", "regopy", Rego, "stands in for regorus, which has no release on the package index")
