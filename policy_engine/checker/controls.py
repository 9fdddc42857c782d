"""Check `hook`, `verify` and `waive` declarations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from policy_engine.checker import messages
from policy_engine.checker.expressions import condition
from policy_engine.checker.items import CheckTest, conditions, fail_direction, listen, only, said, verdict_fits
from policy_engine.checker.scope import Scope
from policy_engine.checker.tests import literal
from policy_engine.checker.tree import CheckedHook, CheckedStage, CheckedVerify, CheckedWaiver, Listen, Place
from policy_engine.predicates.base import pointer_keys
from policy_engine.syntax import ast


def hook(item: ast.Hook, scope: Scope, test: CheckTest) -> CheckedHook:
    """Return a hook; its place in the total order is filled in when all hooks are known."""
    place = Place(scope.source, item.name_span)
    listens = listen(item.points, "hook", place, scope)
    when, unless, _ = conditions(item, scope)
    if bool(item.argv) == bool(item.callable):
        scope.report(messages.runs_one_thing(place, bool(item.argv)))
    for other in (*item.before, *item.after):
        if other.name not in scope.names.hooks:
            at = Place(scope.source, other.span)
            scope.report(messages.unknown_hook(at, other.name, scope.names.hooks))
    fail = fail_direction(item.fail, "warn" if item.observe else "deny", scope)
    return CheckedHook(
        item.name, item.title, place, listens, when, unless, item.argv, item.callable, item.timeout, fail,
        item.priority, tuple(name.name for name in item.before), tuple(name.name for name in item.after),
        item.observe, 0, tuple(test(one, scope, item.name) for one in item.tests),
    )  # fmt: skip


def verify(item: ast.Verify, scope: Scope, test: CheckTest) -> CheckedVerify:
    """Return a verification pipeline; it runs where the agent proposes to finish."""
    place = Place(scope.source, item.name_span)
    scope.reach = scope.names.reach((Listen("before_completion", (), ()),))
    when, unless, _ = conditions(item, scope)
    if not item.stages:
        scope.report(messages.no_stages(place))
    seen: dict[str, Place] = {}
    stages = tuple(_stage(stage, seen, scope) for stage in item.stages)
    name, reason, text = said(item.then, scope)
    verdict_fits(name, item.then, scope)
    tests = tuple(test(one, scope, item.name) for one in item.tests)
    return CheckedVerify(item.name, item.title, place, when, unless, stages, item.retries, name, reason, text, tests)


def _stage(stage: ast.Stage, seen: dict[str, Place], scope: Scope) -> CheckedStage:
    place = Place(scope.source, stage.span)
    first = seen.setdefault(stage.name, place)
    if first is not place:
        problem = f"a second stage `{stage.name}`"
        scope.report(messages.bad_stage(place, problem, "give it another name", (("first here", first),)))
    if not stage.argv:
        problem = f"the stage `{stage.name}` runs nothing"
        scope.report(messages.bad_stage(place, problem, 'write `run ["program", …]`'))
    pointer, value = "", None
    if stage.expect is not None:
        pointer, expected = stage.expect
        value = literal(expected, scope)
        try:
            pointer_keys(pointer)
        except ValueError as problem:
            scope.report(messages.bad_stage(place, f"`{pointer}`: {problem}"))
    return CheckedStage(
        stage.name, place, stage.argv, stage.timeout, stage.env, stage.pending_exit, pointer, value
    )  # fmt: skip


def waive(
    item: ast.Waive, scope: Scope, listens: dict[str, tuple[Listen, ...]], own: Sequence[str]
) -> Iterator[CheckedWaiver]:
    """Yield the waiver of a rule, or of each of the set's `own`; its condition is read where what it waives listens."""
    place = Place(scope.source, item.rule_span)
    waived = own if item.rule == ast.EVERY_RULE else (item.rule,)
    if item.rule not in (*scope.names.ids, *listens, ast.EVERY_RULE):
        scope.report(messages.unknown_rule(place, item.rule, scope.names.ids))
    lacking = (
        (not item.why.strip(), "explanation", f'write why: `waive {item.rule} "…"`'),
        (not item.until, "end", "add `until YYYY-MM-DD`"),
        (not item.owner.strip(), "owner", 'add `owner "…"`'),
    )
    for lacks, what, advice in lacking:
        if lacks:
            scope.report(messages.waiver_lacks(place, what, advice))
    if item.until and not _is_day(item.until):
        scope.report(messages.waiver_lacks(place, "end that the calendar has", "write `until YYYY-MM-DD`"))
    known = tuple(listen for rule in waived for listen in listens.get(rule, ()))
    if known:
        scope.reach = scope.names.reach(known)
    when = only(item.when, "when", "join the conditions by `and` or `or`", scope)
    checked = None if when is None else condition(when, scope)
    for rule in waived:
        yield CheckedWaiver(rule, place, item.why, item.until, item.owner, checked)


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True
