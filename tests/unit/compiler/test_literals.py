"""Literals are required: whatever RE2 finds contains each of them. A pattern in doubt has none."""

from __future__ import annotations

import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from policy_engine.checker.tree import RegexPattern
from policy_engine.compiler.keys import rarity, required_literals
from policy_engine.model.regexes import RegexError, search


def literals(pattern: str, ignore_case: bool = False) -> tuple[tuple[str, ...], bool]:
    return required_literals(RegexPattern(pattern, ignore_case))


def test_the_rarest_literal_comes_first() -> None:
    assert literals(r"eval\(.*zzqq") == (("zzqq", "eval("), False)
    assert rarity("zzqq") > rarity("eaea")


def test_an_inline_flag_folds_the_literals_and_a_scoped_one_gives_none() -> None:
    assert literals("(?i)SecRet") == (("secret",), True)
    assert literals("SecRet", ignore_case=True) == (("secret",), True)
    assert literals("(?i:secret)x") == (("x",), False)


def test_letters_that_fold_beyond_ascii_are_no_literals_where_case_is_ignored() -> None:
    assert literals("straße", ignore_case=True) == ((), True)


def test_what_may_be_left_out_is_not_required() -> None:
    assert literals("(abc)?def*") == (("de",), False)
    assert literals("foo|bar") == ((), False)
    assert literals("(xyz){0,3}q") == (("q",), False)


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("(secret)x+", ["secret", "x"]), ("(?:secret)[ab]key", ["secret", "key"]), ("(?P<n>qq)+?z", ["qq", "z"]),
        ("(ab(cd)*ef)", ["ab", "ef"]), ("^ab$", ["ab"]), (r"a\bb", ["ab"]), ("x{2,}y", ["x", "y"]), ("(?i:a)b", ["b"]),
        ("a|b", []), ("(a|b)c", ["c"]), ("[a]b", ["ab"]), ("a.b", ["a", "b"]), ("", []), ("(", []),
        ("x{1}y", ["x", "y"]),
        ("qqqq w xx yyyyy zz", ["qqqq w xx yyyyy zz"]), ("a.bb.ccc.dddd.eeeee", ["bb", "ccc", "dddd", "eeeee"]),
        ("x?y", ["y"]), ("x*?y", ["y"]), ("x{0}y", ["y"]), ("(?s:ab)c", ["c"]), ("(?-i:ab)c", ["c"]),
    ],
)  # fmt: skip
def test_literals_are_the_longest_runs_that_no_match_lacks(pattern: str, expected: list[str]) -> None:
    assert sorted(literals(pattern)[0]) == sorted(expected)


def test_rare_is_long_and_of_uncommon_characters() -> None:
    order = ["", "e", "t", "ee", "-", "x", "eeee", "ex", "xx", "xxxx"]
    assert sorted(order, key=rarity) == order
    assert (rarity(""), rarity(" "), rarity("E"), rarity("e"), rarity("%")) == (0, 1, 1.1, 1.1, 4)


@pytest.mark.parametrize(
    "pattern",
    [
        "[[:alpha:]]xyz", "[[:^digit:]x]yz", r"\pNfoo", r"\Qa.b\Efoo", "(?U)fo+", r"foo\z", "[a&&b]xyz", "[a||b]xyz",
        "[a~~b]xyz", "[+--]xyz", "[[a]xyz", "[:a]xyz",
    ],
)  # fmt: skip
def test_syntax_that_only_re2_knows_gives_no_literals_and_no_warning(pattern: str) -> None:
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        assert literals(pattern)[0] == ()
    assert heard == []


def test_signs_that_are_doubtful_in_a_set_are_plain_text_outside_of_one() -> None:
    assert literals("migrate-7 .*--force-with-lease") == (("--force-with-lease", "migrate-7 "), False)
    assert literals("a && b[0-9]") == (("a && b",), False)
    assert literals("[a-z--m]&&x") == ((), False)


PIECES = st.sampled_from(
    "a ab K s . ^ $ (ab) (?:a|b) [ab] [^a] [[:alpha:]] x* b+ a? a{2} a{,2} \\b \\. \\x61 \\d (?i:A) | - é".split()
)


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=6).map("".join), st.text("abKkſKxsé.-1A", max_size=12), st.booleans())
def test_every_text_that_matches_contains_every_literal(pattern: str, text: str, ignore_case: bool) -> None:
    try:
        if not search((pattern, ignore_case), text):
            return
    except RegexError:
        return
    found, folded = literals(pattern, ignore_case)
    assert all(literal in (text.casefold() if folded else text) for literal in found)
