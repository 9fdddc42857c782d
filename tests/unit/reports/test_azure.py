"""The form of Azure Pipelines, read back by the rules of its agent."""

from __future__ import annotations

import re

from policy_engine.reports.azure import check_azure, outcomes_azure
from policy_engine.reports.base import Findings, Style
from tests.unit.reports.examples import CLEAN, EVIL, EVIL_OUTCOMES, MIXED, OUTCOMES, UNKNOWN_POINT

PLAIN = Style()


def _unescape(text: str) -> str:
    for escaped, char in (("%3B", ";"), ("%5D", "]"), ("%0D", "\r"), ("%0A", "\n"), ("%AZP25", "%")):
        text = text.replace(escaped, char)
    return text


def _read(text: str) -> list[tuple[dict[str, str], str]]:
    """(properties, message) of every command, which an agent finds anywhere in a line."""
    found = []
    for line in text.splitlines():
        start = line.find("##vso[")
        if start >= 0:
            assert start == 0
            head, _, message = line[len("##vso[") :].partition("]")
            action, _, given = head.partition(" ")
            assert action == "task.logissue"
            pairs = (pair.split("=", 1) for pair in given.split(";") if pair)
            found.append(({key: _unescape(value) for key, value in pairs}, _unescape(message)))
    return found


def test_a_diagnostic_is_an_issue_at_its_place() -> None:
    [(place, message)] = _read(check_azure(Findings((UNKNOWN_POINT,)), PLAIN))
    assert place == {
        "type": "error",
        "sourcepath": "rules/main.policy",
        "linenumber": "3",
        "columnnumber": "6",
        "code": "PE204",
    }
    assert message == "unknown lifecycle point `befor_tool`\nhelp: did you mean `before_tool`?"


def test_a_note_is_a_warning_that_says_so_and_a_summary_follows() -> None:
    text = check_azure(MIXED, PLAIN)
    assert [place["type"] for place, _ in _read(text)] == ["warning", "warning", "error"]
    assert [message.startswith("note: ") for _, message in _read(text)] == [False, True, False]
    assert text.splitlines()[-1] == "1 error, 1 warning, 1 note"
    assert check_azure(CLEAN, PLAIN) == "no findings\n"


def test_nothing_that_a_user_wrote_is_a_command_or_ends_one() -> None:
    for text in (check_azure(EVIL, PLAIN), outcomes_azure(EVIL_OUTCOMES, PLAIN)):
        assert all(re.match(r"##vso\[task\.logissue type=(error|warning);", line) for line in text.splitlines()[:-1])
        assert "##vso" not in text.splitlines()[-1]


def test_failed_tests_and_none_at_all_are_issues() -> None:
    failed = [one for one in OUTCOMES if not one.passed]
    found = _read(outcomes_azure(OUTCOMES, PLAIN))
    assert [place["linenumber"] for place, _ in found] == [str(one.line) for one in failed]
    assert _read(outcomes_azure((), PLAIN)) == [({"type": "error"}, "no tests ran")]
