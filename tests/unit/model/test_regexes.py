"""RE2 on text and bytes: linear time, UTF-8, located complaints; loaded without the package around it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy_engine.model.limits import REGEX_BYTES
from policy_engine.model.regexes import RegexError, regex_problem, search


def test_a_search_is_not_anchored_and_knows_letter_case() -> None:
    assert search(("b+", False), "abbc")
    assert not search(("B+", False), "abbc")
    assert search(("B+", True), "abbc")
    assert search(("É", True), "café")


def test_text_and_its_utf8_give_the_same_answer() -> None:
    assert search(("^.$", False), "é")
    assert search(("^.$", False), "é".encode())


def test_what_is_not_utf8_is_still_one_character() -> None:
    assert search((r"^.\.env$", False), b"\xff.env")
    assert search((r"^.\.env$", False), "\ud800.env")


def test_a_catastrophic_pattern_is_harmless() -> None:
    assert not search((r"^(\w+\s?)*$", False), "a" * 50_000 + "!")


@pytest.mark.parametrize(
    ("pattern", "offset", "part"),
    [
        ("a(?=b)", 1, "look-around"),
        ("(?<!a)b", 0, "look-around"),
        (r"(a)\1", 3, "back-references"),
        ("(a", 0, "`)` is missing"),
        ("a)", 1, "closes no group"),
        ("[a", 0, "`]` is missing"),
        ("x[z-a]", 2, "range"),
        ("a{1001}", 1, "REGEX_REPEAT"),
        ("a{1000000000}", 1, "REGEX_REPEAT"),
        (r"[{]\{9999}(a{999}){9}", 18, "REGEX_REPEAT"),
        ("*a", 0, "no argument"),
        ("a\\", 1, "trailing"),
        ("x" * (REGEX_BYTES + 1), 0, "REGEX_BYTES"),
        ("\ud800", 0, "surrogate"),
    ],
)
def test_a_bad_pattern_is_explained_at_its_place(pattern: str, offset: int, part: str) -> None:
    problem = regex_problem(pattern)
    assert problem is not None
    assert (problem[0], part in problem[1]) == (offset, True), problem


@given(st.text(max_size=30))
def test_a_pattern_has_a_problem_or_can_be_searched_for(pattern: str) -> None:
    problem = regex_problem(pattern)
    if problem is None:
        assert search((pattern, False), "text") in (True, False)
    else:
        assert 0 <= problem[0] <= max(len(pattern) - 1, 0)
        with pytest.raises((RegexError, UnicodeEncodeError)):
            search((pattern, False), "text")


def test_a_bare_interpreter_can_search() -> None:
    script = (
        f"import sys; sys.path.insert(0, {str(Path.cwd())!r})\n"
        "from policy_engine.model.regexes import search\n"
        "print(search(('a+', False), 'caat'), 're' in sys.modules, 'functools' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", script], capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.stderr) == ("True False False", "")
