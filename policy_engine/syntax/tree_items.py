"""Build the items of a file; one function per rule of the grammar, by its name."""

from __future__ import annotations

from typing import Any, cast

from policy_engine.model.source import Span
from policy_engine.syntax import ast, messages
from policy_engine.syntax.context import Context, Entry
from policy_engine.syntax.tree_expressions import Values, expression_of


class Clauses:
    """The clauses of one item by their word; words that may stand once only are complained about here."""

    __slots__ = ("_context", "_found", "listed")

    def __init__(self, context: Context, entries: Values) -> None:
        self._context = context
        by_word: dict[str, list[Entry]] = {}
        listed = []
        for entry in entries:
            if entry is not None:
                by_word.setdefault(entry.word, []).append(entry)
                listed.append(ast.Clause(entry.span, entry.word))
        self._found = by_word
        self.listed = tuple(listed)

    def all(self, word: str) -> tuple[Any, ...]:
        entries = self._found.get(word)
        return tuple([entry.value for entry in entries]) if entries else ()

    def one(self, word: str, otherwise: Any) -> Any:
        entries = self._found.get(word)
        if not entries:
            return otherwise
        for again in entries[1:]:
            self._context.report(messages.repeated_clause(self._context.source, again.span, word, entries[0].span))
        return entries[0].value


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
            context.report(messages.language_not_first(context.source, entry.span))
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
    clauses = Clauses(context, entries)
    every = clauses.all
    return ast.Rule(
        span, name.text, Span(name.start, name.end), _title(title), every("severity"), every("on"), every("when"),
        every("unless"), every("require"), every("verdict"), every("timeout"), every("fail"),
        clauses.one("shadow", False), every("test"), every("incident"), every("control"), every("command"),
        clauses.listed,
    )  # fmt: skip


def limit(context: Context, values: Values, span: Span) -> ast.Limit:
    name, title, *entries = values
    clauses = Clauses(context, entries)
    every = clauses.all
    return ast.Limit(
        span, name.text, Span(name.start, name.end), _title(title), every("severity"), every("on"), every("when"),
        every("unless"), every("measure"), every("reset"), every("at"), every("fail"),
        clauses.one("shadow", False), every("test"), every("incident"), every("control"), clauses.listed,
    )  # fmt: skip


def mode(context: Context, values: Values, span: Span) -> ast.Mode:
    name, title, *entries = values
    clauses = Clauses(context, entries)
    return ast.Mode(
        span, name.text, Span(name.start, name.end), _title(title), clauses.all("enter"), clauses.all("exit"),
        clauses.one("lock", 0), clauses.one("dwell", 0), clauses.all("test"), clauses.listed,
    )  # fmt: skip


def hook(context: Context, values: Values, span: Span) -> ast.Hook:
    name, title, *entries = values
    clauses = Clauses(context, entries)
    before = tuple(other for names in clauses.all("before") for other in names)
    after = tuple(other for names in clauses.all("after") for other in names)
    return ast.Hook(
        span, name.text, Span(name.start, name.end), _title(title), clauses.all("on"), clauses.all("when"),
        clauses.all("unless"), clauses.one("run", ()), clauses.one("call", ""), clauses.one("timeout", 0),
        clauses.all("fail"),
        clauses.one("priority", 0), before, after, clauses.one("observe", False), clauses.all("test"), clauses.listed,
    )  # fmt: skip


def verify(context: Context, values: Values, span: Span) -> ast.Verify:
    name, title, *entries = values
    clauses = Clauses(context, entries)
    retries, then = clauses.one("retries", (-1, None))
    return ast.Verify(
        span, name.text, Span(name.start, name.end), _title(title), clauses.all("when"), clauses.all("unless"),
        clauses.all("stage"), retries, then, clauses.all("test"), clauses.listed,
    )  # fmt: skip


def stage(context: Context, values: Values, span: Span) -> Entry:
    name, *entries = values
    clauses = Clauses(context, entries)
    node = ast.Stage(
        span, name.text, clauses.one("run", ()), clauses.one("timeout", 0), clauses.one("env", ()),
        clauses.one("pending", -1), cast("tuple[str, ast.Expr] | None", clauses.one("expect", None)), clauses.listed,
    )  # fmt: skip
    return Entry("stage", span, node)


def waived(context: Context, values: Values, span: Span) -> Any:
    return values[0]


def waive(context: Context, values: Values, span: Span) -> ast.Waive:
    name, why, *entries = values
    clauses = Clauses(context, entries)
    return ast.Waive(
        span, name.text, Span(name.start, name.end), _title(why), clauses.one("until", ""), clauses.one("owner", ""),
        clauses.all("when"), clauses.listed,
    )  # fmt: skip


def claim(context: Context, values: Values, span: Span) -> ast.Claim:
    name, title, *entries = values
    clauses = Clauses(context, entries)
    return ast.Claim(
        span, name.text, Span(name.start, name.end), _title(title), clauses.all("on"), clauses.all("when"),
        clauses.all("unless"), clauses.all("expect"), clauses.listed,
    )  # fmt: skip
