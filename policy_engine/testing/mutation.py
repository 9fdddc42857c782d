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
from policy_engine.testing.mutation_memory import Memory, memory_of
from policy_engine.testing.runner import Suite, is_passed
from policy_engine.testing.trials import Trials
from policy_engine.testing.witness import compare_checked, session_test

Begun = Callable[[int, str], None]
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


@dataclass(slots=True)
class Mistake:
    """Mutants that are one mistake, each with its item, its number there and what is known of the item; `noticed` is
    the one that a test noticed.
    """

    made: list[tuple[Mutant, Mutated, int, Memory]]
    noticed: Mutant | None = None


def try_mutants(suite: Suite, items: Sequence[Mutated], begun: Begun | None = None) -> list[Tried]:
    """Try every mutant of some rules and limits."""
    return compare_mistakes(suite, make_mistakes(suite, items, begun))


def make_mistakes(suite: Suite, items: Sequence[Mutated], begun: Begun | None = None) -> list[Mistake]:
    """Make every mistake in some rules and limits, and run the tests that may notice it; `begun` is told before each
    item its number and its name.
    """
    mistakes: dict[object, Mistake] = {}
    for number, item in enumerate(items):
        if begun is not None:
            begun(number, item.id)
        tests = [test for test in suite.tests if _sees(test, item, suite.sees)]
        memory = memory_of(item, suite)
        for at, mutant in enumerate(mutants(item)):
            key = mutant.shared or (mutant.place.source.name, mutant.place.span, mutant.what)
            mistake = mistakes.setdefault(key, Mistake([]))
            mistake.made.append((mutant, item, at, memory))
            if mistake.noticed is None and _is_noticed(mutant, item, at, memory, tests, suite):
                mistake.noticed = mutant
        memory.keep()
    return list(mistakes.values())


def compare_mistakes(suite: Suite, mistakes: Sequence[Mistake], begun: Begun | None = None) -> list[Tried]:
    """Compare each mistake that no test noticed with the items themselves; `begun` is told before each its number and
    the name of its item.
    """
    tried = []
    for number, mistake in enumerate(mistakes):
        if begun is not None:
            begun(number, mistake.made[0][1].id)
        noticed = mistake.noticed
        tried.append(Tried(noticed, KILLED) if noticed is not None else _compared(mistake, suite))
    return tried


def _is_noticed(mutant: Mutant, item: Mutated, at: int, memory: Memory, tests: list[CheckedTest], suite: Suite) -> bool:
    if at not in memory.noticed:
        trials = Trials(_with(suite.policy, item, mutant.item), mutant.what, suite.sees)
        memory.noticed[at] = not all(is_passed(test, trials) for test in tests)
    return memory.noticed[at]


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


def _compared(mistake: Mistake, suite: Suite) -> Tried:
    """Compare a mistake that no test noticed with the items themselves, each alone with what it reads."""
    outcome = EQUAL
    for mutant, item, at, memory in mistake.made:
        if at not in memory.compared:
            memory.compared[at] = _told_apart(mutant, item, suite)
            memory.keep()
        own, missing = memory.compared[at]
        if own == SURVIVED:
            return Tried(mutant, SURVIVED, missing)
        if own == OPEN:
            outcome = OPEN
    return Tried(mistake.made[0][0], outcome)


def _told_apart(mutant: Mutant, item: Mutated, suite: Suite) -> tuple[str, str]:
    """Return the outcome for one item, and the missing test if there is one."""
    alone = suite.trials.alone(item)
    comparison = compare_checked(alone, _with(alone, _found(alone, item), replace(mutant.item, shadow=False)))
    if comparison.differences:
        shortest = min(comparison.differences, key=lambda one: len(one.steps))
        return SURVIVED, session_test(shortest, "", shortest.before.verdict)
    return (EQUAL if comparison.is_equal else OPEN), ""


def _found(policy: CheckedPolicy, item: Mutated) -> Mutated:
    items: tuple[Mutated, ...] = (*policy.rules, *policy.limits)
    return next(one for one in items if one.id == item.id and type(one) is type(item))
