"""Build the items of a file; one function per rule of the grammar, by its name."""

from __future__ import annotations

from typing import Any, cast

from policy_engine.model.source import Span
from policy_engine.syntax import ast
from policy_engine.syntax import structure_complaints as complaints
from policy_engine.syntax.context import Context, Entry
from policy_engine.syntax.tree_expressions import Values, expression_of


class Clauses:
    """The clauses of one item by their word; words that may stand once only are complained about here."""

    __slots__ = ("_context", "_found", "listed")

    def __init__(self, context: Context, entries: Values) -> None:
        self._context = context
        found: dict[str, list[Entry]] = {}
        listed = []
        for entry in entries:
            if entry is not None:
                found.setdefault(entry.word, []).append(entry)
                listed.append(ast.Clause(entry.span, entry.word))
        self._found = found
        self.listed = tuple(listed)

    def all(self, word: str) -> tuple[Any, ...]:
        found = self._found.get(word)
        return tuple([entry.value for entry in found]) if found else ()

    def one(self, word: str, otherwise: Any) -> Any:
        found = self._found.get(word)
        if not found:
            return otherwise
        for again in found[1:]:
            self._context.complain(complaints.repeated_clause(self._context.source, again.span, word, found[0].span))
        return found[0].value


def _title(value: ast.StringLiteral | None) -> str:
    return "" if value is None else value.value


def policy(context: Context, values: Values, span: Span) -> ast.File:
    language = 0
    items: list[ast.Item] = []
    for entry in values:
        value = entry.value if isinstance(entry, Entry) else entry
        if isinstance(value, ast.Item):
            items.append(value)
        elif language or items:
            context.complain(complaints.language_not_first(context.source, entry.span))
            language = language or value
        else:
            language = value
    return ast.File(Span(0, len(context.source.text)), context.source, language, tuple(items), ())


def import_file(context: Context, values: Values, span: Span) -> ast.Import:
    target, digest, given = values
    return ast.Import(span, target, _title(digest), given or ())


def settings(context: Context, values: Values, span: Span) -> tuple[ast.Setting, ...]:
    return tuple(values)


def setting(context: Context, values: Values, span: Span) -> ast.Setting:
    name, value = values
    return ast.Setting(span, name.text, Span(name.start, name.end), expression_of(context, value))


def param(context: Context, values: Values, span: Span) -> ast.Param:
    name, title, value = values
    return ast.Param(span, name.text, Span(name.start, name.end), _title(title), expression_of(context, value))


def define(context: Context, values: Values, span: Span) -> ast.Define:
    name, given, value = values
    return ast.Define(span, name.text, Span(name.start, name.end), expression_of(context, value), given or ())


def extend(context: Context, values: Values, span: Span) -> ast.Define:
    name, value = values
    return ast.Define(span, name.text, Span(name.start, name.end), expression_of(context, value), (), True)


def parameters(context: Context, values: Values, span: Span) -> tuple[ast.Parameter, ...]:
    return tuple(values)


def parameter(context: Context, values: Values, span: Span) -> ast.Parameter:
    name, type_, element = values
    return ast.Parameter(span, name.text, type_.text, "" if element is None else element.text)


def rule(context: Context, values: Values, span: Span) -> ast.Rule:
    name, title, *entries = values
    found = Clauses(context, entries)
    every = found.all
    return ast.Rule(
        span, name.text, Span(name.start, name.end), _title(title), every("severity"), every("on"), every("when"),
        every("unless"), every("require"), every("verdict"), every("timeout"), every("fail"),
        found.one("shadow", False), every("test"), every("incident"), every("control"), every("command"), found.listed,
    )  # fmt: skip


def limit(context: Context, values: Values, span: Span) -> ast.Limit:
    name, title, *entries = values
    found = Clauses(context, entries)
    every = found.all
    return ast.Limit(
        span, name.text, Span(name.start, name.end), _title(title), every("severity"), every("on"), every("when"),
        every("unless"), every("measure"), every("reset"), every("at"), every("fail"),
        found.one("shadow", False), every("test"), every("incident"), every("control"), found.listed,
    )  # fmt: skip


def mode(context: Context, values: Values, span: Span) -> ast.Mode:
    name, title, *entries = values
    found = Clauses(context, entries)
    return ast.Mode(
        span, name.text, Span(name.start, name.end), _title(title), found.all("enter"), found.all("exit"),
        found.one("lock", 0), found.one("dwell", 0), found.all("test"), found.listed,
    )  # fmt: skip


def hook(context: Context, values: Values, span: Span) -> ast.Hook:
    name, title, *entries = values
    found = Clauses(context, entries)
    before = tuple(other for names in found.all("before") for other in names)
    after = tuple(other for names in found.all("after") for other in names)
    return ast.Hook(
        span, name.text, Span(name.start, name.end), _title(title), found.all("on"), found.all("when"),
        found.all("unless"), found.one("run", ()), found.one("call", ""), found.one("timeout", 0), found.all("fail"),
        found.one("priority", 0), before, after, found.one("observe", False), found.all("test"), found.listed,
    )  # fmt: skip


def verify(context: Context, values: Values, span: Span) -> ast.Verify:
    name, title, *entries = values
    found = Clauses(context, entries)
    retries, then = found.one("retries", (-1, None))
    return ast.Verify(
        span, name.text, Span(name.start, name.end), _title(title), found.all("when"), found.all("unless"),
        found.all("stage"), retries, then, found.all("test"), found.listed,
    )  # fmt: skip


def stage(context: Context, values: Values, span: Span) -> Entry:
    name, *entries = values
    found = Clauses(context, entries)
    node = ast.Stage(
        span, name.text, found.one("run", ()), found.one("timeout", 0), found.one("env", ()),
        found.one("pending", -1), cast("tuple[str, ast.Expr] | None", found.one("expect", None)), found.listed,
    )  # fmt: skip
    return Entry("stage", span, node)


def waive(context: Context, values: Values, span: Span) -> ast.Waive:
    name, why, *entries = values
    found = Clauses(context, entries)
    return ast.Waive(
        span, name.text, Span(name.start, name.end), _title(why), found.one("until", ""), found.one("owner", ""),
        found.all("when"), found.listed,
    )  # fmt: skip


def claim(context: Context, values: Values, span: Span) -> ast.Claim:
    name, title, *entries = values
    found = Clauses(context, entries)
    return ast.Claim(
        span, name.text, Span(name.start, name.end), _title(title), found.all("on"), found.all("when"),
        found.all("unless"), found.all("expect"), found.listed,
    )  # fmt: skip
