"""The JUnit form, read back by an independent parser."""

from __future__ import annotations

import junitparser
import pytest

from policy_engine.reports.base import Style
from policy_engine.reports.junit import check_junit, outcomes_junit
from tests.unit.reports.examples import CLEAN, EVIL, EVIL_OUTCOMES, MIXED, OUTCOMES

PLAIN = Style()


def _read(text: str) -> junitparser.JUnitXml:
    return junitparser.JUnitXml.fromstring(text.encode("utf-8"))


def test_findings_fail_and_a_clean_file_passes() -> None:
    report = _read(check_junit(MIXED, PLAIN))
    assert (report.tests, report.failures, report.errors, report.skipped) == (4, 2, 0, 0)
    assert [(suite.name, suite.tests, suite.failures) for suite in report] == [
        ("rules/main.policy", 3, 2),
        ("rules/other.policy", 1, 0),
    ]
    cases = [case for suite in report for case in suite]
    assert [case.name for case in cases] == [
        "untested-rule at rules/main.policy:2:1",
        "old-wording at rules/main.policy:2:1",
        "PE204 at rules/main.policy:3:6",
        "check",
    ]
    failure = cases[2].result[0]
    assert isinstance(failure, junitparser.Failure)
    assert failure.message == "unknown lifecycle point `befor_tool`"
    assert failure.text.startswith("rules/main.policy:3:6: error[PE204]: unknown lifecycle point")
    assert cases[1].is_passed
    assert cases[1].system_out.startswith("rules/main.policy:2:1: note[old-wording]")


def test_a_clean_check_is_one_passed_case() -> None:
    report = _read(check_junit(CLEAN, PLAIN))
    assert (report.tests, report.failures) == (1, 0)


def test_outcomes_keep_file_time_and_reason() -> None:
    report = _read(outcomes_junit(OUTCOMES, PLAIN))
    assert (report.tests, report.failures, report.skipped, report.time) == (3, 1, 0, 0.015)
    passed, failed, other = (case for suite in report for case in suite)
    assert (passed.name, passed.classname, passed.time, passed.is_passed) == (
        "r: blocks",
        "rules/main.policy",
        0.012,
        True,
    )
    assert failed.result[0].message == "expected allow; got deny by r"
    assert failed.result[0].text == "rules/main.policy:12: expected allow\ngot deny by r"
    assert other.is_passed


def test_no_tests_is_an_error_not_a_success() -> None:
    report = _read(outcomes_junit((), PLAIN))
    assert (report.tests, report.errors) == (1, 1)


@pytest.mark.parametrize(
    "text", [check_junit(EVIL, PLAIN), outcomes_junit(EVIL_OUTCOMES, PLAIN)], ids=["check", "tests"]
)
def test_text_that_xml_cannot_carry_is_made_visible(text: str) -> None:
    cases = [case for suite in _read(text) for case in suite]
    assert cases[0].result[0].text.count("\\x1b[31m\\u202e]]> <b>\\x00") >= 1
