"""A complaint is an error at its place; advice names the nearest known word."""

from __future__ import annotations

import pytest

from policy_engine.checker.diagnostic_builder import error, listing, nearest
from policy_engine.checker.tree import Place
from policy_engine.model.diagnostic import Diagnostic, Related
from policy_engine.model.source import Source, Span

ONE, OTHER = Place(Source("a", "word"), Span(0, 4)), Place(Source("b", "words"), Span(1, 2))


def test_a_complaint_holds_what_it_was_given() -> None:
    bare = Diagnostic("PE999", "error", "no", ONE.source, ONE.span, "", "", ())
    assert error("PE999", ONE, "no") == bare
    full = error("PE999", ONE, "no", "yes", (("here", OTHER), ("there", ONE)))
    related = (Related("here", OTHER.source, OTHER.span), Related("there", ONE.source, ONE.span))
    assert full == Diagnostic("PE999", "error", "no", ONE.source, ONE.span, "yes", "", related)


@pytest.mark.parametrize(
    ("word", "known", "otherwise", "advice"),
    [
        ("promt", ["tool", "prompt"], "", "did you mean `prompt`?"), ("promt", [], "none", "none"),
        ("zzzzzz", ["prompt"], "", ""), ("zzzzzz", ["prompt"], "none", "none"), ("prompt", ["prompt"], "none", "none"),
        ("xyz.ok", ["abcdefgh", "result.okay", "longer.ok"], "", "did you mean `longer.ok`?"),
        ("commands", ["goal.commands"], "", "did you mean `goal.commands`?"),
        ("some.thing.name", ["tool.name"], "", "did you mean `tool.name`?"),
    ],
)  # fmt: skip
def test_advice_is_the_nearest_word_or_one_with_the_same_end(
    word: str, known: list[str], otherwise: str, advice: str
) -> None:
    assert nearest(word, known, otherwise) == nearest(word, reversed(known), otherwise) == advice


@pytest.mark.parametrize(
    ("words", "text"), [("", "nothing"), ("a", "`a`"), ("a b", "`a` or `b`"), ("a b c", "`a`, `b` or `c`")]
)
def test_words_are_listed_in_backticks(words: str, text: str) -> None:
    assert listing(words.split()) == text
