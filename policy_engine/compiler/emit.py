"""Emit the Python source of a checked expression, plain or traced.

Plain source is an ordinary Python expression over the moment `e`; whatever cannot be known raises Undecided out of it.
Traced source is the same leaves joined by the connectives of evaluators/trace.py. Both come from this one module, so
that what is explained is what was decided.

A path that a command perhaps touches counts as touched where that lets the rule speak; elsewhere it may stand for none.
`sign` says which it is where a node stands: 1, more that is touched, or true, lets the rule speak; -1, it silences it;
0, either may be; None, nothing depends on it, and what is perhaps touched is touched.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from typing import assert_never

from policy_engine.checker import tree
from policy_engine.compiler.history_forms import Monitors, Scope
from policy_engine.model.field_names import slot
from policy_engine.model.records import COMMAND, is_path
from policy_engine.model.types import ARGUMENT, ListType, RecordType, list_of

Emit = Callable[[tree.Expr], str]


class Emitter:
    """Emits the expressions of one rule; history forms are numbered in the Program's `monitors`."""

    def __init__(self, monitors: Monitors) -> None:
        self.monitors = monitors
        self.of_shell = True
        self.sign: int | None = None
        self._inner: set[int] | None = None

    def at(self, sign: int | None, emit: Emit, node: tree.Expr) -> str:
        """Emit what stands where its truth, or its length, works that way."""
        before, self.sign = self.sign, sign
        try:
            return emit(node)
        finally:
            self.sign = before

    def _turned(self, emit: Emit, node: tree.Expr) -> str:
        """Emit what stands under a `not`."""
        return self.at(None if self.sign is None else -self.sign, emit, node)

    def field(self, name: str) -> str:
        """Return the Python source of a field as the declaration at hand sees it.

        One that does not listen to shells sees the paths of a call's own arguments only (`of_shell` false).
        """
        if name == "paths" and not self.of_shell:
            return "e.own_paths"
        return field(name, self.monitors.scope)

    def named(self, name: str) -> str:
        """Return the id of a declaration of the layer at hand, as the Program knows it."""
        return self.monitors.scope.declares + name

    # ---- plain -----------------------------------------------------------------------------------------------------

    def plain(self, node: tree.Expr) -> str:
        """Return a Python expression for the value of a node."""
        match node:
            case tree.And():
                return "(" + " and ".join(map(self.plain, node.operands)) + ")"
            case tree.Or():
                return "(" + " or ".join(map(self.plain, node.operands)) + ")"
            case tree.Not():
                return f"(not {self._turned(self.plain, node.operand)})"
            case tree.Quantified():
                return self._plain_quantified(node)
            case _:
                return self.value(node, self.plain)

    def _plain_quantified(self, node: tree.Quantified) -> str:
        name = variable(node.binding)
        members = self._list(node, self.plain)
        if _of_paths(node.source) or (node.kind == "count" and node.source.type == list_of(COMMAND)):
            members = f"sure_members({members}, {node.kind == 'count'})"
        source = f"for {name} in {members}"
        body = self.plain(node.body)
        where = f" if {self._where(node, self.plain)}" if node.where is not None else ""
        match node.kind:
            case "any":
                return f"any(({body}) {source}{where})"
            case "every":
                return f"all(({body}) {source}{where})"
            case _:
                return f"sum(1 {source}{where} if {body})" if not where else f"sum(1 {source}{where} and {body})"

    def _list(self, node: tree.Quantified, emit: Emit) -> str:
        """Return the list that a quantifier goes through; whether a value of the host is one is known only then."""
        source = self._turned(emit, node.source) if node.kind == "every" else emit(node.source)
        return f"elements({source})" if node.source.type is ARGUMENT else source

    def _where(self, node: tree.Quantified, emit: Emit) -> str:
        """Return what a member must be to be asked: for `every` it counts as `not where or body`."""
        assert node.where is not None
        return self._turned(emit, node.where) if node.kind == "every" else emit(node.where)

    # ---- traced ----------------------------------------------------------------------------------------------------

    def traced(self, node: tree.Expr) -> str:
        """Return a Python expression for the `Seen` of a condition."""
        return self._leaf(node, repr(node.place.text)) if tree.is_made(node) else self._parts(node)

    def _parts(self, node: tree.Expr) -> str:
        """Return the `Seen` of a condition with what is joined in it."""
        text = repr(node.place.text)
        match node:
            case tree.And():
                return f"every_of({text}{''.join(f', lambda: {self.traced(part)}' for part in node.operands)})"
            case tree.Or():
                return f"any_of({text}{''.join(f', lambda: {self.traced(part)}' for part in node.operands)})"
            case tree.Not():
                return f"negated({text}, lambda: {self._turned(self.traced, node.operand)})"
            case tree.Quantified(kind="any" | "every"):
                return f"quantified({text}, {node.kind!r}, {node.binding}, {self._members(node)})"
            case _:
                return self._leaf(node, text)

    def _members(self, node: tree.Quantified) -> str:
        name = variable(node.binding)
        where = f"lambda {name}: {self._where(node, self.traced)}" if node.where is not None else "None"
        return f"lambda: {self._list(node, self.strict)}, {where}, lambda {name}: {self.traced(node.body)}"

    def _leaf(self, node: tree.Expr, text: str) -> str:
        sign, self.sign = self.sign, None
        looks = "".join([f"({name!r}, lambda: {self.strict(part)}), " for name, part in operands(node)])
        self.sign = sign
        events = "".join(f"lambda: {source}, " for source in self.monitors.evidence(node))
        whole = f"leaf({text}, lambda: {self.strict(node)}, ({looks}), ({events}))"
        if not isinstance(node, tree.Since):
            return whole
        return f"with_sides({whole}{''.join(f', {side}' for side in self.monitors.sides(node))})"

    def strict(self, node: tree.Expr) -> str:
        """As plain, but three-valued inside: conditions that stand where a value is needed."""
        match node:
            case tree.And() | tree.Or() | tree.Not() | tree.Quantified(kind="any" | "every"):
                return f"decided(lambda: {self.plain(node)}, lambda: {self._parts(node)})"
            case tree.Quantified(kind="count"):
                return f"counted({self._members(node)})"
            case _:
                return self.value(node, self.strict)

    # ---- elsewhere -------------------------------------------------------------------------------------------------

    def raw(self, node: tree.Expr) -> str:
        """Return the value of a part of a key: absent parts are ABSENT, and equal each other."""
        return self._raw(node, self.strict)

    def bound(self, node: tree.Expr) -> str:
        """As strict, for a message: variables that are not bound inside the node are the rule's witnesses in `b`."""
        self._inner = {part.binding for part in walk(node) if isinstance(part, tree.Quantified)}
        try:
            return self.raw(node)
        finally:
            self._inner = None

    def _variable(self, node: tree.Variable) -> str:
        if self._inner is None or node.binding in self._inner:
            return variable(node.binding)
        return f"b.get({node.binding}, ABSENT)"

    # ---- shared: nodes without connectives -------------------------------------------------------------------------

    def value(self, node: tree.Expr, emit: Emit) -> str:
        """Return the value of a node that joins no conditions; `emit` emits its operands (plain or strict)."""
        match node:
            case tree.Constant():
                return constant(node.value)
            case tree.ListOf():
                return "(" + "".join(emit(item) + ", " for item in node.items) + ")"
            case tree.Measure():
                return f"{node.name}_of({emit(node.base)})"
            case tree.FieldRef() | tree.ArgumentRef() | tree.ItemRef() | tree.AttributeRef():
                raw = self._raw(node, emit)
                return f"present({raw}, {node.place.text!r})" if _optional(node) else raw
            case tree.Variable():
                return self._variable(node)
            case tree.MethodCall():
                arguments = ", ".join(map(constant, node.arguments))
                return f"{emit(node.base)}.{node.name}({arguments})"
            case tree.Else():
                if isinstance(node.value, tree.ArgumentRef) and isinstance(node.default, tree.Constant):
                    return f"e.tool_args.get({node.value.key!r}, {constant(node.default.value)})"
                return f"otherwise({self._raw(node.value, emit)}, lambda: {emit(node.default)})"
            case tree.Has():
                return f"({self._raw(node.value, emit)} is not ABSENT)"
            case tree.Comparison():
                return self._compared(node, emit)
            case tree.Matches():
                return match_of(node, emit(node.subject))
            case tree.PredicateCall():
                raw = self._raw(node, emit)
                return f"present({raw}, {node.place.text!r})" if node.optional else raw
            case tree.Happened() | tree.Since() | tree.CountOf() | tree.LastOf() | tree.Changed():
                raw = self.monitors.emit(node)
                return f"present({raw}, {node.place.text!r})" if isinstance(node, tree.LastOf) else raw
            case _:
                raise AssertionError(node)

    def _compared(self, node: tree.Comparison, emit: Emit) -> str:
        """Return a comparison; one that depends on what is perhaps touched is settled by it if the rule speaks then."""
        if self.sign is None or not any(map(_is_touched, _lists_asked(node))):
            return comparison(node, emit(node.left), emit(node.right))

        def compared(_: tree.Expr) -> str:
            return comparison(node, emit(node.left), emit(node.right))

        doubted = self.at(0, compared, node)
        if self.sign and emit == self.strict:
            return f"leaning({self.sign > 0}, lambda: {self.at(None, compared, node)}, lambda: {doubted})"
        return doubted

    def _raw(self, node: tree.Expr, emit: Emit) -> str:
        """Return the value, or ABSENT where a guarded use would raise."""
        if self.sign in (0, -1) and _is_touched(node):
            return f"doubted({self.at(None, lambda part: self._raw(part, emit), node)})"
        match node:
            case tree.FieldRef():
                if node.key:
                    limit = self.monitors.scope.name("limit", node.name[6:-6])
                    parts = "".join(f"{self.raw(part)}, " for part in node.key)
                    return f"e.session.limit_count_of({limit!r}, ({parts}), e.event.time)"
                if node.name in _KEPT_IF_READ:
                    self.monitors.note(_KEPT_IF_READ[node.name])
                return self.field(node.name)
            case tree.ArgumentRef():
                return f"e.tool_args.get({node.key!r}, ABSENT)"
            case tree.ItemRef():
                return f"item({self._raw(node.base, emit)}, {node.keys!r})"
            case tree.AttributeRef():
                if isinstance(node.base, tree.LastOf):
                    return f"attribute({self.monitors.last(node.base, node.name)}, {node.name!r})"
                if not isinstance(node.base.type, RecordType):
                    return f"parts_of({self._raw(node.base, emit)}, {node.name!r})"
                if self._inner is not None:
                    return f"{_reader(node)}({self._raw(node.base, emit)}, {_read_as(node)!r})"
                if _reader(node) == "effect":
                    return f"effect({emit(node.base)}, {node.name!r})"
                return f"{emit(node.base)}.{_read_as(node)}"
            case tree.LastOf():
                return self.monitors.emit(node)
            case tree.PredicateCall():
                arguments = "".join(", " + emit(argument) for argument in node.arguments)
                return f"predicate({node.module!r}, {node.function!r})(e.{_needs(node.module)}{arguments})"
            case _:
                return emit(node)


_KEPT_IF_READ = {
    "goal.text": "goal.text", "round.digest": "round", "session.age": "age", "diff.files": "diff", "diff.lines": "diff",
}  # fmt: skip
"""Field -> the kind of fact that says that a session keeps what it is worked out from."""


def _of_paths(node: tree.Expr) -> bool:
    """Return whether a list is one of paths, of which some members may stand for several, or for none."""
    return isinstance(node.type, ListType) and is_path(node.type.element)


def _is_touched(node: tree.Expr) -> bool:
    """Return whether a list is one of paths of commands, some of which are perhaps touched only."""
    return _of_paths(node) and (isinstance(node, tree.AttributeRef) or getattr(node, "name", "") == "paths")


def _lists_asked(node: tree.Comparison) -> Iterator[tree.Expr]:
    """Yield the expressions below a comparison that may be lists; most operands are a plain value of the event."""
    for side in (node.left, node.right):
        if isinstance(side, tree.Else) and isinstance(side.default, _PLAIN):
            side = side.value
        if not isinstance(side, _PLAIN):
            yield from walk(side)
        elif isinstance(side.type, ListType):
            yield side


_PLAIN = (tree.Constant, tree.FieldRef, tree.ArgumentRef, tree.Variable)
_SILENT = (tree.Constant, tree.ListOf)


def _reader(node: tree.AttributeRef) -> str:
    """Return the operator that reads the attribute: of a record, or of what a command would do."""
    known = node.base.type.attribute(node.name) if isinstance(node.base.type, RecordType) else None
    return "effect" if known is not None and known.derived else "attribute"


def _read_as(node: tree.AttributeRef) -> str:
    """Return what the run-time value calls the attribute."""
    known = node.base.type.attribute(node.name) if isinstance(node.base.type, RecordType) else None
    return known.read_as if known is not None and known.read_as else node.name


def variable(binding: int) -> str:
    """Return the Python name of a quantifier's variable."""
    return f"v{binding}"


def field(name: str, scope: Scope = Scope()) -> str:  # noqa: B008 -- a value that never changes
    """Return the Python source of a field's value; `scope` says which modes and limits are meant."""
    if name.startswith("mode."):
        return f"e.session.mode({scope.name('mode', name[5:])!r})"
    if name.startswith("limit."):
        return f"e.session.limit_count({scope.name('limit', name[6:].removesuffix('.count'))!r}, e.event.time)"
    return f"e.{slot(name)}"


def _variables(atoms: tuple[tree.Atom, ...]) -> tuple[tree.Expr, ...]:
    """Return the variables that atoms speak of."""
    return tuple(atom.variable for atom in atoms if atom.variable is not None)


def _needs(module: str) -> str:
    """Return the field that a predicate's module is given first: `filesystem` or `todos`."""
    needs: str = importlib.import_module(module).NEEDS
    return needs


def walk(node: tree.Expr) -> Iterator[tree.Expr]:
    """Yield the node and every expression below it."""
    yield node
    for name in node.__dataclass_fields__:
        value = getattr(node, name)
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, tree.Expr):
                yield from walk(part)


def operands(node: tree.Expr) -> list[tuple[str, tree.Expr]]:
    """Return what a leaf looked at, by its text: everything below it that is not a constant and not a connective."""
    match node:
        case tree.Comparison():
            parts: tuple[tree.Expr, ...] = (node.left, node.right)
        case tree.Matches():
            parts = (node.subject,)
        case tree.PredicateCall():
            parts = node.arguments
        case tree.Has():
            parts = (node.value,)
        case tree.MethodCall() | tree.Measure():
            parts = (node.base,)
        case tree.Happened():
            parts = _variables(node.atoms)
        case tree.Since():
            parts = _variables(node.left + node.right)
        case tree.And() | tree.Or():
            parts = tuple(part for part in walk(node) if isinstance(part, tree.Variable))[:1]
        case _:
            parts = ()
    kept = [part for part in parts if not isinstance(part, _SILENT)]
    made = [isinstance(part, tree.Variable) and part.place == node.place for part in kept]  # by `on command`
    named = [("c" if own else part.place.text, part) for own, part in zip(made, kept, strict=True)]
    return list(dict(named).items())


def _optional(node: tree.FieldRef | tree.ArgumentRef | tree.ItemRef | tree.AttributeRef) -> bool:
    return True if isinstance(node, tree.ArgumentRef | tree.ItemRef) else node.optional


# ---- comparisons and matches -----------------------------------------------------------------------------------------


def comparison(node: tree.Comparison, left: str, right: str) -> str:
    """`left op right`."""
    match node.op:
        case "==":
            return _equal(node, left, right)
        case "!=":
            return f"(not {_equal(node, left, right)})"
        case "<" | "<=" | ">" | ">=":
            return f"(number({left}) {node.op} number({right}))"
        case "in" | "not_in":
            test = _placed_in(left, right) if _compares_paths(node) else f"among({left}, {right})"
            return test if node.op == "in" else f"(not {test})"
        case "contains":
            return _placed_in(right, left) if _compares_paths(node) else f"holds({left}, {right})"
        case "starts_with":
            return f"text({left}).startswith(text({right}))"
        case "ends_with":
            return f"text({left}).endswith(text({right}))"
        case "under":
            return f"at_or_below({left}, {right}, e.filesystem)"
        case "inside":
            return f"below({left}, {right}, e.filesystem)"
        case "outside":
            return f"(not at_or_below({left}, {right}, e.filesystem))"
        case _:
            raise AssertionError(node.op)


def _equal(node: tree.Comparison, left: str, right: str) -> str:
    """Python's own `==` where both sides are known to be text, else the operator that compares types too."""
    kinds = {node.left.type.name, node.right.type.name}
    if "Path" in kinds:
        return f"(place({left}, e.filesystem) == place({right}, e.filesystem))"
    if _compares_paths(node):
        return f"same_places({left}, {right}, e.filesystem)"
    return f"({left} == {right})" if kinds == {"String"} else f"same({left}, {right})"


def _compares_paths(node: tree.Comparison) -> bool:
    """Return whether paths are compared, alone or in lists: a text beside them is read as one."""
    types = [side.type for side in (node.left, node.right)]
    return any("Path" in (one.name, one.element.name if isinstance(one, ListType) else "") for one in types)


def _placed_in(value: str, choices: str) -> str:
    return f"placed_among({value}, {choices}, e.filesystem)"


def match_of(node: tree.Matches, subject: str) -> str:
    """`subject matches pattern`."""
    match node.pattern:
        case tree.GlobPattern():
            return f"matches_glob({subject}, {tuple(node.pattern)!r}, e.filesystem)"
        case tree.RegexPattern():
            return f"matches_regex({subject}, {tuple(node.pattern)!r})"
        case tree.CommandPattern():
            return f"command_matches({_command_constant(node.pattern)!r}, {subject}, e.filesystem)"
        case _:
            assert_never(node.pattern)


def constant(value: object) -> str:
    """Return a literal; a pattern becomes a plain tuple, so that a Program can be marshalled."""
    return repr(tuple(value) if isinstance(value, tuple) else value)


def _command_constant(pattern: tree.CommandPattern) -> tuple[object, ...]:
    """Return a command pattern as nested plain tuples."""
    return (pattern.include, pattern.exclude, None if pattern.cwd is None else tuple(pattern.cwd))
