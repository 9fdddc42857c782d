"""Compare migrated rules with those that they were made of: sessions are played here, and judged by the source's words.

Nothing is proved: a rule is *equal* on so many sessions, *stricter* or *weaker* with a session that shows it.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from policy_engine.analysis.candidates import Session, Step, sessions
from policy_engine.analysis.comparison import Suspect, spots
from policy_engine.analysis.conditions import rule_form
from policy_engine.analysis.formula import TooLarge
from policy_engine.checker.tree import CheckedPolicy, CheckedRule
from policy_engine.compiler.compiler import compile_policy
from policy_engine.conversion.writing import Migrated, Original, Played
from policy_engine.filesystem.file_system import Virtual
from policy_engine.loading.loader import load_text
from policy_engine.model.event import TOOL_KINDS
from policy_engine.model.ladder import STRICTNESS
from policy_engine.testing.probe import StepResult
from policy_engine.testing.scenario import EVENTLESS, play
from policy_engine.testing.spellings import spellings
from policy_engine.testing.stage import WORKSPACE, Stage
from policy_engine.testing.trials import Trial
from policy_engine.testing.where import Where
from policy_engine.testing.witness import checked_step, is_met, step_text
from policy_engine.testing.wording import strictest

EQUAL, STRICTER, WEAKER, OPEN = "equal", "stricter", "weaker", "not compared"
_EACH = 60  # sessions for each way of a rule at each point
_WAYS = 4
_SPELLINGS = 12  # of each line


@dataclass(frozen=True, slots=True)
class Compared:
    """A rule beside its original. `witness` is the session that tells them apart, `verdict` what is decided here;
    `meant` says why it is weaker on purpose, if all such sessions are meant.
    """

    original: Original
    state: str
    tried: int
    witness: str = ""
    verdict: str = ""
    meant: str = ""


def compare_with_source(migrated: Migrated) -> Iterator[Compared]:
    """Yield a comparison for each rule of the source that its format can judge."""
    if not migrated.originals:
        return
    policy = load_text(migrated.policy_text).policy
    assert policy is not None
    rules = {rule.id: rule for rule in policy.rules}
    for original in migrated.originals:
        yield _compared(policy, rules[original.rule], original)


def _compared(policy: CheckedPolicy, rule: CheckedRule, original: Original) -> Compared:
    alone = replace(policy, rules=(rule,), limits=(), modes=(), hooks=(), verifies=(), waivers=(), claims=())
    trial = Trial(compile_policy(alone, "migrated"), {}, {})
    only = Where(original.only) if original.only else None
    found: dict[str, tuple[int, int, int, str, str]] = {}
    tried = 0
    for session in dict.fromkeys((*_of_lines(rule, original), *_of_tests(rule), *_sessions(rule, original))):
        answers, spoken = _played(session, trial, original)
        verdict = strictest(answers)
        here, there = _strictness(verdict), _strictness(rule.verdict if spoken else "allow")
        tried += 1
        if here == there or here > there > 0:
            continue
        meant = int(here < there and _is_meant(session, original, only))
        doubt = any(one.outcome == "undecided" for answer in answers for one in answer.decision.rules)
        text = "; ".join(map(step_text, session))
        shown = (meant, int(doubt), len(text), text, verdict)
        state = WEAKER if here < there else STRICTER
        found[state] = min(found.get(state, shown), shown)
    state = next((one for one in (WEAKER, STRICTER) if one in found), EQUAL if tried else OPEN)
    meant, _, _, witness, verdict = found.get(state, (0, 0, 0, "", ""))
    return Compared(original, state, tried, witness, verdict, original.meant if meant else "")


def _is_meant(session: Session, original: Original, only: Where | None) -> bool:
    """Detect whether the rule is weaker on purpose at the end of a session."""
    program = only.program("before_tool", "shell") if only is not None else None
    return bool(original.meant) and (program is None or is_met(session, program))


def _played(session: Session, trial: Trial, original: Original) -> tuple[tuple[StepResult, ...], bool]:
    """Return what is decided at the last step, and whether the original speaks there."""
    stage = Stage(trial)
    events: list[Mapping[str, Any]] = []
    changed: list[frozenset[str]] = []
    there: dict[str, bytes] = {}
    for step in session:
        before, answers = there, play(checked_step(step), stage)
        there = {posixpath.relpath(path, WORKSPACE): content for path, content in stage.filesystem.files.items()}
        touched = frozenset(path for path in before.keys() | there.keys() if before.get(path) != there.get(path))
        events += (one.event for one in answers)
        changed += (touched for _ in answers)
    ends = range(len(events) - len(answers), len(events))
    files = frozenset(there)
    return answers, any(
        original.speaks(Played(tuple(events[: end + 1]), tuple(changed[: end + 1]), files)) for end in ends
    )


def _strictness(verdict: str) -> int:
    return max(STRICTNESS[verdict] - STRICTNESS["allow"], 0)


def _sessions(rule: CheckedRule, original: Original) -> Iterator[Session]:
    try:
        ways = rule_form(rule)[:_WAYS] or [frozenset()]
    except TooLarge:
        ways = [frozenset()]
    for clause in ways:
        for point, kind in spots(rule):
            for session in islice(sessions(Suspect(rule, None, spots(rule), ()), clause, point, kind), _EACH):
                last = session[-1]
                if any(step.kind == "undecided" for step in session):
                    continue  # the source knows no such word
                yield from _failing(session)
                if last.kind != "call" or len(last.arguments) > 1 or last.arguments[0][0] != "tool":
                    yield session  # a call of a sort of tool without what it is about is sent by no host
                if last.kind == "shell" and len(session) == 1:
                    yield from _respelled(str(dict(last.arguments)[""]), original)


def _failing(session: Session) -> Iterator[Session]:
    """Yield the session with its last run of a command failing, if it has one."""
    runs = [number for number, step in enumerate(session) if step.kind == "run"]
    if runs:
        step = session[runs[-1]]
        failing = step._replace(
            arguments=tuple((name, 1 if name == "exit" else value) for name, value in step.arguments)
        )
        yield (*session[: runs[-1]], failing, *session[runs[-1] + 1 :])


def _of_lines(rule: CheckedRule, original: Original) -> Iterator[Session]:
    if ("before_tool", "shell") in spots(rule):
        yield from (one for line in original.lines for one in _respelled(line, original))


def _of_tests(rule: CheckedRule) -> Iterator[Session]:
    """Yield the sessions of the tests that stand in the rule: each step alone, and with what goes before it."""
    for test in rule.tests:
        steps = [Step(one.kind, tuple(map(_argument, one.arguments))) for one in test.steps]
        for number, step in enumerate(steps):
            if step.kind not in EVENTLESS:
                yield (step,)
                yield tuple(steps[: number + 1])


def _argument(one: tuple[str, object]) -> tuple[str, object]:
    label, value = one
    return ("name" if label == "tool" and value not in TOOL_KINDS else label, value)


def _respelled(line: str, original: Original) -> Iterator[Session]:
    yield (Step("shell", (("", line),)),)
    if not original.respelled:
        return
    for one in islice(spellings(line, Virtual()), _SPELLINGS):
        yield (Step("shell", (("", one.line),)),)
