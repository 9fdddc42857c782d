"""Print the canonical text of an expression, on one line or, where it is too long, on several."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from policy_engine.model.source import Span
from policy_engine.syntax import ast

WIDTH = 120
INDENT = 2
_WORD = re.compile(r"[a-z][a-z0-9_-]*")
_UNITS = (("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1))
_ESCAPED = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"}
_OR, _AND, _NOT, _COMPARE, _ELSE, _EXCEPT, _HAS, _POSTFIX = range(8)


class Line(NamedTuple):
    """One line of output: its depth of indentation, its text, and the place in the source that it stands for."""

    depth: int
    text: str
    span: Span


def string_text(value: str, escaped: Sequence[int] = ()) -> str:
    """Return a string literal; `escaped` as in `ast.StringLiteral`."""
    if not escaped:
        return '"' + "".join(_ESCAPED.get(char, char) for char in value) + '"'
    places = frozenset(escaped)
    return '"' + "".join("\\" + c if at in places else _ESCAPED.get(c, c) for at, c in enumerate(value)) + '"'


def _key(name: str) -> str:
    return name if _WORD.fullmatch(name) else string_text(name)


def duration_text(milliseconds: int) -> str:
    """`10m`: the largest unit that leaves no rest."""
    for unit, size in _UNITS:
        if milliseconds and milliseconds % size == 0:
            return f"{milliseconds // size}{unit}"
    return "0s"


def format_expression(expression: ast.Expr) -> str:
    """Return the expression on one line."""
    return ExpressionPrinter().text(expression)


def _level(node: ast.Expr) -> int:
    match node:
        case ast.Or():
            return _OR
        case ast.And():
            return _AND
        case ast.Not():
            return _NOT
        case ast.Compare():
            return _COMPARE
        case ast.Else():
            return _ELSE
        case ast.Except():
            return _EXCEPT
        case ast.Has() | ast.Quantified():
            return _HAS
        case _:
            return _POSTFIX


class ExpressionPrinter:
    """`spelled` gives a duration's text as the author wrote it; `commented` says whether a span holds comments."""

    def __init__(
        self,
        spelled: Callable[[ast.DurationLiteral], str] = lambda literal: duration_text(literal.value),
        commented: Callable[[Span], bool] = lambda span: False,
    ) -> None:
        self._spelled = spelled
        self._commented = commented

    # ---- on one line -------------------------------------------------------------------------------------------------

    def text(self, node: ast.Expr) -> str:
        match node:
            case ast.Or(operands=operands):
                return " or ".join(self._operand(node, part) for part in operands)
            case ast.And(operands=operands):
                return " and ".join(self._operand(node, part) for part in operands)
            case ast.Not(operand=operand):
                return f"not {self._operand(node, operand)}"
            case ast.Compare(op=op, left=left, right=right):
                return f"{self._operand(node, left)} {op.replace('not_in', 'not in')} {self._operand(node, right)}"
            case ast.Else(value=value, default=default):
                return f"{self._operand(node, value)} else {self._operand(node, default, 1)}"
            case ast.Except(value=value, removed=removed):
                return f"{self._operand(node, value)} except {self._operand(node, removed, 1)}"
            case ast.Has(operand=operand):
                return f"has {self._operand(node, operand, 1)}"
            case ast.Quantified(body=body):
                return f"{self._head(node)} {{ {self.text(body)} }}"
            case _:
                return self._postfix(node)

    def value(self, node: ast.Expr) -> str:
        """Return the expression where only a value may stand: anything with an operator goes into parentheses."""
        return self._postfix(node) if _level(node) == _POSTFIX else f"({self.text(node)})"

    def _postfix(self, node: ast.Expr) -> str:
        match node:
            case ast.Name(name=name):
                return name
            case ast.Member(base=base, name=name):
                return f"{self._base(base)}.{name}"
            case ast.Index(base=base, key=key, inner=inner):
                return f"{self._base(base)}[{', '.join(map(self._postfix, (key, *inner)))}]"
            case ast.Call(callee=callee, arguments=arguments):
                return f"{self._postfix(callee)}({', '.join(self._argument(part) for part in arguments)})"
            case ast.StringLiteral(value=value, escaped=escaped):
                return string_text(value, escaped)
            case ast.TimeLiteral(text=text):
                return text
            case ast.DurationLiteral(value=value, unit="rounds"):
                return f"{value} rounds"
            case ast.DurationLiteral():
                return self._spelled(node)
            case ast.RegexLiteral(pattern=pattern, ignore_case=ignore_case):
                return f"/{pattern.replace('/', chr(92) + '/')}/{'i' if ignore_case else ''}"
            case ast.ListLiteral(items=items):
                return f"[{', '.join(self.text(item) for item in items)}]"
            case ast.ObjectLiteral(entries=entries):
                return self.entries(entries)
            case ast.BoolLiteral(value=value):
                return "true" if value else "false"
            case ast.IntLiteral(value=value):
                return str(value)
            case _:
                raise AssertionError(node)

    def entries(self, pairs: Sequence[tuple[str, ast.Expr]]) -> str:
        """Return an object, or the arguments of a step."""
        return "{" + ", ".join(f"{_key(name)}: {self.value(value)}" for name, value in pairs) + "}"

    def _base(self, node: ast.Expr) -> str:
        bare = isinstance(node, ast.Name | ast.Member | ast.Index | ast.Call)
        return self._postfix(node) if bare else f"({self.text(node)})"

    def _argument(self, node: ast.Argument) -> str:
        return f"{node.label}: {self.text(node.value)}" if node.label else self.text(node.value)

    def _head(self, node: ast.Quantified) -> str:
        source = self.text(node.source)
        source = f"({source})" if _level(node.source) < _ELSE else source
        where = f" where {self.text(node.where)}" if node.where is not None else ""
        return f"{node.kind} {node.variable} in {source}{where}"

    def _operand(self, parent: ast.Expr, node: ast.Expr, above: int = 0) -> str:
        text = self.text(node)
        return f"({text})" if self._wrapped(parent, node, above) else text

    def _wrapped(self, parent: ast.Expr, node: ast.Expr, above: int) -> bool:
        """Return whether `node` needs parentheses below `parent`, or is easier to read with them."""
        level = _level(node)
        match parent:
            case ast.Or() | ast.And():
                return level <= _AND
            case ast.Not():
                return level not in (_NOT, _HAS, _POSTFIX)
            case ast.Compare():
                return level < _ELSE
            case _:
                return level < _level(parent) + above

    # ---- on several lines --------------------------------------------------------------------------------------------

    def lines(self, node: ast.Expr, depth: int, prefix: str = "", suffix: str = "", hanging: int = 1) -> list[Line]:
        """`prefix expression suffix`; operands after the first go `hanging` steps deeper."""
        flat = prefix + self.text(node) + suffix
        if depth * INDENT + len(flat) <= WIDTH and not self._commented(node.span):
            return [Line(depth, flat, node.span)]
        match node:
            case ast.Or(operands=operands) | ast.And(operands=operands):
                return self._chain(node, operands, depth, prefix, suffix, hanging)
            case ast.Not(operand=operand):
                return self._inner(node, operand, depth, f"{prefix}not ", suffix)
            case ast.Quantified(body=body):
                head = Line(depth, f"{prefix}{self._head(node)} {{", Span(node.span.start, body.span.start))
                end = Span(max(node.span.end - 1, 0), node.span.end)
                return [head, *self.lines(body, depth + 1, hanging=0), Line(depth, "}" + suffix, end)]
            case ast.Compare(left=left, right=right):
                word = node.op.replace("not_in", "not in")
                return self._binary(node, left, word, right, depth, prefix, suffix)
            case ast.Else(value=left, default=right):
                return self._binary(node, left, "else", right, depth, prefix, suffix)
            case ast.Except(value=left, removed=right):
                return self._binary(node, left, "except", right, depth, prefix, suffix)
            case ast.Call(callee=callee, arguments=arguments) if arguments:
                return self.listed(arguments, node.span, depth, f"{prefix}{self._postfix(callee)}(", ")" + suffix)
            case ast.ListLiteral(items=items) if items:
                return self.listed(items, node.span, depth, f"{prefix}[", "]" + suffix)
            case _:
                return [Line(depth, flat, node.span)]

    def listed(
        self, parts: Sequence[ast.Expr | ast.Argument], span: Span, depth: int, opening: str, closing: str
    ) -> list[Line]:
        """One part per line between brackets."""
        lines = [Line(depth, opening, Span(span.start, parts[0].span.start))]
        for part in parts:
            label = f"{part.label}: " if isinstance(part, ast.Argument) and part.label else ""
            value = part.value if isinstance(part, ast.Argument) else part
            lines += self.lines(value, depth + 1, label, ",")
        return [*lines, Line(depth, closing, Span(max(span.end - 1, 0), span.end))]

    def _chain(
        self, node: ast.Expr, operands: Sequence[ast.Expr], depth: int, prefix: str, suffix: str, hanging: int
    ) -> list[Line]:
        word = "or " if isinstance(node, ast.Or) else "and "
        lines: list[Line] = []
        for number, operand in enumerate(operands):
            end = suffix if number == len(operands) - 1 else ""
            lines += self._inner(node, operand, depth + (hanging if number else 0), word if number else prefix, end)
        return lines

    def _binary(
        self, node: ast.Expr, left: ast.Expr, word: str, right: ast.Expr, depth: int, prefix: str, suffix: str
    ) -> list[Line]:
        """Break at the operator, which begins a line; if a side is still too long, break the longer side instead."""
        above = 0 if isinstance(node, ast.Compare) else 1
        first, second = self._operand(node, left), self._operand(node, right, above)
        head = prefix + first
        tail = f"{word} {second}{suffix}"
        if depth * INDENT + len(head) <= WIDTH and (depth + 1) * INDENT + len(tail) <= WIDTH:
            return [Line(depth, head, left.span), Line(depth + 1, tail, right.span)]
        if len(first) > len(second):
            return self._inner(node, left, depth, prefix, f" {word} {second}{suffix}")
        return self._inner(node, right, depth, f"{prefix}{first} {word} ", suffix, above)

    def _inner(
        self, parent: ast.Expr, node: ast.Expr, depth: int, prefix: str, suffix: str, above: int = 0
    ) -> list[Line]:
        if self._wrapped(parent, node, above):
            return self.lines(node, depth, prefix + "(", ")" + suffix)
        return self.lines(node, depth, prefix, suffix)
