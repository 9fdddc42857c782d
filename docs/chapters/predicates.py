"""The family of predicates → `predicates.md`: each with its signature and its manual page, examples included."""

from __future__ import annotations

from docs.chapters.base import Chapter, page
from policy_engine.checker.vocabulary import Predicate, vocabulary

ABOUT = """They look at the world as it is at the time of the event. Paths are relative to the workspace. In the
examples, the lines above the condition are steps of a test; tests run every one of them. A *needle* is a String or a
Regex, a *pointer* a JSON pointer, *dotted* keys joined by dots."""


def _files() -> dict[str, str]:
    found = sorted(vocabulary().predicates.values(), key=lambda predicate: predicate.name)
    return {"predicates.md": page("Predicates", ABOUT, *map(_predicate, found))}


def _predicate(predicate: Predicate) -> str:
    result = predicate.result.name + (", absent by nature" if predicate.optional else "")
    signature = f"    {predicate.name}({', '.join(predicate.parameters)}) → {result}"
    return f"## {predicate.name}\n\n{signature}\n\n{predicate.doc}"


CHAPTER = Chapter("Predicates", "words that look at files, todos and changes", _files)
