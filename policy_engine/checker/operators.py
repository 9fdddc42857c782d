"""Check `left operator right`: a comparison, a match or a `since`, with both types against the operator table."""

from __future__ import annotations

from policy_engine.checker import history, messages, patterns, tree
from policy_engine.checker.fields import Check
from policy_engine.checker.scope import MISTAKE, Scope
from policy_engine.checker.tree import Place
from policy_engine.checker.types import PATTERNS, described, fits, textual
from policy_engine.model.records import is_path
from policy_engine.model.types import (
    ARGUMENT,
    BOOL,
    ERROR,
    INT,
    OPAQUE,
    STRING,
    TIME,
    EnumType,
    ListType,
    RecordType,
    Type,
)
from policy_engine.syntax import ast

_SHOWN = {"not_in": "not in"}


def compare(node: ast.Compare, scope: Scope, check: Check) -> tree.Expr:
    """Return a binary operator."""
    if node.op == "since":
        return history.since(node, scope)
    left = check(node.left, scope)
    if node.op == "matches":
        return _matches(node, left, scope, check)
    right = _bare_word(node.right, left.type, scope) or check(node.right, scope)
    place = Place(scope.source, node.span)
    if not fits(node.op, left.type, right.type):
        at = Place(scope.source, node.op_span)
        advice = _advice(node.op, left, right)
        shown = _SHOWN.get(node.op, node.op)
        scope.report(messages.bad_operands(at, shown, described(left.type), described(right.type), advice))
    elif left.type is not ERROR and right.type is not ERROR:
        _enum_words(left, right, scope)
        _enum_words(right, left, scope)
    return tree.Comparison(place, BOOL, node.op, left, right)


def _bare_word(node: ast.Expr, other: Type, scope: Scope) -> tree.Expr | None:
    """Complain about a word of the enumeration on the other side that lacks its quotes; None if it is none."""
    if not (isinstance(node, ast.Name) and isinstance(other, EnumType) and node.name in other.members):
        return None
    if node.name in scope.variables or node.name in scope.visible:
        return None
    scope.report(messages.bare_word(Place(scope.source, node.span), node.name))
    return MISTAKE


def _enum_words(side: tree.Expr, other: tree.Expr, scope: Scope) -> None:
    """Complain about a literal that the enumeration on the other side does not have."""
    type_ = other.type.element if isinstance(other.type, ListType) else other.type
    if not isinstance(type_, EnumType):
        return
    for item in side.items if isinstance(side, tree.ListOf) else (side,):
        if isinstance(item, tree.Constant) and isinstance(item.value, str) and item.value not in type_.members:
            scope.report(messages.unknown_word(item.place, type_, item.value))


def _advice(operator: str, left_side: tree.Expr, right_side: tree.Expr) -> str:
    """Return what to write instead, where the usual intention is known."""
    left, right = left_side.type, right_side.type
    for one, other in ((left_side, right), (right_side, left)):
        if (
            isinstance(one.type, ListType)
            and isinstance(one.type.element, RecordType)
            and not isinstance(other, ListType)
        ):
            return _of_elements(one.place.text, one.type.element)
    if {left, right} == {TIME, STRING} or {left, right} == {TIME, INT}:
        return "a date stands without quotes: `2026-12-20`; hours and days are `time.hour` and `time.weekday`"
    if operator in ("==", "!=", "contains") and (left in PATTERNS or right in PATTERNS):
        return "a pattern is tried with `matches`"
    if operator in ("contains", "starts_with", "ends_with") and is_path(left):
        return 'compare paths with `matches "…"`, `under`, `inside` or `outside`'
    if operator in ("in", "not_in") and textual(left) and right == STRING:
        return "a text in a text is `contains`, with the sides exchanged"
    if isinstance(left, ListType) and operator not in ("contains", "in", "not_in"):
        return "ask for one of its elements: `any x in … { … }`"
    if isinstance(left, RecordType) and operator in ("==", "!=") and not is_path(left):
        return f"compare one of its attributes, such as `.{left.attributes[0].name}`" if left.attributes else ""
    if {left, right} == {INT, STRING}:
        return "write the number without quotes, or the text with them"
    if operator in ("under", "inside", "outside") and left == STRING:
        return "only paths have a place: use `paths`, `c.paths` or `cwd`"
    if OPAQUE in (left, right):
        return "a digest or record is compared with another one only"
    return ""


def _of_elements(text: str, element: RecordType) -> str:
    """Return how a condition asks for one element of a list of records."""
    if is_path(element):
        return f'ask for one of them: `any p in {text} {{ p matches "…" }}`'
    known = {attribute.name for attribute in element.attributes}
    attribute = next((name for name in ("program", "status", "title", "path") if name in known), "…")
    letter = element.name[0].lower()
    return f'ask for one of them: `any {letter} in {text} {{ {letter}.{attribute} == "…" }}`'


def _matches(node: ast.Compare, subject: tree.Expr, scope: Scope, check: Check) -> tree.Expr:
    """`subject matches pattern`; a text literal is a glob or a command by what it is matched with."""
    place = Place(scope.source, node.span)
    sort = patterns.sort_of(node.right, scope)
    if not sort:
        right = check(node.right, scope)
        if right.type is not ERROR:
            scope.report(messages.pattern_expected(right.place, _wanted(subject.type), described(right.type)))
        return MISTAKE
    if subject.type is ERROR:
        return MISTAKE
    is_command = isinstance(subject.type, RecordType) and subject.type.name == "Command"
    if sort == "text":
        sort = "command" if is_command else "glob"
    takes = is_path(subject.type) or subject.type in (STRING, ARGUMENT) or isinstance(subject.type, EnumType)
    if (sort == "command") != is_command or not (takes or is_command):
        at = Place(scope.source, node.op_span)
        advice = _matches_advice(subject.type, sort)
        sides = described(subject.type), f"a {'command pattern' if sort == 'command' else sort}"
        scope.report(messages.bad_operands(at, "matches", *sides, advice))
        return MISTAKE
    pattern = patterns.pattern(node.right, scope, sort)
    return MISTAKE if pattern is None else tree.Matches(place, BOOL, subject, pattern)


def _wanted(subject: Type) -> str:
    return "Command" if isinstance(subject, RecordType) and subject.name == "Command" else "Glob or Regex"


def _matches_advice(subject: Type, sort: str) -> str:
    if isinstance(subject, ListType):
        return "ask for one of its elements: `any x in … { x matches … }`"
    if isinstance(subject, RecordType) and subject.name == "Command":
        return 'match its `.text` with a regex, or the command with `command("…")`'
    return "only a parsed command matches a command pattern" if sort == "command" else ""
