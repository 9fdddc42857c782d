"""Build the node of an expression; one function per rule of the grammar, by its name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from policy_engine.model.errors import EventError
from policy_engine.model.limits import POLICY_DEPTH
from policy_engine.model.source import Span
from policy_engine.syntax import ast, messages
from policy_engine.syntax.context import Context
from policy_engine.syntax.tokens import Token

MILLISECONDS = {"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}
_ESCAPES = {'"': '"', "\\": "\\", "n": "\n", "t": "\t", "{": "{", "}": "}"}
Values = Sequence[Any]


def expression_of(context: Context, expression: ast.Expr) -> ast.Expr:
    """Return the expression of a clause; one whose tree is too deep for its later readers is reported."""
    start, end = expression.span
    if end - start > POLICY_DEPTH and _deeper_than(expression, POLICY_DEPTH):
        context.report(messages.too_deep(context.source, Span(start, start + 1)))
        return ast.BoolLiteral(expression.span, True)
    return expression


def _deeper_than(expression: ast.Node, limit: int) -> bool:
    level: list[ast.Node] = [expression]
    for _ in range(limit):
        level = [child for node in level for child in _children(node)]
        if not level:
            return False
    return True


def _children(node: ast.Node) -> list[ast.Node]:
    children: list[ast.Node] = []
    for name in node.__dataclass_fields__:
        value = getattr(node, name)
        if isinstance(value, ast.Node):
            children.append(value)
        elif type(value) is tuple:
            children.extend(part for part in value if isinstance(part, ast.Node))
    return children


def disjunction(context: Context, values: Values, span: Span) -> ast.Or:
    return ast.Or(span, tuple(values))


def conjunction(context: Context, values: Values, span: Span) -> ast.And:
    return ast.And(span, tuple(values))


def negation(context: Context, values: Values, span: Span) -> ast.Not:
    return ast.Not(span, values[0])


def comparison(context: Context, values: Values, span: Span) -> ast.Compare:
    left, (op, op_span), right = values
    return ast.Compare(span, op, op_span, left, right)


def operator(context: Context, values: Values, span: Span) -> tuple[str, Span]:
    return "_".join([token.text for token in values]), span


def fallback(context: Context, values: Values, span: Span) -> ast.Else:
    return ast.Else(span, values[0], values[1])


def exclusion(context: Context, values: Values, span: Span) -> ast.Except:
    return ast.Except(span, values[0], values[1])


def presence(context: Context, values: Values, span: Span) -> ast.Has:
    return ast.Has(span, values[0])


def quantified(context: Context, values: Values, span: Span) -> ast.Quantified:
    kind, variable = values[0], values[1]
    parts = [value for value in values if not isinstance(value, Token) and value is not None]
    where = parts[1] if len(parts) == 3 else None
    place = Span(variable.start, variable.end)
    return ast.Quantified(span, kind.text, variable.text, place, parts[0], where, parts[-1])


def member(context: Context, values: Values, span: Span) -> ast.Member:
    base, name = values
    return ast.Member(span, base, name.text, Span(name.start, name.end))


def index(context: Context, values: Values, span: Span) -> ast.Expr:
    base, *parts = values
    keys = []
    for key in parts:
        if key is None:
            continue
        if not isinstance(key, ast.StringLiteral):
            context.report(messages.key_not_string(context.source, key.span))
        keys.append(key if isinstance(key, ast.StringLiteral) else ast.StringLiteral(key.span, "?"))
    return ast.Index(span, base, keys[0], tuple(keys[1:]))


def invocation(context: Context, values: Values, span: Span) -> ast.Expr:
    callee, *arguments = values
    if not isinstance(callee, ast.Name | ast.Member):
        if not (isinstance(callee, ast.Call) and callee.callee == ast.Name(callee.span, "unknown")):
            context.report(messages.not_callable(context.source, callee.span))
        callee = ast.Name(span, "unknown")
    return ast.Call(span, callee, tuple(argument for argument in arguments if argument is not None))


def argument(context: Context, values: Values, span: Span) -> ast.Argument:
    label, value = values
    return ast.Argument(span, "" if label is None else label.text, value)


def name(context: Context, values: Values, span: Span) -> ast.Name:
    return ast.Name(span, values[0].text)


def integer(context: Context, values: Values, span: Span) -> ast.IntLiteral:
    return ast.IntLiteral(span, number(context, values[0]))


def duration(context: Context, values: Values, span: Span) -> ast.DurationLiteral:
    return ast.DurationLiteral(span, milliseconds(context, values[0]))


def moment(context: Context, values: Values, span: Span) -> ast.TimeLiteral:
    literal = ast.TimeLiteral(span, values[0].text)
    try:
        _ = literal.value
    except EventError:
        advice = "write year-month-day, or with a time and its zone `2026-12-31T18:00+01:00`"
        context.report(messages.no_such_date(context.source, span, advice))
        return ast.TimeLiteral(span, "2026-01-01")
    return literal


def rounds(context: Context, values: Values, span: Span) -> ast.DurationLiteral:
    return ast.DurationLiteral(span, number(context, values[0]), "rounds")


def boolean(context: Context, values: Values, span: Span) -> ast.BoolLiteral:
    return ast.BoolLiteral(span, values[0].text == "true")


def list_literal(context: Context, values: Values, span: Span) -> ast.ListLiteral:
    return ast.ListLiteral(span, tuple(value for value in values if value is not None))


def object_literal(context: Context, values: Values, span: Span) -> ast.ObjectLiteral:
    return ast.ObjectLiteral(span, tuple(value for value in values if value is not None))


def regex(context: Context, values: Values, span: Span) -> ast.RegexLiteral:
    text = values[0].text
    end = text.rindex("/")
    flags = text[end + 1 :]
    if flags not in ("", "i"):
        context.report(messages.unknown_flag(context.source, Span(span.start + end + 1, span.end)))
    return ast.RegexLiteral(span, text[1:end].replace("\\/", "/"), flags == "i")


def string(context: Context, values: Values, span: Span) -> ast.StringLiteral:
    text = values[0].text
    body = text[1:-1]
    if "\\" in body:
        return _unescaped(context, body, span)
    return ast.StringLiteral(span, body, "{" in body)


def _unescaped(context: Context, body: str, span: Span) -> ast.StringLiteral:
    value: list[str] = []
    escaped: list[int] = []
    interpolated = False
    at = length = 0
    while at < len(body):
        char = body[at]
        if char == "\\":
            follower = body[at + 1]
            if follower not in _ESCAPES:
                place = Span(span.start + 1 + at, span.start + 3 + at)
                context.report(messages.bad_escape(context.source, place))
            if follower in "{}":
                escaped.append(length)
            char = _ESCAPES.get(follower, follower)
            at += 1
        elif char == "{":
            interpolated = True
        value.append(char)
        length += 1
        at += 1
    return ast.StringLiteral(span, "".join(value), interpolated, tuple(escaped))


def number(context: Context, token: Token) -> int:
    """Return the value of an INT token; complains, and gives 1, if it is too large to be meant."""
    digits = token.text.lstrip("-0") or "0"
    if len(digits) > 15:
        context.report(messages.number_too_large(context.source, Span(token.start, token.end)))
        return 1
    return int(token.text)


def milliseconds(context: Context, token: Token) -> int:
    """Return the value of a DURATION token; complains, and gives 1, if it is too large to be meant."""
    digits = token.text.rstrip("msdh")
    value = int(digits) * MILLISECONDS[token.text[len(digits) :]] if len(digits) < 16 else messages.LARGEST
    if value >= messages.LARGEST:
        context.report(messages.number_too_large(context.source, Span(token.start, token.end)))
        return 1
    return value
