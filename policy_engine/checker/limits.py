"""Check `limit` and `mode` declarations: what is counted or entered, and when it gives a verdict."""

from __future__ import annotations

from collections.abc import Iterable

from policy_engine.checker import history, messages, tree
from policy_engine.checker.expressions import check, condition
from policy_engine.checker.items import (
    CheckTest,
    conditions,
    fail_direction,
    key,
    listen,
    metadata,
    only,
    said,
    severity,
    verdict_fits,
)
from policy_engine.checker.scope import NO_GUARDS, Names, Scope
from policy_engine.checker.tree import Atom, CheckedLimit, CheckedMode, LimitStep, Place
from policy_engine.checker.types import described, equal
from policy_engine.model.ladder import RANK
from policy_engine.model.records import is_path
from policy_engine.model.source import Source
from policy_engine.model.types import BOOL, ERROR, INT
from policy_engine.syntax import ast

LONGEST_PERIOD = 16  # a cycle of more different calls is no repetition that a person would see


def limit(item: ast.Limit, scope: Scope, test: CheckTest) -> CheckedLimit:
    """Check a limit, whatever is wrong with it."""
    place = Place(scope.source, item.name_span)
    scope.counting = True
    listens = listen(item.points, "limit", place, scope)
    when, unless, _ = conditions(item, scope)
    measure = only(item.measures, "measure", "one limit measures one thing: write two limits", scope)
    parts: tuple[tree.Expr, ...] = ()
    atoms: tuple[Atom, ...] = ()
    counted: tree.Expr | None = None
    within = rounds = 0
    if measure is None:
        scope.report(messages.one_measure(place))
    else:
        parts = key(measure.key if isinstance(measure, ast.Repeats) else measure.by, scope)
    if isinstance(measure, ast.Counts):
        atoms, counted = _counted(measure, scope)
        within, rounds = (0, 0) if measure.within is None else history.window(measure.within, scope)
    reset = only(item.resets, "reset", "join the conditions by `or`", scope)
    starts_again = None if reset is None else condition(reset, scope)
    scope.counting = False  # a message is written when every limit has counted
    steps = _steps(item, place, scope)
    strictest = max((step.verdict for step in steps if step.verdict in RANK), key=RANK.__getitem__, default="")
    return CheckedLimit(
        item.name, item.title, severity(item.severity, scope), place, listens, when, unless,
        "repeats" if isinstance(measure, ast.Repeats) else "counts", parts, _period(measure, scope), atoms, counted,
        within, rounds, starts_again, steps,
        fail_direction(item.fail, strictest, scope), item.shadow,
        tuple(test(one, scope, item.name) for one in item.tests), *metadata(item, scope),
    )  # fmt: skip


def key_texts(item: ast.Limit, source: Source) -> tuple[str, ...]:
    """Return the parts of a limit's `by` key, as written; none if it has one count."""
    parts = [part for one in item.measures[:1] if isinstance(one, ast.Counts) for part in one.by]
    return tuple(Place(source, part.span).text for part in parts)


def report_other_keys(reads: Iterable[tree.FieldRef], limits: Iterable[CheckedLimit], names: Names) -> None:
    """Report values of another type than the part of the key whose count they ask for: they would never be equal."""
    keys = {limit.id: limit.key for limit in limits}
    for read in reads:
        for given, part in zip(read.key, keys.get(read.name[6:-6], ()), strict=False):
            if not equal(given.type, part.type) or is_path(given.type) is not is_path(part.type):
                problem = f"{described(given.type)} is never equal to the key `{part.place.text}`"
                advice = f"the limit counts by {described(part.type)}"
                names.findings.append(messages.key_of_count(given.place, problem, advice))


def _counted(measure: ast.Counts, scope: Scope) -> tuple[tuple[Atom, ...], tree.Expr | None]:
    """Return what `counts` counts: facts, or events for which a condition holds."""
    if history.is_atoms(measure.what, scope):
        return history.atoms(measure.what, scope, "`counts`") or (), None
    return (), condition(measure.what, scope)


def _period(measure: ast.Repeats | ast.Counts | None, scope: Scope) -> int:
    if not isinstance(measure, ast.Repeats):
        return 1
    if not 1 <= measure.period <= LONGEST_PERIOD:
        place = Place(scope.source, measure.span)
        scope.report(messages.bad_number(place, f"a period is a number from 1 to {LONGEST_PERIOD}"))
    return measure.period


def _steps(item: ast.Limit, place: Place, scope: Scope) -> tuple[LimitStep, ...]:
    """Return the steps in ascending order, `at every` after those at one count."""
    seen: dict[tuple[bool, int], Place] = {}
    steps = []
    for step in item.steps:
        at = Place(scope.source, step.span)
        count = _count(step.count, scope)
        if count is None:
            continue
        if count < 1:
            scope.report(messages.bad_number(at, "a step stands at 1 or more"))
        first = seen.setdefault((step.every, count), at)
        if first is not at:
            shown = f"every {count}" if step.every else str(count)
            scope.report(messages.step_twice(at, shown, first))
            continue
        name, reason, text = said(step.verdict, scope)
        verdict_fits(name, step.verdict, scope)
        steps.append(LimitStep(at, count, step.every, name, reason, text))
    if not item.steps:
        scope.report(messages.no_steps(place))
    return tuple(sorted(steps, key=lambda step: (step.every, step.count)))


def _count(count: int | ast.Name, scope: Scope) -> int | None:
    """Return the number of a step, as written or by the name of a parameter or define; None if it was reported."""
    if isinstance(count, int):
        return count
    value = check(count, scope)
    if isinstance(value, tree.Constant) and type(value.value) is int and value.type is INT:
        return value.value
    if value.type is not ERROR:
        scope.report(messages.not_a_count(Place(scope.source, count.span), count.name))
    return None


def mode(item: ast.Mode, scope: Scope, test: CheckTest) -> CheckedMode:
    """Return a mode: a state that every event may enter or leave."""
    place = Place(scope.source, item.name_span)
    enter = only(item.enter, "enter when", "join the conditions by `or`", scope)
    leave = only(item.exit, "exit when", "join the conditions by `or`", scope)
    if enter is None:
        scope.report(messages.never_entered(place))
    for word, rounds in (("lock", item.lock), ("dwell", item.dwell)):
        if rounds < 0:
            scope.report(messages.bad_number(place, f"`{word}` is a number of rounds, 0 or more"))
    scope.guards = NO_GUARDS
    entered = tree.Constant(place, BOOL, False) if enter is None else condition(enter, scope)
    left = None if leave is None else condition(leave, scope)
    tests = tuple(test(one, scope, "") for one in item.tests)
    return CheckedMode(item.name, item.title, place, entered, left, item.lock, item.dwell, tests)
