"""Check `test` blocks: steps with plain values, words checked, expectations that can be met."""

from __future__ import annotations

from policy_engine.checker import messages, tree
from policy_engine.checker.diagnostic_builder import listing
from policy_engine.checker.expressions import check
from policy_engine.checker.fields import BUILT_IN_LIMITS
from policy_engine.checker.scope import Frame, Scope
from policy_engine.checker.tree import CheckedStep, CheckedTest, Place
from policy_engine.checker.types import described, equal
from policy_engine.model.errors import EventError
from policy_engine.model.instant import parse_time
from policy_engine.model.ladder import EXPECTED, VERDICTS
from policy_engine.model.records import TODO, TODO_STATUS
from policy_engine.model.types import ERROR, INT, STRING, TIME, EnumType, ListType, Type
from policy_engine.syntax import ast

STEPS = (
    "prompt", "call", "called", "shell", "run", "write", "edit", "read", "delete", "file", "todo", "fact", "answer",
    "finish", "wait", "undecided", "given",
)  # fmt: skip
UNDECIDED = "undecided"


def test(item: ast.Test, scope: Scope, owner: str) -> CheckedTest:
    """Return a test; `owner` is the id of the item that it stands in, empty at top level."""
    steps = tuple(_step(step, scope, owner) for step in item.steps)
    return CheckedTest(item.title, Place(scope.source, item.span), owner, steps)


def _step(step: ast.TestStep, scope: Scope, owner: str) -> CheckedStep:
    place = Place(scope.source, step.span)
    verdict, by = _expected(step.expectation, scope, owner)
    if step.kind not in STEPS:
        words = [word for word in STEPS if word != "called"]  # a `call` that ended; nobody writes it
        scope.report(messages.bad_step(place, f"unknown step `{step.kind}`", f"it is one of {listing(words)}"))
        return CheckedStep(place, step.kind, (), verdict, by)
    if step.kind in ("given", "undecided"):
        kind, arguments = _given(step, scope, owner)
        return CheckedStep(place, kind, arguments, verdict, by)
    arguments = tuple(
        (label, value.name if label == "tool" and isinstance(value, ast.Name) else literal(value, scope))
        for label, value in step.arguments
    )
    _words(step, scope)
    return CheckedStep(place, step.kind, arguments, verdict, by)


def _expected(expectation: ast.Expectation | None, scope: Scope, owner: str) -> tuple[str, str]:
    if expectation is None:
        return "", ""
    place = Place(scope.source, expectation.span)
    if expectation.verdict not in EXPECTED:
        scope.report(messages.unknown_verdict(place, expectation.verdict, EXPECTED))
    if expectation.by and expectation.by not in scope.names.speakers and expectation.by not in BUILT_IN_LIMITS:
        scope.report(messages.unknown_rule(place, expectation.by, (*scope.names.speakers, *BUILT_IN_LIMITS)))
    elif expectation.by and owner and expectation.by != owner:
        scope.report(messages.never_by(place, expectation.by, owner))
    return expectation.verdict, expectation.by


def _words(step: ast.TestStep, scope: Scope) -> None:
    """Words of a step that come from a closed set: a tool kind, a todo's status; a wait that waits."""
    for label, value in step.arguments:
        place = Place(scope.source, value.span)
        if step.kind in ("call", "called") and label == "tool" and isinstance(value, ast.Name):
            if value.name not in scope.words.kinds:
                scope.report(messages.unknown_kind(place, value.name, scope.words.kinds))
        elif step.kind == "todo" and label == "status" and isinstance(value, ast.StringLiteral):
            status = "canceled" if value.value == "cancelled" else value.value
            if status not in TODO_STATUS.members:
                scope.report(messages.unknown_word(place, TODO_STATUS, value.value))
        elif step.kind == "todo" and label not in ("", "required"):
            _todo_entry(label, value, scope)
        elif step.kind == "wait" and isinstance(value, ast.DurationLiteral) and value.value <= 0:
            scope.report(messages.bad_step(place, "a wait is longer than nothing"))


def _todo_entry(label: str, value: ast.Expr, scope: Scope) -> None:
    """Check an attribute of a todo beside its status: one of the record, as the host would send it."""
    known = {one.name: one.type for one in TODO.attributes if one.name not in ("id", "status", "required", "circular")}
    if label in known:
        _typed(value, known[label], scope)
    else:
        place = Place(scope.source, value.span)
        scope.report(messages.unknown_attribute(place, "Todo", label, known))


def _given(step: ast.TestStep, scope: Scope, owner: str) -> tuple[str, tuple[tuple[str, object], ...]]:
    """`given FIELD = VALUE` and `undecided FIELD`; `given FIELD = undecided` is the same as the second.

    A stage is named as in a condition: `given verified(tests) = false`, a hook by its name: `given hook.ci = "deny"`.
    """
    field = step.arguments[0][1]
    if isinstance(field, ast.Member) and isinstance(field.base, ast.Name) and field.base.name == "hook":
        return _given_hook(step, field, scope, owner)
    free = Scope(scope.names, scope.source, scope.visible, scope.names.everywhere(), Frame(), free=True)
    checked = check(field, free, True)
    place = Place(scope.source, field.span)
    if checked.type is ERROR:
        return step.kind, (("", ""),)
    name = _given_name(checked)
    if not name:
        advice = "name a field, such as `git.branch`"
        scope.report(messages.bad_step(place, f"`{place.text}` is no field", advice))
        return step.kind, (("", ""),)
    if step.kind == "undecided":
        return step.kind, (("", name),)
    given = step.arguments[1][1]
    if isinstance(given, ast.Name) and given.name == UNDECIDED:
        return UNDECIDED, (("", name),)
    return step.kind, (("", name), ("value", _typed(given, checked.type, scope)))


def _given_hook(
    step: ast.TestStep, field: ast.Member, scope: Scope, owner: str
) -> tuple[str, tuple[tuple[str, object], ...]]:
    """`given hook.NAME = "deny"`: what the hook answers, without being asked; or that nobody knows."""
    place, name = Place(scope.source, field.name_span), field.name
    if name not in scope.names.hooks:
        scope.report(messages.unknown_hook(place, name, scope.names.hooks))
    elif owner and owner != name:
        scope.report(messages.never_by(place, name, owner))
    verdict = dict(step.arguments).get("value")
    if verdict is None or (isinstance(verdict, ast.Name) and verdict.name == UNDECIDED):
        return UNDECIDED, (("", f"hook.{name}"),)
    word = verdict.value if isinstance(verdict, ast.StringLiteral) else ""
    if word not in VERDICTS:
        at = Place(scope.source, verdict.span)
        advice = "it is one of " + listing(f'"{one}"' for one in VERDICTS)
        scope.report(messages.bad_step(at, f"no hook answers `{at.text}`", advice))
    return step.kind, (("", f"hook.{name}"), ("value", word))


def _given_name(checked: tree.Expr) -> str:
    """Return the dotted name of a field, or of what a stage of a `verify` will do; empty for anything else."""
    if isinstance(checked, tree.FieldRef):
        return checked.name
    if isinstance(checked, tree.Happened) and [atom.kind for atom in checked.atoms] == ["verified"]:
        return f"verified.{checked.atoms[0].pattern}"
    return ""


def _typed(node: ast.Expr, type_: Type, scope: Scope) -> object:
    """Return a literal for a field of a type; a time is written as text."""
    value = literal(node, scope)
    place = Place(scope.source, node.span)
    if type_ == TIME and isinstance(value, str):
        try:
            return parse_time(value)
        except EventError as problem:
            scope.report(messages.wrong_type(place, "a time", f"`{value}`", str(problem)))
            return 0
    actual = check(node, scope).type
    plain = isinstance(type_, ListType) and actual == INT  # `given diff.files = 3` style counts
    if isinstance(type_, EnumType) and isinstance(value, str) and value not in type_.members:
        scope.report(messages.unknown_word(place, type_, value))
    elif not (actual is ERROR or plain or equal(actual, type_) or _texts(actual, type_)):
        scope.report(messages.wrong_type(place, described(type_), described(actual)))
    return value


def _texts(actual: Type, type_: Type) -> bool:
    """Return whether a value is a text or a list of texts, which may stand for paths, digests and records."""
    if isinstance(actual, ListType) and isinstance(type_, ListType):
        return actual.element == STRING
    return actual == STRING and type_.name in ("Path", "Opaque")


def literal(node: ast.Expr, scope: Scope) -> object:
    """Return the plain value of a literal; complains about anything else and gives None."""
    match node:
        case ast.StringLiteral() | ast.IntLiteral() | ast.BoolLiteral() | ast.DurationLiteral() | ast.TimeLiteral():
            return node.value
        case ast.ListLiteral():
            return [literal(item, scope) for item in node.items]
        case ast.ObjectLiteral():
            return {name: literal(value, scope) for name, value in node.entries}
        case _:
            place = Place(scope.source, node.span)
            scope.report(
                messages.bad_step(place, f"`{place.text}` is no literal value", "write a text, number or list")
            )
            return None
