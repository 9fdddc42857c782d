"""Declarations of a policy: what they name, to make sessions of that tell two policies apart."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields, is_dataclass

from policy_engine.analysis import glob_language
from policy_engine.analysis.conditions import atoms, below
from policy_engine.analysis.regex_language import sample
from policy_engine.analysis.regular import TooHard
from policy_engine.checker import tree
from policy_engine.model.undecided import ABSENT

_PAIRS = 12  # globs that are compared with each other
_LENGTHS = ("rounds", "period", "lock", "dwell")


@dataclass(slots=True)
class Mentioned:
    """The names that declarations mention, each list in the order of their text, without repetition.

    `values` maps a field, an argument (`tool.args.key`) or an attribute (`.program`) to the constants that it is
    compared with; `read` holds every field that is read. `spans` are windows in ms; `lengths` are windows in rounds,
    periods, and the rounds that a mode lasts, and 1 if anything counts or lasts.
    """

    patterns: dict[tree.CommandPattern, None] = field(default_factory=dict)
    globs: dict[tree.GlobPattern, None] = field(default_factory=dict)
    flags: dict[str, None] = field(default_factory=dict)
    attributes: dict[str, None] = field(default_factory=dict)
    values: dict[str, dict[object, None]] = field(default_factory=dict)
    read: dict[str, tree.Expr] = field(default_factory=dict)
    atoms: dict[tuple[str, object, object], tree.Atom] = field(default_factory=dict)
    counts: dict[int, None] = field(default_factory=dict)
    spans: dict[int, None] = field(default_factory=dict)
    lengths: dict[int, None] = field(default_factory=dict)
    calls: dict[tuple[str, tuple[object, ...]], None] = field(default_factory=dict)
    kinds: dict[str, None] = field(default_factory=dict)
    names: dict[str, None] = field(default_factory=dict)

    def edges(self) -> list[str]:
        """Return paths that one glob has and another has not, or leaves out."""
        globs = list(self.globs)[:_PAIRS]
        edges = [_between(one, other) for one in globs for other in globs if one is not other]
        edges += [
            _witness((one, True), (tree.GlobPattern((glob,), ()), True))
            for one in globs
            for other in globs
            if one is not other
            for glob in other.exclude[:_PAIRS]
        ]
        return list(dict.fromkeys(path for path in edges if path))

    def paths(self) -> list[str]:
        """Return paths in the globs."""
        easy = (path for glob in self.globs for path in glob_language.samples(glob))
        filled = (glob_language.filled(one) for glob in self.globs for one in glob.include)
        return list(dict.fromkeys((*easy, *filled)))


def mentioned(items: Iterable[object]) -> Mentioned:
    """Collect what checked declarations or expressions name."""
    mentioned = Mentioned()
    for item in items:
        _visit(item, mentioned)
    return mentioned


def _between(one: tree.GlobPattern, other: tree.GlobPattern) -> str | None:
    """Return a path that matches the first only; the easy one where the first has the globs of both."""
    only = tuple(glob for glob in one.include if glob not in other.include)
    if 0 < len(only) < len(one.include):
        return glob_language.filled(only[0])
    return _witness((one, True), (other, False))


def _witness(*asked: tuple[tree.GlobPattern, bool]) -> str | None:
    try:
        return glob_language.witness(asked)
    except TooHard:
        return None


def _visit(node: object, mentioned: Mentioned) -> None:
    match node:
        case tree.Expr():
            for part in below(node):
                _note(part, mentioned)
        case tree.Atom():
            _note_atom(node, mentioned)
        case tree.Listen():
            mentioned.kinds.update(dict.fromkeys(node.kinds))
            mentioned.names.update(dict.fromkeys(node.names))
        case tree.LimitStep():
            mentioned.counts[node.count] = None
        case tree.CheckedTest() | tree.Message() | tree.Place() | str() | int() | None:
            return
        case tuple():
            for part in node:
                _visit(part, mentioned)
        case _ if is_dataclass(node) and not isinstance(node, type):
            if isinstance(node, tree.CheckedLimit | tree.CheckedMode):
                _note_window(node, mentioned)
            for one in fields(node):
                _visit(getattr(node, one.name), mentioned)


def _note_window(node: tree.CheckedLimit | tree.CheckedMode | tree.CountOf, mentioned: Mentioned) -> None:
    """Note how far back something looks, and how long it lasts."""
    mentioned.spans.update((span, None) for span in (getattr(node, "within", 0),) if span)
    mentioned.lengths.update((rounds, None) for rounds in (1, *(getattr(node, name, 0) for name in _LENGTHS)) if rounds)


def _note(node: tree.Expr, mentioned: Mentioned) -> None:
    for atom in atoms(node):
        _note_atom(atom, mentioned)
    match node:
        case tree.FieldRef():
            mentioned.read.setdefault(node.name, node)
        case tree.ArgumentRef():
            mentioned.read.setdefault(f"tool.args.{node.key}", node)
        case tree.Matches(subject=subject, pattern=pattern):
            _note_pattern(subject, pattern, mentioned)
        case tree.AttributeRef():
            mentioned.attributes[node.name] = None
        case tree.MethodCall():
            mentioned.flags.update(dict.fromkeys(str(one) for one in node.arguments))
        case tree.CountOf():
            _note_window(node, mentioned)
        case tree.Changed():
            mentioned.globs[node.glob] = None
        case tree.PredicateCall():
            constants = tuple(one.value if isinstance(one, tree.Constant) else None for one in node.arguments)
            mentioned.calls[node.function, constants] = None
        case tree.Comparison():
            _note_comparison(node, mentioned)


def _note_atom(atom: tree.Atom, mentioned: Mentioned) -> None:
    mentioned.atoms.setdefault((atom.kind, atom.pattern, repr(atom.value)), atom)
    if isinstance(atom.pattern, tree.CommandPattern):
        mentioned.patterns[atom.pattern] = None
    elif isinstance(atom.pattern, tree.GlobPattern):
        mentioned.globs[atom.pattern] = None


def _note_pattern(
    subject: tree.Expr, pattern: tree.GlobPattern | tree.RegexPattern | tree.CommandPattern, mentioned: Mentioned
) -> None:
    match pattern:
        case tree.CommandPattern():
            mentioned.patterns[pattern] = None
        case tree.GlobPattern():
            mentioned.globs[pattern] = None
        case tree.RegexPattern():
            try:
                _value(subject, sample(pattern), mentioned)
            except TooHard:
                return


def _note_comparison(node: tree.Comparison, mentioned: Mentioned) -> None:
    for one, other in ((node.left, node.right), (node.right, node.left)):
        number = other.value if isinstance(other, tree.Constant) else None
        if isinstance(one, tree.CountOf | tree.Quantified) and type(number) is int:
            mentioned.counts[number] = None
        if node.op in ("under", "inside", "outside") and isinstance(other, tree.Constant) and type(other.value) is str:
            mentioned.globs[tree.GlobPattern((f"{other.value.rstrip('/')}/**",), ())] = None
        items = other.items if isinstance(other, tree.ListOf) else (other,)
        for item in items:
            if isinstance(item, tree.Constant) and item.value is not ABSENT:
                for value in item.value if isinstance(item.value, tuple) else (item.value,):
                    _value(one, value, mentioned)


def _value(subject: tree.Expr, value: object, mentioned: Mentioned) -> None:
    """File a constant under what it is compared with."""
    match subject:
        case tree.Else():
            _value(subject.value, value, mentioned)
            _value(subject.value, getattr(subject.default, "value", value), mentioned)
        case tree.FieldRef():
            mentioned.values.setdefault(subject.name, {})[value] = None
        case tree.ArgumentRef():
            mentioned.values.setdefault(f"tool.args.{subject.key}", {})[value] = None
        case tree.AttributeRef():
            mentioned.values.setdefault(f".{subject.name}", {})[value] = None
        case tree.PredicateCall():
            mentioned.values.setdefault(subject.function, {})[value] = None
        case tree.Variable():
            mentioned.values.setdefault("", {})[value] = None
