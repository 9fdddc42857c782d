"""Run the tests of a loaded policy: one outcome each, on virtual workspaces, one per test."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

from policy_engine.checker.tree import CheckedPolicy, CheckedStep, CheckedTest
from policy_engine.loading.loader import Loaded
from policy_engine.loading.sources import import_path
from policy_engine.model.ladder import RANK
from policy_engine.model.undecided import Undecided
from policy_engine.reports.base import TestOutcome, counted
from policy_engine.syntax import ast
from policy_engine.testing import wording
from policy_engine.testing.coverage import Coverage
from policy_engine.testing.probe import StepResult
from policy_engine.testing.scenario import EVENTLESS, play
from policy_engine.testing.stage import HOST, Stage
from policy_engine.testing.trials import Trial, Trials

Pieces = list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Suite:
    """The tests to run: those of the named files in the order of their text, with what each file can see."""

    policy: CheckedPolicy
    tests: tuple[CheckedTest, ...]
    trials: Trials
    files: frozenset[str]
    sees: Mapping[str, frozenset[str]]


def suite(loaded: Loaded, paths: Iterable[Path | str], wanted: str = "") -> Suite:
    """The tests at `paths`, those of imported files left out; `wanted` is part of a test's file, rule or title."""
    loaded.require_program()
    policy = loaded.policy
    assert policy is not None
    places = [Path(path).resolve() for path in paths]
    files = frozenset(
        item.name for item in loaded.parsed if any(Path(item.path).resolve().is_relative_to(place) for place in places)
    )
    tests = [test for test in _tests(policy) if test.place.source.name in files and wanted.lower() in _label(test)]
    tests.sort(key=lambda test: (test.place.source.name, test.place.span))
    sees = visible(loaded)
    return Suite(policy, tuple(tests), Trials(policy, loaded.digest, sees), files, sees)


def only_imports(suite: Suite) -> tuple[int, int] | None:
    """Return how many rules and tests the packs bring, if the files of a suite declare nothing but import them."""
    policy = suite.policy
    sources = [rule.place.source.name for rule in policy.rules] + [limit.place.source.name for limit in policy.limits]
    sources += [mode.place.source.name for mode in policy.modes] + [hook.place.source.name for hook in policy.hooks]
    if not sources or any(source in suite.files for source in sources):
        return None
    return len(sources), sum(1 for _ in _tests(policy))


def run(
    suite: Suite, coverage: Coverage | None = None, begun: Callable[[int], None] = lambda number: None
) -> tuple[TestOutcome, ...]:
    """Every test in turn; `begun` hears the number of each test, from 0, before it starts."""
    outcomes = []
    for number, test in enumerate(suite.tests):
        begun(number)
        outcomes.append(_outcome(test, suite.trials, coverage))
    return tuple(outcomes)


def is_passed(test: CheckedTest, trials: Trials) -> bool:
    """Detect whether a test passes, without saying why not."""
    return not _problems(test, trials.of(test), None)


def visible(loaded: Loaded) -> Mapping[str, frozenset[str]]:
    """Return, by file name, the files whose rules hold for its top-level tests: itself and what it imports."""
    by_path = {os.path.realpath(item.path): item.name for item in loaded.parsed}
    direct: dict[str, set[str]] = {}
    for item in loaded.parsed:
        direct[item.name] = set()
        for one in item.tree.items if item.tree is not None else ():
            if isinstance(one, ast.Import):
                path = import_path(one.target.value, item.path)
                other = by_path.get(os.path.realpath(path)) if path is not None else None
                if other is not None:
                    direct[item.name].add(other)
    return {name: frozenset(_closure(name, direct)) for name in direct}


def _closure(name: str, direct: Mapping[str, set[str]]) -> set[str]:
    names, todo = {name}, [name]
    while todo:
        for other in direct[todo.pop()] - names:
            names.add(other)
            todo.append(other)
    return names


def _tests(policy: CheckedPolicy) -> Iterator[CheckedTest]:
    for rule in policy.rules:
        yield from rule.tests
    for limit in policy.limits:
        yield from limit.tests
    for mode in policy.modes:
        for test in mode.tests:  # checked as if at top level, since any reader of the mode may give the verdict
            yield replace(test, owner=mode.id)
    for hook in policy.hooks:
        yield from hook.tests
    for verify in policy.verifies:
        yield from verify.tests
    yield from policy.tests


def _label(test: CheckedTest) -> str:
    return f"{test.place.source.name} {test.owner} {test.title}".lower()


def _outcome(test: CheckedTest, trials: Trials, coverage: Coverage | None) -> TestOutcome:
    start = perf_counter()
    problems = _problems(test, trials.of(test), coverage)
    pieces = _pieces(test, problems)
    return TestOutcome(
        test.place.source.name,
        test.place.source.position(test.place.span.start)[0],
        test.owner,
        test.title,
        not problems,
        "".join(text for text, _ in pieces).rstrip("\n"),
        round((perf_counter() - start) * 1000, 3),
        pieces=tuple(pieces),
    )


def _problems(test: CheckedTest, trial: Trial, coverage: Coverage | None) -> list[Pieces]:
    """Return what is wrong with a test, step by step; a step that cannot be played ends it."""
    if not any(step.expect for step in test.steps):
        what = "no step says what it expects" if test.steps else "nothing runs in this test"
        return [list(wording.broken_step(test.place, f"{what}: add `=> allow`, `=> deny` or another verdict"))]
    stage = _stage(test, trial, coverage)
    problems: list[Pieces] = []
    for step in test.steps:
        try:
            answers = play(step, stage)
        except Undecided as unknown:
            return [*problems, list(wording.broken_step(step.place, f"this step cannot be played: {unknown}"))]
        problem = list(_problem(step, answers))
        if problem:
            problems.append(problem)
    return problems


def _stage(test: CheckedTest, trial: Trial, coverage: Coverage | None) -> Stage:
    """Return a fresh stage that watches the rules which a test is about."""
    watched = frozenset(step.by for step in test.steps if step.by) | {test.owner}
    return Stage(trial, watched & trial.specs.keys(), coverage)


def explanations(test: CheckedTest, trials: Trials) -> Iterator[tuple[CheckedStep, str]]:
    """Yield each step of a test that is decided, with why it was decided so; one that cannot be played is the last."""
    stage = _stage(test, trials.of(test), None)
    for step in test.steps:
        try:
            answers = play(step, stage)
        except Undecided as unknown:
            yield step, f"this step cannot be played: {unknown}"
            return
        if answers:
            yield step, wording.explained(answers)


def _problem(step: CheckedStep, answers: tuple[StepResult, ...]) -> Iterator[tuple[str, str]]:
    refused = next((text for one in answers for text in one.decision.errors), "")
    if refused:
        yield from wording.broken_step(step.place, f"the engine could not decide this step: {refused}")
    elif not step.expect:
        return
    elif step.kind in EVENTLESS:
        problem = f"nothing is decided at `{step.kind}`: expect the verdict at the step that follows"
        yield from wording.broken_step(step.place, problem)
    else:
        verdict = wording.strictest(answers)
        if verdict != step.expect or (step.by and not _spoke(step, answers)):
            yield from wording.wrong_verdict(step, verdict, answers)


def _spoke(step: CheckedStep, answers: tuple[StepResult, ...]) -> bool:
    """Return whether the named rule gave at least that verdict; with `allow`, whether it said nothing."""
    verdicts = [
        _given(result.verdict, one) for one in answers for result in one.decision.rules if result.rule == step.by
    ]
    if step.expect == "approve":
        return any(result.rule == step.by for one in answers for result in one.decision.approved)
    if step.expect == "allow":
        return not verdicts
    return any(RANK[verdict] >= RANK[step.expect] for verdict in verdicts)


def _given(verdict: str, answer: StepResult) -> str:
    """Return the verdict as the host gives it: where nobody can answer, a rule that asks denies."""
    interactive = answer.event.get("host", HOST).get("interactive")
    return "deny" if verdict == "ask" and interactive is False else verdict


def _pieces(test: CheckedTest, problems: list[Pieces]) -> Pieces:
    if len(problems) < 2:
        return [piece for problem in problems for piece in problem]
    pieces: Pieces = [(f"{len(problems)} of {counted(len(test.steps), 'step')} failed\n", "")]
    for problem in problems:
        pieces += [("\n", ""), *problem]
    return pieces
