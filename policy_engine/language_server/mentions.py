"""List every place of a file that names something: what it is, its name, and whether it is declared there.

Hover, definition, references, rename and colours all read this list, so that they agree.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from policy_engine.checker.defines import nodes
from policy_engine.checker.vocabulary import Vocabulary
from policy_engine.model.source import Source, Span
from policy_engine.programs._rows import MODEL_OF, ROWS
from policy_engine.syntax import ast
from policy_engine.syntax.interpolation import parse_interpolation

_IGNORED = re.compile(r"#\s*ignore(?:-file)?\[([^\]]*)\]")
_WORD = re.compile(r"[a-z][a-z0-9_-]*")
_NAMED_BY_CALL = {"refused": "speaker", "verified": "stage", "called": "kind"}
RENAMED = ("define", "speaker", "mode", "stage", "variable")
"""Kinds of which a policy chooses the name."""


@dataclass(frozen=True, slots=True)
class Mention:
    """`kind` is import, define, speaker (a rule, limit, hook or verify), mode, stage, variable, point, kind, field,
    attribute, function, level, code or program; `scope` tells variables of one name apart."""

    kind: str
    name: str
    span: Span
    declares: bool = False
    scope: int = -1

    @property
    def key(self) -> tuple[str, str, int]:
        """Equal for two mentions of the same thing."""
        return ("speaker" if self.kind == "stage" else self.kind, self.name, self.scope)


def mentions(tree: ast.File, defines: Collection[str], words: Vocabulary) -> list[Mention]:
    """Return the mentions of a file in the order of its text; `defines` are those that it sees."""
    walk = _Walk(tree.source, defines, words)
    mentioned = [one for item in tree.items for one in walk.item(item)]
    for comment in tree.comments:
        match = _IGNORED.match(comment.text)
        for code in _WORD.finditer(match[1]) if match else ():
            start = comment.span.start + (match.start(1) if match else 0)
            mentioned.append(Mention("code", code[0], Span(start + code.start(), start + code.end())))
    return sorted(mentioned, key=lambda one: (one.span, not one.declares))


@dataclass(frozen=True, slots=True)
class _Walk:
    """`spoken` are the variables that the messages of an item can print: the first of each name in its conditions."""

    source: Source
    defines: Collection[str]
    words: Vocabulary
    spoken: dict[str, int] = field(default_factory=dict)

    def item(self, item: ast.Item) -> Iterator[Mention]:
        match item:
            case ast.Import():
                yield Mention("import", item.target.value, item.target.span)
            case ast.Define() | ast.Param():
                yield Mention("define", item.name, item.name_span, True)
            case ast.Rule() | ast.Limit() | ast.Hook() | ast.Verify():
                yield Mention("speaker", item.name, item.name_span, True)
            case ast.Mode():
                yield Mention("mode", item.name, item.name_span, True)
            case ast.Waive() if item.rule != ast.EVERY_RULE:
                yield Mention("speaker", item.rule, item.rule_span)
        self.spoken.clear()
        self.spoken.update({one.variable: one.variable_span.start for one in reversed(list(_quantified(item)))})
        bound = {}
        for one in item.parameters if isinstance(item, ast.Define) else ():
            bound[one.name] = start = one.span.start
            yield Mention("variable", one.name, Span(start, start + len(one.name)), True, start)
        yield from self._below(item, bound)

    def _below(self, node: ast.Node, bound: dict[str, int]) -> Iterator[Mention]:
        """Yield what the parts of a node mention."""
        for name in node.__dataclass_fields__:
            value = getattr(node, name)
            for part in value if type(value) is tuple else (value,):
                if isinstance(part, ast.Node):
                    yield from self.node(part, bound)
                elif type(part) is tuple and len(part) == 2 and isinstance(part[1], ast.Node):
                    yield from self.node(part[1], bound)

    def node(self, node: ast.Node, bound: dict[str, int]) -> Iterator[Mention]:
        match node:
            case ast.Name():
                yield from self._name(node, bound)
            case ast.Member():
                yield from self._member(node, bound)
            case ast.Call(callee=ast.Name() as callee):
                yield Mention("define" if callee.name in self.defines else "function", callee.name, callee.span)
                kind = _NAMED_BY_CALL.get(callee.name)
                for argument in node.arguments:
                    if kind and isinstance(argument.value, ast.Name) and not argument.label:
                        yield Mention(kind, argument.value.name, argument.value.span)
                    else:
                        yield from self.node(argument.value, bound)
            case ast.Quantified():
                yield from self.node(node.source, bound)
                scope = node.variable_span.start
                yield Mention("variable", node.variable, node.variable_span, True, scope)
                inner = {**bound, node.variable: scope}
                for part in (node.where, node.body):
                    if part is not None:
                        yield from self.node(part, inner)
            case ast.Point():
                yield Mention("point", node.name, node.name_span)
                for one in node.filters:
                    if isinstance(one, ast.Name):
                        yield Mention("kind", one.name, one.span)
            case ast.StringLiteral():
                yield from self._text(node)
            case ast.Setting():
                yield Mention("define", node.name, node.name_span)
                yield from self.node(node.value, bound)
            case ast.Severity():
                yield Mention("level", node.level, Span(node.span.end - len(node.level), node.span.end))
            case ast.Stage():
                at = self.source.text.find(node.name, node.span.start + len("stage"), node.span.end)
                yield Mention("stage", node.name, Span(at, at + len(node.name)), True)
                yield from self._below(node, bound)
            case ast.Expectation(by=by) if by:
                yield Mention("speaker", by, Span(node.span.end - len(by), node.span.end))
            case ast.TestStep(kind="call" | "called" | "todo" | "fact"):  # their names are those of the host
                if node.expectation is not None:
                    yield from self.node(node.expectation, bound)
            case ast.Verdict(message=ast.StringLiteral() as message):
                parts, _ = parse_interpolation(message, self.source)
                for hole in parts:
                    if isinstance(hole, ast.Expr):
                        yield from self.node(hole, self.spoken)
            case _:
                yield from self._below(node, bound)

    def _name(self, node: ast.Name, bound: dict[str, int]) -> Iterator[Mention]:
        if node.name in bound:
            yield Mention("variable", node.name, node.span, scope=bound[node.name])
        elif node.name in self.defines:
            yield Mention("define", node.name, node.span)
        else:
            yield Mention("field", node.name, node.span)

    def _member(self, node: ast.Member, bound: dict[str, int]) -> Iterator[Mention]:
        """A field's dotted name, `mode.NAME`, `limit.NAME.count`, or an attribute of a record."""
        base = node.base
        root = base.name if isinstance(base, ast.Name) else ""
        free = root not in bound and root not in self.defines
        if root and free and root in ("mode", "limit"):
            yield Mention("mode" if root == "mode" else "speaker", node.name, node.name_span)
            return
        dotted = self._dotted(node, bound)
        if dotted in self.words.fields:
            yield Mention("field", dotted, node.span)
            return
        yield from self.node(base, bound)
        if not (isinstance(base, ast.Member) and self._is_limit(base)):
            yield Mention("attribute", node.name, node.name_span)

    def _dotted(self, node: ast.Expr, bound: dict[str, int]) -> str:
        match node:
            case ast.Name() if node.name not in bound and node.name not in self.defines:
                return node.name
            case ast.Member():
                base = self._dotted(node.base, bound)
                return f"{base}.{node.name}" if base else ""
        return ""

    def _is_limit(self, node: ast.Member) -> bool:
        return isinstance(node.base, ast.Name) and node.base.name == "limit"

    def _text(self, node: ast.StringLiteral) -> Iterator[Mention]:
        """The program that a command line or pattern begins with."""
        first = node.value.split(" ", 1)[0]
        known = first in ROWS or first in MODEL_OF
        if known and self.source.text.startswith(first, node.span.start + 1):
            yield Mention("program", first, Span(node.span.start + 1, node.span.start + 1 + len(first)))


def _quantified(item: ast.Item) -> Iterator[ast.Quantified]:
    """The quantifiers of an item in the order of its text."""
    quantified = [node for node, _ in nodes(item) if isinstance(node, ast.Quantified)]
    return iter(sorted(quantified, key=lambda one: one.span))
