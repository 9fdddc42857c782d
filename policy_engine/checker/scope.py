"""State while a condition is checked: `Names` of the whole policy set, `Scope` of one condition.

A scope is handed down and changed in place around sub-conditions (guards, variables); findings are collected in
`Names`. Nothing outlives one call of `checker.check`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import chain

from policy_engine.checker.reach import Reach
from policy_engine.checker.tree import (
    CommandPattern,
    Constant,
    Expr,
    FieldRef,
    GlobPattern,
    Listen,
    Place,
    RegexPattern,
    Variable,
)
from policy_engine.checker.vocabulary import Vocabulary
from policy_engine.model.diagnostic import Diagnostic, Related
from policy_engine.model.source import Source, Span
from policy_engine.model.types import ERROR
from policy_engine.syntax import ast

NO_GUARDS: frozenset[str] = frozenset()
Use = tuple[str, Span]
"""The name of a file, and where in it a define is named."""


@dataclass(slots=True)
class DefineInfo:
    """A define or parameter while it is being checked.

    Of a parameter that an import sets, `node` is the setting and `default` the parameter as declared. An open define
    has `parts`, one for each place that adds to it. `weights` say how often each argument stands in the expanded value.

    `place` is where it is declared; `source` and `visible` are those of the file in which its value is written.

    `size` nodes and `depth` levels after expansion; `pure` if its value is the same everywhere.

    `proved` are the guards that it proves by its outcome, `key` its name for guards, once asked for (narrowing.py).
    """

    node: ast.Define | ast.Param | ast.Setting
    source: Source
    visible: dict[str, DefineInfo]
    place: Place
    default: DefineInfo | None = None
    parts: list[DefineInfo] = field(default_factory=list)
    weights: Mapping[str, int] = field(default_factory=dict)
    size: int = 0
    depth: int = 0
    broken: bool = False
    pure: bool = False
    value: Expr | None = None
    uses: set[Use] = field(default_factory=set)
    key: str | None = None
    proved: dict[bool, frozenset[str]] = field(default_factory=dict)
    patterns: dict[str, GlobPattern | CommandPattern | RegexPattern | None] = field(default_factory=dict)


@dataclass(slots=True)
class Names:
    """The declarations of the policy set. `ids` are those of rules and limits, which can be waived and named by
    `refused`; `speakers` those of everything that can give a verdict (rules, limits, hooks, verifies). `limits` have
    the parts of their `by` key, as written; `keyed` are the reads of such counts, `used` the places
    of the defines that are named, with where.
    """

    words: Vocabulary
    findings: list[Diagnostic] = field(default_factory=list)
    ids: dict[str, Place] = field(default_factory=dict)
    speakers: dict[str, Place] = field(default_factory=dict)
    limits: dict[str, tuple[str, ...]] = field(default_factory=dict)
    keyed: list[FieldRef] = field(default_factory=list)
    used: list[tuple[Place, Use]] = field(default_factory=list)
    modes: dict[str, Place] = field(default_factory=dict)
    stages: set[str] = field(default_factory=set)
    hooks: dict[str, Place] = field(default_factory=dict)
    homes: dict[str, str] = field(default_factory=dict)
    listens: dict[tuple[str, ...], Listen] = field(default_factory=dict)
    reaches: dict[tuple[Listen, ...], Reach] = field(default_factory=dict)
    _everywhere: Reach | None = None

    def reach(self, listens: tuple[Listen, ...]) -> Reach:
        """One `Reach` per set of points, since its answers are remembered."""
        reach = self.reaches.get(listens)
        if reach is None:
            reach = self.reaches[listens] = Reach(self.words, listens)
        return reach

    def declared(self) -> dict[str, object]:
        """Return, for each name that the set declares, what an item of another file may say of it."""
        sorts = (self.ids, self.speakers, self.modes, self.stages, self.hooks)
        return {name: (*(name in sort for sort in sorts), self.limits.get(name)) for name in {*chain(*sorts)}}

    def everywhere(self) -> Reach:
        """Return the one for all points."""
        if self._everywhere is None:
            self._everywhere = self.reach(tuple(Listen(point, (), ()) for point in self.words.points))
        return self._everywhere


ARGUMENT_OF_DEFINE = "argument"


@dataclass(slots=True)
class Bound:
    """A quantifier's variable; `origin` is `changed` or `goal` if history is kept for each of its values, and
    ARGUMENT_OF_DEFINE in a define that is checked on its own.

    `others` are variables of the same name in other quantifiers of the rule: a message prints the first that is bound.
    An argument of a define that is no variable itself has its `value` put in place.
    """

    variable: Variable
    origin: str
    others: tuple[Variable, ...] = ()
    value: Expr | None = None


@dataclass(slots=True)
class Frame:
    """State shared by the conditions of one rule: binding numbers, witnesses, expanded nodes, depth."""

    bindings: int = 0
    witnesses: list[Bound] = field(default_factory=list)
    expanded: int = 0
    depth: int = 0
    overflowed: bool = False
    contextual: bool = False  # something was named that does not mean the same everywhere


@dataclass(slots=True)
class Scope:
    """`free`: a define on its own, where every field may stand; `printing`: a message or key, where absence is fine.

    `use` is the place outside all defines that is being expanded, `depth` the number of defines around; `counting` in a
    limit, which sees no count of another's keys.
    """

    names: Names
    source: Source
    visible: dict[str, DefineInfo]
    reach: Reach
    frame: Frame
    guards: frozenset[str] = NO_GUARDS
    variables: dict[str, Bound] = field(default_factory=dict)
    free: bool = False
    printing: bool = False
    use: Place | None = None
    counting: bool = False

    @property
    def words(self) -> Vocabulary:
        return self.names.words

    def report(self, diagnostic: Diagnostic) -> None:
        """Collect a finding; one inside a define that is fine by itself is shown where the define is used."""
        if self.use is not None:
            related = (*diagnostic.related, Related("in this define", diagnostic.source, diagnostic.span))
            diagnostic = replace(diagnostic, source=self.use.source, span=self.use.span, related=related)
        self.names.findings.append(diagnostic)

    def use_of(self, info: DefineInfo, span: Span) -> None:
        """Note that a define is named."""
        use = self.source.name, span
        info.uses.add(use)
        self.names.used.append((info.place, use))

    def inside(self, info: DefineInfo, use: Place | None = None) -> Scope:
        """Return the scope of a define's text where it is put in place: its own file's names, none of the variables
        here.

        Without `use` it is only looked at, and nothing is reported.
        """
        outer = self.use or use
        guards, printing = self.guards, self.printing
        return Scope(
            self.names, info.source, info.visible, self.reach, self.frame, guards, {}, self.free, printing, outer,
            self.counting,
        )  # fmt: skip


MISTAKE: Expr = Constant(Place(Source("", ""), Span(0, 0)), ERROR, None)
"""What stands for an expression that was already reported."""
