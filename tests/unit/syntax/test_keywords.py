"""Every keyword of the grammar has its line, once, and none is there that the grammar does not have."""

from __future__ import annotations

from policy_engine.syntax.grammar import language
from policy_engine.syntax.keywords import KEYWORDS, group_of


def test_the_keywords_are_those_of_the_grammar() -> None:
    listed = [word for words in KEYWORDS.values() for word in words]
    assert sorted(listed) == sorted(language().scanner.keywords)


def test_a_keyword_has_a_group() -> None:
    assert (group_of("rule"), group_of("deny"), group_of("since")) == ("declaration", "verdict", "operator")
