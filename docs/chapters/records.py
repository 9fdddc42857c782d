"""The record types → `records.md`: the attributes of commands, redirections, paths, todos and facts."""

from __future__ import annotations

from docs.chapters.base import Chapter, code, page, table
from policy_engine.model.effects import EFFECTS
from policy_engine.model.records import COMMAND, FACT_ATTRIBUTES, REDIRECT, TODO, fact_record
from policy_engine.model.types import PATH, Attribute, EnumType, RecordType


def _files() -> dict[str, str]:
    parts = [
        _record("Command", "A simple command of a shell line, in `commands`.", COMMAND),
        _effects(),
        _record("Redirect", "A redirection, in `.redirects` of a command.", REDIRECT),
        _record("Path", "A path that a call touches, in `paths`. Folders such as `cwd` have no attributes.", PATH),
        _record("Todo", "A todo, in `todos` and `open_todos`.", TODO),
        _facts(),
    ]
    return {"records.md": page("Records", *parts)}


def _record(title: str, about: str, record: RecordType) -> str:
    rows = [_attribute(attribute) for attribute in record.attributes]
    return f"## {title}\n\n{about}\n\n{table(('attribute', 'type', 'meaning'), rows)}"


def _attribute(attribute: Attribute) -> tuple[str, str, str]:
    name = f".{attribute.name}(…)" if attribute.method else f".{attribute.name}"
    kind = attribute.type.name
    if isinstance(attribute.type, EnumType):
        kind += f" ({', '.join(attribute.type.members)})"
    return code(name), kind + (", optional" if attribute.optional else ""), attribute.doc


def _effects() -> str:
    rows = [(code(word), meaning) for word, meaning in EFFECTS.items()]
    return f"## Effects\n\nThe words in `.effects` of a command.\n\n{table(('effect', 'meaning'), rows)}"


def _facts() -> str:
    rows = [
        (code(f"last({atom}(…))"), ", ".join(code(f".{a.name}") for a in fact_record((atom,)).attributes))
        for atom in FACT_ATTRIBUTES
    ]
    record = fact_record(tuple(FACT_ATTRIBUTES))
    about = "What `last(A)` gives. Of `A or B` an attribute that not every atom has is optional."
    attributes = table(
        ("attribute", "type", "meaning"), [(code(f".{a.name}"), a.type.name, a.doc) for a in record.attributes]
    )
    return f"## Fact\n\n{about}\n\n{attributes}\n\n{table(('record', 'attributes'), rows)}"


CHAPTER = Chapter("Records", "parsed commands, todos, paths and facts, attribute by attribute", _files)
