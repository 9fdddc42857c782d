"""The answers to claims in each format: text and JSON, findings, test outcomes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from policy_engine.evaluators.base import Program
from policy_engine.model.diagnostic import Diagnostic, sorted_diagnostics
from policy_engine.model.page import Page
from policy_engine.reports.base import Style, TestOutcome, painted, shown
from policy_engine.testing.proof import OPEN, PROVED, REFUTED, Answered
from policy_engine.testing.witness import events_of, session_test, step_text

PAGES = {
    "refuted": Page("refuted", "a claim that does not hold", ""),
    "not-decided": Page("not-decided", "a claim that was neither proved nor refuted", ""),
}
MEANING = (
    "proved: a rule that refuses exactly this would change no decision, whether it can be decided or not. That is"
    " about what the engine reads of an action, not about what a program does once it runs."
)
_SIGNS = {PROVED: ("✓", "green"), REFUTED: ("✗", "bold red"), OPEN: ("?", "yellow")}


def proof_text(answers: list[Answered], style: Style) -> str:
    """Return the answers for people: each with its session or its reason, and what a proof says."""
    return painted(_lines(answers), style)


def _lines(answers: list[Answered]) -> Iterator[tuple[str, str]]:
    for one in answers:
        sign, color = _SIGNS[one.state]
        yield f"{sign} {one.state}", color
        yield f"   {shown(one.claim.rule.id)}", "bold"
        title = one.claim.rule.title
        yield f"{f'  {shown(title)}' if title else ''} ({shown(one.claim.rule.place.location)})\n", ""
        yield f"      {shown(_reason(one))}\n", "dim"
        for line in _test(one).splitlines():
            yield f"        {shown(line)}\n", ""
    counts = [f"{sum(one.state == state for one in answers)} {state}" for state in _SIGNS]
    yield f"{', '.join(counts)}\n", "bold"
    if any(one.state == PROVED for one in answers):
        yield f"{MEANING}\n", "dim"


def _reason(one: Answered) -> str:
    """Return on what an answer rests, in one sentence."""
    witness = one.witness
    if witness is None:
        return one.why
    if one.claim.possible:
        return f"the engine answers {witness.before.verdict} to:"
    return f"the engine answers {witness.before.verdict}, not {one.claim.rule.verdict}, to:"


def proof_dict(answers: list[Answered], program: Program) -> dict[str, Any]:
    """Return the answers as JSON values; a session has its canonical events and a test that expects what is claimed."""
    return {"meaning": MEANING, "claims": [_claim_dict(one, program) for one in answers]}


def _claim_dict(one: Answered, program: Program) -> dict[str, Any]:
    claim, witness = one.claim, one.witness
    return {
        "claim": claim.rule.id,
        "title": claim.rule.title,
        "at": claim.rule.place.location,
        "state": one.state,
        "why": one.why or None,
        "session": witness and [step_text(step) for step in witness.steps],
        "verdict": witness and witness.before.verdict,
        "events": witness and events_of(witness.steps, program),
        "test": _test(one) or None,
    }


def _test(one: Answered) -> str:
    """Return the session as a test of what is claimed: it fails until a refuted claim holds."""
    if one.witness is None:
        return ""
    wanted = one.witness.before.verdict if one.claim.possible else one.claim.rule.verdict
    return session_test(one.witness, one.claim.rule.title or one.claim.rule.id, wanted)


def proof_findings(answers: list[Answered]) -> tuple[Diagnostic, ...]:
    """Return an error for each claim that is refuted, and a warning for each that was not decided."""
    findings = []
    for one in answers:
        if one.state != PROVED:
            steps = "; ".join(step_text(step) for step in one.witness.steps) if one.witness is not None else ""
            message = f"`{one.claim.rule.id}` is {one.state}: {shown(' '.join((_reason(one), steps)).strip())}"
            code, severity = ("refuted", "error") if one.state == REFUTED else ("not-decided", "warning")
            place = one.claim.rule.place
            findings.append(Diagnostic(code, cast("Any", severity), message, place.source, place.span))
    return tuple(sorted_diagnostics(findings))


def proof_outcomes(answers: list[Answered]) -> tuple[TestOutcome, ...]:
    """Return each claim as a test that passed if it is proved."""
    outcomes = []
    for one in answers:
        place = one.claim.rule.place
        line = place.source.position(place.span.start)[0]
        message = "" if one.state == PROVED else shown("\n".join((f"{one.state}: {_reason(one)}", _test(one))), "\n")
        outcomes.append(
            TestOutcome(place.source.name, line, one.claim.rule.id, one.claim.rule.title, one.state == PROVED, message)
        )
    return tuple(outcomes)
