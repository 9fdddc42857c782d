"""A comparison of two policies in each format: text and JSON, findings, test outcomes, and tests to be kept."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from typing import Any

from policy_engine.analysis.candidates import TRIED
from policy_engine.analysis.comparison import Suspect
from policy_engine.checker.tree import CheckedLimit, CheckedPolicy, CheckedRule, Place
from policy_engine.evaluators.base import Program
from policy_engine.loading.loader import Loaded
from policy_engine.loading.sources import PACK
from policy_engine.model.diagnostic import Diagnostic, sorted_diagnostics
from policy_engine.model.page import Page
from policy_engine.model.replayed import UNKNOWN
from policy_engine.model.source import Span
from policy_engine.reports.base import Style, TestOutcome, counted, painted, shown
from policy_engine.testing.recorded import Recordings, Seen
from policy_engine.testing.trials import Speaker
from policy_engine.testing.witness import (
    ALLOWED,
    OLD,
    REFUSED,
    UNASKED,
    WEAKER,
    Answer,
    Comparison,
    Difference,
    events_of,
    session_test,
    step_text,
)

PAGES = {
    "newly-allowed": Page("newly-allowed", "an action that was refused is allowed", ""),
    "newly-allowed-without-a-question": Page(
        "newly-allowed-without-a-question", "an action that the host asked about is approved", ""
    ),
    "newly-left-to-the-host-to-ask": Page(
        "newly-left-to-the-host-to-ask", "an action that was approved is asked about by the host", ""
    ),
    "weaker": Page("weaker", "an action is refused less strictly", ""),
    "newly-refused": Page("newly-refused", "an action that was allowed is refused", ""),
    "stricter": Page("stricter", "an action is refused more strictly", ""),
    "not-compared": Page("not-compared", "a change about which nothing was decided", ""),
}
_SIGNS = {
    ALLOWED: ("+", "bold red"), UNASKED: ("+", "bold red"), WEAKER: ("~", "red"), REFUSED: ("-", "green"),
}  # fmt: skip
_BREAKING = (ALLOWED, UNASKED, WEAKER)
_NOT_DECIDED = f"no session was found that tells the policies apart, and none was proved to be missing; {TRIED}"


def comparison_text(comparison: Comparison, style: Style, recordings: Recordings | None = None) -> str:
    """Return the comparison for people: each difference with its session, then what was not decided."""
    lines = [*_lines(comparison, recordings), *(_recorded_lines(recordings) if recordings is not None else ())]
    return painted(iter(lines), style)


def _recorded_lines(recordings: Recordings) -> Iterator[tuple[str, str]]:
    """Yield what recordings show beside the differences that were searched, and how much of them was decided."""
    for (point, kind, direction, old, new, rule), seen in recordings.others.items():
        sign, color = _SIGNS.get(direction, ("~", ""))
        yield f"  {sign} {direction}", color
        yield f"   {old} → {new}   by {shown(rule)} at {next(_spots([(point, kind)]))}, in recordings only\n", ""
        yield _times(seen), "dim"
    if recordings.more:
        yield f"  … and {counted(recordings.more, 'recorded event')} of further differences\n", ""
    summed = recordings.summed
    unknown = sum(times for (state, _, _), times in summed.states.items() if state == UNKNOWN)
    lost = summed.damaged + sum(summed.unknown.values())
    said = [f"{counted(summed.events, 'event')} of {counted(summed.recordings, 'recording')}"]
    said += [f"{unknown} of which cannot be known"] if unknown else []
    said += [f"{counted(lost, 'line')} could not be read"] if lost else []
    yield f"recorded: {', '.join(said)}\n", ""


def _times(seen: Seen) -> str:
    return f"      {counted(seen.times, 'time')} in recordings, first at {shown(seen.place)}: {shown(seen.action)}\n"


def _lines(comparison: Comparison, recordings: Recordings | None) -> Iterator[tuple[str, str]]:
    spots = sorted(
        {(one.point, one.kind) for one in comparison.differences} | {(one[2], one[3]) for one in comparison.open}
    )
    for point, kind in spots:
        yield f"{point}{f'({kind})' if kind else ''}\n", "bold"
        for number, one in enumerate(comparison.differences):
            if (one.point, one.kind) == (point, kind):
                yield from _difference_lines(one)
                if recordings is not None:
                    seen = recordings.of.get(number)
                    yield _times(seen) if seen else "      not in the recordings\n", "dim"
        for side, suspect, *spot in comparison.open:
            if (*spot,) == (point, kind):
                yield "  ? not compared   ", "yellow"
                yield f"{_name(suspect.item)} of the {side} policy ({_location(suspect.item)})\n", ""
                yield f"      {shown(suspect.left)}\n" if suspect.left else "", "dim"
    where = f" that ends where `{shown(comparison.where)}`" if comparison.where else ""
    if comparison.is_equal:
        yield f"equal: every session{where} is decided alike, as was proved\n", "green"
        return
    if comparison.equal:
        yield "equal, as was proved: ", "green"
        yield f"{', '.join(_spots(comparison.equal))}\n", ""
    if comparison.open:
        yield f"not compared: {_NOT_DECIDED}\n", "dim"
    counts = [counted(len(comparison.differences), "difference")] if comparison.differences else []
    yield f"{', '.join([*counts, *([f'{len(comparison.open)} not compared'] if comparison.open else [])])}\n", ""


def _spots(equal: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield points, each with its kinds of tools."""
    kinds: dict[str, list[str]] = {}
    for point, kind in equal:
        kinds.setdefault(point, []).extend([kind] if kind else [])
    for point, named in kinds.items():
        yield f"{point}({', '.join(named)})" if named else point


def _difference_lines(one: Difference) -> Iterator[tuple[str, str]]:
    sign, color = _SIGNS.get(one.direction, ("~", ""))
    yield f"  {sign} {one.direction}", color
    yield f"   {one.before.verdict} → {one.after.verdict}   {_cause(one)}\n", ""
    for step in one.steps:
        yield f"      {shown(step_text(step))}\n", "dim" if step is not one.steps[-1] else ""
    message = next((rule.message for rule in _answer(one).rules if rule.rule == _id(one.item)), "")
    if message:
        yield f"      {shown(message.splitlines()[0])}\n", "dim"


def _cause(one: Difference) -> str:
    return f"by {_name(one.item)} {'before' if one.side == OLD else 'now'} ({_location(one.item)})"


def _answer(one: Difference) -> Answer:
    return one.before if one.side == OLD else one.after


def _id(item: Any) -> str:
    return str(getattr(item, "id", "")) or str(getattr(item, "name", ""))


def _name(item: Any) -> str:
    return shown(_id(item))


def _location(item: Any) -> str:
    return shown(str(item.place.location))


def comparison_dict(comparison: Comparison, program: Program, recordings: Recordings | None = None) -> dict[str, Any]:
    """Return the comparison as JSON values, with the canonical events of each session, as a program hears them;
    `proved_equal` is never true because nothing was found.
    """
    plain: dict[str, Any] = {
        "proved_equal": comparison.is_equal,
        "where": comparison.where or None,
        "differences": [
            {
                "point": one.point,
                "tool_kind": one.kind or None,
                "direction": one.direction,
                "before": one.before.verdict,
                "after": one.after.verdict,
                "policy": one.side,
                "rule": _id(one.item),
                "at": one.item.place.location,
                "session": [step_text(step) for step in one.steps],
                "events": events_of(one.steps, program),
                "test": session_test(one, _title(one), one.after.verdict),
                **({"recorded": asdict(recordings.of.get(number, Seen()))} if recordings is not None else {}),
            }
            for number, one in enumerate(comparison.differences)
        ],
        "equal": [{"point": point, "tool_kind": kind or None} for point, kind in comparison.equal],
        "not_compared": [
            {
                "point": point,
                "tool_kind": kind or None,
                "policy": side,
                "rule": _id(suspect.item),
                "at": suspect.item.place.location,
                "why": _why(suspect),
            }
            for side, suspect, point, kind in comparison.open
        ],
    }
    if recordings is not None:
        names = ("point", "tool_kind", "direction", "before", "after", "rule")
        plain["recorded_only"] = [
            dict(zip(names, other, strict=True)) | asdict(seen) for other, seen in recordings.others.items()
        ]
        plain["recorded"] = {"recordings": recordings.summed.recordings, "events": recordings.summed.events}
    return plain


def _placing(new: CheckedPolicy | None) -> Callable[[Any], Place]:
    """Return what gives the place of an item in the new policy: where it has the same name, else the head of the file
    that had it, for services show findings beside changed lines. Only what has neither stands in the old policy.
    """
    places: dict[str, Place] = {}
    if new is not None:
        items: tuple[Speaker, ...] = (*new.rules, *new.limits, *new.hooks)
        places = {one.name: Place(one, Span(0, 0)) for one in new.sources} | {_id(one): one.place for one in items}

    def place_of(item: Any) -> Place:
        removed: Place = places.get(item.place.source.name.rpartition(":")[2], item.place)
        return places.get(_id(item)) or removed

    return place_of


def comparison_findings(comparison: Comparison, new: CheckedPolicy | None) -> tuple[Diagnostic, ...]:
    """Return one finding for each difference, a warning where less is refused, and one for what was not compared, all
    in the new policy if they can be.
    """
    place_of = _placing(new)
    findings = []
    for one in comparison.differences:
        session = "; ".join(step_text(step) for step in one.steps)
        change = f"{one.before.verdict} → {one.after.verdict}"
        message = f"{one.direction} by `{_id(one.item)}`, {change}: `{shown(session)}`"
        severity = "warning" if one.direction in _BREAKING else "note"
        place = place_of(one.item)
        findings.append(Diagnostic(one.direction.replace(" ", "-"), severity, message, place.source, place.span))
    for side, suspect, *spot in comparison.open:
        message = f"{_not_compared(*spot)}: `{_id(suspect.item)}` of the {side} policy; {_why(suspect)}"
        place = place_of(suspect.item)
        findings.append(Diagnostic("not-compared", "warning", message, place.source, place.span))
    return tuple(sorted_diagnostics(findings))


def comparison_outcomes(comparison: Comparison, new: CheckedPolicy | None) -> tuple[TestOutcome, ...]:
    """Return each difference as a test that failed, in the new policy; one that passed where both are equal."""
    place_of = _placing(new)
    if comparison.is_equal:
        return (TestOutcome("policy", 1, "", "the policies are equal", True),)
    differences = (
        (place_of(one.item), _id(one.item), f"{one.direction}: {one.before.verdict} → {one.after.verdict}", one)
        for one in comparison.differences
    )
    failed = [
        _outcome(place, rule, title, "\n".join(step_text(step) for step in one.steps))
        for place, rule, title, one in differences
    ]
    failed += [
        _outcome(place_of(suspect.item), _id(suspect.item), _not_compared(*spot), _why(suspect))
        for _, suspect, *spot in comparison.open
    ]
    return tuple(failed)


def _why(suspect: Suspect) -> str:
    """Return why something was not compared, with what of its condition is left."""
    return f"{shown(suspect.left)}: {_NOT_DECIDED}" if suspect.left else _NOT_DECIDED


def _not_compared(point: str, kind: str) -> str:
    return f"not compared at {next(_spots([(point, kind)]))}"


def _outcome(place: Any, rule: str, title: str, message: str) -> TestOutcome:
    return TestOutcome(
        place.source.name, place.source.position(place.span.start)[0], rule, title, False, shown(message, "\n")
    )


def comparison_tests(comparison: Comparison, new: Loaded, folder: str) -> str:
    """Return a policy file for `folder` whose tests pass with the new policy and say each difference.

    What is empty is not imported: the shell has made the file already that this text is written into.
    """
    files = [one.path for one in new.parsed if not one.name.startswith(PACK) and one.origin.size]
    imports = [os.path.relpath(os.path.realpath(path), os.path.realpath(folder)) for path in files]
    tests = (session_test(one, _title(one), one.after.verdict) for one in comparison.differences)
    return "\n".join(("language 1\n", *(f'import "{one}"' for one in imports), "", *tests))


def _title(one: Difference) -> str:
    return f"{one.direction}: {one.before.verdict} was said before, by {_id(one.item)} of the {one.side} policy"


def is_breaking(differences: Iterable[Difference], recordings: Recordings | None = None) -> bool:
    """Detect whether something is refused less strictly than before."""
    others = recordings.others if recordings is not None else ()
    return any(one.direction in _BREAKING for one in differences) or any(other[2] in _BREAKING for other in others)


def may_be_breaking(comparison: Comparison) -> bool:
    """Detect whether something that was not compared may be refused less strictly than before.

    A rule or limit that only the new policy has can only refuse more, unless it approves or sets a time budget.
    """
    return any(
        side == OLD
        or not isinstance(suspect.item, CheckedRule | CheckedLimit)
        or (isinstance(suspect.item, CheckedRule) and (suspect.item.approves or suspect.item.effect is not None))
        for side, suspect, _, _ in comparison.open
    )
