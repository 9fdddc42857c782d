"""Print coverage for people: a table of the rules, then every goal that was not reached, with its place."""

from __future__ import annotations

from collections.abc import Iterator

from policy_engine.reports.base import Style, columns, painted, shown
from policy_engine.runtime.rule_results import NOT_APPLICABLE, SATISFIED, UNDECIDED, VIOLATED
from policy_engine.testing.coverage import Coverage, RuleCover

Segments = Iterator[tuple[str, str]]
HEAD = ("rule", "events", "violated", "satisfied", "not applicable", "undecided", "conditions")


def coverage_text(coverage: Coverage, style: Style, by: str = "test") -> str:
    """The table and what is missing; `conditions` are those seen both true and false, of all.

    Args:
        coverage: what was seen.
        style: of the output.
        by: what showed it: a `test` or a `session`.
    """
    return painted(_whole(coverage, by), style)


def _whole(coverage: Coverage, by: str) -> Segments:
    rows = [_row(rule) for rule in coverage.rules.values()]
    widths = [max(columns(row[at]) for row in (HEAD, *rows)) for at in range(len(HEAD))]
    yield _line(HEAD, widths), "dim"
    for rule, row in zip(coverage.rules.values(), rows, strict=True):
        yield _line(row, widths), _color(rule)
    missing = coverage.missing()
    if missing:
        yield f"\nnot seen in any {by}\n", "bold"
    wide = [max(columns(shown(entry[at])) for entry in missing) for at in (0, 1)] if missing else []
    for location, name, words in missing:
        yield f"  {_left(shown(location), wide[0])}  ", "dim"
        yield f"{_left(shown(name), wide[1])}  {shown(words)}\n", ""
    color = "green" if coverage.percent == 100 else "yellow"
    yield "\ncoverage ", ""
    yield f"{coverage.percent:g} %", color
    yield f", {coverage.reached} of {coverage.goals} goals\n", ""


def _row(rule: RuleCover) -> tuple[str, ...]:
    both = sum({True, False} <= condition.seen for condition in rule.conditions.values())
    return (
        shown(rule.id),
        str(rule.events),
        str(rule.outcomes[VIOLATED]),
        str(rule.outcomes[SATISFIED]) if rule.obligation else "-",
        str(rule.outcomes[NOT_APPLICABLE]),
        str(rule.outcomes[UNDECIDED]),
        f"{both} of {len(rule.conditions)}" if rule.conditions else "-",
    )


def _color(rule: RuleCover) -> str:
    reached = [reached for _, _, reached in rule.goals()]
    return "green" if all(reached) else "yellow" if any(reached) else "red"


def _line(cells: tuple[str, ...], widths: list[int]) -> str:
    name, *numbers = cells
    return (
        "  ".join(
            ["", _left(name, widths[0]), *(f"{cell:>{width}}" for cell, width in zip(numbers, widths[1:], strict=True))]
        )
        + "\n"
    )


def _left(text: str, width: int) -> str:
    return text + " " * (width - columns(text))
