"""Check a `rule`: where it listens, when it applies, what it says; and what rules, limits and hooks share."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from policy_engine.checker import messages, tree
from policy_engine.checker.approvable import is_of_hosts, names_anything
from policy_engine.checker.expressions import check, condition
from policy_engine.checker.narrowing import when_false, when_true
from policy_engine.checker.on_command import expanded
from policy_engine.checker.reach import Reach
from policy_engine.checker.scope import Bound, Frame, Scope
from policy_engine.checker.tree import CheckedClaim, CheckedRule, CheckedTest, Effect, Expr, Listen, Message, Place
from policy_engine.checker.types import PATTERNS, described
from policy_engine.model.ladder import APPROVE, EXPECTED, RANK, VERDICTS, default_fail
from policy_engine.model.source import Source, Span
from policy_engine.syntax import ast
from policy_engine.syntax.interpolation import parse_interpolation

SEVERITIES = ("info", "low", "medium", "high", "critical")
DEFAULT_SEVERITY = "medium"

Clause = TypeVar("Clause", bound=ast.Node)
CheckTest = Callable[[ast.Test, Scope, str], CheckedTest]


def rule(item: ast.Rule, scope: Scope, test: CheckTest) -> CheckedRule:
    """Check a rule, whatever is wrong with it."""
    item = expanded(item, scope)
    place = Place(scope.source, item.name_span)
    listens = listen(item.points, "rule", place, scope)
    when, unless, require = conditions(item, scope)
    if not item.verdicts and not item.timeouts:
        scope.report(messages.says_nothing(place))
    verdict = only(item.verdicts, "verdict", "one rule gives one verdict", scope)
    approves = verdict is not None and verdict.name == APPROVE
    name, reason, text = said(verdict, scope, approves)
    effect = _effect(only(item.timeouts, "timeout", "one rule sets one time budget", scope), scope)
    if name:
        verdict_fits(name, verdict, scope)
    fail = fail_direction(item.fail, name, scope)
    if fail == "ask" and name != "ask":
        verdict_fits("ask", verdict, scope)
    tests = tuple(test(one, scope, item.name) for one in item.tests)
    level = severity(item.severity, scope)
    checked = CheckedRule(
        item.name, item.title, level, place, listens, when, unless, require, name, reason, text, effect, fail,
        bool(item.fail), item.shadow, tests, *metadata(item, scope), approves,
    )  # fmt: skip
    if approves:
        check_approval(item, checked, scope)
    return checked


def claim(item: ast.Claim, scope: Scope) -> CheckedClaim:
    """A claim as the rule that it is about; it is never compiled with the policy."""
    place = Place(scope.source, item.name_span)
    listens = listen(item.points, "claim", place, scope)
    when, unless, _ = conditions(item, scope)
    if not item.expects:
        scope.report(messages.claim_expects_nothing(place))
    expected = only(item.expects, "expect", "one claim expects one thing", scope)
    possible, verdict = expected is not None and expected.possible, "deny" if expected is None else expected.verdict
    if possible:
        verdict = "ask" if _allowed("ask", scope.reach, scope) else "deny"
    if expected is not None:
        verdict_fits(verdict, ast.Verdict(expected.span, verdict, "", None), scope)
    fail = "open" if possible else "closed"
    rule = CheckedRule(
        item.name, item.title, DEFAULT_SEVERITY, place, listens, when, unless, None, verdict, "", None, None, fail,
        True, False, (),
    )  # fmt: skip
    return CheckedClaim(rule, possible)


# ---- where ---------------------------------------------------------------------------------------------------------


def listen(points: tuple[ast.Point, ...], sort: str, place: Place, scope: Scope) -> tuple[Listen, ...]:
    """Return the points of an item; sets the scope's reach."""
    checked_listens = []
    for point in points:
        known = _listen(point, scope)
        if known is not None and known in checked_listens:
            first = Place(scope.source, points[0].span)
            at = Place(scope.source, point.span)
            scope.report(messages.clause_twice(at, f"on {at.text}", first, "delete one of them"))
        elif known is not None:
            checked_listens.append(known)
    listens = tuple(checked_listens)
    if not points:
        scope.report(messages.listens_nowhere(place, sort))
    if listens:
        scope.reach = scope.names.reach(listens)
    scope.free = not listens
    return listens


def _listen(point: ast.Point, scope: Scope) -> Listen | None:
    names = scope.names
    spelled = (point.name, *(f.name if isinstance(f, ast.Name) else f'"{f.value}"' for f in point.filters))
    known = names.listens.get(spelled)
    if known is None:
        known = _new_listen(point, scope)
        if known is not None:
            names.listens[spelled] = known
    return known


def _new_listen(point: ast.Point, scope: Scope) -> Listen | None:
    words = scope.words
    place = Place(scope.source, point.name_span)
    hook = words.points.get(point.name)
    if hook is None:
        scope.report(messages.unknown_point(place, point.name, words.points))
        return None
    if point.filters and not hook.takes_tools:
        at = Place(scope.source, Span(point.filters[0].span.start, point.filters[-1].span.end))
        having = [name for name, other in words.points.items() if other.takes_tools]
        scope.report(messages.no_tools_here(at, point.name, having))
        return Listen(point.name, (), ())
    kinds, tools = [], []
    for wanted in point.filters:
        if isinstance(wanted, ast.StringLiteral):
            tools.append(wanted.value)
        elif wanted.name in words.kinds:
            kinds.append(wanted.name)
        else:
            scope.report(messages.unknown_kind(Place(scope.source, wanted.span), wanted.name, words.kinds))
            return None
    return Listen(point.name, tuple(dict.fromkeys(kinds)), tuple(dict.fromkeys(tools)))


# ---- when ----------------------------------------------------------------------------------------------------------


def conditions(
    item: ast.Rule | ast.Limit | ast.Hook | ast.Verify | ast.Claim, scope: Scope
) -> tuple[tree.Expr | None, tree.Expr | None, tree.Expr | None]:
    """`when`, `unless` and `require`, each guarded by what the others prove, since all three are joined by `and`.

    Afterwards the scope holds the guards and the witnesses that the item's message may use.
    """
    required: tuple[ast.Expr, ...] = item.require if isinstance(item, ast.Rule) else ()
    when = only(item.when, "when", "join the conditions by `and` or `or`", scope)
    unless = only(item.unless, "unless", "join the conditions by `or`", scope)
    require = only(required, "require", "join the conditions by `and`", scope)
    frame = scope.frame
    outside = when_false(unless, scope)
    scope.guards = outside
    checked_when = None if when is None else condition(when, scope)
    scope.guards = when_true(when, scope)
    seen = len(frame.witnesses)
    checked_unless = None if unless is None else condition(unless, scope)
    del frame.witnesses[seen:]  # a violated rule has no witness for `unless`: it was false
    scope.guards |= outside
    checked_require = None if require is None else condition(require, scope)
    scope.variables = witnesses(frame)
    return checked_when, checked_unless, checked_require


def witnesses(frame: Frame) -> dict[str, Bound]:
    """Return the variables that a message may name: every quantifier's, the first of each name before the others."""
    witnesses_by_name: dict[str, Bound] = {}
    for bound in frame.witnesses:
        first = witnesses_by_name.setdefault(bound.variable.name, Bound(bound.variable, bound.origin))
        if first.variable is not bound.variable and first.variable.type == bound.variable.type:
            first.others += (bound.variable,)
    return witnesses_by_name


def only(clauses: tuple[Clause, ...], word: str, advice: str, scope: Scope) -> Clause | None:
    """Return the one clause of its sort; complains about a second."""
    for second in clauses[1:]:
        at, first = Place(scope.source, second.span), Place(scope.source, clauses[0].span)
        scope.report(messages.clause_twice(at, word, first, advice))
    return clauses[0] if clauses else None


# ---- what ----------------------------------------------------------------------------------------------------------


def said(verdict: ast.Verdict | None, scope: Scope, approves: bool = False) -> tuple[str, str, Message | None]:
    """Return a verdict's name, its reason and its message; what `approves` has no name, for it is none."""
    if verdict is None:
        return "", "", None
    place = verdict_place(verdict, scope.source)
    if verdict.name == "allow":
        scope.report(messages.allow_given(place))
    elif verdict.name == APPROVE and not approves:
        scope.report(messages.approves_elsewhere(place))
    elif verdict.name not in EXPECTED:
        scope.report(messages.unknown_verdict(place, verdict.name, VERDICTS[1:]))
    if (verdict.name == "stop") != bool(verdict.reason):
        scope.report(messages.stop_needs_reason(place, verdict.name))
    text = None if verdict.message is None else message(verdict.message, scope)
    return "" if approves else verdict.name, verdict.reason, text


def verdict_place(verdict: ast.Verdict, source: Source) -> Place:
    """Return the verdict's own word."""
    return Place(source, Span(verdict.span.start, verdict.span.start + len(verdict.name)))


def verdict_fits(name: str, verdict: ast.Verdict | None, scope: Scope) -> None:
    """Complain about a verdict that one of the points does not have."""
    points = scope.words.points
    lacking = [point for point in scope.reach.points if name not in points[point].verdicts]
    if scope.free or not lacking or verdict is None or name == "allow" or name not in RANK:
        return
    common = [word for word in ("warn", "remind", "ask", "deny", "stop") if _allowed(word, scope.reach, scope)]
    scope.report(messages.verdict_not_here(verdict_place(verdict, scope.source), name, lacking, common))


def _allowed(verdict: str, reach: Reach, scope: Scope) -> bool:
    return all(verdict in scope.words.points[point].verdicts for point in reach.points)


def _effect(clause: ast.Timeout | None, scope: Scope) -> Effect | None:
    """Return a tool's time budget: a duration, a clamp or a back-off."""
    if clause is None:
        return None
    place = Place(scope.source, clause.span)
    points = scope.words.points
    lacking = [point for point in scope.reach.points if not points[point].timeout]
    if lacking and not scope.free:
        having = [name for name, point in points.items() if point.timeout]
        scope.report(messages.no_time_budget_here(place, lacking, having))
    if clause.at_least <= 0:
        scope.report(messages.bad_duration(place, "a time budget is longer than nothing"))
    if clause.at_most and clause.at_most < clause.at_least:
        scope.report(messages.bad_duration(place, "the upper end is below the lower end"))
    if clause.backoff_to and clause.backoff_to < clause.at_least:
        scope.report(messages.bad_duration(place, "the back-off ends below where it begins"))
    return Effect(clause.at_least, clause.at_most, clause.backoff_to, key(clause.key, scope))


def key(parts: tuple[ast.Expr, ...], scope: Scope) -> tuple[tree.Expr, ...]:
    """Return the parts of a counting key; absent ones are equal, so that none needs a guard."""
    before = scope.printing
    scope.printing = True
    parts_of_key = tuple(check(part, scope) for part in parts)
    scope.printing = before
    return parts_of_key


def severity(clauses: tuple[ast.Severity, ...], scope: Scope) -> str:
    """Return the level, `medium` if none is given."""
    one = only(clauses, "severity", "one of them is enough", scope)
    if one is None:
        return DEFAULT_SEVERITY
    if one.level not in SEVERITIES:
        scope.report(messages.unknown_severity(Place(scope.source, one.span), one.level, SEVERITIES))
    return one.level


def metadata(item: ast.Rule | ast.Limit, scope: Scope) -> tuple[str, tuple[str, ...]]:
    """Return the incident that a declaration answers, and the controls that it covers; texts without expressions."""
    for text in (*item.incident, *item.control):
        if text.interpolated:
            scope.report(messages.misplaced_interpolation(Place(scope.source, text.span)))
    one = only(item.incident, "incident", "one rule answers one incident", scope)
    return one.value if one is not None else "", tuple(dict.fromkeys(text.value for text in item.control))


def fail_direction(clauses: tuple[ast.Fail, ...], verdict: str, scope: Scope) -> str:
    """`open`, `ask` or `closed`; without a word the verdict decides, and an effect alone is open."""
    one = only(clauses, "fail", "one of them is enough", scope)
    if one is not None:
        return one.direction
    return default_fail(verdict) if verdict in RANK else "open"


# ---- the text of a verdict -------------------------------------------------------------------------------------------


def message(literal: ast.StringLiteral, scope: Scope) -> Message:
    """Return a message's parts; an expression may be absent, undecided or unbound, and then prints `?`."""
    place = Place(scope.source, literal.span)
    if not literal.interpolated and "}" not in literal.value:
        return Message(place, (literal.value,) if literal.value else ())
    parts, problems = parse_interpolation(literal, scope.source)
    scope.names.findings.extend(problems)
    before = scope.printing
    scope.printing = True
    printed: list[str | Expr] = [part if isinstance(part, str) else _printed(part, scope) for part in parts]
    scope.printing = before
    return Message(place, tuple(printed))


def _printed(node: ast.Expr, scope: Scope) -> Expr:
    expression = check(node, scope)
    if expression.type in PATTERNS:
        scope.report(messages.wrong_type(expression.place, "something that can be printed", described(expression.type)))
    return expression


# ---- `approve` -------------------------------------------------------------------------------------------------------
# A condition grants if one of its conjuncts does, or each of its alternatives. What grants is a positive statement
# about all that a call would do: `every c in commands { c.read_only or c matches PATTERN }` of a shell line, where the
# pattern names a program that is not made to run anything; `every p in paths { … }` with `p under …`, `inside` or
# `matches` a glob, of a tool that reads a file or searches. A tool that is named literally needs no more. Whatever else
# stands there narrows it. What this does not say of a call, `effects/granted.py` looks at when it is decided.

POINTS = ("before_tool", "before_permission")
KINDS = ("shell", "read", "search")
"""Tool kinds of which every call's effects are known."""


def check_approval(item: ast.Rule, rule: CheckedRule, scope: Scope) -> None:
    """Complain about a rule that approves where nothing is asked, or more than its condition proves."""
    place = Place(scope.source, item.verdicts[0].span)
    for word, clauses in (("require", item.require), ("fail", item.fail), ("timeout", item.timeouts)):
        if clauses:
            scope.report(messages.beside_approve(Place(scope.source, clauses[0].span), word))
    if not rule.listens:
        return
    kinds = {kind for one in rule.listens for kind in one.kinds}
    if kinds - set(KINDS) or not all(
        one.point in POINTS and (one.kinds or one.names) and not any(map(is_of_hosts, one.names))
        for one in rule.listens
    ):
        scope.report(messages.approves_elsewhere(place))
        return
    weak: dict[Place, tuple[str, str, str]] = {}
    if "shell" in kinds and not _grants(rule.when, lambda part: _every(part, "commands", partial(_is_meant, weak))):
        for at, (pattern, why, advice) in weak.items():
            scope.report(messages.grants_anything(at, pattern, why, advice))
        if not weak:
            scope.report(messages.grants_too_much(place, "every c in commands { c.read_only }"))
    within = _holds_all if "search" in kinds else _within
    if kinds - {"shell"} and not _grants(rule.when, lambda part: _every(part, "paths", within)):
        scope.report(messages.grants_too_much(place, "every p in paths { p under workspace }"))


def _grants(node: tree.Expr | None, proves: Callable[[tree.Expr], bool]) -> bool:
    match node:
        case None:
            return False
        case tree.And():
            return any(_grants(part, proves) for part in node.operands)
        case tree.Or():
            return all(_grants(part, proves) for part in node.operands)
        case _:
            return proves(node)


def _every(node: tree.Expr, field: str, proves: Callable[[tree.Expr], bool]) -> bool:
    """Return whether a condition proves something of all that a field holds."""
    return (
        isinstance(node, tree.Quantified)
        and node.kind == "every"
        and node.where is None
        and isinstance(node.source, tree.FieldRef)
        and node.source.name == field
        and _grants(node.body, lambda part: proves(part) and _is_about(part, node.binding))
    )


def _is_meant(weak: dict[Place, tuple[str, str, str]], node: tree.Expr) -> bool:
    """Return whether a command only reads, or is one that patterns name; notes in `weak` a pattern that names any."""
    if not isinstance(node, tree.Matches):
        return isinstance(node, tree.AttributeRef) and node.name == "read_only"
    if not isinstance(node.pattern, tree.CommandPattern):
        return False
    for tokens in node.pattern.include:
        if doubt := names_anything(tokens):
            weak.setdefault(node.place, (" ".join(tokens), *doubt))
    return node.place not in weak


def _within(node: tree.Expr) -> bool:
    if isinstance(node, tree.Matches):
        return isinstance(node.pattern, tree.GlobPattern)
    return isinstance(node, tree.Comparison) and node.op in ("under", "inside")


def _holds_all(node: tree.Expr) -> bool:
    """Return whether where a path lies is said of all below it as well, through which a search goes."""
    if not isinstance(node, tree.Matches):
        return _within(node)
    pattern = node.pattern
    if not isinstance(pattern, tree.GlobPattern) or pattern.exclude:
        return False
    return all(glob == "**" or glob.endswith("/**") for glob in pattern.include)


def _is_about(node: tree.Expr, binding: int) -> bool:
    """Return whether the subject of a statement is the variable of its quantifier."""
    subject = (
        node.base
        if isinstance(node, tree.AttributeRef)
        else node.subject
        if isinstance(node, tree.Matches)
        else node.left
        if isinstance(node, tree.Comparison)
        else None
    )
    return isinstance(subject, tree.Variable) and subject.binding == binding
