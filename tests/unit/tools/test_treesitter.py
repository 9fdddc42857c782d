"""The tree-sitter grammar is what the engine's grammar makes of it; `tests/clients/test_treesitter.py` compiles it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from policy_engine.syntax.keywords import KEYWORDS
from tools.treesitter import FOLDER, PARTS, made

FILES = made()


@pytest.mark.parametrize("name", FILES)
def test_the_files_are_made_from_the_grammar(name: str) -> None:
    assert (FOLDER / name).read_text("utf-8") == FILES[name], "run `make docs`"


def _words(shape: Any) -> Iterator[str]:
    if isinstance(shape, dict):
        if shape.get("type") == "STRING":
            yield shape["value"]
        for value in shape.values():
            yield from _words(value)
    elif isinstance(shape, list):
        for value in shape:
            yield from _words(value)


def test_the_parser_is_generated_from_what_was_made() -> None:
    """Whether it reads policies as the engine does is told by the compiled one."""
    rules = json.loads(FILES["src/grammar.json"])["rules"]
    parser = (FOLDER / "src" / "parser.c").read_text("utf-8")
    words = set(_words(rules))
    assert {word for group in KEYWORDS.values() for word in group} <= words
    missing = [name for name in (*words, *rules, *PARTS) if f'] = "{name}"' not in parser]
    assert missing == [], "run `tree-sitter generate --abi 14 src/grammar.json` in editors/tree-sitter-policy"


def test_every_keyword_is_coloured() -> None:
    text = FILES["queries/highlights.scm"]
    assert [word for group in KEYWORDS.values() for word in group if text.count(f'"{word}"') != 1] == []
