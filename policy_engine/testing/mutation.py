"""The tests of a policy: which small mistakes in its rules they notice, and the test that is missing for the others.

A mutant that no test notices is compared with the rule itself: proved equal it is no mistake and does not count; shown
to differ, its session is the missing test; else it is not decided, and counts as not noticed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import blake2b
from pathlib import Path

import policy_engine
from policy_engine.analysis.comparison import contents
from policy_engine.checker.tree import CheckedPolicy, CheckedTest
from policy_engine.model.errors import ConfigurationError
from policy_engine.state.own_file import replace_own
from policy_engine.state.places import active_name, cache_folder, make_folder
from policy_engine.state.sealed import CacheMiss, opened, read_file, sealed
from policy_engine.testing.mutants import Mutant, Mutated, mutants
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


def try_mutants(suite: Suite, items: Sequence[Mutated]) -> list[Tried]:
    """Try every mutant of some rules and limits."""
    return compare_mistakes(suite, make_mistakes(suite, items, None))


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


# ---- what is kept between runs ---------------------------------------------------------------------------------------
# That is the text of the files that can see it, of what these can see, and the engine itself. An entry that cannot be
# read or written is made anew.


@dataclass(slots=True)
class Memory:
    """Of mutants, by their number: whether a test noticed it, and the outcome of comparing it with the missing test.

    `path` is empty where there is no cache folder.
    """

    path: str
    state: bytes
    noticed: dict[int, bool] = field(default_factory=dict)
    compared: dict[int, tuple[str, str]] = field(default_factory=dict)

    def keep(self) -> None:
        """Write it, if it can be written."""
        with suppress(OSError):
            if not self.path:
                return
            make_folder(os.path.dirname(self.path))
            replace_own(self.path, sealed((self.state, self.noticed, self.compared)))


def memory_of(item: Mutated, suite: Suite) -> Memory:
    """Return what is known of an item's mutants, nothing if anything changed since."""
    memory = Memory("", _state(item.place.source.name, suite))
    name = active_name(os.path.realpath(item.place.source.name), type(item).__name__, item.id)
    with suppress(ConfigurationError, CacheMiss, ValueError, TypeError):
        memory.path = f"{cache_folder()}/mutants/{name}"
        state, noticed, compared = opened(read_file(memory.path))
        if state == memory.state:
            memory.noticed, memory.compared = dict(noticed), dict(compared)
    return memory


def _state(name: str, suite: Suite) -> bytes:
    files = {name, *(file for file, seen in suite.sees.items() if name in seen)}
    seen = sorted(files.union(*(suite.sees.get(file, frozenset()) for file in files)))
    texts = {source.name: source.text for source in suite.policy.sources}
    parts = [_engine(), *(part for file in seen for part in (file, texts.get(file, "")))]
    tested = [file for file in seen if file in suite.files]
    return blake2b("\0".join((*parts, *tested)).encode("utf-8", "surrogateescape"), digest_size=16).digest()


@cache
def _engine() -> str:
    """Return what changes with the engine's own files."""
    return "\n".join(sorted(_files()))


def _files() -> Iterator[str]:
    for path in Path(policy_engine.__file__).parent.rglob("*.*"):
        if path.suffix != ".pyc":
            status = path.stat()
            yield f"{path} {status.st_size} {status.st_mtime_ns}"
