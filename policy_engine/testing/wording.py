"""Word a step that went otherwise than expected: its place, what was decided, and why.

Lines are pieces of (text, rich style), so that a terminal gets colours and every other reader the same words.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from policy_engine.checker.tree import CheckedStep, Place
from policy_engine.evaluators.trace import Seen
from policy_engine.model.decision import RuleResult
from policy_engine.model.ladder import RANK
from policy_engine.reports.base import VERDICT_STYLES, columns, shown
from policy_engine.runtime.rule_results import NOT_APPLICABLE, SATISFIED, UNDECIDED
from policy_engine.testing.probe import Sight, StepResult

Segments = Iterator[tuple[str, str]]

_WIDEST = 160  # columns of a step and of a value that are shown
_NOT_SENT = ("the host did not send", "a test has no git repository")  # in reasons of evaluators/ and model/
_TRUTH = {True: "true", False: "false", None: "not known"}
_OUTCOMES = {NOT_APPLICABLE: "does not apply", SATISFIED: "is satisfied", UNDECIDED: "is undecided"}


def excerpt(place: Place) -> Segments:
    """The first line under a place, with its number, and carets under the expectation if it stands on that line."""
    line, column = place.source.position(place.span.start)
    first = place.text.split("\n")[0]
    expectation = place.text.rfind("=>")  # no text can follow it that holds another
    if 0 < expectation < len(first):
        column, first = column + expectation, first[expectation:]
    text = place.source.line_text(line).replace("\t", "    ")
    text = " " * (len(text) - len(text.lstrip())) + shown(text.strip())
    gutter = " " * len(str(line))
    start = columns(shown(place.source.line_text(line)[: column - 1].replace("\t", "    ")))
    marked = columns(shown(first.replace("\t", "    ")))
    yield f"{gutter} |\n{line} | ", "dim"
    yield f"{text if columns(text) <= _WIDEST else text[: _WIDEST - 1] + '…'}\n", ""
    yield f"{gutter} | ", "dim"
    yield f"{' ' * start}{'^' * max(1, min(marked, _WIDEST - start))}\n", "red"


def wrong_verdict(step: CheckedStep, verdict: str, answers: tuple[StepResult, ...]) -> Segments:
    """The step expected another verdict, or another rule to give it."""
    yield f"{step.place.location}: ", "bold"
    yield "expected ", ""
    yield step.expect, VERDICT_STYLES[step.expect]
    yield f" by {step.by}" if step.by else "", ""
    yield ", got ", ""
    yield f"{verdict}\n", VERDICT_STYLES[verdict]
    yield from excerpt(step.place)
    yield from _decisions(answers)
    yield from _sights(answers, {step.by} if step.by else set())


def explained(answers: tuple[StepResult, ...]) -> str:
    """Say why a step was decided as it was: the rules that spoke, and what kept the watched ones silent."""
    return "".join(text for text, _ in (*_decisions(answers), *_sights(answers, set()))).rstrip("\n")


def broken_step(place: Place, problem: str) -> Segments:
    """The step could not be played, or asks for what cannot be."""
    yield f"{place.location}: ", "bold"
    yield f"{shown(problem)}\n", ""
    yield from excerpt(place)


def _decisions(answers: tuple[StepResult, ...]) -> Segments:
    """One line per event that was decided otherwise than `allow`, else one for all; below it the rules that spoke."""
    if all(one.decision.word == "allow" for one in answers):
        points = " and ".join(dict.fromkeys(one.event["hook"] for one in answers if one.event["hook"] != "after_round"))
        yield f"  decided at {points}: ", "dim"
        yield "allow", VERDICT_STYLES["allow"]
        yield ", no rule spoke\n", ""
    for one in answers:
        decision = one.decision
        if decision.word == "allow" and not decision.rules:
            continue
        yield f"  decided at {decision.hook}: ", "dim"
        yield decision.word, VERDICT_STYLES[decision.word]
        yield f" {shown(decision.stop_reason)}\n" if decision.stop_reason else "\n", ""
        for result in (*decision.rules, *decision.approved):
            yield from _spoken(result)


def _spoken(result: RuleResult) -> Segments:
    yield f"    {shown(result.rule)} ", "bold"
    yield result.verdict, VERDICT_STYLES[result.verdict]
    yield f": {_line(result.message)}\n", ""
    for text, values in result.because:
        yield from _leaf("because", text, values)
    yield from _unknown(result.undecided)
    for text in result.satisfy:
        yield "      to pass  ", "dim"
        yield f"{_line(text)}\n", ""


def _sights(answers: tuple[StepResult, ...], named: set[str]) -> Segments:
    """Return why the rules that the test is about did not speak."""
    reported: set[tuple[str, str]] = set()
    for one in answers:
        spoken = {result.rule for result in one.decision.rules}
        for sight in one.sights:
            if sight.rule not in spoken and sight.outcome in _OUTCOMES:
                reported.add((sight.rule, sight.outcome))
                yield from _silent(sight, one)
    for rule in sorted(named - {rule for rule, _ in reported}):
        if not any(result.rule == rule for one in answers for result in one.decision.rules):
            yield f"  {shown(rule)} ", "bold"
            yield "does not listen at any event of this step\n", ""


def _silent(sight: Sight, answer: StepResult) -> Segments:
    yield f"  {shown(sight.rule)} ", "bold"
    yield f"{_OUTCOMES[sight.outcome]} at {answer.event['hook']}", ""
    if not sight.seen.because:
        yield "\n", ""
        return
    yield ", because\n", ""
    for leaf in _leaves(sight.seen):
        text, values = leaf.because[0]
        yield from _leaf("", f"{_line(text)}  is {_TRUTH[leaf.truth]}", values)
    yield from _unknown(sight.seen.reasons)


def _leaves(seen: Seen) -> list[Seen]:
    """The smallest parts that decided it, each once."""
    leaves: dict[str, Seen] = {}
    wanted = {text for text, _ in seen.because}
    todo = [seen]
    while todo:
        part = todo.pop(0)
        todo += part.parts
        if not part.parts and part.because and part.text in wanted:
            leaves.setdefault(part.text, part)
    return list(leaves.values())


def _leaf(label: str, text: str, values: dict[str, Any]) -> Segments:
    yield f"      {label:7}  " if label else "      ", "dim"
    yield _line(text), ""
    for name, value in values.items():
        yield f"  {_line(name)} = ", "dim"
        yield _value(value), "cyan"
    yield "\n", ""


def _unknown(reasons: tuple[str, ...]) -> Segments:
    for reason in reasons:
        yield "      unknown  ", "dim"
        yield f"{_line(reason)}\n", ""
    if any(part in reason for reason in reasons for part in _NOT_SENT):
        yield "      help     ", "dim"
        yield "`given FIELD = VALUE` says in a test what the host would send\n", ""


def _line(text: str) -> str:
    return shown(" ".join(text.split()))


def _value(value: Any) -> str:
    text = shown(json.dumps(value, ensure_ascii=False, default=str))
    return text if len(text) <= _WIDEST else text[: _WIDEST - 1] + "…"


def strictest(answers: tuple[StepResult, ...]) -> str:
    """The maximum over the events of a step; `approve` where nothing more is said of the call that is approved."""
    verdict = max((one.decision.verdict for one in answers), key=RANK.__getitem__, default="allow")
    return "approve" if verdict == "allow" and any(one.decision.approved for one in answers) else verdict
