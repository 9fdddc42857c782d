"""The TextMate grammar is what the engine's grammar makes of it; `tests/clients/test_textmate.py` colours with it."""

from __future__ import annotations

import re

from policy_engine.syntax.keywords import KEYWORDS
from tools.textmate import FILE, Grammar, made

SMALL = """
policy: rule*
rule: "rule" NAME "{" note* "}"
note: "note" STRING [ending]
!ending: "done" | "left"
NAME: /[a-z]+/
STRING: /"[^"]*"/
"""


def test_the_file_is_made_from_the_grammar() -> None:
    assert FILE.read_text("utf-8") == made(), "run `make docs`"


def test_neighbours_are_those_that_the_rules_allow() -> None:
    own = Grammar(SMALL)
    assert own.beside("NOTE", 1) == {"STRING"}
    assert own.beside("NOTE", -1) == {""}
    assert own.beside("DONE", -1) == {"STRING"}
    assert own.beside("DONE", 1) == {""}


def test_every_keyword_is_coloured() -> None:
    text = made()
    missing = [word for words in KEYWORDS.values() for word in words if not re.search(rf"\b{word}\b", text)]
    assert missing == []
