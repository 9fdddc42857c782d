"""Print a decision for people: the verdict, then per rule what failed, with which values, and what to do next."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from policy_engine.model.decision import Decision, RuleResult
from policy_engine.model.ladder import RANK
from policy_engine.reports.base import VERDICT_STYLES, DecisionReport, Style, counted, painted, shown

Segments = Iterator[tuple[str, str]]

_LONGEST_VALUE = 200  # characters of one value; the JSON form has it whole


def render_decision(decision: Decision, *, color: bool = False) -> str:
    """Return the decision as lines of text, with terminal colours if `color`."""
    return painted(_decision(decision), Style(color=color))


def render_rule(rule: RuleResult, *, color: bool = False) -> str:
    """One rule's word as lines of text."""
    return painted(_rule(rule), Style(color=color)).lstrip("\n")


def _decision(decision: Decision) -> Segments:
    yield decision.verdict, VERDICT_STYLES[decision.verdict]
    yield f"  {shown(decision.hook)}", "bold"
    yield "".join(f"  {shown(part)}" for part in (decision.event, decision.session) if part), "dim"
    if decision.stop_reason:
        yield f"  reason {shown(decision.stop_reason)}", "bold red"
    if decision.timeout_ms is not None:
        yield f"  time budget {_seconds(decision.timeout_ms)}", ""
    yield "\n", ""
    for rule in decision.rules:
        yield from _rule(rule)
    for rule in decision.approved:
        yield f"\n  approved  {shown(rule.rule)}  {shown(rule.at)}\n", "dim"
    for word, rules in (("waived", decision.waived), ("shadow", decision.shadow)):
        for rule in rules:
            outcome = f"{rule.outcome}, would be {rule.verdict}" if word == "shadow" else rule.outcome
            yield f"\n  {word}  {shown(rule.rule)} ({outcome})  {shown(rule.at)}\n", "dim"
    for error in decision.errors:
        yield "\n  error  ", "bold red"
        yield f"{shown(error)}\n", ""


def _rule(rule: RuleResult) -> Segments:
    undecided = rule.outcome == "undecided"
    mark = "?" if undecided else "✗" if RANK[rule.verdict] >= RANK["ask"] else "!"
    yield f"\n{mark} {shown(rule.rule)}", "bold"
    yield f"  {rule.verdict}", VERDICT_STYLES[rule.verdict]
    if rule.reason:
        yield f" {shown(rule.reason)}", VERDICT_STYLES[rule.verdict]
    if undecided:
        yield "  could not be decided", "yellow"
    yield f"  {shown(rule.at)}\n", "dim"
    if rule.message:
        for line in shown(rule.message, keep="\n").split("\n"):
            yield f"  {line}\n", ""
    for expression, values in rule.because:
        yield "  because   ", "dim"
        yield f"{_one_line(expression)}\n", ""
        for name, value in values.items():
            yield f"            {shown(name)} = ", "dim"
            yield f"{_value(value)}\n", ""
    yield from _list("unknown", rule.undecided)
    yield from _list("evidence", (", ".join(rule.evidence),) if rule.evidence else ())
    yield from _list("to pass", rule.satisfy)


def _list(label: str, items: tuple[str, ...]) -> Segments:
    for item in items:
        yield f"  {label:9} ", "dim"
        yield f"{_one_line(item)}\n", ""
        label = ""


def _one_line(text: str) -> str:
    return shown(" ".join(text.split()))


def _value(value: Any) -> str:
    text = shown(json.dumps(value, ensure_ascii=False, default=str))
    if len(text) <= _LONGEST_VALUE:
        return text
    return f"{text[:_LONGEST_VALUE]}… ({counted(len(text), 'character')})"


def _seconds(milliseconds: int) -> str:
    return f"{milliseconds / 1000:g} s"


def _render(decision: Decision, style: Style) -> str:
    return render_decision(decision, color=style.color)


DECISION = DecisionReport("text", _render)
