"""Give the page of a word, from what docs/reference is made of, as the Markdown that an editor shows."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from policy_engine.checker.vocabulary import ATOMS, FORMS, HAPPENED, Predicate
from policy_engine.hooks.base import EVERYWHERE, Field, HookPoint
from policy_engine.language_server.mentions import Mention
from policy_engine.language_server.names import mention_at, places
from policy_engine.language_server.project import Project
from policy_engine.loading.loader import words
from policy_engine.loading.packs import named_pack
from policy_engine.loading.sources import PACK
from policy_engine.model.effects import EFFECTS
from policy_engine.model.errors import ConfigurationError
from policy_engine.model.points import failure_verdict
from policy_engine.model.records import COMMAND, EDIT, FACT_ATTRIBUTES, REDIRECT, TODO, fact_record
from policy_engine.model.source import Source, Span
from policy_engine.model.types import PATH, Attribute, RecordType
from policy_engine.pages import pages
from policy_engine.reports.base import shown
from policy_engine.syntax import ast
from policy_engine.syntax.grammar import language
from policy_engine.syntax.keywords import KEYWORDS, group_of

RECORDS: tuple[RecordType, ...] = (COMMAND, REDIRECT, EDIT, PATH, TODO, fact_record(tuple(FACT_ATTRIBUTES)))


def hover(project: Project, path: str, offset: int) -> tuple[str, Source, Span] | None:
    """Return the page of what stands at an offset, and its place; None where there is nothing to say."""
    tree = project.tree(path)
    if tree is None:
        return None
    mention = mention_at(project, tree, offset)
    text = page_of(project, tree, mention) if mention is not None else ""
    if text and mention is not None:
        return text, tree.source, mention.span
    for token in language().scanner.scan(tree.source, *_line(tree.source, offset)).tokens:
        if token.start <= offset <= token.end and token.text in language().scanner.keywords:
            return keyword_page(token.text), tree.source, Span(token.start, token.end)
    return None


def _line(source: Source, offset: int) -> tuple[int, int]:
    start = source.text.rfind("\n", 0, offset) + 1
    end = source.text.find("\n", offset)
    return start, len(source.text) if end < 0 else end


def page_of(project: Project, tree: ast.File, mention: Mention) -> str:
    """Return the page of what is mentioned, or an empty string."""
    name = mention.name
    match mention.kind:
        case "point":
            point = words().points.get(name)
            return point_page(point) if point is not None else ""
        case "field":
            field = words().fields.get(name)
            return field_page(field) if field is not None else ""
        case "attribute":
            return attribute_page(name)
        case "function":
            return function_page(name)
        case "program":
            return program_page(name)
        case "code":
            return code_page(name)
        case "import":
            return pack_page(name)
        case "kind":
            return f"**{name}**: a kind of tool" if name in words().kinds else ""
        case "define" | "speaker" | "mode" | "stage" | "variable":
            return _declared(project, tree, mention)
    return ""


def _declared(project: Project, tree: ast.File, mention: Mention) -> str:
    """The text of a declaration, as code."""
    for file, one in places(project, tree, mention):
        if one.declares:
            items = [item for item in file.items if item.span.start <= one.span.start < item.span.end]
            start = items[0].span.start if items and mention.kind != "variable" else one.span.start
            line = file.source.position(start)[0]
            end = items[0].span.end if items and isinstance(items[0], ast.Define | ast.Param) else -1
            text = file.source.text[start:end] if end >= 0 else file.source.line_text(line).strip()
            return f"{fenced(text)}\n\n{shown(file.source.location(one.span))}"
    return ""


def fenced(text: str) -> str:
    """Return what a user wrote as a block of code that it cannot end, with nothing that an editor would obey."""
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}policy\n{shown(text, keep=chr(10))}\n{fence}"


def keyword_page(word: str) -> str:
    """Return the line of a keyword."""
    group = group_of(word)
    return f"**{word}** ({group})\n\n{KEYWORDS[group][word]}"


def point_page(point: HookPoint) -> str:
    """Return when a point fires, and what may be said and read there."""
    verdicts = ", ".join(f"`{one}`" for one in point.verdicts)
    fields = ", ".join(f"`{field.name}`" for field in point.fields)
    lines = [f"**{point.name}**: {point.fires}", f"Verdicts: {verdicts}; undecided: `{failure_verdict(point.name)}`"]
    return "\n\n".join([*lines, *([f"Own fields: {fields}"] if fields else [])])


def field_page(field: Field) -> str:
    """Return the meaning of a field, and where it is."""
    having = words().having[field.name]
    everywhere = field in EVERYWHERE
    where = "everywhere" if everywhere else ", ".join(f"`{one}`" for one in sorted(having))
    kinds = f"; tool kinds {', '.join(f'`{kind}`' for kind in field.kinds)}" if field.kinds is not None else ""
    optional = ", absent by nature: use `has` or `else`" if field.optional else ""
    return (
        f"**{field.name}**: {field.type.name}{optional}\n\n{field.doc}\n\nSource: {field.source}. Where: {where}{kinds}"
    )


def attribute_page(name: str) -> str:
    """Return the meaning of an attribute in each record that has it."""
    attributes: list[tuple[RecordType, Attribute]] = []
    for record in RECORDS:
        attribute = record.attribute(name)
        if attribute is not None:
            attributes.append((record, attribute))
    return "\n\n".join(f"**.{name}** of {record.name}: {one.type.name}\n\n{one.doc}" for record, one in attributes)


def function_page(name: str) -> str:
    """Return the page of a predicate, a history atom or a form."""
    predicate = words().predicates.get(name)
    if predicate is not None:
        return f"**{signature(predicate)}**\n\n{predicate.doc}"
    if name in ATOMS:
        sort = ATOMS[name]
        return f"**{name}({'' if sort == 'nothing' else sort})**\n\n{HAPPENED}"
    return f"**{name}(…)**\n\n{FORMS[name]}" if name in FORMS else ""


def signature(predicate: Predicate) -> str:
    """Return how a predicate is called."""
    return f"{predicate.name}({', '.join(predicate.parameters)}) → {predicate.result.name}"


def code_page(code: str) -> str:
    """Return the page of a diagnostic's code or a lint."""
    page = _pages().get(code)
    return f"**{page.code}**: {page.title}\n\n{page.body}" if page is not None else ""


@cache
def _pages() -> dict[str, Any]:
    return dict(pages())


def pack_page(target: str) -> str:
    """Return what a shipped pack refuses."""
    try:
        pack = named_pack(target.removeprefix(PACK)) if target.startswith(PACK) else None
    except ConfigurationError:
        return ""
    if pack is None:
        return ""
    return "\n\n".join([f"**{PACK}{pack.name}**", *(f"`{rule.name}`: {rule.title}" for rule in pack.rules)])


def program_page(name: str) -> str:
    """Return what the engine knows of a program; an empty string if that is nothing."""
    about = programs().get(name, "")
    return f"**{name}**: {about}" if about else ""


@cache
def programs() -> dict[str, str]:
    """Return every program whose words are understood, with what it does."""
    folder = Path(import_module("policy_engine.programs").__path__[0])
    rows: dict[str, Any] = tomllib.loads((folder / "programs.toml").read_text("utf-8"))
    descriptions = {}
    for key, row in rows.items():
        about = str(row.get("about", "")) if isinstance(row, dict) else ""
        for name in (key, *row.get("names", "").split()) if about else ():
            descriptions[name] = about.partition(": ")[2] or about
    return descriptions


def effects() -> dict[str, str]:
    """Return the words of `.effects` with their meanings."""
    return dict(EFFECTS)
