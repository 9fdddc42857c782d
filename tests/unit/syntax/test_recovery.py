"""A file with many mistakes gets one complaint for each, at its place, and no other."""

from __future__ import annotations

import re

import pytest

from policy_engine.model.limits import POLICY_DIAGNOSTICS
from policy_engine.model.source import Source
from policy_engine.syntax.parser import damaged, parse
from tests.unit.syntax.reading import read, text_of


def _expected(text: str) -> list[str]:
    """`line code message` of the `###` remarks, each on its line or below it."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        for remark in line.split("###")[1:]:
            above = remark.strip().startswith("above: ")
            found.append(f"{number - above} {remark.strip().removeprefix('above: ')}")
    return found


def test_each_of_thirty_one_mistakes_is_found_and_nothing_else() -> None:
    text = text_of("mistakes.policy")
    expected = sorted(_expected(text))
    # the one brace that is never closed is missed at the end of the file
    last = len(text.splitlines()) - 2
    expected = [re.sub(r"^\d+ PE123 missing `}`", f"{last} PE123 missing `}}`", each) for each in expected]
    _, found = read(text)
    assert sorted(re.sub(r":\d+", "", each, count=1) for each in found) == sorted(expected)
    assert len(found) == 31


@pytest.mark.parametrize(
    ("clauses", "complaint"),
    [
        ("when diff.lines > 100 500\n  deny", "3:23 PE120 unexpected `500`"),
        ('when f("a" "b")\n  deny', '3:12 PE122 missing `,` before `"b"`'),
        ("when any x in xs x.ok\n  deny", "3:18 PE122 missing `{` before `x`"),
        ("when any x in xs { x.ok\n  deny", "3:23 PE123 missing `}`"),
        ("when a)\n  deny", "3:7 PE124 `)` closes nothing"),
        ("when tool.args[0] == 1\n  deny", "3:16 PE141 the key `0` is not a string"),
        ('when ("a")("b")\n  deny', '3:7 PE140 `"a"` cannot be called'),
        ("when timeout > 3\n  deny", "3:6 PE127 `timeout` is a reserved word"),
        ("when a == b == c\n  deny", "3:13 PE126 `==` cannot follow a comparison"),
        ("when a matches /x/g\n  deny", "3:19 PE118 unknown flag `g`"),
        ('deny "\\d"', "3:7 PE112 unknown escape `\\d`"),
        ("when a == 99999999999999999999\n  deny", "3:11 PE116 `99999999999999999999` is too large"),
        ("timeout 999999999999999d", "3:9 PE116 `999999999999999d` is too large"),
        ("when a or\n  deny", "3:8 PE128 `or` is not followed by an expression"),
        ("when a @ deny", "3:8 PE109 `@` has no meaning here"),
        ("when a ≠ b\n  deny", "3:8 PE113 `≠` is not a sign of this language"),
        ("when “a” == b\n  deny", "3:6 PE111 `“a”` is not a string"),
        ("\tdeny", "3:1 PE108 `U+0009 tab` between words"),
        ("\u00a0deny", "3:1 PE108 `U+00A0 NO-BREAK SPACE` between words"),
        ("de\u200bny", "3:1 PE114 `de\\u200bny` contains `U+200B ZERO WIDTH SPACE`"),
        ("d\u0435ny", "3:1 PE114 `d\u0435ny` contains `U+0435 CYRILLIC SMALL LETTER IE`"),
        ("when a /* b */\n  deny", "3:8 PE119 `/*` begins no comment"),
        ("shadow\n  shadow", "4:3 PE146 `shadow` is given twice"),
        ("when a has b\n  deny", "3:8 PE120 unexpected `has`"),
    ],
)
def test_one_mistake_gives_one_complaint(clauses: str, complaint: str) -> None:
    _, found = read(f"language 1\nrule r {{\n{clauses}\n}}\n")
    assert found == [complaint]


def test_what_follows_a_broken_item_is_still_read() -> None:
    file, found = read('language 1\nrule a { on }\nrule b { deny "x" }\n')
    assert [getattr(item, "name", "") for item in file.items] == ["a", "b"]
    assert len(found) == 1


def test_items_with_an_error_are_told_apart() -> None:
    source = Source("p", 'language 1\nrule a { dney "x" }\nrule b { deny "x" }\n')
    file, found = parse(source)
    assert [getattr(item, "name", "") for item in damaged(file, found)] == ["a"]


def test_a_file_that_was_cut_off_says_so() -> None:
    _, found = read('language 1\nrule a "A" {\n  on prompt\n  when tool.name ==')
    assert found == [
        "4:19 PE130 the file ends in the middle of a clause",
    ]


def test_complaints_are_counted_beyond_the_limit() -> None:
    _, found = read("language 1\n" + "frobnicate\nrule a { deny }\n" * 300)
    assert len(found) == POLICY_DIAGNOSTICS + 1
    assert found[-1].endswith(f"further problems are not shown (POLICY_DIAGNOSTICS = {POLICY_DIAGNOSTICS})")


@pytest.mark.parametrize("opening", ["(", "[", "not ", "any x in (", "f(", "x in [", "any x in xs { "])
def test_deep_nesting_is_one_located_complaint(opening: str) -> None:
    text = f"language 1\nrule a {{\n  when {opening * 50_000}x\n}}\nrule b {{ deny }}\n"
    file, found = read(text)
    assert [each.split(" ", 1)[1] for each in found] == ["PE142 nested more than POLICY_DEPTH = 100 deep"]
    assert getattr(file.items[-1], "name", "") == "b"


@pytest.mark.parametrize("chain", [".a", ".a(x)", '["k"]', " else x", " except x"])
def test_long_chains_are_one_located_complaint(chain: str) -> None:
    _, found = read(f"language 1\nrule a {{\n  when x{chain * 20_000}\n  deny\n}}\n")
    assert found == ["3:8 PE142 nested more than POLICY_DEPTH = 100 deep"]


def test_wide_chains_are_no_problem() -> None:
    _, found = read(f"language 1\nrule a {{\n  when x{' or x' * 20_000}\n  deny\n}}\n")
    assert found == []
