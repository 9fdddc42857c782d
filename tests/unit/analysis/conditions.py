"""Conditions made at random, and a naive three-valued interpreter for the few fields that they read."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import strategies as st

from policy_engine.analysis.formula import Form
from policy_engine.analysis.order import clause_implies
from policy_engine.checker import tree
from policy_engine.checker.checker import check
from policy_engine.checker.tree import Expr
from policy_engine.checker.vocabulary import vocabulary
from policy_engine.model.regexes import search
from policy_engine.model.source import Source
from policy_engine.syntax.parser import parse

WORDS = vocabulary()
LEAVES = st.sampled_from(
    [
        "diff.lines > 2", "diff.lines >= 3", "diff.lines < 4", "diff.lines <= 1", "diff.lines == 3", "diff.lines != 2",
        "diff.lines in [1, 3]", "2 < diff.lines", "git.clean", "git.clean == false", "diff.lines < diff.files",
        'tool.name == "ab"', 'tool.name != "a"', 'tool.name in ["a", "ab"]', 'tool.name not in ["b"]',
        'tool.name starts_with "a"', 'tool.name ends_with "b"', 'tool.name contains "ab"', "tool.name matches /^a/",
        "tool.name matches /b$/", 'tool.kind == "read"', 'tool.kind in ["read", "write"]',
        'any w in goal.commands { w == "a" }', 'every w in goal.commands { w != "ab" }',
        'any w in goal.commands where w starts_with "a" { w ends_with "b" }',
        'any w in goal.commands { w contains "b" }',
        'every w in goal.commands where w matches /^a/ { w in ["a", "ab"] }',
    ]
)  # fmt: skip
CONDITIONS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        inner.map(lambda one: f"not ({one})"),
        st.tuples(inner, inner).map(lambda pair: f"({pair[0]} and {pair[1]})"),
        st.tuples(inner, inner).map(lambda pair: f"({pair[0]} or {pair[1]})"),
    ),
    max_leaves=5,
)
TEXTS = st.sampled_from(["a", "b", "ab", "ba", "abab", ""])
EVENTS = st.fixed_dictionaries(
    {
        "diff.lines": st.none() | st.integers(0, 5),
        "diff.files": st.none() | st.integers(0, 5),
        "git.clean": st.none() | st.booleans(),
        "tool.name": st.none() | TEXTS,
        "tool.kind": st.none() | st.sampled_from(["read", "write", "shell"]),
        "goal.commands": st.none() | st.lists(st.none() | TEXTS, max_size=3),
    }
)
"""Field → value; None is undecided."""


def policy(text: str) -> tree.CheckedPolicy:
    """A policy that parses and checks."""
    file, syntax = parse(Source("a.policy", f"language 1\n{text}"))
    found, messages = check([file], WORDS)
    assert [d.message for d in [*syntax, *messages]] == []
    return found


def condition(text: str) -> Expr:
    """A condition as it is checked at `before_tool`."""
    when = policy(f'rule a "A" {{ on before_tool when {text} warn "No." }}').rules[0].when
    assert when is not None
    return when


def answer(node: Expr, event: dict[str, object], bound: dict[int, object]) -> bool | None:
    """What a condition is for an event: None is undecided."""
    match node:
        case tree.Not():
            inner = answer(node.operand, event, bound)
            return None if inner is None else not inner
        case tree.And():
            return _every(answer(part, event, bound) for part in node.operands)
        case tree.Or():
            return _any(answer(part, event, bound) for part in node.operands)
        case tree.Quantified():
            return _quantified(node, event, bound)
        case tree.Matches():
            subject = _value(node.subject, event, bound)
            return None if subject is None else search(node.pattern, subject)
        case tree.Comparison():
            left, right = _value(node.left, event, bound), _value(node.right, event, bound)
            return None if left is None or right is None else _compared(node.op, left, right)
    return _value(node, event, bound)


def _quantified(node: tree.Quantified, event: dict[str, object], bound: dict[int, object]) -> bool | None:
    items = _value(node.source, event, bound)
    if items is None:
        return None
    answers = []
    for item in items:
        inner = {**bound, node.binding: item}
        body = answer(node.body, event, inner)
        where = True if node.where is None else answer(node.where, event, inner)
        if node.kind == "any":
            answers.append(_every([where, body]))
        else:
            answers.append(_any([None if where is None else not where, body]))
    return _any(answers) if node.kind == "any" else _every(answers)


def _any(answers: Iterable[bool | None]) -> bool | None:
    found = list(answers)
    return True if True in found else None if None in found else False


def _every(answers: Iterable[bool | None]) -> bool | None:
    found = list(answers)
    return False if False in found else None if None in found else True


def _value(node: Expr, event: dict[str, object], bound: dict[int, object]):
    match node:
        case tree.Constant():
            return node.value
        case tree.ListOf():
            return [_value(item, event, bound) for item in node.items]
        case tree.FieldRef():
            return event[node.name]
        case tree.Variable():
            return bound[node.binding]
    raise TypeError(node)


def _compared(op: str, left, right) -> bool:
    return {
        "==": lambda: left == right,
        "!=": lambda: left != right,
        "<": lambda: left < right,
        "<=": lambda: left <= right,
        ">": lambda: left > right,
        ">=": lambda: left >= right,
        "in": lambda: left in right,
        "not_in": lambda: left not in right,
        "contains": lambda: right in left,
        "starts_with": lambda: left.startswith(right),
        "ends_with": lambda: left.endswith(right),
    }[op]()


def form_implies(one: Form, other: Form) -> bool:
    """Whether every way of the first is covered by a way of the second."""
    return all(any(clause_implies(clause, wide) for wide in other) for clause in one)
