"""A list of effects may be open: what is in doubt is undecided, what is known is known."""

from __future__ import annotations

import pytest

from policy_engine.model.effects import ANY, EFFECTS, OpenTuple
from policy_engine.model.undecided import Undecided


def test_what_is_known_is_found_before_every_doubt() -> None:
    effects = OpenTuple.of(("network",), {ANY: "its options are not known"})
    assert "network" in effects


def test_asking_for_what_is_in_doubt_is_undecided() -> None:
    effects = OpenTuple.of(("network",), {"elevates": "the bit lets it"})
    with pytest.raises(Undecided, match="the bit lets it"):
        assert "elevates" in effects
    assert "kills" not in effects


def test_an_open_list_gives_its_known_members_first() -> None:
    members = iter(OpenTuple.of(("network", "executes"), {ANY: "more may follow"}))
    assert [next(members), next(members)] == ["network", "executes"]
    with pytest.raises(Undecided, match="more may follow"):
        next(members)
    assert list(OpenTuple.of(("network",), {"kills": "perhaps"})) == ["network"]


def test_every_effect_says_what_it_means() -> None:
    assert all(text.startswith("it ") for text in EFFECTS.values())
