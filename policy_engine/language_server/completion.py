"""Offer what can stand at a place of a policy: the parser says which sort of word, the vocabulary which of them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from lsprotocol import types

from policy_engine.checker.tree import CheckedLimit, CheckedMode, CheckedPolicy
from policy_engine.checker.vocabulary import ATOMS, FORMS
from policy_engine.language_server import pages
from policy_engine.language_server.names import sees
from policy_engine.language_server.project import Project
from policy_engine.loading.loader import words
from policy_engine.loading.packs import packs
from policy_engine.loading.sources import PACK
from policy_engine.model.source import Source
from policy_engine.model.types import EnumType, ListType, RecordType, Type
from policy_engine.syntax import ast
from policy_engine.syntax.driver import Machine
from policy_engine.syntax.expected import Expected
from policy_engine.syntax.grammar import language
from policy_engine.syntax.keywords import KEYWORDS, group_of
from policy_engine.syntax.recovery import Recovery
from policy_engine.syntax.tokens import END, Token

Kind = types.CompletionItemKind
SEVERITIES = ("info", "low", "medium", "high", "critical")
STATUSES = ("pending", "in_progress", "blocked", "completed", "failed", "canceled")
SNIPPETS = {
    "rule": (
        'rule ${1:name} "${2:What holds}" {\n  on ${3:before_tool(shell)}\n'
        '  when ${4:any c in commands { c.program == "rm" \\}}\n'
        '  deny "${5:What failed, and what to do next.}"\n\n'
        '  test {\n    ${6:shell "rm a"}  => deny\n    ${7:shell "ls"}    => allow\n  }\n}\n'
    ),
    "limit": (
        'limit ${1:name} "${2:What is limited}" {\n  on ${3:before_tool(shell)}\n  repeats (${4:tool.name})\n'
        '  at ${5:3} remind "${6:Try something else.}"\n}\n'
    ),
    "test": 'test "${1:what it shows}" {\n  ${2:shell "ls"}  => ${3:allow}\n}\n',
}
"""What a declaration is written as; a test loads each with its placeholders."""
_STRING_AFTER = ("ran", "command_success", "command_failure", "command")


class _Reached(Exception):
    """The parser stands at the cursor."""


class _Cursor(Recovery):
    """Reads on behind mistakes, and stops at the end of the text before the cursor."""

    def repair(self, machine: Machine) -> None:
        if machine.tokens[machine.index].kind == END:
            raise _Reached
        super().repair(machine)


@dataclass(slots=True)
class _Place:
    """Hold what is known of the cursor's place."""

    expected: set[str]
    tokens: list[Token]
    values: list[Any]
    points: list[ast.Point] = field(default_factory=list)
    variables: dict[str, ast.Expr] = field(default_factory=dict)

    def last(self, back: int = 1) -> Token:
        return self.tokens[-back] if len(self.tokens) >= back else Token("", "", 0, 0)


def complete(project: Project, path: str, source: Source, offset: int, snippets: bool) -> list[types.CompletionItem]:
    """Return what can stand at an offset of a text; `source` is the text as the editor has it."""
    scanner = language().scanner
    line = source.text.rfind("\n", 0, offset) + 1
    before = scanner.scan(Source(source.name, source.text[:offset]))
    if any(one.span.start >= line and one.span.end >= offset for one in before.comments):
        return []
    tokens = before.tokens[:-1]
    if tokens and tokens[-1].end == offset and _is_open_string(source.text, tokens[-1], offset):
        return list(
            _in_string(project, path, _place(source, tokens[-1].start), source.text[tokens[-1].start + 1 : offset])
        )
    start = offset
    while start > line and (source.text[start - 1].isalnum() or source.text[start - 1] in "_-"):
        start -= 1
    return list(_words(project, path, _place(source, start), snippets))


def _is_open_string(text: str, token: Token, offset: int) -> bool:
    """Detect whether the cursor is in a string, which need not be closed yet."""
    if text[token.start] != '"':
        return False
    written = text[token.start : offset]
    return len(written) == 1 or not written.endswith('"') or written.endswith('\\"')


def _place(source: Source, end: int) -> _Place:
    scanner, tables = language()
    text = Source(source.name, source.text[:end])
    machine = Machine(tables, text, scanner.scan(text), "policy")
    try:
        machine.run(_Cursor(scanner))
        expected = {
            tables_kind for tables_kind in scanner.words if scanner.words[tables_kind] in KEYWORDS["declaration"]
        }
    except _Reached:
        expected = Expected(scanner).kinds(machine)
    place = _Place(expected, machine.tokens[: machine.index], machine.values)
    _collect(place)
    return place


def _collect(place: _Place) -> None:
    """The points that the open item listens at, and the variables of the open quantifiers."""
    values = place.values
    for number, value in enumerate(values):
        for one in value if isinstance(value, list) else (value,):
            if isinstance(one, ast.Point):
                place.points.append(one)
        if isinstance(value, Token) and value.kind in ("ANY", "EVERY", "COUNT") and number + 3 < len(values):
            name, source = values[number + 1], values[number + 3]
            if isinstance(name, Token) and isinstance(source, ast.Expr):
                place.variables[name.text] = source
    if not place.points:
        place.points = _points_by_tokens(place.tokens)


def _points_by_tokens(tokens: Sequence[Token]) -> list[ast.Point]:
    """`on NAME(KIND, …)` behind the head of the last item."""
    start = max((n for n, one in enumerate(tokens) if one.kind in ("RULE", "LIMIT", "HOOK")), default=len(tokens))
    points = []
    for number in range(start, len(tokens) - 1):
        if tokens[number].kind == "ON" and tokens[number + 1].kind == "NAME":
            point = tokens[number + 1]
            filters: list[ast.Name | ast.StringLiteral] = []
            for one in tokens[number + 2 :]:
                if one.kind == "NAME":
                    filters.append(ast.Name((one.start, one.end), one.text))  # type: ignore[arg-type]
                elif one.kind not in ("LPAR", "COMMA"):
                    break
            span = (point.start, point.end)
            points.append(ast.Point(span, point.text, span, tuple(filters)))  # type: ignore[arg-type]
    return points


# ---- words ---------------------------------------------------------------------------------------------------------


def _words(project: Project, path: str, place: _Place, snippets: bool) -> Iterator[types.CompletionItem]:
    last = place.last()
    if last.kind == "DOT":
        yield from _members(project, path, place)
        return
    named = _names(project, place)
    if named is not None:
        yield from named
        return
    for kind in sorted(place.expected):
        word = language().scanner.words.get(kind)
        if word is not None:
            yield _keyword(word, snippets and place.values[-1:] != [last])
    if {"NAME", "LPAR"} <= place.expected:
        yield from _expression(project, path, place)


def _keyword(word: str, snippets: bool) -> types.CompletionItem:
    item = _item(word, Kind.Keyword, pages.keyword_page(word), group_of(word))
    if snippets and word in SNIPPETS:
        item.insert_text, item.insert_text_format = SNIPPETS[word], types.InsertTextFormat.Snippet
    return item


def _item(label: str, kind: Kind, page: str, detail: str = "", rank: int = 1) -> types.CompletionItem:
    text = types.MarkupContent(types.MarkupKind.Markdown, page) if page else None
    return types.CompletionItem(label, kind=kind, detail=detail or None, documentation=text, sort_text=f"{rank}{label}")


def _names(project: Project, place: _Place) -> Iterator[types.CompletionItem] | None:
    """Return the candidates where only one sort of name can stand; None elsewhere."""
    last, before = place.last(), place.last(2)
    if last.kind == "ON":
        if before.kind == "RESET":
            return None
        return (_item(one.name, Kind.EnumMember, pages.point_page(one)) for one in words().points.values())
    opened = next((n for n in range(len(place.tokens) - 1, -1, -1) if place.tokens[n].kind == "LPAR"), -1)
    if last.kind in ("LPAR", "COMMA") and opened >= 1:
        caller, head = place.tokens[opened - 1], place.tokens[opened - 2] if opened >= 2 else place.last(0)
        if head.kind == "ON" or caller.text == "called":
            return (_item(kind, Kind.EnumMember, "") for kind in words().kinds)
        if caller.text in ("refused", "verified") and last.kind == "LPAR":
            return _speakers(project)
    if last.kind in ("WAIVE", "BY", "BEFORE", "AFTER") and "LPAR" not in place.expected:
        return _speakers(project)
    if last.kind == "SEVERITY":
        return (_item(level, Kind.EnumMember, "") for level in SEVERITIES)
    if last.kind in ("GIVEN", "UNDECIDED"):
        fields = words().fields.values()
        return (_item(one.name, Kind.Field, pages.field_page(one), one.type.name) for one in fields)
    if before.kind == "TODO":
        return (_item(status, Kind.EnumMember, "") for status in STATUSES)
    return None


def _speakers(project: Project) -> Iterator[types.CompletionItem]:
    policy = project.loaded.policy
    if policy is None:
        return
    for group in ((policy.rules, policy.limits), (policy.hooks, policy.verifies)):
        for one in (*group[0], *group[1]):
            yield _item(one.id, Kind.Class, "", one.title)


def _expression(project: Project, path: str, place: _Place) -> Iterator[types.CompletionItem]:
    for name in place.variables:
        yield _item(name, Kind.Variable, "", rank=0)
    tree = project.tree(path)
    for name in sorted(sees(project, tree)) if tree is not None else ():
        yield _item(name, Kind.Constant, "", "define", rank=0)
    for one in words().fields.values():
        if _fits(one.name, one.kinds, place.points):
            yield _item(one.name, Kind.Field, pages.field_page(one), one.type.name)
    for name in (*words().predicates, *ATOMS, *FORMS):
        predicate = words().predicates.get(name)
        detail = pages.signature(predicate) if predicate is not None else "the session's past"
        yield _item(name, Kind.Function, pages.function_page(name), detail, rank=2)


def _fits(name: str, kinds: tuple[str, ...] | None, points: list[ast.Point]) -> bool:
    """Detect whether one of the points has a field; everything fits where no point is known."""
    if not points:
        return True
    for point in points:
        listed = {one.name for one in point.filters if isinstance(one, ast.Name)}
        if point.name in words().having[name] and (kinds is None or not listed or listed & set(kinds)):
            return True
    return False


# ---- behind a dot --------------------------------------------------------------------------------------------------


def _members(project: Project, path: str, place: _Place) -> Iterator[types.CompletionItem]:
    node = next((one for one in reversed(place.values) if isinstance(one, ast.Expr)), None)
    policy = project.loaded.policy
    if node is None or policy is None:
        return
    if isinstance(node, ast.Name) and node.name in ("mode", "limit"):
        counters: tuple[CheckedMode | CheckedLimit, ...] = policy.modes if node.name == "mode" else policy.limits
        for one in counters:
            yield _item(one.id, Kind.Class, "", one.title)
        return
    dotted = _dotted(node)
    for name, known in words().fields.items():
        if dotted and name.startswith(f"{dotted}.") and _fits(name, known.kinds, place.points):
            yield _item(name[len(dotted) + 1 :], Kind.Field, pages.field_page(known), known.type.name)
    type_ = _type(node, place, policy)
    for attribute in type_.attributes if isinstance(type_, RecordType) else ():
        kind = Kind.Method if attribute.method else Kind.Property
        yield _item(attribute.name, kind, attribute.doc, attribute.type.name)


def _dotted(node: ast.Expr) -> str:
    match node:
        case ast.Name():
            return node.name
        case ast.Member():
            base = _dotted(node.base)
            return f"{base}.{node.name}" if base else ""
    return ""


def _type(node: ast.Expr, place: _Place, policy: CheckedPolicy) -> Type | None:
    """The type of a field, a variable, a define, or an attribute of one of these."""
    if isinstance(node, ast.Name) and node.name in place.variables:
        listed = _type(place.variables[node.name], place, policy)
        return listed.element if isinstance(listed, ListType) else None
    known = words().fields.get(_dotted(node))
    if known is not None:
        return known.type
    if isinstance(node, ast.Name):
        return next((one.value.type for one in policy.defines if one.name == node.name), None)
    if isinstance(node, ast.Call) and isinstance(node.callee, ast.Name) and node.callee.name == "last":
        return pages.RECORDS[-1]
    if isinstance(node, ast.Member):
        base = _type(node.base, place, policy)
        attribute = base.attribute(node.name) if isinstance(base, RecordType) else None
        return attribute.type if attribute is not None else None
    return None


# ---- in a string ---------------------------------------------------------------------------------------------------


def _in_string(project: Project, path: str, place: _Place, written: str) -> Iterator[types.CompletionItem]:
    last, before = place.last(), place.last(2)
    if last.kind == "IMPORT":
        for pack in packs():
            yield _item(f"{PACK}{pack.name}", Kind.Module, "", pack.says)
        folder = os.path.dirname(path)
        for item in project.own():
            if item.path != path and item.path.startswith(folder):
                yield _item(os.path.relpath(item.path, folder), Kind.File, "", rank=0)
        return
    program = last.kind in ("EQUAL", "UNEQUAL", "MATCHES") and before.text == "program"
    pattern = last.kind == "MATCHES" or (last.kind == "LPAR" and before.text in _STRING_AFTER)
    if (program or pattern or last.kind in ("SHELL", "RUN")) and " " not in written:
        for name, about in pages.programs().items():
            yield _item(name, Kind.Value, "", about)
        return
    node = next((one for one in reversed(place.values) if isinstance(one, ast.Expr)), None)
    policy = project.loaded.policy
    type_ = _type(node, place, policy) if node is not None and policy is not None else None
    element = type_.element if isinstance(type_, ListType) else type_
    if isinstance(node, ast.Member) and node.name == "effects":
        for word, meaning in pages.effects().items():
            yield _item(word, Kind.EnumMember, "", meaning)
    elif isinstance(element, EnumType):
        for word in element.members:
            yield _item(word, Kind.EnumMember, "")
