"""Compile the history forms of the checked tree to numbered monitors and the Python source that asks them.

Equal atoms share a monitor, whatever rule names them; its key is a digest of what it watches, so that its state is
found again after a reload.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from typing import NamedTuple

from policy_engine.checker import tree
from policy_engine.history.monitors import TEXTS, monitor_index
from policy_engine.history.renamed import NAMED, in_order, monitor_key
from policy_engine.model.layers import RETAINED
from policy_engine.model.undecided import ABSENT

AtomSpec = tuple[str, object, tuple[object, ...]]
MonitorSpec = tuple[str, str, tuple[AtomSpec, ...], tuple[object, ...]]
Form = tree.Happened | tree.Since | tree.CountOf | tree.LastOf | tree.Changed
_PATH_KINDS = ("wrote", "read", "deleted")
_WRITTEN = frozenset(("wrote", "deleted"))


class Scope(NamedTuple):
    """The meaning of the names that a declaration uses: `prefix` says in which layer it stands.

    `renamed` are the (sort, name) of what is retained of that layer, whose ids differ from those of the layer as it is
    now; `declares` is what the id of the declaration itself begins with.
    """

    prefix: str = ""
    renamed: frozenset[tuple[str, str]] = frozenset()
    declares: str = ""

    def name(self, sort: str, name: str) -> str:
        """Return the id that a name of this sort (limit, mode, refused, verified) has in the Program."""
        return f"{self.prefix}{RETAINED if (sort, name) in self.renamed else ''}{name}"


class Monitors:
    """The monitors of one Program, in the order of first use. `scope` is that of the declaration at hand."""

    def __init__(self) -> None:
        self.scope = Scope()
        self._numbers: dict[str, int] = {}  # by repr: `1` and `true` are equal to Python
        self._parts: list[tuple[str, tuple[AtomSpec, ...], tuple[object, ...]]] = []
        self._kinds: dict[str, set[str]] = {}
        self._specs: tuple[MonitorSpec, ...] = ()
        self._index: dict[str, dict[str, list[tuple[int, int]]]] = {}

    def specs(self) -> tuple[MonitorSpec, ...]:
        """Return all specs, as history/monitors.py wants them; the same object as long as none was added."""
        if len(self._specs) < len(self._parts):
            self._specs = tuple((monitor_key(parts), *parts) for parts in self._parts)
            self._index = monitor_index(self._specs)
        return self._specs

    def index(self) -> dict[str, dict[str, list[tuple[int, int]]]]:
        """Return which monitors a fact could concern, for `specs()`."""
        self.specs()
        return self._index

    def digest(self) -> str:
        """Names the set of monitors, whatever their order."""
        return blake2b("".join(sorted(spec[0] for spec in self.specs())).encode(), digest_size=12).hexdigest()

    def facts(self) -> frozenset[str]:
        """Return the kinds of facts that any rule asks for."""
        return frozenset().union(*self._kinds.values())

    def writes_asked(self, prefix: str) -> bool:
        """Return whether a rule of the layer with this prefix asks what was written or deleted."""
        return not _WRITTEN.isdisjoint(self._kinds.get(prefix, ()))

    def fresh(self, verify: str) -> tuple[int, int]:
        """Return the monitors that say whether a pipeline passed later than anything in the workspace changed."""
        everything = (("**",), ())
        self._note("verified", "wrote", "deleted")
        changed: tuple[AtomSpec, ...] = (("deleted", everything, ()), ("wrote", everything, ()))
        return self._number("latest", (("verified", self.scope.name("verified", verify), ()),), ()), self._number(
            "latest", changed, ()
        )

    def now(self, atoms: tuple[tree.Atom, ...]) -> int:
        """Return the monitor that says whether one of the atoms happened in the event at hand."""
        return self._number("latest", self._atoms(atoms), ())

    def last(self, node: tree.LastOf, field: str) -> str:
        """Return the Python source of a record, of which a field is asked; "" if it is asked as a whole."""
        texts = TEXTS if not field else tuple(name for name in TEXTS if name == field)
        return f"e.history.last({self._number('last', self._atoms(node.atoms), texts)})"

    def note(self, name: str) -> None:
        """Note that a rule reads something that a session keeps only if one does."""
        self._note(name)

    def emit(self, node: Form) -> str:
        """Return the Python source of a form's value."""
        match node:
            case tree.Happened():
                if _plain(node.atoms):
                    return f"e.history.seen({self._latest(node.atoms)})"
                return f"e.history.happened({self._marks(node.atoms, True)})"
            case tree.Since():
                if _plain(node.left) and _plain(node.right):
                    return f"e.history.since({self._latest(node.left)}, {self._latest(node.right)})"
                return f"e.history.later({self._marks(node.left, True)}, {self._marks(node.right, False)})"
            case tree.CountOf():
                return f"e.history.count({self._count(node)})"
            case tree.LastOf():
                return self.last(node, "")
            case tree.Changed():
                self._note("wrote", "deleted")
                return f"e.history.changed({self._number('changed', (), (tuple(node.glob),))})"

    def evidence(self, node: tree.Expr) -> list[str]:
        """Sources of the event ids that prove or disprove a condition."""
        match node:
            case tree.Happened():
                groups = [node.atoms]
            case tree.Since():
                groups = [node.left, node.right]
            case tree.CountOf():
                return [f"e.history.evidence({self._count(node)})"]
            case tree.Comparison():
                return [*self.evidence(node.left), *self.evidence(node.right)]
            case _:
                return []
        return [source for group in groups for source in self._proofs(group)]

    def _proofs(self, atoms: tuple[tree.Atom, ...]) -> list[str]:
        return [f"e.history.evidence({self._latest(plain)})"] if (plain := _fixed(atoms)) else []

    def sides(self, node: tree.Since) -> Iterator[str]:
        """Yield the source of both sides: the text, whether it happened, and the events that prove it."""
        for atoms, standing in ((node.left, True), (node.right, False)):
            text = repr(" or ".join(atom.place.text for atom in atoms))
            events = "".join(f"lambda: {source}, " for source in self._proofs(atoms))
            yield f"({text}, lambda: e.history.happened({self._marks(atoms, standing)}), ({events}))"

    def missed(self, node: tree.Expr, advised: bool) -> str:
        """Return the source of what a refusal says of runs of tests that do not count; "" if the form asks for none.

        `advised`: the message of the rule says what to run.
        """
        told = ", advised=True" if advised else ""
        match node:
            case tree.Since(left=left, right=right) if _asks_tests(left) and _plain(left):
                after = f", {self._latest(right)}" if _plain(right) else ""
                return f"e.history.missed({self._latest(left)}{after}{told})"
            case tree.Happened(atoms=atoms) if _asks_tests(atoms) and _plain(atoms):
                return f"e.history.missed({self._latest(atoms)}{told})"
            case _:
                return ""

    def _latest(self, atoms: tuple[tree.Atom, ...]) -> int:
        return self._number("latest", self._atoms(atoms), ())

    def _count(self, node: tree.CountOf) -> int:
        return self._number("count", self._atoms(node.atoms), (node.within, node.rounds, self._atoms(node.since)))

    def _marks(self, atoms: tuple[tree.Atom, ...], standing: bool) -> str:
        fixed = _fixed(atoms)
        marks = [f"e.history.at({self._latest(fixed)}, {standing})"] if fixed else []
        for atom in atoms:
            if atom.variable is None:
                continue
            self._note(atom.kind)
            name = f"v{atom.variable.binding}"
            if atom.kind in _PATH_KINDS:
                marks.append(f"e.history.path_at({atom.kind!r}, {name})")
            else:
                marks.append(f"e.history.command_at({atom.kind!r}, {name}, {standing})")
        return "(" + "".join(mark + ", " for mark in marks) + ")"

    def _atoms(self, atoms: tuple[tree.Atom, ...]) -> tuple[AtomSpec, ...]:
        self._note(*(atom.kind for atom in atoms))
        return in_order(_atom(atom, self.scope) for atom in atoms)

    def _note(self, *kinds: str) -> None:
        self._kinds.setdefault(self.scope.prefix, set()).update(kinds)

    def _number(self, form: str, atoms: tuple[AtomSpec, ...], extra: tuple[object, ...]) -> int:
        parts = (form, atoms, extra)
        number = self._numbers.setdefault(repr(parts), len(self._parts))
        if number == len(self._parts):
            self._parts.append(parts)
        return number


def _asks_tests(atoms: tuple[tree.Atom, ...]) -> bool:
    return any(atom.kind == "tests_passed" for atom in atoms)


def _plain(atoms: tuple[tree.Atom, ...]) -> bool:
    return all(atom.variable is None for atom in atoms)


def _fixed(atoms: tuple[tree.Atom, ...]) -> tuple[tree.Atom, ...]:
    return tuple(atom for atom in atoms if atom.variable is None)


def _atom(atom: tree.Atom, scope: Scope) -> AtomSpec:
    pattern: object = atom.pattern
    if isinstance(pattern, str) and atom.kind in NAMED:
        pattern = scope.name(atom.kind, pattern)
    if isinstance(pattern, tree.CommandPattern):
        pattern = (pattern.include, pattern.exclude, None if pattern.cwd is None else tuple(pattern.cwd))
    elif isinstance(pattern, tree.GlobPattern | tree.TestsPattern):
        pattern = tuple(pattern)
    if atom.kind == "called":  # a word is a tool kind, a quoted text a native name
        return (atom.kind, pattern, (pattern,) if atom.value == "kind" else ())
    return (atom.kind, pattern, () if atom.value is ABSENT else (atom.value,))
