"""The table of mistakes that no test notices: counts from the mutants, reasons from the page."""

from __future__ import annotations

from typing import Any

from tests.generated.survivors import HEAD, PAGE, renewed

ROWS = "| 7 | `a-*` | `fail open`, `without * in c.x` | they never matter |\n| 0 | `b` | `fail *` | nor do these |\n"
TEXT = f"`policy test --mutants rules`: 1 mistakes; old (9 %). More.\n\n{HEAD}{ROWS}\nAfter.\n"


def mutant(rule: str, mistake: str, outcome: str) -> dict[str, Any]:
    return {"rule": rule, "at": "x.policy:1:1", "mistake": mistake, "outcome": outcome}


def test_the_page_has_the_counts_of_the_mutants() -> None:
    mutants = [
        mutant("a-x", "`fail open`", "open"), mutant("a-y", "without 'p' in `c.x`", "survived"),
        mutant("b", "`fail closed`", "open"), mutant("b", "`when`", "killed"), mutant("b", "`unless`", "equal"),
    ]  # fmt: skip
    page, problems = renewed(TEXT, mutants)
    assert problems == []
    assert "`policy test --mutants rules`: 4 mistakes beside 1 that are proved equal;" in page
    assert "notice 1 (25.0 %). More." in page
    assert "| 2 | `a-*`" in page and "| 1 | `b`" in page and page.endswith("nor do these |\n\nAfter.\n")


def test_a_mistake_without_a_reason_and_a_reason_without_a_mistake_are_told() -> None:
    _, problems = renewed(TEXT, [mutant("c", "`fail open`", "open"), mutant("b", "`fail open`", "open")])
    assert [one.partition(":")[0] for one in problems] == ["no reason", "no mistake"]


def test_the_page_can_be_renewed() -> None:
    """What is written there stays as it is but for the counts."""
    text = PAGE.read_text(encoding="utf-8")
    page, problems = renewed(text, [mutant("x", "x", "killed")])
    rows = text.partition(HEAD)[2].partition("\n\n")[0].splitlines()
    assert len(problems) == len(rows) > 5 and page.count("\n| 0 | `") == len(rows)
