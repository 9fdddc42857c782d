"""Build the clauses of an item; one function per rule of the grammar, by its name."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from typing import Any

from policy_engine.model.source import Span
from policy_engine.syntax import ast, messages
from policy_engine.syntax.context import Context, Entry
from policy_engine.syntax.tree_expressions import Values, expression_of, milliseconds, number, string

Build = Callable[[Context, Values, Span], Entry]
_COMMAND = re.compile(r'[^\s,"](?:[^,"]*[^\s,"])?|("(?:[^"\\]|\\.)*")')


def _clause(word: str, value_of: Callable[[Context, Values], object]) -> Build:
    """Return what builds a clause that is nothing but its word and one value."""
    return lambda context, values, span: Entry(word, span, value_of(context, values))


def _condition(word: str) -> Build:
    return _clause(word, lambda context, values: expression_of(context, values[0]))


def _number(word: str) -> Build:
    return _clause(word, lambda context, values: number(context, values[0]))


def _built(word: str) -> Build:
    return lambda _, values, span: Entry(word, span, values[0])


def _switch(word: str) -> Build:
    return _clause(word, lambda _context, _values: True)


def _all_built(word: str) -> Build:
    return _clause(word, lambda _, values: tuple(values))


when, unless, require = _condition("when"), _condition("unless"), _condition("require")
reset, enter, leave = _condition("reset"), _condition("enter"), _condition("exit")
lock, dwell, priority, pending = _number("lock"), _number("dwell"), _number("priority"), _number("pending")
incident, control, on, run, env = map(_built, ("incident", "control", "on", "run", "env"))
shadow, observe = _switch("shadow"), _switch("observe")
before, after = _all_built("before"), _all_built("after")


def language(context: Context, values: Values, span: Span) -> Entry:
    wanted = number(context, values[0])
    if wanted != 1:
        context.report(messages.language_unknown(context.source, Span(values[0].start, values[0].end), wanted))
    return Entry("language", span, wanted)


def severity(context: Context, values: Values, span: Span) -> Entry:
    return Entry("severity", span, ast.Severity(Span(values[0].start, values[0].end), values[0].text))


def on_command(context: Context, values: Values, span: Span) -> Entry:
    """The commands behind `on command`, each as a text with its place."""
    line = values[0]
    texts = []
    for match in _COMMAND.finditer(line.text, len("command")):
        place = Span(line.start + match.start(), line.start + match.end())
        plain = ast.StringLiteral(place, match[0].strip())
        texts.append(string(context, [line._replace(text=match[0], start=place.start)], place) if match[1] else plain)
    return Entry("command", span, ast.CommandLine(span, tuple(texts)))


def point(context: Context, values: Values, span: Span) -> ast.Point:
    name, *filters = values
    kinds = tuple(kind for kind in filters if kind is not None)
    return ast.Point(span, name.text, Span(name.start, name.end), kinds)


def verdict(context: Context, values: Values, span: Span) -> Entry:
    word, message = values
    return Entry("verdict", span, ast.Verdict(span, word, "", message))


def verdict_below_stop(context: Context, values: Values, span: Span) -> str:
    text: str = values[0].text
    return text


def stop(context: Context, values: Values, span: Span) -> Entry:
    reason, message = values
    return Entry("verdict", span, ast.Verdict(span, "stop", "" if reason is None else reason.text, message))


def timeout(context: Context, values: Values, span: Span) -> Entry:
    return Entry("timeout", span, ast.Timeout(span, milliseconds(context, values[0])))


def timeout_between(context: Context, values: Values, span: Span) -> Entry:
    low, high = (milliseconds(context, value) for value in values)
    return Entry("timeout", span, ast.Timeout(span, low, high))


def timeout_backoff(context: Context, values: Values, span: Span) -> Entry:
    low, high = (milliseconds(context, value) for value in values[:2])
    return Entry("timeout", span, ast.Timeout(span, low, 0, high, values[2] or ()))


def fail(context: Context, values: Values, span: Span) -> Entry:
    return Entry("fail", span, ast.Fail(span, values[1].text))


def key(context: Context, values: Values, span: Span) -> tuple[ast.Expr, ...]:
    return tuple(expression_of(context, value) for value in values)


def repeats(context: Context, values: Values, span: Span) -> Entry:
    parts, period = values
    return Entry("measure", span, ast.Repeats(span, parts, 1 if period is None else number(context, period)))


def counts(context: Context, values: Values, span: Span) -> Entry:
    what, within, by = values
    return Entry("measure", span, ast.Counts(span, expression_of(context, what), within, by or ()))


def at(context: Context, values: Values, span: Span) -> Entry:
    return Entry("at", span, ast.Step(span, _count(context, values[0]), False, values[1].value))


def at_every(context: Context, values: Values, span: Span) -> Entry:
    return Entry("at", span, ast.Step(span, _count(context, values[0]), True, values[1].value))


def _count(context: Context, value: Any) -> int | ast.Name:
    return value if isinstance(value, ast.Name) else number(context, value)


def argv(context: Context, values: Values, span: Span) -> tuple[str, ...]:
    return tuple(value.value for value in values if value is not None)


def call(context: Context, values: Values, span: Span) -> Entry:
    return Entry("call", span, values[0].text)


def time_limit(context: Context, values: Values, span: Span) -> Entry:
    return Entry("timeout", span, milliseconds(context, values[0]))


def expects(context: Context, values: Values, span: Span) -> Entry:
    words = values[1:]
    asked = ast.Expects(Span(words[0].start, words[-1].end), words[-1].text, len(words) > 1)
    return Entry("expect", span, asked)


def expect(context: Context, values: Values, span: Span) -> Entry:
    return Entry("expect", span, (values[0].value, values[1]))


def retries(context: Context, values: Values, span: Span) -> Entry:
    count, then = values
    return Entry("retries", span, (number(context, count), None if then is None else then.value))


def until(context: Context, values: Values, span: Span) -> Entry:
    text = values[0].text
    try:
        date.fromisoformat(text)
    except ValueError:
        context.report(messages.no_such_date(context.source, Span(values[0].start, values[0].end)))
    return Entry("until", span, text)


def owner(context: Context, values: Values, span: Span) -> Entry:
    return Entry("owner", span, values[0].value)
