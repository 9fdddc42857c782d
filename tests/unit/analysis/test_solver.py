"""What cvc5 proves of two conditions that the own proof does not, and what it may not prove."""

from __future__ import annotations

import sys

import pytest

from policy_engine.analysis import solver as module
from policy_engine.analysis.solver import solver
from policy_engine.model.errors import ConfigurationError
from tests.generated.formulas import form
from tests.unit.analysis.conditions import form_implies

AHEAD, TURN, BRANCH, GOAL = "git.ahead", "session.turn", "git.branch", "goal.text"
A, B = 'tool.args["a"]', 'tool.args["b"]'
THERE = f"has {A} and has {B}"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (f"{AHEAD} < {TURN}", f"{AHEAD} != {TURN}"),
        (f"{AHEAD} < {TURN} or {AHEAD} > {TURN}", f"{AHEAD} != {TURN}"),
        (f"{AHEAD} != {TURN}", f"{AHEAD} < {TURN} or {AHEAD} > {TURN}"),
        (f"{AHEAD} >= 1", f"{AHEAD} == 1 or {AHEAD} > 1"),
        (f"{AHEAD} > {TURN} and {TURN} > 3", f"{AHEAD} > {TURN} and ({AHEAD} > 3 or {TURN} < 0)"),
        (f"{BRANCH} == {GOAL}", f"{BRANCH} starts_with {GOAL}"),
        (f"{BRANCH} ends_with {GOAL}", f"{BRANCH} contains {GOAL}"),
        (f'{BRANCH} == "ж\\"\\u{{1F600}}"', f'{BRANCH} starts_with "ж"'),
    ],
)
def test_it_proves_what_needs_more_than_one_literal(one: str, other: str) -> None:
    assert solver()(form(one), form(other))


def test_it_knows_more_than_the_own_proof() -> None:
    one, other = form(f"{AHEAD} < {TURN}"), form(f"{AHEAD} <= {TURN}")
    assert not form_implies(one, other)
    assert solver()(one, other)


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        (f"{AHEAD} > {TURN} and {TURN} > 3", f"{AHEAD} > 3", "where the turn is not known the first is undecided"),
        (f"{BRANCH} contains {GOAL}", f"{BRANCH} starts_with {GOAL}", "it may stand elsewhere"),
        (f"{AHEAD} > 1", f"{AHEAD} > 1 and {TURN} >= 0", "where the turn is not known the second is undecided"),
        (f"{TURN} >= 0", f"{AHEAD} == {AHEAD}", "nothing of the second is known"),
    ],
)
def test_what_is_not_known_is_undecided(one: str, other: str, why: str) -> None:
    assert not solver()(form(one), form(other)), why


def test_a_question_that_is_too_large_is_not_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = form(f"{AHEAD} < {TURN}"), form(f"{AHEAD} <= {TURN}")
    monkeypatch.setattr(module, "LITERALS", 1)
    assert not solver()(one, other)
    monkeypatch.undo()
    monkeypatch.setattr(module, "STEPS", 1)
    assert not solver()(one, other)


def test_without_cvc5_the_way_to_get_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cvc5", None)
    with pytest.raises(ConfigurationError, match=r"pip install 'policy_engine\[solver\]'"):
        solver()
