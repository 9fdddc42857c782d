"""Check history forms: `wrote(…)`, `A since B`, `count(A)`, `last(A)`, `changed(G)`."""

from __future__ import annotations

from policy_engine.checker import messages, patterns, tree
from policy_engine.checker.scope import ARGUMENT_OF_DEFINE, MISTAKE, Scope
from policy_engine.checker.tree import Atom, GlobPattern, Place, Variable
from policy_engine.checker.vocabulary import ATOMS
from policy_engine.model.records import FOLDER, fact_record
from policy_engine.model.types import BOOL, INT, list_of
from policy_engine.model.undecided import ABSENT
from policy_engine.syntax import ast
from policy_engine.test_runs.runners import ECOSYSTEMS

_TRACKED = {"glob": ("changed", "`changed(…)`"), "command": ("goal", "`goal.commands`")}
CHANGED = list_of(FOLDER)


def is_atoms(node: ast.Expr, scope: Scope) -> bool:
    """Return whether an expression is an atom, several joined by `or`, or a define of such."""
    match node:
        case ast.Call(callee=ast.Name(name=name)):
            return name in ATOMS
        case ast.Or():
            return all(is_atoms(part, scope) for part in node.operands)
        case ast.Name() if node.name in scope.visible and node.name not in scope.variables:
            info = scope.visible[node.name]
            return not info.broken and is_atoms(info.node.value, scope.inside(info))
        case _:
            return False


def atoms(node: ast.Expr, scope: Scope, where: str) -> tuple[Atom, ...] | None:
    """Return the atoms of an expression; complains and gives None if one is none or has a bad argument."""
    if not is_atoms(node, scope):
        place = Place(scope.source, node.span)
        broken = isinstance(node, ast.Name) and node.name in scope.visible and scope.visible[node.name].broken
        if not broken:
            scope.report(messages.not_an_atom(place, where, f"`{place.text}`"))
        return None
    return _atoms(node, scope)


def _atoms(node: ast.Expr, scope: Scope) -> tuple[Atom, ...] | None:
    if isinstance(node, ast.Call):
        event_atom = atom(node, scope)
        return None if event_atom is None else (event_atom,)
    if isinstance(node, ast.Or):
        parts = [_atoms(part, scope) for part in node.operands]
        return None if None in parts else tuple(one for part in parts if part is not None for one in part)
    assert isinstance(node, ast.Name)
    info = scope.visible[node.name]
    scope.use_of(info, node.span)
    return _atoms(info.node.value, scope.inside(info, Place(scope.source, node.span)))


def atom(node: ast.Call, scope: Scope) -> Atom | None:
    """One atom, or None if its arguments were reported."""
    kind = node.callee.name
    sort = ATOMS[kind]
    place = Place(scope.source, node.span)
    if sort == "tests":
        return _tests(node, place, scope)
    if not _arguments_fit(node, kind, sort, scope):
        return None
    if sort == "nothing":
        return Atom(place, kind, None, ABSENT, None)
    argument = node.arguments[0].value
    if sort in _TRACKED:
        return _tracked(argument, kind, sort, place, scope)
    name = _word(argument, scope)
    if name is None:
        at = Place(scope.source, argument.span)
        expected = {
            "tool": "a tool kind or name",
            "fact": "a fact's name",
            "rule": "a rule's id",
            "stage": "a stage's name",
        }
        scope.report(messages.bad_atom_argument(at, kind, expected[sort], f"`{at.text}`"))
        return None
    return _named(node, kind, sort, name, place, scope)


def _tests(node: ast.Call, place: Place, scope: Scope) -> Atom | None:
    """Check `tests_passed(python, in: "backend", strict: true)`, of which everything is optional."""
    ecosystem, folder, strict = "", "", False
    for argument in node.arguments:
        at, value = Place(scope.source, argument.span), argument.value
        if not argument.label and not ecosystem:
            word = _word(value, scope)
            if word not in ECOSYSTEMS:
                scope.report(messages.unknown_ecosystem(at, word or at.text, ECOSYSTEMS))
                return None
            ecosystem = word
        elif argument.label == "in" and isinstance(value, ast.StringLiteral):
            folder = value.value.strip("/").removeprefix("./")
            if folder == "." or folder.startswith((".", "~")) or any(sign in folder for sign in "*?[{"):
                scope.report(messages.bad_atom_argument(at, "tests_passed", _FOLDER, f"`{at.text}`"))
                return None
        elif argument.label == "strict" and isinstance(value, ast.BoolLiteral):
            strict = value.value
        elif argument.label in ("in", "strict"):
            wanted = _FOLDER if argument.label == "in" else "`true` or `false`"
            scope.report(messages.bad_atom_argument(at, "tests_passed", wanted, f"`{at.text}`"))
            return None
        elif argument.label:
            scope.report(messages.unknown_label(at, "tests_passed", argument.label, ("in", "strict")))
            return None
        else:
            scope.report(messages.wrong_count(place, "tests_passed", "at most one ecosystem", len(node.arguments)))
            return None
    return Atom(place, "tests_passed", tree.TestsPattern(ecosystem, folder, strict), ABSENT, None)


_FOLDER = "a folder or file of the workspace"


def _arguments_fit(node: ast.Call, kind: str, sort: str, scope: Scope) -> bool:
    count = len(node.arguments)
    for argument in node.arguments:
        if argument.label:
            place = Place(scope.source, argument.span)
            scope.report(messages.unknown_label(place, kind, argument.label, ()))
            return False
    if count == (0 if sort == "nothing" else 1) or (sort == "fact" and count == 2):
        return True
    expected = {"nothing": "no arguments", "fact": "a name and perhaps a value"}.get(sort, "one argument")
    scope.report(messages.wrong_count(Place(scope.source, node.span), kind, expected, count))
    return False


def _tracked(argument: ast.Expr, kind: str, sort: str, place: Place, scope: Scope) -> Atom | None:
    """Check an atom over a glob or command, or over a variable for which history is kept."""
    if isinstance(argument, ast.Name) and argument.name in scope.variables:
        bound = scope.variables[argument.name]
        origin, source = _TRACKED[sort]
        at = Place(scope.source, argument.span)
        if bound.origin not in (origin, ARGUMENT_OF_DEFINE):
            scope.report(messages.not_trackable(at, kind, argument.name, source))
            return None
        scope.frame.contextual = True
        variable = Variable(at, bound.variable.type, bound.variable.name, bound.variable.binding)
        return Atom(place, kind, None, ABSENT, variable)
    if not patterns.sort_of(argument, scope):
        at = Place(scope.source, argument.span)
        if isinstance(argument, ast.Name) and argument.name not in scope.visible:
            known, home = [*scope.visible, *scope.variables], scope.names.homes.get(argument.name)
            scope.report(messages.unknown_name(at, argument.name, known, home))
        elif not (isinstance(argument, ast.Name) and scope.visible[argument.name].broken):
            scope.report(messages.bad_atom_argument(at, kind, f"a {sort}, a define or a variable", f"`{at.text}`"))
        return None
    pattern = patterns.glob(argument, scope) if sort == "glob" else patterns.command(argument, scope)
    return None if pattern is None else Atom(place, kind, pattern, ABSENT, None)


def _word(argument: ast.Expr, scope: Scope) -> str | None:
    """Return a text literal, a define of one, or a bare word."""
    if isinstance(argument, ast.StringLiteral):
        return argument.value
    if isinstance(argument, ast.Name) and argument.name not in scope.variables:
        info = scope.visible.get(argument.name)
        if info is None:
            return argument.name
        scope.use_of(info, argument.span)
        return info.node.value.value if isinstance(info.node.value, ast.StringLiteral) else None
    return None


def _named(node: ast.Call, kind: str, sort: str, name: str, place: Place, scope: Scope) -> Atom | None:
    """Return an atom over a tool, a fact, a rule or a stage."""
    argument = node.arguments[0].value
    at = Place(scope.source, argument.span)
    value: object = ABSENT
    names = scope.names
    if sort == "tool":
        value = "kind" if isinstance(argument, ast.Name) and name in scope.words.kinds else "name"
        if isinstance(argument, ast.Name) and value == "name" and name not in scope.visible:
            scope.report(messages.unknown_kind(at, name, scope.words.kinds))
            return None
    elif sort == "rule" and name not in names.ids:
        scope.report(messages.unknown_rule(at, name, names.ids))
        return None
    elif sort == "stage" and name not in names.stages:
        scope.report(messages.unknown_stage(at, name, names.stages))
        return None
    elif len(node.arguments) == 2:
        literal = node.arguments[1].value
        if not isinstance(literal, ast.StringLiteral | ast.IntLiteral | ast.BoolLiteral):
            at = Place(scope.source, literal.span)
            scope.report(messages.bad_atom_argument(at, kind, "a literal value", f"`{at.text}`"))
            return None
        value = literal.value
    return Atom(place, kind, name, value, None)


# ---- forms ---------------------------------------------------------------------------------------------------------


def happened(node: ast.Call, scope: Scope) -> tree.Expr:
    """Return an atom as a condition: at least once in this session."""
    event = atom(node, scope)
    place = Place(scope.source, node.span)
    return MISTAKE if event is None else tree.Happened(place, BOOL, (event,))


def since(node: ast.Compare, scope: Scope) -> tree.Expr:
    """`A since B`."""
    left = atoms(node.left, scope, "the left of `since`")
    right = atoms(node.right, scope, "the right of `since`")
    place = Place(scope.source, node.span)
    return MISTAKE if left is None or right is None else tree.Since(place, BOOL, left, right)


def count(node: ast.Call, scope: Scope) -> tree.Expr:
    """`count(A)`, `count(A, within: 10m)`, `count(A, since: B)`."""
    place = Place(scope.source, node.span)
    what = _only(node, ("within", "since"), scope)
    atoms_of_count = None if what is None else atoms(what, scope, "`count`")
    milliseconds = rounds = 0
    after: tuple[Atom, ...] | None = ()
    for argument in node.arguments:
        if argument.label == "within":
            milliseconds, rounds = window(argument.value, scope)
        elif argument.label == "since":
            after = atoms(argument.value, scope, "`since:`")
    if atoms_of_count is None or after is None or _of_variable((*atoms_of_count, *after), "count", scope):
        return MISTAKE
    return tree.CountOf(place, INT, atoms_of_count, milliseconds, rounds, after)


def window(node: ast.Expr, scope: Scope) -> tuple[int, int]:
    """Return the window `10m` or `3 rounds` as (milliseconds, rounds), one of them 0."""
    place = Place(scope.source, node.span)
    if not isinstance(node, ast.DurationLiteral):
        scope.report(messages.bad_window(place, f"expected a duration or a number of rounds, found `{place.text}`"))
        return 0, 0
    if node.value <= 0:
        scope.report(messages.bad_window(place, f"`{place.text}` is an empty window"))
    return (0, node.value) if node.unit == "rounds" else (node.value, 0)


def last(node: ast.Call, scope: Scope) -> tree.Expr:
    """`last(A)`; its record has the attributes of its atoms."""
    place = Place(scope.source, node.span)
    what = _only(node, (), scope)
    atoms_of_last = None if what is None else atoms(what, scope, "`last`")
    if atoms_of_last is None or _of_variable(atoms_of_last, "last", scope):
        return MISTAKE
    scope.frame.contextual = True
    kinds = tuple(dict.fromkeys(one.kind for one in atoms_of_last))
    return tree.LastOf(place, fact_record(kinds), atoms_of_last)


def _of_variable(patterns_of_event: tuple[Atom, ...], form: str, scope: Scope) -> bool:
    """Complains about atoms of which the form cannot be kept."""
    bound = [one.variable for one in patterns_of_event if one.variable is not None]
    for variable in bound:
        scope.report(messages.not_counted(variable.place, form, variable.name))
    return bool(bound)


def changed(node: ast.Call, scope: Scope) -> tree.Expr:
    """`changed(glob)`."""
    place = Place(scope.source, node.span)
    what = _only(node, (), scope)
    pattern = None if what is None else patterns.glob(what, scope)
    return MISTAKE if pattern is None else changed_in(place, pattern)


def changed_in(place: Place, pattern: GlobPattern) -> tree.Changed:
    """Return the list of changed paths under a glob."""
    return tree.Changed(place, CHANGED, pattern)


def _only(node: ast.Call, labels: tuple[str, ...], scope: Scope) -> ast.Expr | None:
    """Return the one argument without a label; complains about anything else."""
    name = node.callee.name
    plain = [argument.value for argument in node.arguments if not argument.label]
    seen: set[str] = set()
    for argument in node.arguments:
        if argument.label and (argument.label not in labels or argument.label in seen):
            scope.report(messages.unknown_label(Place(scope.source, argument.span), name, argument.label, labels))
        seen.add(argument.label)
    if len(plain) != 1:
        scope.report(messages.wrong_count(Place(scope.source, node.span), name, "one argument", len(plain)))
        return None
    return plain[0]
