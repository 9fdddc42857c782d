"""Split the string of a message into its text and the expressions in its braces, each with its place in the file."""

from __future__ import annotations

import re

from policy_engine.model.diagnostic import Diagnostic
from policy_engine.model.source import Source, Span
from policy_engine.syntax import ast, messages
from policy_engine.syntax.driver import Machine
from policy_engine.syntax.grammar import language
from policy_engine.syntax.recovery import Recovery

Parts = tuple[str | ast.Expr, ...]
_PATH = re.compile(r"\s*([a-z][a-z0-9_-]*)((?:\.[a-z][a-z0-9_-]*)*)\s*")
_ESCAPES = {"n": "\n", "t": "\t"}


def parse_interpolation(literal: ast.StringLiteral, source: Source) -> tuple[Parts, list[Diagnostic]]:
    """Return a message's texts and expressions in order; `literal` was parsed from `source`."""
    if not literal.interpolated and "}" not in literal.value:
        return ((literal.value,) if literal.value else ()), []
    start, end = literal.span.start + 1, literal.span.end - 1
    text = source.text
    parts: list[str | ast.Expr] = []
    diagnostics: list[Diagnostic] = []
    plain: list[str] = []
    at = start
    while at < end:
        char = text[at]
        if char == "\\":
            plain.append(_ESCAPES.get(text[at + 1], text[at + 1]))
            at += 2
        elif char == "{":
            close = _closing(text, at, end)
            if close < 0:
                diagnostics.append(messages.unclosed_hole(source, Span(at, at + 1)))
                break
            _add_text(parts, plain)
            expression, problems = _expression(source, Span(at, close + 1))
            diagnostics += problems
            parts += [expression] if expression is not None else []
            at = close + 1
        else:
            if char == "}":
                diagnostics.append(messages.unopened_hole(source, Span(at, at + 1)))
            plain.append(char)
            at += 1
    _add_text(parts, plain)
    return tuple(parts), diagnostics


def _add_text(parts: list[str | ast.Expr], plain: list[str]) -> None:
    if plain:
        parts.append("".join(plain))
        plain.clear()


def _closing(text: str, at: int, end: int) -> int:
    """Return the brace that closes the one at `at`, or -1; a quantifier inside has braces of its own."""
    depth = 0
    for place in range(at, end):
        if text[place] == "{":
            depth += 1
        elif text[place] == "}":
            depth -= 1
            if depth == 0:
                return place
    return -1


def _expression(source: Source, hole: Span) -> tuple[ast.Expr | None, list[Diagnostic]]:
    """Return the expression between the braces of `hole`; None if there is none that could be read."""
    start, end = hole.start + 1, hole.end - 1
    inner = source.text[start:end]
    path = _PATH.fullmatch(inner)
    if path is not None:
        return _path(start, path), []
    if not inner.strip():
        return None, [messages.empty_hole(source, hole)]
    if "\\" in inner or '"' in inner:
        return None, [messages.string_in_hole(source, hole)]
    scanner, tables = language()
    scan = scanner.scan(source, start, end)
    machine = Machine(tables, source, scan, "expression")
    value = machine.run(Recovery(scanner))
    problems = machine.context.diagnostics
    return (value if isinstance(value, ast.Expr) and not problems else None), problems


def _path(start: int, match: re.Match[str]) -> ast.Expr:
    """Most interpolations are a field's name: it needs no parser."""
    at = start + match.start(1)
    end = start + match.end(1)
    expression: ast.Expr = ast.Name(Span(at, end), match[1])
    for word in match[2].split(".")[1:]:
        place = Span(end + 1, end + 1 + len(word))
        end = place.end
        expression = ast.Member(Span(at, end), expression, word, place)
    return expression
