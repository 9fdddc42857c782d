"""The checked tree: what the checker hands to the compiler, the lints, the test runner and the reference interpreter.

Every name is resolved, every define is put in place, every pattern is parsed, every expression has a type. A
`Place` says where the text stands (a define's nodes keep the define's place). Constants hold run-time values:
Bool `bool`, Int `int`, Duration `int` ms, String `str`, Glob `GlobPattern`, Regex `RegexPattern`, Command
`CommandPattern` (below; plain tuples, so that a Program can be marshalled).
"""

from __future__ import annotations

from typing import NamedTuple

from policy_engine.model.node import node
from policy_engine.model.source import Source, Span
from policy_engine.model.types import Type


class Place(NamedTuple):
    """A place in a source."""

    source: Source
    span: Span

    @property
    def location(self) -> str:
        return self.source.location(self.span)

    @property
    def text(self) -> str:
        return self.source.excerpt(self.span)


NOISE = "noise"
"""The define of folders that no snapshot of the workspace looks at."""


class GlobPattern(NamedTuple):
    """Globs as written, after `{a,b}` expansion; matches if one of `include` and none of `exclude` matches."""

    include: tuple[str, ...]
    exclude: tuple[str, ...] = ()


class RegexPattern(NamedTuple):
    """RE2 syntax."""

    pattern: str
    ignore_case: bool = False


class CommandPattern(NamedTuple):
    """Argv patterns, token by token (`*` one, `-*` options, `...` rest); `cwd` is the `in:` glob or None."""

    include: tuple[tuple[str, ...], ...]
    exclude: tuple[tuple[str, ...], ...] = ()
    cwd: GlobPattern | None = None


class TestsPattern(NamedTuple):
    """The runs of tests that count: of an ecosystem ("" any), for a folder ("" the workspace), by exit status only."""

    ecosystem: str = ""
    folder: str = ""
    strict: bool = False


@node
class Expr:
    place: Place
    type: Type


@node
class Constant(Expr):
    value: object


@node
class ListOf(Expr):
    items: tuple[Expr, ...]


@node
class FieldRef(Expr):
    """A field of the event, by its full dotted name (`result.exit_code`, `mode.careful`, `limit.x.count`).

    `key` are the arguments of `limit.x.count(…)`, the count of one key of a limit that counts `by` keys.
    """

    name: str
    optional: bool
    key: tuple[Expr, ...] = ()


@node
class ArgumentRef(Expr):
    """`tool.args["key"]`; always optional."""

    key: str


@node
class ItemRef(Expr):
    """A value within a host's value, by the keys of objects: `tool.args["a", "b"]`, `e["b"]`; always optional."""

    base: Expr
    keys: tuple[str, ...]


@node
class Measure(Expr):
    """`x.length` or `x.lines`; `name` is the word."""

    base: Expr
    name: str


@node
class Variable(Expr):
    """A quantifier's variable; `binding` makes two variables of one name distinct within a rule."""

    name: str
    binding: int


@node
class AttributeRef(Expr):
    """`c.program`, `p.access`, `last(A).path`."""

    base: Expr
    name: str
    optional: bool


@node
class MethodCall(Expr):
    """`c.has_flag("-r", "-R")`; arguments are constants."""

    base: Expr
    name: str
    arguments: tuple[object, ...]


@node
class Else(Expr):
    value: Expr
    default: Expr


@node
class Has(Expr):
    value: Expr


@node
class Not(Expr):
    operand: Expr


@node
class And(Expr):
    operands: tuple[Expr, ...]


@node
class Or(Expr):
    operands: tuple[Expr, ...]


def is_made(node: Expr) -> bool:
    """Return whether `on command` made the parts of a connective: all stand where the words of one command do."""
    return isinstance(node, And | Or) and all(part.place == node.place for part in node.operands)


@node
class Comparison(Expr):
    """`op` is one of == != < <= > >= in not_in contains starts_with ends_with under inside outside."""

    op: str
    left: Expr
    right: Expr


@node
class Matches(Expr):
    """Subject against a Glob, Regex or Command pattern."""

    subject: Expr
    pattern: GlobPattern | RegexPattern | CommandPattern


@node
class Quantified(Expr):
    """`kind` any, every or count."""

    kind: str
    variable: str
    binding: int
    source: Expr
    where: Expr | None
    body: Expr


@node
class PredicateCall(Expr):
    """A word of the predicates family: `module.function(filesystem, *arguments)` at run time.

    `needs` says what comes first instead of the filesystem: `filesystem`, or `todos` for the todo list of the moment.
    """

    module: str
    function: str
    arguments: tuple[Expr, ...]
    optional: bool
    needs: str = "filesystem"


@node
class Atom:
    """One history atom.

    `kind`: wrote read deleted ran command_success command_failure tests_passed called tool_fact prompted refused
    verified. `pattern`: GlobPattern (wrote, read, deleted), CommandPattern (ran, command_*), TestsPattern, str (called:
    tool name or kind; refused: rule; verified: stage; tool_fact: its name) or None (prompted). `value` is the
    constant that a tool_fact must equal (ABSENT if any). `variable` is set instead of `pattern` for an exact path or
    argv.
    """

    place: Place
    kind: str
    pattern: GlobPattern | CommandPattern | TestsPattern | str | None
    value: object
    variable: Variable | None


@node
class Happened(Expr):
    """One of the atoms happened at least once in this session."""

    atoms: tuple[Atom, ...]


@node
class Since(Expr):
    """The latest of `left` is later than the latest of `right`; if right never happened, left has."""

    left: tuple[Atom, ...]
    right: tuple[Atom, ...]


@node
class CountOf(Expr):
    """`count(A)`; `within` in ms or rounds (0: none), `since` resets."""

    atoms: tuple[Atom, ...]
    within: int
    rounds: int
    since: tuple[Atom, ...]


@node
class LastOf(Expr):
    """The record of the latest: path, command, time, exit_code, text. Optional as a whole."""

    atoms: tuple[Atom, ...]


@node
class Changed(Expr):
    """Paths under the glob written in this session that still exist, sorted."""

    glob: GlobPattern


# ---- declarations --------------------------------------------------------------------------------------------------


@node
class Listen:
    """A point with its filters; empty `kinds` and `names` means every tool (or a point without tools)."""

    point: str
    kinds: tuple[str, ...]
    names: tuple[str, ...]


@node
class Message:
    """Text and expressions in turn; expressions never change an outcome."""

    place: Place
    parts: tuple[str | Expr, ...]


@node
class Effect:
    """A tool's time budget in ms; `key` is the tuple that back-off counts by."""

    at_least: int
    at_most: int
    backoff_to: int
    key: tuple[Expr, ...]


@node
class CheckedRule:
    """`verdict` is empty if the rule has only an `effect` or `approves`; `fail` is open or closed, default applied."""

    id: str
    title: str
    severity: str
    place: Place
    listens: tuple[Listen, ...]
    when: Expr | None
    unless: Expr | None
    require: Expr | None
    verdict: str
    reason: str
    message: Message | None
    effect: Effect | None
    fail: str
    fail_declared: bool
    shadow: bool
    tests: tuple[CheckedTest, ...]
    incident: str = ""
    controls: tuple[str, ...] = ()
    approves: bool = False


@node
class LimitStep:
    place: Place
    count: int
    every: bool
    verdict: str
    reason: str
    message: Message | None


@node
class CheckedLimit:
    """`measure` repeats: `key`, `period`; counts: `atoms` or `condition`, `within` ms, `rounds`, `by` (in `key`)."""

    id: str
    title: str
    severity: str
    place: Place
    listens: tuple[Listen, ...]
    when: Expr | None
    unless: Expr | None
    measure: str
    key: tuple[Expr, ...]
    period: int
    atoms: tuple[Atom, ...]
    condition: Expr | None
    within: int
    rounds: int
    reset: Expr | None
    steps: tuple[LimitStep, ...]
    fail: str
    shadow: bool
    tests: tuple[CheckedTest, ...]
    incident: str = ""
    controls: tuple[str, ...] = ()


@node
class CheckedMode:
    id: str
    title: str
    place: Place
    enter: Expr
    exit: Expr | None
    lock: int
    dwell: int
    tests: tuple[CheckedTest, ...]


@node
class CheckedHook:
    """`order` is its place in the total order of hooks (0 first)."""

    id: str
    title: str
    place: Place
    listens: tuple[Listen, ...]
    when: Expr | None
    unless: Expr | None
    argv: tuple[str, ...]
    callable: str
    timeout: int
    fail: str
    priority: int
    before: tuple[str, ...]
    after: tuple[str, ...]
    observe: bool
    order: int
    tests: tuple[CheckedTest, ...]


@node
class CheckedStage:
    name: str
    place: Place
    argv: tuple[str, ...]
    timeout: int
    env: tuple[str, ...]
    pending_exit: int
    expect_pointer: str
    expect_value: object


@node
class CheckedVerify:
    id: str
    title: str
    place: Place
    when: Expr | None
    unless: Expr | None
    stages: tuple[CheckedStage, ...]
    retries: int
    then: str
    reason: str
    message: Message | None
    tests: tuple[CheckedTest, ...]


@node
class CheckedWaiver:
    """`until` is the last day, `YYYY-MM-DD`, UTC, inclusive."""

    rule: str
    place: Place
    why: str
    until: str
    owner: str
    when: Expr | None


@node
class CheckedClaim:
    """`rule` refuses what the claim is about: `expect deny` holds if it would change nothing, not knowing included.

    `possible`: the claim holds if the rule would refuse something that the policy lets pass.
    """

    rule: CheckedRule
    possible: bool


@node
class CheckedStep:
    """A `syntax.ast.TestStep` with values: `arguments` maps label -> Python value (str, int, bool, list, dict); for
    `given` and `undecided` the label "" holds the dotted field name. `expect` is a verdict or empty.
    """

    place: Place
    kind: str
    arguments: tuple[tuple[str, object], ...]
    expect: str
    by: str


@node
class CheckedTest:
    title: str
    place: Place
    owner: str
    steps: tuple[CheckedStep, ...]


@node
class CheckedDefine:
    """`uses` counts the places that name it. The lints look at it, and the compiler at the one that is named NOISE."""

    name: str
    place: Place
    value: Expr
    uses: int


@node
class CheckedPolicy:
    """Everything that was loaded together. `tests` are the top-level ones (`owner` empty).

    `adjusted` are the names of the files whose parameters another one sets.
    """

    sources: tuple[Source, ...]
    rules: tuple[CheckedRule, ...]
    limits: tuple[CheckedLimit, ...]
    modes: tuple[CheckedMode, ...]
    hooks: tuple[CheckedHook, ...]
    verifies: tuple[CheckedVerify, ...]
    waivers: tuple[CheckedWaiver, ...]
    defines: tuple[CheckedDefine, ...]
    tests: tuple[CheckedTest, ...]
    adjusted: frozenset[str] = frozenset()
    claims: tuple[CheckedClaim, ...] = ()
