"""Random sessions beside the mutation score: a mutant that events tell from its rule has to be found by the comparison.

`python -m tests.generated.told_apart EVENTS [SEED] [PATH…]` tries the mutants of all packs, or of some. Those that are
proved equal, or of which no session is known, and their rules and limits are put into one policy, in which a person
says yes to every question, and hear so many random events. What they say differently is reported.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from policy_engine.analysis.conditions import below, conditions
from policy_engine.checker.tree import CheckedLimit, CheckedRule, CheckedStep, FieldRef
from policy_engine.compiler.compiler import compile_policy
from policy_engine.loading.loader import load
from policy_engine.model.points import FAILURE_VERDICT
from policy_engine.model.undecided import Undecided
from policy_engine.testing.mutants import Mutant, Mutated
from policy_engine.testing.mutation import EQUAL, OPEN, compare_mistakes, items_of, make_mistakes
from policy_engine.testing.runner import Suite, suite
from policy_engine.testing.scenario import play
from policy_engine.testing.stage import Stage
from policy_engine.testing.trials import Trial

ROOT = Path(__file__).resolve().parents[2]
LENGTH = 8  # steps of a session at most


class Agreeing(Stage):
    """A stage on which nothing is held back."""

    def tell(self, point: str, **more: Any) -> bool:
        super().tell(point, **more)
        return False


class Left(NamedTuple):
    """A mutant with the outcome of its mistake, and what it was made of."""

    outcome: str
    mutant: Mutant
    item: Mutated


def unnoticed(paths: Sequence[Path]) -> Iterator[tuple[Suite, list[Left]]]:
    """What is left of the mutants of each file."""
    for path in paths:
        known = suite(load([path]), [path])
        yield known, left_of(known, EQUAL, OPEN)


def left_of(known: Suite, *outcomes: str) -> list[Left]:
    """The mutants with one of these outcomes; of a mistake that is made in several rules, the mutant of each."""
    mistakes = make_mistakes(known, items_of(known))
    return [
        Left(one.outcome, mutant, item)
        for one, mistake in zip(compare_mistakes(known, mistakes), mistakes, strict=True)
        if one.outcome in outcomes
        for mutant, item, *_ in mistake.made
    ]


def told_apart(known: Suite, left: list[Left], events: int, seed: int) -> Mapping[int, str]:
    """By number of the mutant: the random session at which it says something else than its rule or limit."""
    random = Random(seed)
    named = [
        _asking(item, f"{name}-{number}")
        for number, one in enumerate(left)
        for name, item in (("old", one.item), ("new", one.mutant.item))
    ]
    policy = replace(
        known.policy,
        rules=tuple(one for one in named if isinstance(one, CheckedRule)),
        limits=(*known.policy.limits, *(one for one in named if isinstance(one, CheckedLimit))),
        hooks=(),
        verifies=(),
    )
    trial = Trial(compile_policy(policy, "told-apart"), {}, {})
    steps, texts = _vocabulary(known)
    found: dict[int, str] = {}
    heard = 0
    while heard < events:
        session = [_step(random, steps, texts) for _ in range(random.randint(1, LENGTH))]
        stage = Agreeing(trial)
        for step in session:
            try:
                answers = play(step, stage)
            except (Undecided, ValueError):
                break
            for answer in answers:
                said = {result.rule: result.verdict for result in answer.decision.rules}
                for number in range(len(left)):
                    if number not in found and said.get(f"old-{number}") != said.get(f"new-{number}"):
                        found[number] = "; ".join(f"{one.kind} {dict(one.arguments)}" for one in session)
            heard += len(answers)
    return found


def _asking(item: Mutated, name: str) -> Mutated:
    """Return the item with a question where it would refuse; a `stop` is as strict as a question only there."""
    refuses = all(FAILURE_VERDICT[listen.point] == "deny" for listen in item.listens)
    asked = {"deny": "ask", "stop": "ask" if refuses else "stop"}
    if isinstance(item, CheckedRule):
        return replace(item, id=name, verdict=asked.get(item.verdict, item.verdict), shadow=False)
    steps = tuple(replace(step, verdict=asked.get(step.verdict, step.verdict)) for step in item.steps)
    return replace(item, id=name, steps=steps, shadow=False)


def _vocabulary(known: Suite) -> tuple[list[CheckedStep], dict[str, list[object]]]:
    """The steps of the policy's own tests, with one for each field that it reads and a host may not send, and by kind
    what may stand in them: of shell lines also those of the cases about programs.
    """
    steps = [step for test in known.tests for step in test.steps]
    read = {
        node.name: node for one in conditions(known.policy) for node in below(one.expr) if isinstance(node, FieldRef)
    }
    steps += [CheckedStep(node.place, "undecided", (("", name),), "", "") for name, node in sorted(read.items())]
    texts: dict[str, list[object]] = {}
    for step in steps:
        texts.setdefault(_sort(step), []).extend(value for label, value in step.arguments if label == "")
    cases = (ROOT / "tests" / "cases" / "programs").glob("*.case")
    lines = [line for path in cases for line in re.findall(r"^\$ (.*)$", path.read_text("utf-8"), re.MULTILINE)]
    texts.setdefault("line", []).extend(lines)
    return steps, texts


def _sort(step: CheckedStep) -> str:
    if step.kind in ("shell", "run"):
        return "line"
    return "path" if step.kind in ("write", "edit", "read", "delete", "file") else f"{step.kind} {step.arguments[:1]}"


def _step(random: Random, steps: list[CheckedStep], texts: Mapping[str, list[object]]) -> CheckedStep:
    step = random.choice(steps)
    choices = texts[_sort(step)]
    if not choices or random.random() < 0.4:
        return step
    chosen = random.choice(choices)
    return replace(step, arguments=tuple((label, chosen if label == "" else value) for label, value in step.arguments))


if __name__ == "__main__":
    count, first = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    files = [Path(one) for one in sys.argv[3:]] or sorted((ROOT / "rules").rglob("*.policy"))
    for known, left in unnoticed(files):
        apart = told_apart(known, left, count, first) if left else {}
        name = ", ".join(sorted(known.files))
        sys.stdout.write(f"{name}: {len(left)} mutants, {count} events: {len(apart)} told apart\n")
        for number, session in apart.items():
            one = left[number]
            sys.stdout.write(f"  {one.outcome}: {one.item.id}: {one.mutant.what}: {session}\n")
        sys.stdout.flush()
