"""The badge: the members that the endpoint of shields.io needs, and a colour that says how good it is."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from policy_engine.reports.badge import outcomes_badge
from policy_engine.reports.base import Style, TestOutcome, percent_badge

PASSED = TestOutcome("a.policy", 1, "r", "t", True)
NEEDED = {"schemaVersion", "label", "message"}
KNOWN = {"color", "isError"}


@pytest.mark.parametrize(
    ("outcomes", "message", "color", "is_error"),
    [
        ((PASSED, PASSED), "2 passed", "brightgreen", False),
        ((PASSED, replace(PASSED, passed=False)), "1 failed", "red", True),
        ((), "0 passed", "lightgrey", False),
    ],
)
def test_tests_are_counted(outcomes: tuple[TestOutcome, ...], message: str, color: str, is_error: bool) -> None:
    found = json.loads(outcomes_badge(outcomes, Style()))
    assert found.keys() == NEEDED | KNOWN
    assert (found["schemaVersion"], found["message"], found["color"], found["isError"]) == (1, message, color, is_error)


@pytest.mark.parametrize(
    ("percent", "message", "color"),
    [
        (100.0, "100 %", "brightgreen"),
        (99.9, "99 %", "brightgreen"),
        (89.9, "89 %", "green"),
        (60.0, "60 %", "yellow"),
        (40.0, "40 %", "orange"),
        (0.0, "0 %", "red"),
    ],
)
def test_a_share_is_rounded_down(percent: float, message: str, color: str) -> None:
    found = json.loads(percent_badge("policy coverage", percent))
    assert (found["label"], found["message"], found["color"]) == ("policy coverage", message, color)
