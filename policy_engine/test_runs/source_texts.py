"""Read the text of a source without its texts and comments, and find where its brackets close."""

from __future__ import annotations

import re

_TEXTS = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|`(?:\\.|[^`\\])*`|'(?:\\.|[^'\\\n])*'", re.DOTALL)
_RUST = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\\n])'", re.DOTALL)
_HASHES = re.compile(r"(?<![\w$&])#[^\n]*|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'", re.DOTALL)
_OF = {"rust": _RUST, "end": _HASHES}
JS_MODULES = (
    r"['\"`](?:(?:node:)?(?:assert(?:/strict)?|test)|chai|vitest|@jest/globals|expect(?:\.js)?|should|power-assert"
    r"|uvu/assert)['\"`]"
)
"""Libraries by which tests of JavaScript assert."""


def masked(text: str, kind: str = "") -> str:
    """Return a text with spaces in the place of its texts and comments: as Rust has them, as Ruby and Elixir have them
    (`end`), or as most languages with braces do."""
    return _OF.get(kind, _TEXTS).sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def end_of(text: str, start: int, pair: str) -> int:
    """Return the place behind the bracket that closes the one before a place; the end of the text if none does."""
    depth = 1
    for found in re.compile(f"[{re.escape(pair)}]").finditer(text, start):
        depth += 1 if found[0] == pair[0] else -1
        if not depth:
            return found.end()
    return len(text)
