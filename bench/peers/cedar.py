"""Neutral rules → Cedar, through `cedarpy`: one `forbid` with an `@id` per rule, policy set and entities parsed once.

Lifecycle point is the action in the policy's scope, everything else is context. Cedar has no regular expressions:
two literals in order become one `like`, which is the same on texts of one line.
"""

from __future__ import annotations

from importlib import import_module
from json import dumps
from typing import Any

from bench.peers.base import Peer, Verdicts
from bench.rules import Rule, Test, quoted, record_of
from bench.workload import Event


def _pattern(*literals: str) -> str:
    return quoted("*".join(literals)).replace("\\*", "*")


def _condition(test: Test) -> str:
    field, value = f"context.{test.field}", test.value
    match test.op:
        case "eq":
            return f"{field} == {value if isinstance(value, int) else quoted(value)}"
        case "in":
            return f"[{', '.join(quoted(item) for item in value)}].contains({field})"
        case "above":
            return f"{field} > {value}"
        case "prefix":
            return f"{field} like {_pattern(value, '')}"
        case "contains":
            return f"{field} like {_pattern('', value, '')}"
        case "folder":
            return f"{field} like {_pattern(*value)}"
        case "sequence":
            return f"{field} like {_pattern('', *value, '')}"
    raise ValueError(test.op)


def _policy(rule: Rule) -> str:
    conditions = [_condition(test) for test in rule.tests]
    if rule.kinds:
        conditions.insert(0, _condition(Test("kind", "in", rule.kinds)))
    when = " && ".join(conditions)
    return f'@id("{rule.id}") forbid(principal, action == Action::"{rule.hook}", resource) when {{ {when} }};'


class Cedar(Verdicts):
    """A parsed policy set."""

    def __init__(self, rules: list[Rule]) -> None:
        super().__init__(rules)
        module = import_module("cedarpy")
        text = "permit(principal, action, resource);\n" + "\n".join(_policy(rule) for rule in rules)
        self.policies = module.PolicySet.from_str(text)
        self.entities = module.Entities.from_json_str("[]")
        self.is_authorized = module.is_authorized

    def prepare(self, event: Event) -> Any:
        return {
            "principal": 'Agent::"main"',
            "action": f'Action::"{event["hook"]}"',
            "resource": 'Workspace::"main"',
            "context": dumps(record_of(event)),
        }

    def decide(self, request: Any) -> Any:
        diagnostics = self.is_authorized(request, self.policies, self.entities).diagnostics
        if diagnostics.errors:
            raise RuntimeError(diagnostics.errors[0])
        return list(diagnostics.id_annotations_by_reason.values())


PEER = Peer("cedarpy", "cedarpy", Cedar)
