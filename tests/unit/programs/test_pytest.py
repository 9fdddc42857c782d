"""`pytest` reads what it is pointed at and writes the reports it is asked for."""

from __future__ import annotations

from collections.abc import Callable

import pytest


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


@pytest.mark.parametrize("line", ["pytest --cov=src", "pytest --timeout 30", "pytest --reruns=3"])
def test_an_option_of_a_plug_in_changes_nothing(touched: Callable[[str], list[str]], line: str) -> None:
    assert touched(line)[0].startswith("read ")
