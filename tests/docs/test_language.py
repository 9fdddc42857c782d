"""The language page says what the code does: verdicts, operators, reserved words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from policy_engine import Engine
from policy_engine.checker import types
from policy_engine.checker.vocabulary import ATOMS
from policy_engine.hooks.base import TOOL_KINDS
from policy_engine.model import limits
from policy_engine.model.ladder import STOP_REASONS, VERDICTS
from policy_engine.model.types import ARGUMENT, BOOL, DURATION, INT, PATH, STRING, TIME, list_of
from policy_engine.syntax.tokens import OPERATORS, RESERVED
from tests.docs.blocks import ROOT

TEXT = (ROOT / "docs" / "language.md").read_text("utf-8")
TRUTHS = {"true": True, "false": False, "U": None}


def _rows(heading: str, first: str) -> Iterator[list[str]]:
    """The cells of the first table under a heading whose head begins with a cell."""
    section = TEXT.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    table = section[section.index(f"| {first} |") :].split("\n\n", 1)[0]
    for line in table.strip().split("\n")[2:]:
        yield [cell.strip() for cell in line.strip("|").split("|")]


def _words(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def test_every_bound_says_what_it_bounds() -> None:
    page = (ROOT / "docs" / "reference" / "limits.md").read_text("utf-8")
    shown = {name for name, remark in re.findall(r"^\| `(\w+)` \| [\d,]+ \| (.*) \|$", page, re.M) if remark.strip()}
    assert shown == {name for name in vars(limits) if name.isupper()}


def test_the_tool_kinds_are_listed() -> None:
    listed = TEXT.split("by the kinds ", 1)[1].split(", or by a tool's own name", 1)[0]
    assert tuple(_words(listed)) == TOOL_KINDS.members


def test_the_ladder_and_the_stop_reasons_stand_in_order() -> None:
    assert f"`{' < '.join(VERDICTS)}`" in TEXT
    assert tuple(re.findall(r"^\d+\. `(\w+)`$", TEXT, re.M)) == STOP_REASONS


def test_the_reserved_words_are_listed() -> None:
    listed = TEXT.split("Reserved words, which bind no variable and name no define: the operators, ", 1)[1]
    words = {word for group in _words(listed.split(". They may follow", 1)[0]) for word in group.split()}
    assert words == RESERVED - OPERATORS


def test_the_atoms_are_listed() -> None:
    section = TEXT.split("**Atoms**", 1)[1].split("**Forms**", 1)[0]
    assert list(dict.fromkeys(re.findall(r"`(\w+)\(", section.split("An atom takes", 1)[0]))) == list(ATOMS)


def _outcome(condition: str, clean: bool | None, interactive: bool | None) -> bool | None:
    """The truth of a condition over `git.clean` and `host.interactive`, as a rule shows it."""
    engine = Engine.from_text(f'language 1 rule r "R" {{ on before_tool when {condition} warn "x" }}')
    event: dict[str, Any] = {"hook": "before_tool", "session": "s", "tool": {"name": "T", "args": {}}}
    event["git"] = {} if clean is None else {"clean": clean}
    event["host"] = {} if interactive is None else {"interactive": interactive}
    spoken = engine.decide(event).rules
    return {"violated": True, "undecided": None}[spoken[0].outcome] if spoken else False


def test_the_truth_tables_hold() -> None:
    rows = list(_rows("Outcomes", "`a`"))
    assert len(rows) == 9
    for a, b, both, one, inverse in rows:
        left, right = TRUTHS[a], TRUTHS[b]
        assert _outcome("git.clean and host.interactive", left, right) is TRUTHS[both]
        assert _outcome("git.clean or host.interactive", left, right) is TRUTHS[one]
        assert _outcome("not git.clean", left, right) is TRUTHS[inverse]


@pytest.mark.parametrize(
    ("operator", "left", "right", "fits"),
    [
        ("==", STRING, STRING, True),
        ("==", INT, STRING, False),
        ("==", PATH, STRING, True),
        ("==", ARGUMENT, BOOL, True),
        ("==", ARGUMENT, ARGUMENT, True),
        ("==", TOOL_KINDS, STRING, True),
        ("<", INT, INT, True),
        ("<", DURATION, DURATION, True),
        ("<", TIME, TIME, True),
        ("<", TIME, DURATION, False),
        ("<", ARGUMENT, INT, True),
        ("<", STRING, STRING, False),
        ("in", STRING, list_of(STRING), True),
        ("not_in", INT, list_of(STRING), False),
        ("contains", STRING, STRING, True),
        ("contains", list_of(STRING), STRING, True),
        ("starts_with", ARGUMENT, STRING, True),
        ("starts_with", PATH, STRING, False),
        ("under", PATH, STRING, True),
        ("inside", STRING, PATH, False),
    ],
)
def test_the_operator_table_holds(operator: str, left: types.Type, right: types.Type, fits: bool) -> None:
    assert types.fits(operator, left, right) is fits
