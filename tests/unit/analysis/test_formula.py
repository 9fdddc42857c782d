"""What is proved of a condition holds for every event, undecided ones included."""

from __future__ import annotations

from hypothesis import given, settings

from policy_engine.analysis.constants import constant_parts
from policy_engine.analysis.formula import TooLarge, both, ways
from policy_engine.analysis.literals import Clause
from policy_engine.analysis.theory import impossible
from tests.unit.analysis.conditions import CONDITIONS, EVENTS, answer, condition, form_implies, policy

RANK = {False: 0, None: 1, True: 2}


@settings(max_examples=60)
@given(CONDITIONS, EVENTS)
def test_an_impossible_form_is_never_true(text: str, event: dict[str, object]) -> None:
    node = condition(text)
    for value in (True, False):
        try:
            never = impossible(ways(node, value)) is not None
        except TooLarge:
            continue
        assert not (never and answer(node, event, {}) is value)


@settings(max_examples=60)
@given(CONDITIONS, CONDITIONS, EVENTS)
def test_what_implies_is_never_truer(one: str, other: str, event: dict[str, object]) -> None:
    try:
        implies = form_implies(ways(condition(one)), ways(condition(other)))
    except TooLarge:
        return
    if implies:
        narrow, wide = (answer(condition(text), event, {}) for text in (one, other))
        assert RANK[narrow] <= RANK[wide]


@settings(max_examples=40)
@given(CONDITIONS, CONDITIONS)
def test_a_condition_implies_itself_and_what_is_wider(one: str, other: str) -> None:
    try:
        narrow, wide = ways(condition(f"({one}) and ({other})")), ways(condition(f"({one}) or ({other})"))
        alone = ways(condition(one))
    except TooLarge:
        return
    assert form_implies(alone, alone)
    assert form_implies(narrow, alone)
    assert form_implies(alone, wide)


def _same(one: str, other: str) -> bool:
    first, second = ways(condition(one)), ways(condition(other))
    return set[Clause](first) == set[Clause](second)


def test_the_same_said_in_other_words_has_the_same_form() -> None:
    words = "in goal.commands"
    assert _same("not (git.clean or diff.lines > 5)", "not git.clean and diff.lines <= 5")
    assert _same(f'any w {words} {{ w == "a" }}', f'not (every x {words} {{ not ("a" == x) }})')
    assert _same("git.clean and (git.clean or diff.lines > 5)", "git.clean")
    either = f'any w {words} {{ w == "a" }} or any v {words} {{ v == "b" }}'
    assert _same(f'any w {words} {{ w == "a" or w == "b" }}', either)
    assert not _same("git.clean", "not git.clean")


def test_a_condition_that_is_too_large_is_left_alone() -> None:
    parts = " and ".join(f"(diff.lines == {number} or diff.files == {number})" for number in range(20))
    found = policy(f'rule a "A" {{ on before_tool when {parts} warn "No." }}')
    assert constant_parts(found) == []


def test_both_is_the_product() -> None:
    one, other = ways(condition("git.clean or diff.lines > 5")), ways(condition("diff.files > 5"))
    assert len(both([one, other])) == 2
