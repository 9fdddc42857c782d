"""What a declaration becomes: where it was said, and what its clauses mean at the event at hand."""

from __future__ import annotations

from typing import Any

import pytest

from policy_engine.bootstrap import Engine


def counts(reset: str, *events: dict[str, Any]) -> list[str]:
    """What a limit that speaks from two events on says of each."""
    limit = f'limit l "L" {{ on after_round on prompt counts true reset on {reset} at 2 warn "w" }}'
    engine = Engine.from_text(f"language 1\n{limit}\n", home="/home/user", clock=lambda: 0)
    return [engine.decide({"session": "s", **event}).verdict for event in events]


ROUND: dict[str, Any] = {"hook": "after_round"}
PROMPT: dict[str, Any] = {"hook": "prompt", "prompt": "go"}
GREEN: dict[str, Any] = {"hook": "after_round", "facts": {"tests": "green"}}


@pytest.mark.parametrize("reset", ["prompted()", 'prompted() or tool_fact(tests, "red")', "(prompted() or prompted())"])
def test_a_reset_on_atoms_is_about_the_event_at_hand(reset: str) -> None:
    assert counts(reset, ROUND, ROUND, PROMPT, ROUND, ROUND) == ["allow", "warn", "allow", "allow", "warn"]


def test_a_reset_on_either_of_two_atoms_knows_both() -> None:
    found = counts("prompted() or tool_fact(tests)", ROUND, ROUND, GREEN, ROUND, ROUND)
    assert found == ["allow", "warn", "allow", "allow", "warn"]


def test_a_reset_on_a_condition_lasts_as_long_as_it_holds() -> None:
    assert counts("prompted() == true", ROUND, PROMPT, ROUND, ROUND, ROUND) == ["allow"] * 5
