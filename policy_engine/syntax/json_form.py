"""Tree ↔ its JSON form, for tools; and the JSON Schema of that form.

Every node is an object whose `node` is the class's name in lower case with `_`; places are left out. A comment carries
how many tokens of the formatted text stand before it. What is read is printed and parsed again, so that the result has
a text, and complaints about it have places in that text.
"""

from __future__ import annotations

import re
import types
import typing
from dataclasses import MISSING, fields
from functools import cache
from typing import Any

from policy_engine.model.diagnostic import Diagnostic
from policy_engine.model.limits import POLICY_DEPTH
from policy_engine.model.schemas import DIALECT, address
from policy_engine.model.source import Source, Span
from policy_engine.syntax import ast, messages
from policy_engine.syntax.grammar import language
from policy_engine.syntax.parser import parse
from policy_engine.syntax.printer import format_file
from policy_engine.syntax.tokens import Token

FORM = 1
_PLACES = frozenset({"span", "name_span", "op_span", "variable_span", "rule_span", "clauses"})
_NOWHERE = Span(0, 0)


def to_json(file: ast.File) -> dict[str, Any]:
    """Plain dicts, lists, strings, integers, booleans and None."""
    text = format_file(file)
    again, _ = parse(Source(file.source.name, text))
    tokens = [token.start for token in _tokens(again.source)]
    comments = [
        {
            "after": sum(start < comment.span.start for start in tokens),
            "text": comment.text,
            "own_line": comment.own_line,
        }
        for comment in again.comments
    ]
    items = [plain(item) for item in file.items]
    return {"form": FORM, "language": file.language, "items": items, "comments": comments}


def from_json(form: object, name: str = "policy.json") -> tuple[ast.File | None, list[Diagnostic]]:
    """Return the file that `to_json` gives this form for, and complaints; None if the form is not of that shape."""
    reader = _Reader()
    try:
        file, comments = reader.file(form)
    except _Malformed as problem:
        return None, [messages.malformed_json(Source(name, ""), _NOWHERE, problem.where, problem.what)]
    text = format_file(file)
    text = _with_comments(Source(name, text), comments)
    again, diagnostics = parse(Source(name, text))
    if not any(d.severity == "error" for d in diagnostics) and [plain(i) for i in again.items] != [
        plain(i) for i in file.items
    ]:
        diagnostics.append(messages.malformed_json(again.source, _NOWHERE, "items", "a tree that text can express"))
    return again, diagnostics


def _tokens(source: Source) -> list[Token]:
    return language().scanner.scan(source).tokens[:-1]


def plain(value: Any) -> Any:
    if isinstance(value, ast.Node):
        result: dict[str, Any] = {"node": _node_name(type(value))}
        result.update({f.name: plain(getattr(value, f.name)) for f in fields(value) if f.name not in _PLACES})
        return result
    return [plain(part) for part in value] if isinstance(value, tuple) else value


def _node_name(kind: type) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", kind.__name__).lower()


@cache
def _kinds() -> dict[str, type[ast.Node]]:
    classes = [c for c in vars(ast).values() if isinstance(c, type) and issubclass(c, ast.Node)]
    abstract = (ast.Node, ast.Expr, ast.Item, ast.File, ast.Comment, ast.Clause)
    return {_node_name(c): c for c in classes if c not in abstract}


def _hints(kind: type[ast.Node]) -> dict[str, Any]:
    return {name: hint for name, hint in typing.get_type_hints(kind).items() if name not in _PLACES}


def _with_comments(source: Source, comments: list[tuple[int, str, bool]]) -> str:
    """Return the text with each comment behind its token; the line breaks do not matter to the tree."""
    ends = [0, *(token.end for token in _tokens(source))]
    pieces = []
    done = 0
    for after, text, own_line in sorted(comments, key=lambda comment: comment[0]):
        place = ends[min(after, len(ends) - 1)]
        pieces.append(source.text[done:place] + ("\n" if own_line else "  ") + text + "\n")
        done = place
    return "".join(pieces) + source.text[done:]


class _Malformed(Exception):
    """The form is not what the schema says."""

    def __init__(self, where: str, what: str) -> None:
        super().__init__(where, what)
        self.where = where
        self.what = what


class _Reader:
    """Builds nodes from JSON values by the annotations of the node classes."""

    def file(self, form: object) -> tuple[ast.File, list[tuple[int, str, bool]]]:
        if not isinstance(form, dict) or form.get("form") != FORM:
            raise _Malformed("form", f"the number {FORM}")
        number = self._value(form.get("language", 1), int, "language", 0)
        items = self._value(form.get("items", []), tuple[ast.Item, ...], "items", 0)
        comments = form.get("comments", [])
        if not isinstance(comments, list):
            raise _Malformed("comments", "a list")
        kept = [self._comment(comment, f"comments[{at}]") for at, comment in enumerate(comments)]
        return ast.File(_NOWHERE, Source("", ""), number, items, ()), kept

    def _comment(self, form: object, where: str) -> tuple[int, str, bool]:
        if not isinstance(form, dict):
            raise _Malformed(where, "an object")
        after = self._value(form.get("after"), int, f"{where}.after", 0)
        text = self._value(form.get("text"), str, f"{where}.text", 0)
        own_line = self._value(form.get("own_line", True), bool, f"{where}.own_line", 0)
        if not text.startswith("#") or "\n" in text or after < 0:
            raise _Malformed(where, "a comment: one line that begins with `#`, after 0 or more tokens")
        return after, text, own_line

    def _value(self, form: object, hint: Any, where: str, depth: int) -> Any:
        if depth > 4 * POLICY_DEPTH:
            raise _Malformed(where.partition(".")[0], f"nested at most POLICY_DEPTH = {POLICY_DEPTH} deep")
        if isinstance(hint, types.UnionType):
            return self._one_of(form, typing.get_args(hint), where, depth)
        if typing.get_origin(hint) is tuple:
            return self._tuple(form, typing.get_args(hint), where, depth)
        if isinstance(hint, type) and issubclass(hint, ast.Node):
            return self._node(form, hint, where, depth)
        if hint is type(None) and form is None:
            return None
        if hint in (str, int, bool) and type(form) is hint:
            return form
        raise _Malformed(where, {str: "a string", int: "an integer", bool: "true or false"}.get(hint, "null"))

    def _one_of(self, form: object, hints: tuple[Any, ...], where: str, depth: int) -> Any:
        problem = _Malformed(where, "a value")
        for hint in hints:
            try:
                return self._value(form, hint, where, depth)
            except _Malformed as found:
                problem = max(problem, found, key=lambda each: len(each.where))
        raise problem

    def _tuple(self, form: object, hints: tuple[Any, ...], where: str, depth: int) -> tuple[Any, ...]:
        if not isinstance(form, list):
            raise _Malformed(where, "a list")
        if hints[-1] is Ellipsis:
            return tuple(self._value(part, hints[0], f"{where}[{at}]", depth + 1) for at, part in enumerate(form))
        if len(form) != len(hints):
            raise _Malformed(where, f"a list of {len(hints)}")
        pairs = zip(form, hints, strict=True)
        return tuple(self._value(part, hint, f"{where}[{at}]", depth + 1) for at, (part, hint) in enumerate(pairs))

    def _node(self, form: object, wanted: type[ast.Node], where: str, depth: int) -> ast.Node:
        kind = _kinds().get(str(form.get("node"))) if isinstance(form, dict) else None
        if not isinstance(form, dict) or kind is None or not issubclass(kind, wanted):
            raise _Malformed(where, f"an object whose `node` is {_wanted(wanted)}")
        hints = _hints(kind)
        for unknown in sorted(set(form) - {"node", *hints}):
            raise _Malformed(f"{where}.{unknown}", "absent: the node has no such field")
        values: dict[str, Any] = {}
        for field in fields(kind):
            if field.name in hints and field.name in form:
                values[field.name] = self._value(
                    form[field.name], hints[field.name], f"{where}.{field.name}", depth + 1
                )
            elif field.name in hints:
                if field.default is MISSING:
                    raise _Malformed(f"{where}.{field.name}", "there")
            elif field.name != "clauses":
                values[field.name] = _NOWHERE
        return kind(**values)


def _wanted(wanted: type[ast.Node]) -> str:
    if wanted in (ast.Expr, ast.Item):
        return "an expression" if wanted is ast.Expr else "a top-level declaration"
    return f"`{_node_name(wanted)}`"


# ---- schema ----------------------------------------------------------------------------------------------------------


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of the form, made from the node classes."""
    definitions: dict[str, Any] = {name: _node_schema(name, kind) for name, kind in sorted(_kinds().items())}
    for abstract in (ast.Expr, ast.Item):
        members = [name for name, kind in sorted(_kinds().items()) if issubclass(kind, abstract)]
        definitions[_node_name(abstract)] = {"oneOf": [{"$ref": f"#/$defs/{name}"} for name in members]}
    comment = {
        "type": "object",
        "properties": {
            "after": {"type": "integer", "minimum": 0},
            "text": {"type": "string", "pattern": "^#"},
            "own_line": {"type": "boolean"},
        },
        "required": ["after", "text"],
        "additionalProperties": False,
    }
    return {
        "$schema": DIALECT,
        "$id": address("policy"),
        "title": "Policy file, JSON form",
        "description": "what `policy dump` writes and `policy load` reads",
        "type": "object",
        "properties": {
            "form": {"const": FORM},
            "language": {"type": "integer"},
            "items": {"type": "array", "items": {"$ref": "#/$defs/item"}},
            "comments": {"type": "array", "items": comment},
        },
        "required": ["form", "items"],
        "additionalProperties": False,
        "$defs": definitions,
    }


def _node_schema(name: str, kind: type[ast.Node]) -> dict[str, Any]:
    hints = _hints(kind)
    needed = [field.name for field in fields(kind) if field.name in hints and field.default is MISSING]
    properties = {"node": {"const": name}, **{field: _value_schema(hint) for field, hint in hints.items()}}
    return {"type": "object", "properties": properties, "required": ["node", *needed], "additionalProperties": False}


def _value_schema(hint: Any) -> dict[str, Any]:
    if isinstance(hint, types.UnionType):
        return {"anyOf": [_value_schema(part) for part in typing.get_args(hint)]}
    if typing.get_origin(hint) is tuple:
        parts = typing.get_args(hint)
        if parts[-1] is Ellipsis:
            return {"type": "array", "items": _value_schema(parts[0])}
        count = len(parts)
        return {"type": "array", "prefixItems": [_value_schema(p) for p in parts], "minItems": count, "maxItems": count}
    if isinstance(hint, type) and issubclass(hint, ast.Node):
        return {"$ref": f"#/$defs/{_node_name(hint)}"}
    return {"type": {str: "string", int: "integer", bool: "boolean"}.get(hint, "null")}
