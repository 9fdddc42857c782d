"""The GitHub form, read back by the rules of the runner."""

from __future__ import annotations

import re

from policy_engine.model.diagnostic import Diagnostic
from policy_engine.model.source import Span
from policy_engine.reports.base import Findings, Style
from policy_engine.reports.github import check_github, outcomes_github
from tests.unit.reports.examples import CLEAN, EVIL, EVIL_OUTCOMES, MIXED, OUTCOMES, SOURCE, UNKNOWN_POINT

PLAIN = Style()


def _unescape(text: str, *more: tuple[str, str]) -> str:
    for escaped, char in (*more, ("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
        text = text.replace(escaped, char)
    return text


def _read(text: str) -> list[tuple[str, dict[str, str], str]]:
    """(command, properties, message) of every workflow command, as the runner's own parser splits them."""
    found = []
    for line in text.splitlines():
        if match := re.fullmatch(r"::([a-z-]+)(?: ([^:]*))?::(.*)", line):
            pairs = (pair.split("=", 1) for pair in (match[2] or "").split(",") if "=" in pair)
            properties = {key: _unescape(value, ("%3A", ":"), ("%2C", ",")) for key, value in pairs}
            found.append((match[1], properties, _unescape(match[3])))
    return found


def test_a_diagnostic_is_an_annotation_at_its_place() -> None:
    assert _read(check_github(Findings((UNKNOWN_POINT,)), PLAIN)) == [
        (
            "error",
            {
                "file": "rules/main.policy",
                "line": "3",
                "endLine": "3",
                "col": "6",
                "endColumn": "16",
                "title": "error[PE204]",
            },
            "unknown lifecycle point `befor_tool`\nhelp: did you mean `before_tool`?\n"
            "rules/main.policy:1:1: the language is named here",
        )
    ]


def test_severities_have_their_commands_and_a_summary_follows() -> None:
    text = check_github(MIXED, PLAIN)
    assert [command for command, _, _ in _read(text)] == ["warning", "notice", "error"]
    assert text.splitlines()[-1] == "1 error, 1 warning, 1 note"
    assert check_github(CLEAN, PLAIN) == "no findings\n"


def test_a_range_over_several_lines_has_no_columns() -> None:
    diagnostic = Diagnostic("PE1", "error", "m", SOURCE, Span(0, 20))
    [(_, properties, _)] = _read(check_github(Findings((diagnostic,)), PLAIN))
    assert properties == {"file": "rules/main.policy", "line": "1", "endLine": "2", "title": "error[PE1]"}


def test_what_a_user_wrote_cannot_begin_a_command_of_its_own() -> None:
    for text in (check_github(EVIL, PLAIN), outcomes_github(EVIL_OUTCOMES, PLAIN)):
        *commands, summary = text.splitlines()
        assert len(_read(text)) == len(commands)
        assert not summary.startswith("::")
    [(_, properties, message)] = _read(check_github(EVIL, PLAIN))
    assert properties["file"].startswith("a,b:\\x1b[31m\\u202e]]> <b>\\x00%0A::error::x\\r\n#")
    assert "%0A::error::x" in message


def test_failed_tests_are_annotated() -> None:
    text = outcomes_github(OUTCOMES, PLAIN)
    assert [(command, properties["line"]) for command, properties, _ in _read(text)] == [("error", "12")]
    assert text.splitlines()[-1] == "3 tests, 1 failed"


def test_a_run_without_tests_is_an_error() -> None:
    assert _read(outcomes_github((), PLAIN)) == [("error", {"title": "policy test"}, "no tests ran")]
