"""Write `keywords.md`: every keyword of the grammar with what it is for, the text that editors show."""

from __future__ import annotations

from docs.chapters.base import Chapter, code, page, table
from policy_engine.syntax.keywords import KEYWORDS

ABOUT = "Most of them are keywords only where the grammar asks for one, and plain names elsewhere."


def _files() -> dict[str, str]:
    parts = []
    for group, found in KEYWORDS.items():
        rows = [(code(word), found[word]) for word in sorted(found)]
        parts.append(f"## {group.capitalize()}s\n\n{table(('keyword', 'meaning'), rows)}")
    return {"keywords.md": page("Keywords", ABOUT, *parts)}


CHAPTER = Chapter("Keywords", "every keyword in one line each", _files)
