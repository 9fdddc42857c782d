"""A weaker layer only tightens: added or changed, it lowers no verdict and lengthens no budget of any event."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from policy_engine.evaluators.base import Program
from policy_engine.loading.layered import program_of
from policy_engine.loading.loader import load_given
from policy_engine.loading.sources import PolicyFile
from policy_engine.loading.stronger_layers import StrongerLayers
from policy_engine.model.decision import Decision
from policy_engine.model.ladder import RANK
from policy_engine.model.layers import ORGANISATION, REPOSITORY, USER
from tests.generated.play import decided
from tests.generated.policies import Case, case
from tests.properties.effort import seeds

NOBODY = "language 1\n"


def layered(*layers: tuple[str, str]) -> Program:
    """The Program of layers given as texts, the strongest first."""
    policies: list[Any] = []
    for name, text in layers:
        found = load_given(
            [PolicyFile.given(f"{name}.policy", f"/{name}", text.encode())], StrongerLayers.of(name, policies)
        )
        assert found.errors == (), text
        policies.append((name, found.policy))
    return program_of(policies, "sha256:0")


def played(program: Program, events: list[dict[str, Any]]) -> list[Decision]:
    return decided(NOBODY, events, program=program)


def lowered(strong: Case, weak: Case, layer: str) -> str:
    """The first event of which less is said with the weaker layer than without it, in words; "" if there is none."""
    alone = played(layered((ORGANISATION, strong.policy.text)), strong.events)
    both = played(layered((ORGANISATION, strong.policy.text), (layer, weak.policy.text)), strong.events)
    for before, after, event in zip(alone, both, strong.events, strict=True):
        if RANK[after.verdict] < RANK[before.verdict]:
            return f"{event}: {before.to_dict()} became {after.to_dict()}"
        if layer == REPOSITORY and after.approved and not before.approved:
            return f"{event}: approved by {after.approved}"
        if before.timeout_ms is not None and (after.timeout_ms is None or after.timeout_ms > before.timeout_ms):
            return f"{event}: a budget of {before.timeout_ms} ms became {after.timeout_ms} ms"
    return ""


@pytest.mark.requirement("R15")
@pytest.mark.fault(73)
@pytest.mark.parametrize("part", range(2))
def test_a_weaker_layer_lowers_nothing(part: int) -> None:
    for seed in seeds(600)[part::2]:
        random = Random(seed)
        strong, weak = case(random, most=6, length=14), case(random, most=6, length=2)
        layer = random.choice((USER, REPOSITORY))
        found = lowered(strong, weak, layer)
        assert found == "", f"seed {seed}: {found}\n--- strong\n{strong.policy.text}\n--- weak\n{weak.policy.text}"


@pytest.mark.requirement("R15")
def test_the_same_names_mean_different_things_in_different_layers() -> None:
    """A layer above another that is its copy says what it says alone, and the copy says it again.

    But for its hooks: where the stronger layer's refuses, the weaker one's is not asked.
    """
    for seed in seeds(200):
        made = case(Random(seed), most=6, length=14)
        hooks = {item.name for item in made.policy.items if item.sort == "hook"}
        alone = played(layered((REPOSITORY, made.policy.text)), made.events)
        twice = played(layered((ORGANISATION, made.policy.text), (REPOSITORY, made.policy.text)), made.events)
        for before, after in zip(alone, twice, strict=True):
            own = {(one.rule, one.verdict) for one in before.rules}
            above = {(one.rule.removeprefix("organisation/"), one.verdict) for one in after.rules if "/" in one.rule}
            again = {(one.rule, one.verdict) for one in after.rules if "/" not in one.rule}
            assert above == own, f"seed {seed}"
            assert {one for one in own if one[0] not in hooks} <= again <= own, f"seed {seed}"
            assert after.verdict == before.verdict, f"seed {seed}"
