"""A session's policies are a floor: whatever replaces them, no verdict is lower than theirs or than the new ones'."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from policy_engine.bootstrap import adapt, scanning
from policy_engine.checker.tree import CheckedPolicy
from policy_engine.compiler.retained import retained
from policy_engine.evaluators.base import Program
from policy_engine.loading.layered import program_of
from policy_engine.loading.loader import load_text
from policy_engine.loading.reloader import Reloader
from policy_engine.model.decision import Decision
from policy_engine.model.ladder import RANK
from policy_engine.model.layers import REPOSITORY
from tests.generated.events import Worlds
from tests.generated.play import Explaining, loaded
from tests.generated.policies import Case, case, text_of
from tests.properties.effort import seeds


def swapped(before: Program, after: Program, at: int, events: list[dict[str, Any]]) -> list[Decision]:
    """What is said of the events of a session whose Program becomes another one before the event of this number."""
    worlds = Worlds()
    scanning(after)
    reloader = Reloader.fixed(adapt(replace(loaded("language 1\n"), program=before)))
    engine = Explaining(reloader, home="/home/user", filesystem=worlds)
    decisions = []
    for number, raw in enumerate(events):
        if number == at:
            engine._in_force = lambda: (after, ())
        worlds.happened(raw)
        decisions.append(engine.decide(raw))
    return decisions


def program(policy: CheckedPolicy, before: CheckedPolicy | None = None) -> Program:
    present = [(REPOSITORY, policy)]
    kept = retained(present, [(REPOSITORY, before)]) if before is not None else None
    return program_of(present, "sha256:0", kept)


def changed(random: Random, made: Case) -> CheckedPolicy:
    """Another policy: parts of it, parts of another one with the same names, or all of another one."""
    other = case(random, most=6, length=1).policy
    names = {item.name for item in made.policy.items}
    for _ in range(8):
        items = [item for item in made.policy.items if random.random() < 0.6]
        known = {item.name for item in items}
        items += [
            item for item in other.items if item.name not in known and (item.name in names or random.random() < 0.3)
        ]
        found = load_text(text_of(items))
        if not found.errors and found.policy is not None:
            return found.policy
    found = load_text(other.text)
    assert found.policy is not None
    return found.policy


def certain(decision: Decision) -> int:
    """The rank of what is said for certain: with less in force less of the past is kept, and less of it is known."""
    return max((RANK[one.verdict] for one in decision.rules if one.outcome == "violated"), default=0)


def lowered(random: Random, made: Case) -> str:
    """The first event of which less is said than by either set, in words; "" if there is none."""
    old = loaded(made.policy.text).policy
    assert old is not None
    new, at = changed(random, made), random.randrange(len(made.events))
    both = program(new, old)
    floor = swapped(program(old), both, at, made.events)
    alone = swapped(program(old), program(old), at, made.events)
    today = swapped(program(old), program(new), at, made.events)
    for number, event in enumerate(made.events):
        said = RANK[floor[number].verdict]
        if said < RANK[alone[number].verdict]:
            return f"{number} after {at}: {event}: {alone[number].to_dict()} became {floor[number].to_dict()}"
        if said < certain(today[number]):
            return f"{number} after {at}: {event}: {today[number].to_dict()} became {floor[number].to_dict()}"
    return ""


@pytest.mark.requirement("R15")
@pytest.mark.parametrize("part", range(2))
def test_a_policy_that_changes_in_a_session_lowers_nothing(part: int) -> None:
    for seed in seeds(600)[part::2]:
        random = Random(seed)
        made = case(random, most=6, length=14)
        found = lowered(random, made)
        assert found == "", f"seed {seed}: {found}\n--- old\n{made.policy.text}"


@pytest.mark.requirement("R15")
def test_what_is_only_added_retains_nothing() -> None:
    for seed in seeds(150):
        made = case(Random(seed), most=6, length=1)
        old = loaded(made.policy.text).policy
        more = loaded(f'{made.policy.text}\nrule fresh "New" {{ on before_tool(shell) deny }}\n').policy
        assert old is not None and more is not None
        assert retained([(REPOSITORY, more)], [(REPOSITORY, old)]) is None, f"seed {seed}"
        lost = retained([(REPOSITORY, old)], [(REPOSITORY, more)])
        assert lost is not None and (lost.gone, lost.changed) == (("fresh",), ())
