"""Find the literals of a policy text: strings with their quotes, regexes with their slashes, no comments."""

from __future__ import annotations

import re
from collections.abc import Iterator

from policy_engine.model.source import Source, Span

_PIECE = re.compile(r'"(?:[^"\\\n]|\\.)*"|/(?:[^/\\\n*]|\\.)(?:[^/\\\n]|\\.)*/|#[^\n]*')


def literal_texts(source: Source) -> Iterator[Span]:
    """Yield every string and regex literal of a text that parses, in order."""
    for match in _PIECE.finditer(source.text):
        if match[0][0] != "#":
            yield Span(match.start(), match.end())
