"""Resolve dotted names: fields of the event, arguments of the call, attributes of records; each checked to exist.

`exempt` references may be absent: the operand of `has`, the left side of `else`. In messages and keys all are.
"""

from __future__ import annotations

from collections.abc import Callable

from policy_engine.checker import messages, tree
from policy_engine.checker.diagnostic_builder import nearest
from policy_engine.checker.narrowing import key
from policy_engine.checker.reach import ALWAYS, NEVER
from policy_engine.checker.scope import MISTAKE, Scope
from policy_engine.checker.tree import Place
from policy_engine.checker.types import described, textual
from policy_engine.model.types import ARGUMENT, BOOL, ERROR, INT, STRING, Attribute, ListType, RecordType, Type, list_of
from policy_engine.syntax import ast

Check = Callable[..., tree.Expr]

BUILT_IN_LIMITS = ("completion-budget",)
MEASURES = ("length", "lines")
"""What can be asked of every text, and of lists."""
PARTS = {
    "keys": Attribute("keys", list_of(STRING), "the keys of an object", optional=True),
    "values": Attribute("values", list_of(ARGUMENT), "the values of an object", optional=True),
}
"""What can be asked of a value of the host; absent where that is absent or null."""


def field(name: str, node: ast.Expr, scope: Scope, exempt: bool) -> tree.Expr:
    """Check a field by its full dotted name, which the vocabulary has."""
    known = scope.words.fields[name]
    place = Place(scope.source, node.span)
    if scope.free:
        scope.frame.contextual |= known.optional or scope.reach.has(known) != ALWAYS
        return tree.FieldRef(place, known.type, name, known.optional)
    here = scope.reach.has(known)
    if here == NEVER:
        return _not_here(name, place, scope)
    optional = known.optional or here != ALWAYS
    if optional:
        scope.frame.contextual = True
        if not (exempt or scope.printing or key(node, scope) in scope.guards):
            scope.report(messages.unguarded(place, name, _why(name, scope)))
    return tree.FieldRef(place, known.type, name, optional)


def _not_here(name: str, place: Place, scope: Scope) -> tree.Expr:
    known = scope.words.fields[name]
    reach = scope.reach
    having = sorted(scope.words.having[name])
    points = list(reach.points)
    if known.kinds is not None and not reach.lacking(known):
        having = [f"{point}({', '.join(known.kinds)})" for point in points]
        points = [f"{listen.point}({', '.join(listen.kinds)})" for listen in reach.listens]
    scope.report(messages.field_not_here(place, name, points, reach.fields(), having))
    return MISTAKE


def _why(name: str, scope: Scope) -> str:
    known = scope.words.fields[name]
    lacking = scope.reach.lacking(known)
    if lacking:
        return f": `{lacking[0]}` does not have it"
    if known.kinds is not None and scope.reach.has(known) != ALWAYS:
        return f": only {' and '.join(f'`{kind}`' for kind in known.kinds)} calls have it"
    return ""


def unknown(node: ast.Name, scope: Scope) -> tree.Expr:
    """Report a bare word that is no variable, define or field."""
    place = Place(scope.source, node.span)
    if node.name in scope.words.roots:
        known = [name for name in scope.words.fields if name.startswith(f"{node.name}.")]
        scope.report(messages.unknown_field(place, node.name, known))
    else:
        known = [*scope.variables, *scope.visible, *scope.words.fields, *scope.words.roots]
        if not nearest(node.name, known):
            known = [f"{one}(…)" for one in scope.words.callable_words()]
        scope.report(messages.unknown_name(place, node.name, known, scope.names.homes.get(node.name)))
    return MISTAKE


def dotted(node: ast.Member, scope: Scope, exempt: bool) -> tree.Expr | None:
    """`tool.name`, `mode.careful`, `limit.budget.count`; None if the member stands on something else."""
    base = node.base
    if isinstance(base, ast.Name):
        if not _is_root(base, scope):
            return None
        name = f"{base.name}.{node.name}"
        if name in scope.words.fields:
            return field(name, node, scope, exempt)
        if base.name == "mode":
            return _counter(node, "mode", node.name, scope)
        if base.name in scope.words.fields:
            return None
        place = Place(scope.source, node.span)
        if base.name == "limit":
            scope.report(messages.unknown_field(place, name, [f"{name}.count"]))
        else:
            scope.report(messages.unknown_field(place, name, scope.words.fields))
        return MISTAKE
    outer = base.base if isinstance(base, ast.Member) else None
    if isinstance(base, ast.Member) and isinstance(outer, ast.Name) and _is_root(outer, scope):
        name = f"{outer.name}.{base.name}.{node.name}"
        if name in scope.words.fields:
            return field(name, node, scope, exempt)
    limit = isinstance(base, ast.Member) and isinstance(base.base, ast.Name) and base.base.name == "limit"
    if limit and node.name == "count" and isinstance(base, ast.Member) and isinstance(base.base, ast.Name):
        return _counter(node, "limit", base.name, scope) if _is_root(base.base, scope) else None
    return None


def count_of_key(node: ast.Call, callee: ast.Member, scope: Scope, check: Check) -> tree.Expr | None:
    """`limit.NAME.count(key, …)`; None if the call is of something else."""
    field = dotted(callee, scope, False) if callee.name == "count" else None
    if not (isinstance(field, tree.FieldRef) and field.name.startswith("limit.")):
        return None
    place = Place(scope.source, node.span)
    before, scope.printing = scope.printing, True  # as in the limit itself an absent part is a key like another
    parts = tuple(check(argument.value, scope) for argument in node.arguments)
    scope.printing = before
    for argument in node.arguments:
        if argument.label:
            at = Place(scope.source, argument.span)
            scope.report(messages.unknown_label(at, callee.name, argument.label, ()))
    if any(part.type is ERROR for part in parts):
        return MISTAKE
    return _keyed(tree.FieldRef(place, INT, field.name, False, parts), scope)


def _keyed(reference: tree.FieldRef, scope: Scope) -> tree.Expr:
    """Compare the values that a count is asked for with the key of its limit."""
    name = reference.name[6:-6]
    wanted = scope.names.limits.get(name, ())
    if len(reference.key) != len(wanted):
        parts = ", ".join(wanted)
        problem = f"`{name}` has a count for each ({parts})" if wanted else f"`{name}` has one count"
        advice = f"write `limit.{name}.count{f'({parts})' if wanted else ''}`"
        scope.report(messages.key_of_count(reference.place, problem, advice))
    elif scope.counting:
        problem = "a limit sees the counts of other limits from before the event, and not those of their keys"
        scope.report(messages.key_of_count(reference.place, problem, "ask for it in a rule"))
    elif not scope.free:
        scope.names.keyed.append(reference)
    return reference


def _is_root(node: ast.Name, scope: Scope) -> bool:
    return node.name in scope.words.roots and node.name not in scope.variables


def _counter(node: ast.Member, sort: str, name: str, scope: Scope) -> tree.Expr:
    """`mode.NAME` or `limit.NAME.count`."""
    place = Place(scope.source, node.span)
    names = scope.names
    if not (name in names.modes if sort == "mode" else name in names.limits or name in BUILT_IN_LIMITS):
        known = names.modes if sort == "mode" else (*names.limits, *BUILT_IN_LIMITS)
        scope.report(messages.unknown_counter(place, sort, name, known))
    if sort == "mode":
        return tree.FieldRef(place, BOOL, f"mode.{name}", False)
    return tree.FieldRef(place, INT, f"limit.{name}.count", False)


def index(node: ast.Index, scope: Scope, check: Check, exempt: bool) -> tree.Expr:
    """`tool.args["k"]`, `tool.args["k", "inner"]`, `e["k"]`: a value of the host, or one within it."""
    place = Place(scope.source, node.span)
    base = check(node.base, scope, isinstance(node.base, ast.Index | ast.Call))
    args = isinstance(base, tree.FieldRef) and base.name == "tool.args"
    if not args and base.type is not ARGUMENT:
        if base.type is not ERROR:
            advice = 'only `tool.args["name"]`, and the members of such a list, have an index'
            scope.report(messages.wrong_type(base.place, "`tool.args`", described(base.type), advice))
        return MISTAKE
    scope.frame.contextual = True
    if not (exempt or scope.printing or scope.free or key(node, scope) in scope.guards):
        scope.report(messages.unguarded(place, place.text, ""))
    if not args:
        return tree.ItemRef(place, ARGUMENT, base, node.keys)
    outer = tree.ArgumentRef(place, ARGUMENT, node.key.value)
    return tree.ItemRef(place, ARGUMENT, outer, node.keys[1:]) if node.inner else outer


def attribute(node: ast.Member, scope: Scope, check: Check, exempt: bool) -> tree.Expr:
    """`c.program`, `last(A).path`, `content.length`."""
    place = Place(scope.source, node.span)
    if node.name in MEASURES:
        measured = check(node.base, scope)
        if measured.type is ERROR:
            return MISTAKE
        if _measurable(measured.type, node.name):
            return tree.Measure(place, INT, measured, node.name)
    base = check(node.base, scope, True)
    known = known_attribute(base, node, scope)
    if known is None:
        return MISTAKE
    if known.method:
        advice = f'`{node.name}("…")`'
        name_place = Place(scope.source, node.name_span)
        scope.report(messages.wrong_type(name_place, "an attribute", f"the method `{node.name}`", f"call it: {advice}"))
        return MISTAKE
    optional = base.optional if isinstance(base, tree.FieldRef) and base.name == "tool.args" else known.optional
    result = tree.AttributeRef(place, known.type, base, node.name, optional)
    if not (exempt or scope.printing or scope.free):
        _require_guard(result, node, scope)
    return result


def _measurable(type_: Type, name: str) -> bool:
    """Return whether the length of a value, or the number of its lines, can be asked for."""
    return textual(type_) or (name == "length" and isinstance(type_, ListType))


def _require_guard(reference: tree.AttributeRef, node: ast.Member, scope: Scope) -> None:
    """Complain about the outermost part of `a.b.c` that may be absent and is not guarded."""
    if key(node, scope) in scope.guards:
        return
    if reference.optional:
        scope.report(messages.unguarded(reference.place, reference.place.text, ""))
    elif isinstance(reference.base, tree.LastOf) and key(node.base, scope) not in scope.guards:
        place = Place(scope.source, node.base.span)  # of a define, where it is used
        scope.report(messages.unguarded(place, place.text, ": it may never have happened"))
    elif isinstance(reference.base, tree.AttributeRef) and isinstance(node.base, ast.Member):
        _require_guard(reference.base, node.base, scope)


def known_attribute(base: tree.Expr, node: ast.Member, scope: Scope) -> Attribute | None:
    """Return the attribute of the base's record; complains and gives None if there is none."""
    if base.type is ERROR:
        return None
    place = Place(scope.source, node.name_span)
    args = isinstance(base, tree.FieldRef) and base.name == "tool.args"
    if (args or base.type is ARGUMENT) and node.name in PARTS:
        return PARTS[node.name]
    if isinstance(base.type, RecordType):
        declared = base.type.attribute(node.name)
        if declared is None:
            known = [attribute.name for attribute in base.type.attributes]
            scope.report(messages.unknown_attribute(place, described(base.type), node.name, known))
        return declared
    if isinstance(base.type, ListType):
        advice = f"ask for one of them: `any x in {base.place.text} {{ x.{node.name} … }}`"
        scope.report(messages.wrong_type(base.place, "a record", described(base.type), advice))
        return None
    advice = (
        f'an argument of the call is `tool.args["{node.name}"]`; for a message, name it with `define`' if args else ""
    )
    scope.report(messages.unknown_attribute(place, described(base.type), node.name, (), advice))
    return None
