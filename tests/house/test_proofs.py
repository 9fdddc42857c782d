"""Every fault is injected by a test, or says why it cannot be; every requirement is proved by one."""

from __future__ import annotations

import pytest

from tests.faults import requirements, rows
from tests.faults.marks import proofs, stray

ROWS = {number: row for section in rows.SECTIONS.values() for number, row in section.items()}


def test_the_rows_are_numbered_without_a_gap() -> None:
    assert list(ROWS) == list(range(1, 115))
    assert list(requirements.REQUIREMENTS) == [f"R{number}" for number in range(1, 25)]


@pytest.mark.parametrize(("mark", "known"), [("fault", ROWS), ("requirement", requirements.REQUIREMENTS)])
def test_every_mark_is_on_a_test_and_names_what_there_is(mark: str, known: dict[object, object]) -> None:
    assert stray(mark) == []
    assert sorted(set(proofs(mark)) - set(known), key=str) == []


def test_every_fault_is_injected_or_says_why_not() -> None:
    spoken_for = {*proofs("fault"), *rows.UNMADE, *rows.OPEN}
    assert {number: row[0] for number, row in ROWS.items() if number not in spoken_for} == {}


def test_every_requirement_is_proved() -> None:
    spoken_for = {*proofs("requirement"), *requirements.OPEN}
    assert [name for name in requirements.REQUIREMENTS if name not in spoken_for] == []


def test_nothing_is_open_that_a_test_closes() -> None:
    assert sorted(set(rows.OPEN) & set(proofs("fault")), key=str) == [], "take them out of `OPEN`"
    assert sorted(set(requirements.OPEN) & set(proofs("requirement")), key=str) == [], "take them out of `OPEN`"
