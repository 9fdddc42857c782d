"""The grammar file builds without conflict and defines its own keywords."""

from __future__ import annotations

import pytest

from policy_engine.syntax.grammar import build_lark, language
from policy_engine.syntax.tokens import RESERVED


@pytest.mark.parametrize("lexer", ["basic", "contextual"])
def test_strict_mode_finds_no_conflict_and_no_colliding_terminals(lexer: str) -> None:
    assert build_lark(lexer=lexer, strict=True).rules


def test_every_reserved_word_is_a_keyword_of_the_grammar() -> None:
    assert RESERVED - set(language().scanner.keywords) == frozenset()


def test_words_that_the_checker_knows_are_not_in_the_grammar() -> None:
    keywords = set(language().scanner.keywords)
    names = "before_tool critical pending_todo in_progress file_exists wrote glob command tool workspace mcp fetch"
    assert keywords & set(names.split()) == set()


def test_every_odd_terminal_reaches_the_scanner() -> None:
    names = {terminal.name for terminal in build_lark(lexer="basic").terminals if terminal.name.startswith("ODD_")}
    assert names == {
        "ODD_CHARACTER", "ODD_COMMENT", "ODD_NUMBER", "ODD_QUOTED", "ODD_REGEX", "ODD_SIGN", "ODD_SPACE", "ODD_STRING",
        "ODD_WORD",
    }  # fmt: skip
