"""Random sessions beside the mutation score: a mutant that events tell from its rule has to be found by the comparison.

`python -m tests.generated.told_apart EVENTS [SEED] [PATH…]` tries the mutants of all packs, or of some. Those that are
proved equal, or of which no session is known, and their rules are put into one policy, in which a person says yes to
every question, and hear so many random events. What they say differently is reported.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from policy_engine.checker.tree import CheckedRule, CheckedStep
from policy_engine.compiler.compiler import compile_policy
from policy_engine.loading.loader import load
from policy_engine.model.undecided import Undecided
from policy_engine.testing.mutation import EQUAL, OPEN, Tried, items_of, try_mutants
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


def unnoticed(paths: Sequence[Path]) -> Iterator[tuple[Suite, list[Tried]]]:
    """The mutants of the rules of each file that no test notices and no session shows."""
    for path in paths:
        known = suite(load([path]), [path])
        left = [one for one in try_mutants(known, items_of(known)) if one.outcome in (EQUAL, OPEN)]
        if left:
            yield known, left


def told_apart(known: Suite, left: list[Tried], events: int, seed: int) -> Mapping[int, str]:
    """By number of the mutant: the random session at which it says something else than its rule."""
    random = Random(seed)
    rules = {rule.id: rule for rule in known.policy.rules}
    pairs = {
        number: (_asking(rules[one.mutant.item.id], f"old-{number}"), _asking(one.mutant.item, f"new-{number}"))
        for number, one in enumerate(left)
        if isinstance(one.mutant.item, CheckedRule)
    }
    policy = replace(known.policy, rules=tuple(rule for pair in pairs.values() for rule in pair), hooks=(), verifies=())
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
                for number in pairs:
                    if number not in found and said.get(f"old-{number}") != said.get(f"new-{number}"):
                        found[number] = "; ".join(f"{one.kind} {dict(one.arguments)}" for one in session)
            heard += len(answers)
    return found


def _asking(rule: CheckedRule, name: str) -> CheckedRule:
    return replace(rule, id=name, verdict="ask" if rule.verdict in ("deny", "stop") else rule.verdict, shadow=False)


def _vocabulary(known: Suite) -> tuple[list[CheckedStep], dict[str, list[object]]]:
    """The steps of the policy's own tests, and by kind what may stand in them: of shell lines also those of the cases
    about programs.
    """
    steps = [step for test in known.tests for step in test.steps]
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
        apart = told_apart(known, left, count, first)
        name = ", ".join(sorted(known.files))
        sys.stdout.write(f"{name}: {len(left)} mutants, {count} events: {len(apart)} told apart\n")
        for number, session in apart.items():
            one = left[number]
            sys.stdout.write(f"  {one.outcome}: {one.mutant.item.id}: {one.mutant.what}: {session}\n")
        sys.stdout.flush()
