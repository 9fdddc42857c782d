"""The text form: place, message, source line, caret, advice."""

from __future__ import annotations

import pytest

from policy_engine.model.diagnostic import Diagnostic
from policy_engine.model.source import Source, Span
from policy_engine.reports.base import Findings, Style, TestOutcome, columns
from policy_engine.reports.text import check_text, outcomes_text
from tests.unit.reports.examples import CLEAN, EVIL, EVIL_OUTCOMES, MIXED, OUTCOMES, PASSED, UNKNOWN_POINT, controls_in

PLAIN = Style()


def test_a_diagnostic_shows_place_line_caret_and_advice() -> None:
    assert check_text(Findings((UNKNOWN_POINT,), ("rules/main.policy",)), PLAIN) == (
        "rules/main.policy:3:6: error[PE204]: unknown lifecycle point `befor_tool`\n"
        "  |\n"
        "3 |   on befor_tool\n"
        "  |      ^^^^^^^^^^\n"
        "  = help: did you mean `before_tool`?\n"
        "  = rules/main.policy:1:1: the language is named here\n"
        "\n"
        "1 error in 1 file\n"
    )


def test_the_summary_counts_by_severity() -> None:
    assert check_text(MIXED, PLAIN).endswith("\n1 error, 1 warning, 1 note in 2 files\n")


def test_a_clean_check_says_so() -> None:
    assert check_text(CLEAN, PLAIN) == "no findings in 1 file\n"


def _line_and_caret(text: str, word: str) -> tuple[str, str]:
    source = Source("f", text)
    start = text.index(word)
    diagnostic = Diagnostic("PE1", "error", "m", source, Span(start, start + len(word)))
    lines = check_text(Findings((diagnostic,)), PLAIN).split("\n")
    return lines[2].removeprefix("1 | "), lines[3].removeprefix("  | ")


@pytest.mark.parametrize(
    "text",
    ["漢字 = oops", "\t\tx\toops", "\u202e oops", "e\u0301e\u0301 oops", "oops", "\x1b[31m oops now", "🎉🎉 oops"],
)
def test_the_caret_stands_under_the_word(text: str) -> None:
    line, caret = _line_and_caret(text, "oops")
    assert columns(line[: line.index("oops")]) == len(caret) - 4
    assert caret.strip() == "^^^^"


def test_the_caret_is_as_wide_as_a_wide_word() -> None:
    assert _line_and_caret("a 漢字 b", "漢字") == ("a 漢字 b", "  ^^^^")


def test_an_empty_span_at_the_end_of_the_file_has_one_caret() -> None:
    source = Source("f", "rule x {\n")
    diagnostic = Diagnostic("PE1", "error", "the file ends here", source, Span(9, 9))
    assert check_text(Findings((diagnostic,)), PLAIN).startswith(
        "f:2:1: error[PE1]: the file ends here\n  |\n2 |\n  | ^\n"
    )


def test_a_span_over_several_lines_is_underlined_on_its_first() -> None:
    source = Source("f", "rule x {\n  deny\n}\n")
    text = check_text(Findings((Diagnostic("PE1", "error", "m", source, Span(5, 17)),)), PLAIN)
    assert "1 | rule x {\n  |      ^^^\n" in text


def test_a_very_long_line_is_cut_around_the_caret() -> None:
    line, caret = _line_and_caret("a" * 5000 + " oops " + "b" * 5000, "oops")
    assert line.startswith("…") and line.endswith("…")
    assert len(line) <= 161
    assert line[len(caret) - 4 : len(caret)] == "oops"


def test_several_lines_of_advice_stay_aligned() -> None:
    source = Source("f", "x\n")
    diagnostic = Diagnostic("PE1", "error", "m", source, Span(0, 1), witness="one\ntwo")
    assert "  = example: one\n             two\n" in check_text(Findings((diagnostic,)), PLAIN)


def test_nothing_a_user_wrote_reaches_the_terminal_as_a_command() -> None:
    assert controls_in(check_text(EVIL, PLAIN)) == set()
    assert controls_in(outcomes_text(EVIL_OUTCOMES, PLAIN)) == set()


def test_colour_changes_only_the_colours() -> None:
    import re

    for findings in (MIXED, CLEAN):
        colored = check_text(findings, Style(color=True, width=20))
        assert "\x1b[" in colored
        assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == check_text(findings, PLAIN)


def test_outcomes_are_listed_by_file_and_rule_with_what_did_not_pass() -> None:
    assert outcomes_text(OUTCOMES, PLAIN) == (
        "rules/main.policy\n"
        "  ✗ r  2 tests\n"
        "      failed allows\n"
        "        expected allow\n"
        "        got deny by r\n"
        "\n"
        "rules/other.policy\n"
        "  ✓ the whole file  1 test\n"
        "\n"
        "1 failed, 2 passed in 2 files, 0.01 s\n"
    )
    assert outcomes_text((PASSED,), PLAIN) == "rules/main.policy\n  ✓ r  1 test\n\n1 passed in 1 file, 0.01 s\n"


def test_a_message_in_pieces_keeps_its_colours_and_its_indent() -> None:
    pieces = (("f:3:1: ", "bold"), ("expected ", ""), ("deny\n", "red"), ("  because\n", "dim"))
    outcome = TestOutcome("f", 2, "r", "", False, "f:3:1: expected deny\n  because", pieces=pieces)
    assert outcomes_text((outcome,), PLAIN) == (
        "f\n  ✗ r  1 test\n      failed the test at line 2\n"
        "        f:3:1: expected deny\n          because\n\n1 failed in 1 file, 0.00 s\n"
    )
    assert "\x1b[31mdeny" in outcomes_text((outcome,), Style(color=True))


def test_a_run_without_tests_says_so() -> None:
    assert outcomes_text((), PLAIN) == "no tests ran\n"
