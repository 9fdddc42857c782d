"""Check that what tests of a policy refuse is refused in every other spelling.

Each step with a shell line that is asked about, denied or stopped is played again, after the steps before it, with the
line in each of its other spellings; equal lines of the test are respelled alike, since some rules compare them. A
spelling leaks if the verdict is weaker. Where the spelling hides a word, a rule that is undecided in place of the
refusal has spoken as its author declared, and another rule of the file may ask in its place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from time import perf_counter

from policy_engine.checker.tree import CheckedStep, CheckedTest
from policy_engine.filesystem.file_system import Virtual
from policy_engine.model.ladder import RANK
from policy_engine.model.undecided import Undecided
from policy_engine.reports.base import VERDICT_STYLES, TestOutcome, counted, shown
from policy_engine.runtime.rule_results import UNDECIDED, VIOLATED
from policy_engine.testing import wording
from policy_engine.testing.probe import StepResult
from policy_engine.testing.runner import Suite
from policy_engine.testing.scenario import play
from policy_engine.testing.spellings import Spelling, spellings
from policy_engine.testing.stage import WORKSPACE, Stage
from policy_engine.testing.trials import Trial

LINES = frozenset(("shell", "run"))


def respell(suite: Suite, begun: Callable[[int], None] = lambda number: None) -> tuple[TestOutcome, ...]:
    """Return one outcome per test that refuses a shell line; failed if a spelling of one of them leaks."""
    outcomes = []
    for number, test in enumerate(suite.tests):
        begun(number)
        places = [at for at, step in enumerate(test.steps) if _is_refused(step)]
        if places:
            trials = suite.trials.of(test), suite.trials.of(replace(test, owner=""))
            outcomes.append(_outcome(test, places, *trials))
    return tuple(outcomes)


def _is_refused(step: CheckedStep) -> bool:
    return step.kind in LINES and RANK.get(step.expect, -1) >= RANK["ask"]


def _outcome(test: CheckedTest, places: list[int], trial: Trial, whole: Trial) -> TestOutcome:
    start = perf_counter()
    pieces = [piece for at in places for piece in _leaks(test, at, trial, whole)]
    source = test.place.source
    return TestOutcome(
        source.name,
        source.position(test.place.span.start)[0],
        test.owner,
        test.title,
        not pieces,
        "".join(text for text, _ in pieces).rstrip("\n"),
        round((perf_counter() - start) * 1000, 3),
        pieces=tuple(pieces),
    )


def _leaks(test: CheckedTest, at: int, trial: Trial, whole: Trial) -> Iterator[tuple[str, str]]:
    """Yield the spellings of one step that leak, as pieces of text and style."""
    step = test.steps[at]
    answers = _played(test, at, step, trial)
    if answers is None or wording.strictest(answers) != step.expect:
        return  # the test itself fails
    speakers = {result.rule for one in answers for result in one.decision.rules if RANK[result.verdict] >= RANK["ask"]}
    sure = any(sight.outcome == VIOLATED for one in answers for sight in one.sights if sight.rule in speakers)
    leaks = [
        (spelling, verdict)
        for spelling in spellings(_line(step), Virtual(WORKSPACE))
        if (sure or not spelling.hides)  # what was not known hides no less behind another word
        and (verdict := _leaked(test, at, spelling, trial, speakers)) is not None
        and not (spelling.hides and _asks(_played(test, at, _with_line(step, spelling.line), whole)))
    ]
    if not leaks:
        return
    yield f"{step.place.location}: ", "bold"
    yield f"{step.expect} is weaker in {counted(len(leaks), 'spelling')}\n", ""
    yield from wording.excerpt(step.place)
    for spelling, verdict in leaks:
        yield f"  {verdict or 'cannot be played'}", VERDICT_STYLES.get(verdict, "")
        yield f"  {spelling.name}: ", "dim"
        yield f"{shown(spelling.line)}\n", ""


def _asks(answers: tuple[StepResult, ...] | None) -> bool:
    return answers is not None and RANK[wording.strictest(answers)] >= RANK["ask"]


def _leaked(test: CheckedTest, at: int, spelling: Spelling, trial: Trial, speakers: set[str]) -> str | None:
    """Return the weaker verdict of a spelling; None if it is refused as it has to be."""
    step = test.steps[at]
    answers = _played(test, at, _with_line(step, spelling.line), trial)
    if answers is None:
        return ""
    verdict = wording.strictest(answers)
    if RANK[verdict] >= RANK[step.expect]:
        return None
    sights = [sight for one in answers for sight in one.sights if sight.rule in speakers]
    if spelling.hides and any(sight.outcome in (UNDECIDED, VIOLATED) for sight in sights):
        return None
    return verdict


def _played(test: CheckedTest, at: int, step: CheckedStep, trial: Trial) -> tuple[StepResult, ...] | None:
    """Return the answers to one step after those before it; None if a step cannot be played."""
    stage = Stage(trial, frozenset(trial.specs))
    line = _line(test.steps[at])
    try:
        for earlier in test.steps[:at]:
            same = earlier.kind in LINES and _line(earlier) == line
            play(_with_line(earlier, _line(step)) if same else earlier, stage)
        return play(step, stage)
    except Undecided:
        return None


def _line(step: CheckedStep) -> str:
    return str(dict(step.arguments)[""])


def _with_line(step: CheckedStep, line: str) -> CheckedStep:
    return replace(step, arguments=tuple((label, line if label == "" else value) for label, value in step.arguments))
