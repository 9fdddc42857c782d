"""The tree that the parser makes: one frozen class per grammar rule, each with its span.

`span` holds character offsets into `File.source`. Nothing here is checked: names are as the user wrote them. Strings
are unescaped, durations are milliseconds. Parsing keeps comments in `File.comments`; the printer puts them back.
"""

from __future__ import annotations

from dataclasses import field

from policy_engine.model.instant import parse_time
from policy_engine.model.node import node
from policy_engine.model.source import Source, Span


@node
class Node:
    span: Span


# ---- expressions ---------------------------------------------------------------------------------------------------


@node
class Expr(Node):
    """Anything that has a value."""


@node
class StringLiteral(Expr):
    """`value` is unescaped; `escaped` holds the offsets in it of braces that were written `\\{` or `\\}`."""

    value: str
    interpolated: bool = False  # contains a brace that is not escaped: only messages interpolate
    escaped: tuple[int, ...] = ()


@node
class IntLiteral(Expr):
    value: int


@node
class DurationLiteral(Expr):
    """`10m`, `60s`, `500ms`, `2h`, `7d`; `value` in milliseconds. `3 rounds` is `unit="rounds"`, value 3."""

    value: int
    unit: str = "ms"


@node
class TimeLiteral(Expr):
    """`2026-12-20`, the first moment of that day in UTC, or `2026-12-20T18:00+01:00`; as written."""

    text: str

    @property
    def value(self) -> int:
        """Return milliseconds since the epoch. Raises EventError for a time that does not exist."""
        text = self.text if "T" in self.text else f"{self.text}T00:00Z"
        return parse_time(text if text[16:17] == ":" else f"{text[:16]}:00{text[16:]}")


@node
class BoolLiteral(Expr):
    value: bool


@node
class RegexLiteral(Expr):
    """`/…/` or `/…/i`; `pattern` is the text between the slashes with `\\/` read as `/`."""

    pattern: str
    ignore_case: bool = False


@node
class ListLiteral(Expr):
    items: tuple[Expr, ...]


@node
class ObjectLiteral(Expr):
    """`{ key: value }`, in the steps of tests only."""

    entries: tuple[tuple[str, Expr], ...]


@node
class Name(Expr):
    """A bare word: a define, a quantifier's variable, or the first word of a field path."""

    name: str


@node
class Member(Expr):
    """`base.name`; `name_span` is the span of the word after the dot."""

    base: Expr
    name: str
    name_span: Span


@node
class Index(Expr):
    """`base["key"]`; `inner` are the keys after the first of `base["key", "inner"]`."""

    base: Expr
    key: StringLiteral
    inner: tuple[StringLiteral, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        """Return all keys as texts, the outermost first."""
        return (self.key.value, *(one.value for one in self.inner))


@node
class Argument(Node):
    """One argument of a call; `label` is empty or the word before the colon (`within: 10m`, `in: "web/**"`)."""

    label: str
    value: Expr


@node
class Call(Expr):
    """`callee(args)`; `callee` is a Name (`file_exists(…)`, `wrote(…)`, `glob(…)`) or a Member (`c.has_flag(…)`)."""

    callee: Name | Member
    arguments: tuple[Argument, ...]


@node
class Not(Expr):
    operand: Expr


@node
class And(Expr):
    """Two or more operands: `a and b and c` is one node."""

    operands: tuple[Expr, ...]


@node
class Or(Expr):
    operands: tuple[Expr, ...]


@node
class Compare(Expr):
    """Binary operator that does not chain: `== != < <= > >= in not_in contains starts_with ends_with matches under
    inside outside since`; `op` is one of these words (`not_in` for `not in`), `op_span` its place."""

    op: str
    op_span: Span
    left: Expr
    right: Expr


@node
class Has(Expr):
    operand: Expr


@node
class Else(Expr):
    """`value else default`."""

    value: Expr
    default: Expr


@node
class Except(Expr):
    """`glob(…) except glob(…)`, `command(…) except command(…)`."""

    value: Expr
    removed: Expr


@node
class Quantified(Expr):
    """`any|every|count x in source [where filter] { body }`."""

    kind: str
    variable: str
    variable_span: Span
    source: Expr
    where: Expr | None
    body: Expr


# ---- items ---------------------------------------------------------------------------------------------------------


@node
class Item(Node):
    """A top-level declaration."""


@node
class Clause(Node):
    """One clause of a block as it stands in the text: its kind and its whole span.

    `word` is the clause's first word, or `verdict` (`deny …`), or `measure` (`repeats`, `counts`). `clauses` lists them
    in source order: the k-th `when` is the k-th node of the field `when`. Trees made without a text have none. They
    are left out of comparison: order has no meaning, and only the printer keeps it.
    """

    word: str


@node
class Import(Item):
    """`import "other.policy"`, `import "pack:security/shell" sha256 "…" with { name = value }`.

    `sha256` is empty if not given; `settings` are the values of the imported file's parameters.
    """

    target: StringLiteral
    sha256: str = ""
    settings: tuple[Setting, ...] = ()


@node
class Setting(Node):
    """`name = value` in the `with { … }` of an import."""

    name: str
    name_span: Span
    value: Expr


@node
class Param(Item):
    """`param name "title" = default`: a value that an import of the file may replace; `title` may be empty."""

    name: str
    name_span: Span
    title: str
    value: Expr


@node
class Parameter(Node):
    """`name: Type` of a define; `element` is that of a list (`List of String`), else empty."""

    name: str
    type: str
    element: str = ""


@node
class Define(Item):
    """`define name = value`, `define name(a: Type) = value`; `open` if it is `define name += value`."""

    name: str
    name_span: Span
    value: Expr
    parameters: tuple[Parameter, ...] = ()
    open: bool = False


@node
class Point(Node):
    """`before_tool(shell, "mcp__x__y")`; filters are Name (tool kinds) or StringLiteral (native tool names)."""

    name: str
    name_span: Span
    filters: tuple[Name | StringLiteral, ...]


@node
class CommandLine(Node):
    """`on command git push, "npm test"`; `texts` are the commands, each with the span of its words."""

    texts: tuple[StringLiteral, ...]


@node
class Severity(Node):
    level: str


@node
class Fail(Node):
    """`fail open`, `fail ask` or `fail closed`."""

    direction: str


@node
class Verdict(Node):
    """`deny "message"`, `stop repeat_cycle "message"`; `reason` only with stop, `message` may be missing."""

    name: str
    reason: str
    message: StringLiteral | None


@node
class Timeout(Node):
    """Effect `timeout 60s`, `timeout 60s backoff to 160s by (…)`, `timeout 300s..3600s`; milliseconds.

    `at_most` is the upper end of a clamp or 0; `backoff_to` is 0 without back-off.
    """

    at_least: int
    at_most: int = 0
    backoff_to: int = 0
    key: tuple[Expr, ...] = ()


@node
class Rule(Item):
    """`when`, `unless`, `require` are lists as written, so that a second one can be reported at its place."""

    name: str
    name_span: Span
    title: str
    severity: tuple[Severity, ...]
    points: tuple[Point, ...]
    when: tuple[Expr, ...]
    unless: tuple[Expr, ...]
    require: tuple[Expr, ...]
    verdicts: tuple[Verdict, ...]
    timeouts: tuple[Timeout, ...]
    fail: tuple[Fail, ...]
    shadow: bool
    tests: tuple[Test, ...]
    incident: tuple[StringLiteral, ...] = ()
    control: tuple[StringLiteral, ...] = ()
    commands: tuple[CommandLine, ...] = ()
    clauses: tuple[Clause, ...] = field(default=(), compare=False)


@node
class Step(Node):
    """`at 3 remind "…"`, `at every 6 warn "…"`; `count` is a number or the name of one."""

    count: int | Name
    every: bool
    verdict: Verdict


@node
class Repeats(Node):
    """`repeats (E, …) [period N]`; period 1 if not given."""

    key: tuple[Expr, ...]
    period: int = 1


@node
class Counts(Node):
    """`counts E [within 10m] [by (E, …)]`."""

    what: Expr
    within: DurationLiteral | None = None
    by: tuple[Expr, ...] = ()


@node
class Limit(Item):
    name: str
    name_span: Span
    title: str
    severity: tuple[Severity, ...]
    points: tuple[Point, ...]
    when: tuple[Expr, ...]
    unless: tuple[Expr, ...]
    measures: tuple[Repeats | Counts, ...]
    resets: tuple[Expr, ...]
    steps: tuple[Step, ...]
    fail: tuple[Fail, ...]
    shadow: bool
    tests: tuple[Test, ...]
    incident: tuple[StringLiteral, ...] = ()
    control: tuple[StringLiteral, ...] = ()
    clauses: tuple[Clause, ...] = field(default=(), compare=False)


@node
class Mode(Item):
    """`lock` and `dwell` in rounds, 0 if not given."""

    name: str
    name_span: Span
    title: str
    enter: tuple[Expr, ...]
    exit: tuple[Expr, ...]
    lock: int
    dwell: int
    tests: tuple[Test, ...]
    clauses: tuple[Clause, ...] = field(default=(), compare=False)


@node
class Hook(Item):
    """`argv` from `run [...]` or `callable` from `call name` (one of them); `timeout` in ms, 0 if not given."""

    name: str
    name_span: Span
    title: str
    points: tuple[Point, ...]
    when: tuple[Expr, ...]
    unless: tuple[Expr, ...]
    argv: tuple[str, ...]
    callable: str
    timeout: int
    fail: tuple[Fail, ...]
    priority: int
    before: tuple[Name, ...]
    after: tuple[Name, ...]
    observe: bool
    tests: tuple[Test, ...]
    clauses: tuple[Clause, ...] = field(default=(), compare=False)


@node
class Stage(Node):
    """`stage test run [...] timeout 300s [env [...]] [pending exit 8] [expect json "/state" == "OPEN"]`.

    `pending_exit` is -1 if not given; `expect` is (JSON pointer, expected literal) or None.
    """

    name: str
    argv: tuple[str, ...]
    timeout: int
    env: tuple[str, ...]
    pending_exit: int
    expect: tuple[str, Expr] | None
    clauses: tuple[Clause, ...] = field(default=(), compare=False)


@node
class Verify(Item):
    """`retries` is -1 if not given; `then` is the verdict after the last retry."""

    name: str
    name_span: Span
    title: str
    when: tuple[Expr, ...]
    unless: tuple[Expr, ...]
    stages: tuple[Stage, ...]
    retries: int
    then: Verdict | None
    tests: tuple[Test, ...]
    clauses: tuple[Clause, ...] = field(default=(), compare=False)


EVERY_RULE = "every"
"""In the place of a waived rule: each rule and limit of the policy set. No rule can have this name."""


@node
class Waive(Item):
    """`waive RULE "why" { until 2026-12-31 owner "…" when … }`; `until` is `YYYY-MM-DD` or empty.

    `rule` is EVERY_RULE in `waive every`.
    """

    rule: str
    rule_span: Span
    why: str
    until: str
    owner: str
    when: tuple[Expr, ...]
    clauses: tuple[Clause, ...] = field(default=(), compare=False)


@node
class Expects(Node):
    """`expect deny`, `expect ask`, `expect possible allow`; the span is that of the words after `expect`."""

    verdict: str
    possible: bool = False


@node
class Claim(Item):
    """`claim NAME "title" { on … when … expect … }`, which `policy prove` answers; it decides nothing."""

    name: str
    name_span: Span
    title: str
    points: tuple[Point, ...]
    when: tuple[Expr, ...]
    unless: tuple[Expr, ...]
    expects: tuple[Expects, ...]
    clauses: tuple[Clause, ...] = field(default=(), compare=False)


# ---- tests ---------------------------------------------------------------------------------------------------------


@node
class Expectation(Node):
    """`=> deny by no-sudo`; `by` is empty if no rule is named."""

    verdict: str
    by: str


@node
class TestStep(Node):
    """One step of a test.

    `kind` is the step's word, `called` for a call that ends: prompt call called shell run write edit read delete file
    todo fact answer finish wait undecided given. What each carries in `arguments`, in source order, as (label, value):
    prompt/shell/answer ("", String); call ("tool", String native name or kind), then one per object entry (key,
    literal); called ("tool", as of call), ("ok", Bool), optional ("output", String), ("args", Object); run ("",
    String), ("exit", Int), optional ("output", String); write/edit/read/delete/file ("", String path), optional
    ("content", String); todo ("", String id), ("status", String), optional ("required", Bool), then entries as of a
    call; fact ("", String name), ("value", literal); wait ("", Duration); undecided ("", field expression); given ("",
    field expression or `hook.NAME`), ("value", literal or list).
    """

    kind: str
    arguments: tuple[tuple[str, Expr], ...]
    expectation: Expectation | None


@node
class Test(Item):
    title: str
    steps: tuple[TestStep, ...]


# ---- file ----------------------------------------------------------------------------------------------------------


@node
class Comment(Node):
    """`# …` to the end of the line; `text` starts with `#`; `own_line` if nothing else stands before it."""

    text: str
    own_line: bool


@node
class File(Node):
    """A whole policy file; `language` is the number of the `language N` line, or 0 if it is missing."""

    source: Source
    language: int
    items: tuple[Item, ...]
    comments: tuple[Comment, ...]
