"""Neutral rules → `zen-engine`: one decision table with hit policy `collect`, a row per rule, a column per field."""

from __future__ import annotations

from importlib import import_module
from json import dumps
from typing import Any

from bench.peers.base import Peer, Verdicts
from bench.rules import NUMBER_FIELDS, TEXT_FIELDS, Rule, Test, escaped, quoted, record_of
from bench.workload import Event


def _cell(test: Test) -> str:
    value = test.value
    match test.op:
        case "eq":
            return str(value) if isinstance(value, int) else quoted(value)
        case "in":
            return ", ".join(quoted(item) for item in value)
        case "above":
            return f"> {value}"
        case "prefix":
            return f"startsWith($, {quoted(value)})"
        case "contains":
            return f"contains($, {quoted(value)})"
        case "folder":
            return f"startsWith($, {quoted(value[0])}) and endsWith($, {quoted(value[1])})"
        case "sequence":
            return f"matches($, {quoted(escaped(value[0]) + '.*' + escaped(value[1]))})"
    raise ValueError(test.op)


def _row(rule: Rule) -> dict[str, str]:
    row = {"_id": rule.id, "rule": quoted(rule.id), "hook": quoted(rule.hook)}
    if rule.kinds:
        row["kind"] = _cell(Test("kind", "in", rule.kinds))
    for test in rule.tests:
        row[test.field] = _cell(test)
    return row


def _table(rules: list[Rule]) -> dict[str, Any]:
    content = {
        "hitPolicy": "collect",
        "inputs": [{"id": name, "name": name, "field": name} for name in TEXT_FIELDS + NUMBER_FIELDS],
        "outputs": [{"id": "rule", "name": "rule", "field": "rule"}],
        "rules": [_row(rule) for rule in rules],
    }
    kinds = {"in": "inputNode", "table": "decisionTableNode", "out": "outputNode"}
    nodes = [{"id": key, "name": key, "type": kind, "position": {"x": 0, "y": 0}} for key, kind in kinds.items()]
    nodes[1]["content"] = content
    edges = [
        {"id": "first", "type": "edge", "sourceId": "in", "targetId": "table"},
        {"id": "second", "type": "edge", "sourceId": "table", "targetId": "out"},
    ]
    return {"nodes": nodes, "edges": edges}


class Zen(Verdicts):
    """A compiled decision."""

    def __init__(self, rules: list[Rule]) -> None:
        super().__init__(rules)
        module = import_module("zen")
        content = module.ZenDecisionContent(dumps(_table(rules)))
        self.evaluate = module.ZenEngine().create_decision(content).evaluate

    def prepare(self, event: Event) -> Any:
        return record_of(event)

    def decide(self, request: Any) -> Any:
        return [row["rule"] for row in self.evaluate(request)["result"]]


PEER = Peer("zen-engine", "zen-engine", Zen)
