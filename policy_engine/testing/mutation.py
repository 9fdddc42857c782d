"""The tests of a policy: which small mistakes in its rules they notice, and the test that is missing for the others.

A mutant that no test notices is compared with the rule itself: proved equal it is no mistake and does not count; shown
to differ, its session is the missing test; else it is not decided, and counts as not noticed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from policy_engine.analysis.comparison import contents
from policy_engine.checker.tree import CheckedPolicy, CheckedTest
from policy_engine.testing.mutants import Mutant, Mutated, mutants
from policy_engine.testing.runner import Suite, is_passed
from policy_engine.testing.trials import Trials
from policy_engine.testing.witness import compare_checked, session_test

KILLED, EQUAL, SURVIVED, OPEN = "killed", "equal", "survived", "open"


@dataclass(frozen=True, slots=True)
class Tried:
    """The result of a mutant; `missing` is the test that would notice it, as text of the language."""

    mutant: Mutant
    outcome: str
    missing: str = ""


def score(tried: list[Tried]) -> float:
    """Return the share of mutants that tests notice, in percent; those proved equal do not count."""
    counted = [one for one in tried if one.outcome != EQUAL]
    return 100.0 * sum(one.outcome == KILLED for one in counted) / len(counted) if counted else 100.0


def try_mutants(suite: Suite, items: Sequence[Mutated], begun: Callable[[int, str], None] | None = None) -> list[Tried]:
    """Try every mutant of some rules and limits; `begun` is told before each item its number and its name."""
    alike: dict[object, list[tuple[Mutant, Mutated]]] = {}
    noticed: dict[object, Mutant] = {}
    for number, item in enumerate(items):
        if begun is not None:
            begun(number, item.id)
        tests = [test for test in suite.tests if _sees(test, item, suite.sees)]
        for mutant in mutants(item):
            key = mutant.shared or (mutant.place.source.name, mutant.place.span, mutant.what)
            alike.setdefault(key, []).append((mutant, item))
            trials = Trials(_with(suite.policy, item, mutant.item), mutant.what, suite.sees)
            if key not in noticed and not all(is_passed(test, trials) for test in tests):
                noticed[key] = mutant
    return [Tried(noticed[key], KILLED) if key in noticed else _compared(group, suite) for key, group in alike.items()]


def items_of(suite: Suite, wanted: str = "", before: CheckedPolicy | None = None) -> list[Mutated]:
    """Return the rules and limits in the files of a suite.

    Args:
        wanted: Part of their names.
        before: Leave out what this policy says as well.
    """
    items: tuple[Mutated, ...] = (*suite.policy.rules, *suite.policy.limits)
    known = frozenset(contents(before).values()) if before is not None else frozenset()
    own = contents(suite.policy)
    return [
        item
        for item in items
        if item.place.source.name in suite.files and wanted.lower() in item.id.lower() and own[id(item)] not in known
    ]


def _sees(test: CheckedTest, item: Mutated, sees: Mapping[str, frozenset[str]]) -> bool:
    """Detect whether a test may notice the item: it is its own, or a test of a file or mode that can see it."""
    name = test.place.source.name
    if test.owner and (name, test.owner) == (item.place.source.name, item.id):
        return True
    return item.place.source.name in sees.get(name, frozenset((name,)))


def _with(policy: CheckedPolicy, item: Mutated, other: Mutated) -> CheckedPolicy:
    return replace(
        policy,
        rules=tuple(other if one is item else one for one in policy.rules),  # type: ignore[misc]
        limits=tuple(other if one is item else one for one in policy.limits),  # type: ignore[misc]
    )


def _compared(alike: list[tuple[Mutant, Mutated]], suite: Suite) -> Tried:
    """Compare a mistake that no test noticed with the items themselves, each alone with what it reads."""
    outcome, first = EQUAL, alike[0][0]
    for mutant, item in alike:
        alone = suite.trials.alone(item)
        comparison = compare_checked(alone, _with(alone, _found(alone, item), replace(mutant.item, shadow=False)))
        if comparison.differences:
            shortest = min(comparison.differences, key=lambda one: len(one.steps))
            return Tried(mutant, SURVIVED, session_test(shortest, "", shortest.before.verdict))
        if not comparison.is_equal:
            outcome = OPEN
    return Tried(first, outcome)


def _found(policy: CheckedPolicy, item: Mutated) -> Mutated:
    items: tuple[Mutated, ...] = (*policy.rules, *policy.limits)
    return next(one for one in items if one.id == item.id and type(one) is type(item))
