"""`pytest` reads what it is pointed at and writes the reports it is asked for."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from policy_engine.model.undecided import Undecided


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("pytest -q tests/test_a.py::test_b", ["read tests/test_a.py/**"]),
        ("pytest --junitxml=out.xml", ["read /**", "write out.xml"]),
        ("pytest --basetemp tmp -c x.ini src", ["read src/**", "delete tmp/**", "read x.ini"]),
    ],
)
def test_it_touches_its_operands(touched: Callable[[str], list[str]], line: str, expected: list[str]) -> None:
    assert touched(line) == expected


@pytest.mark.parametrize("line", ["pytest --cov=src"])
def test_what_is_not_modelled_is_undecided(touched: Callable[[str], list[str]], line: str) -> None:
    with pytest.raises(Undecided):
        touched(line)
