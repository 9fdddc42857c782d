"""The fields of all lifecycle points → `fields.md`: type, meaning, source, and where each is."""

from __future__ import annotations

from docs.chapters.base import Chapter, code, page, table
from policy_engine.checker.vocabulary import Vocabulary, vocabulary
from policy_engine.hooks.base import EVERYWHERE, Field

ABOUT = """A field that is *absent by nature* needs `has` or `else`; so does one that only some of the points or
tool kinds of a rule have. A field that is there by nature and was not sent is undecided. `mode.NAME` (Bool) and
`limit.NAME.count` (Int) read the modes and limits of the policy."""


def _files() -> dict[str, str]:
    words = vocabulary()
    everywhere = {field.name for field in EVERYWHERE}
    heads = ("field", "type", "meaning", "source", "where")
    rows = [_row(field, words, field.name in everywhere) for field in words.fields.values()]
    return {"fields.md": page("Fields", ABOUT, table(heads, sorted(rows)))}


def _row(field: Field, words: Vocabulary, everywhere: bool) -> tuple[str, ...]:
    where = "everywhere" if everywhere else ", ".join(map(code, sorted(words.having[field.name])))
    if field.kinds is not None:
        where += f"; tool kinds {', '.join(map(code, field.kinds))}"
    kind = f"{field.type.name}, absent by nature" if field.optional else field.type.name
    return code(field.name), kind, field.doc, field.source, where


CHAPTER = Chapter("Fields", "everything that a condition can read of an event", _files)
