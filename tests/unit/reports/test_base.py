"""What all reports share: visible text, columns, the formats that there are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy_engine.reports.base import (
    Style,
    columns,
    counted,
    formats_of_check,
    formats_of_decision,
    formats_of_tests,
    painted,
    shown,
    without_surrogates,
)
from tests.unit.reports.examples import controls_in


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain `word`", "plain `word`"),
        ("größer 漢字 🎉", "größer 漢字 🎉"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("a\nb\tc\rd", "a\\nb\\tc\\rd"),
        ("abc\u202edef\u2066", "abc\\u202edef\\u2066"),
        ("zero\u200bwidth\ufeff", "zero\\u200bwidth\\ufeff"),
        ("line\u2028end", "line\\u2028end"),
        ("lone\udc80", "lone\\udc80"),
        ("tag\U000e0041", "tag\\U000e0041"),
        ("no\ufffe\ufdd0char", "no\\ufffe\\ufdd0char"),
        ("c1\x9b31m", "c1\\x9b31m"),
    ],
)
def test_what_a_terminal_would_obey_is_shown_instead(text: str, expected: str) -> None:
    assert shown(text) == expected


def test_kept_characters_stay() -> None:
    assert shown("a\nb\x07", keep="\n") == "a\nb\\x07"


@given(st.text(st.characters()))
def test_shown_text_is_printable_and_stays_as_it_is(text: str) -> None:
    once = shown(text)
    assert not controls_in(once)
    assert shown(once) == once
    once.encode("utf-8")


def test_surrogates_are_replaced_wherever_they_are() -> None:
    assert without_surrogates({"a\udc80": ["ok", "x\udcff", 3, None]}) == {"a\\udc80": ["ok", "x\\udcff", 3, None]}


@pytest.mark.parametrize(("text", "expected"), [("abc", 3), ("漢字", 4), ("e\u0301", 1), ("ü", 1), ("", 0)])
def test_columns_follow_the_terminal(text: str, expected: int) -> None:
    assert columns(text) == expected


def test_colour_appears_only_if_asked_for() -> None:
    segments = [("error", "bold red"), (": [red]not markup[/red]\n", "")]
    assert painted(segments, Style()) == "error: [red]not markup[/red]\n"
    colored = painted(segments, Style(color=True))
    assert "\x1b[1;31merror\x1b[0m" in colored
    assert "[red]not markup[/red]\n" in colored


def test_the_formats_are_found_by_file_text_first() -> None:
    assert list(formats_of_check()) == ["text", "azure", "github", "gitlab", "json", "junit", "rdjson", "sarif"]
    assert list(formats_of_tests()) == ["text", "azure", "badge", "github", "json", "junit", "tap"]
    assert list(formats_of_decision()) == ["text", "json"]


def test_nouns_follow_their_number() -> None:
    assert [counted(number, "file") for number in (0, 1, 2)] == ["0 files", "1 file", "2 files"]
