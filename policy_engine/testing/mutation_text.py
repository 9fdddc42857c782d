"""Print the results of a policy's mutants, for people and as JSON values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from policy_engine.analysis.candidates import TRIED
from policy_engine.reports.base import Style, TestOutcome, counted, painted, shown
from policy_engine.testing.mutation import EQUAL, KILLED, OPEN, SURVIVED, Tried, score

_ADVICE = f"not decided: no test notices it, and no session was found that would; {TRIED}"


def mutation_text(tried: list[Tried], style: Style) -> str:
    """Return a line per rule, and for each mutant that no test noticed the test that is missing."""
    return painted(_lines(tried), style)


def _lines(tried: list[Tried]) -> Iterator[tuple[str, str]]:
    for name in dict.fromkeys(one.mutant.item.id for one in tried):
        own = [one for one in tried if one.mutant.item.id == name]
        counts = {outcome: sum(one.outcome == outcome for one in own) for outcome in (KILLED, EQUAL, SURVIVED, OPEN)}
        parts = [f"{count} {outcome}" for outcome, count in counts.items() if count]
        yield shown(name), "bold"
        yield f"  {counted(len(own), 'mutant')}: {', '.join(parts)}\n", ""
        for one in own:
            if one.outcome in (SURVIVED, OPEN):
                yield f"  {shown(one.mutant.place.location)}: ", "dim"
                yield f"{shown(one.mutant.what)}\n", "red" if one.outcome == SURVIVED else "yellow"
                for line in one.missing.splitlines() or [_ADVICE]:
                    yield f"    {shown(line)}\n", ""
    equal = sum(one.outcome == EQUAL for one in tried)
    left_out = f", {counted(equal, 'mutant')} proved equal left out" if equal else ""
    killed = sum(one.outcome == KILLED for one in tried)
    yield f"\nmutation score {score(tried):.4g} %, {killed} of {len(tried) - equal} noticed{left_out}\n", "bold"


def mutation_dict(tried: list[Tried]) -> dict[str, Any]:
    """Return the same as JSON values."""
    return {
        "score": round(score(tried), 2),
        "mutants": [
            {
                "rule": one.mutant.item.id,
                "at": one.mutant.place.location,
                "mistake": one.mutant.what,
                "outcome": one.outcome,
                "missing_test": one.missing or None,
            }
            for one in tried
        ],
    }


def mutation_outcomes(tried: list[Tried]) -> tuple[TestOutcome, ...]:
    """Return each mistake as a test, which passed if it was noticed; those that are proved equal are left out."""
    outcomes = []
    for one in tried:
        if one.outcome != EQUAL:
            place, rule = one.mutant.place, one.mutant.item.id
            line = place.source.position(place.span.start)[0]
            message = "" if one.outcome == KILLED else f"no test notices it\n{one.missing or _ADVICE}".strip()
            noticed = one.outcome == KILLED
            outcomes.append(TestOutcome(place.source.name, line, rule, one.mutant.what, noticed, shown(message, "\n")))
    return tuple(outcomes)
