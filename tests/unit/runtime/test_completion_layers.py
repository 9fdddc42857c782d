"""The budget of completions, layer by layer: what is counted, forgotten and said, with decisions made by hand."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from policy_engine.model.decision import Decision, RuleResult
from policy_engine.runtime.completion import completion_budget
from policy_engine.runtime.session import Session, empty_session
from tests.unit.runtime.handmade import context, rule

ALL = (("organisation", -1), ("user", -1), ("repository", -1))


def decision(*refusals: str, verdict: str = "deny", hook: str = "before_completion") -> Decision:
    """A decision in which these rules speak."""
    spoken = tuple(RuleResult(name, "violated", verdict, reason="own") for name in refusals)
    told = (RuleResult("w", "violated", "deny"),), (RuleResult("x", "violated", "deny"),)
    return Decision("e", hook, "s", verdict if refusals else "allow", "d", spoken, ("old",), None, 7, *told)


def count(session: Session, given: Decision, budgets: Any = ALL, **fields: Any) -> Decision:
    """One completion that this was decided about."""
    program: Any = SimpleNamespace(budgets=budgets, retained=(), rule=lambda number: RESTATED)
    return completion_budget(program, session, context(given.hook, prompt="x", **fields), given)


STEPS = ((2, False, "stop", "enough", "p.policy:9:1"),)
RESTATED = rule({"message0": lambda m, bound: "Enough."}, id="user/completion-budget", extra=(None,) * 5 + (STEPS,))


def names(found: Decision) -> list[str]:
    return [one.rule for one in found.rules if one.verdict == "stop"]


@pytest.mark.parametrize(
    ("refusals", "said"),
    [
        (("organisation/a",), ["completion-budget", "organisation/completion-budget", "user/completion-budget"]),
        (("builtin/a",), ["completion-budget", "organisation/completion-budget", "user/completion-budget"]),
        (("user/a",), ["completion-budget", "user/completion-budget"]),
        (("a",), ["completion-budget"]),
        (("a", "user/b"), ["completion-budget", "user/completion-budget"]),
    ],
)
def test_each_layer_counts_what_it_and_the_stronger_ones_refuse(refusals: tuple[str, ...], said: list[str]) -> None:
    session = empty_session("s")
    found = [count(session, decision(*refusals)) for _ in range(4)]
    assert [names(each) for each in found] == [[], [], [], said]
    for each, layers in zip(found[3].rules[: len(said)], said, strict=True):
        unmet = sorted(name for name in refusals if layers == "completion-budget" or name != "a")
        text = f"Completion was refused 3 times for the same reasons ({', '.join(unmet)}). A person takes over."
        assert (each.message, each.outcome, each.at, each.evidence) == (text, "violated", "", ("e",))
        assert each.because == (("refusals > 3", {"refusals": 4, "unmet": unmet}),)
        assert each.reason == "accept_continue_exhausted"
    kept = found[3]
    assert (kept.verdict, kept.stop_reason, kept.errors) == ("stop", "accept_continue_exhausted", ("old",))
    assert ([one.rule for one in kept.waived], [one.rule for one in kept.shadow], kept.policy) == (["w"], ["x"], "d")
    assert sorted(one.rule for one in kept.rules if one.verdict == "deny") == sorted(refusals)


@pytest.mark.parametrize(("verdict", "counts"), [("ask", True), ("deny", True), ("remind", False), ("warn", False)])
def test_only_a_refusal_counts(verdict: str, counts: bool) -> None:
    session = empty_session("s")
    given = decision("a", verdict=verdict)
    found = [count(session, given) for _ in range(4)]
    assert found[:3] == [given] * 3 and (names(found[3]) != []) is counts
    assert session.limit_count("completion-budget") == (4 if counts else 0)


def test_the_end_of_a_run_neither_counts_nor_forgets() -> None:
    session = empty_session("s")
    steps = [*[decision("a")] * 3, decision("a", verdict="stop"), decision("a")]
    found = [count(session, each) for each in steps]
    assert (found[3], names(found[4])) == (steps[3], ["completion-budget"])
    assert session.limit_count("completion-budget") == 4


@pytest.mark.parametrize(
    ("between", "forgets"),
    [
        (decision(), True),
        (decision(hook="prompt"), True),
        (decision("a", hook="prompt"), True),  # a prompt that is refused begins anew as well
        (decision(hook="before_tool"), False),
        (decision("a", hook="before_tool"), False),
    ],
)
def test_a_prompt_or_an_accepted_completion_forgets(between: Decision, forgets: bool) -> None:
    session = empty_session("s")
    for _ in range(3):
        count(session, decision("a"))
    session.history.dirty = False
    assert count(session, between) is between
    assert session.history.dirty is forgets
    assert names(count(session, decision("a"))) == ([] if forgets else ["completion-budget"])


def test_what_was_never_counted_needs_not_be_kept() -> None:
    session = empty_session("s")
    session.history.dirty = False
    count(session, decision())
    assert session.history.dirty is False
    count(session, decision("a"))
    assert session.history.dirty is True


def test_agents_and_layers_are_counted_apart() -> None:
    session = empty_session("s")
    for agent in ("main", "helper", "main", "helper", "main", "helper"):
        session.agent = agent
        count(session, decision("a"), ALL[1:])
    session.agent = "main"
    assert sorted(session.history.namespace("budget")) == ["helper", "main"]
    assert names(count(session, decision("user/a"), ALL[1:])) == ["completion-budget"]
    assert sorted(session.history.namespace("budget")) == ["helper", "main", "user/main"]


def test_a_layer_may_restate_the_budget() -> None:
    session = empty_session("s")
    budgets = (("user", 0),)
    found = [count(session, decision("user/a"), budgets) for _ in range(2)]
    assert [names(each) for each in found] == [[], ["user/completion-budget"]]
    said = found[1].rules[0]
    assert (said.message, said.reason, said.at) == ("Enough.", "enough", "p.policy:9:1")
    assert (said.because, session.limit_count("user/completion-budget")) == (
        (("user/completion-budget at 2", {"count": 2}),), 2,
    )  # fmt: skip


def test_an_event_without_an_id_is_no_evidence() -> None:
    session = empty_session("s")
    found = [count(session, decision("a"), id="") for _ in range(4)]
    assert found[3].rules[0].evidence == ()
