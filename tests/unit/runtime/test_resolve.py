"""Of all that was said the strictest counts, whatever the order; nothing lowers it."""

from __future__ import annotations

import itertools

import pytest

from policy_engine.model.decision import RuleResult
from policy_engine.model.event import Event
from policy_engine.model.ladder import RANK, VERDICTS
from policy_engine.model.points import ENGINE
from policy_engine.runtime.resolve import beside, own_word, refused, resolve, warning, worst


def event(interactive: bool | None = None) -> Event:
    host = {} if interactive is None else {"host": {"name": "x", "interactive": interactive}}
    return Event.from_dict({"hook": "prompt", "session": "s", "prompt": "", **host})


def result(rule: str, verdict: str, reason: str = "") -> RuleResult:
    return RuleResult(rule, "violated", verdict, reason=reason)


def test_nobody_spoke_is_allow() -> None:
    decision = resolve(event(), "d", [])
    assert (decision.verdict, decision.stop_reason, decision.rules) == ("allow", None, ())


@pytest.mark.parametrize("pair", list(itertools.combinations(VERDICTS[1:], 2)))
def test_the_strictest_wins_in_either_order(pair: tuple[str, str]) -> None:
    for order in itertools.permutations(pair):
        decision = resolve(event(), "d", [result(word, word, "why") for word in order])
        assert (decision.verdict, [one.rule for one in decision.rules]) == (pair[1], [pair[1], pair[0]])


def test_results_are_sorted_by_strictness_then_id() -> None:
    decision = resolve(event(), "d", [result("b", "warn"), result("c", "deny"), result("a", "warn")])
    assert [one.rule for one in decision.rules] == ["c", "a", "b"]


def test_of_several_stops_the_earliest_reason_wins_then_the_id() -> None:
    stops = [result("a", "stop", "todo_not_converged"), result("z", "stop", "own"), result("b", "stop", "repeat_cycle")]
    for order in itertools.permutations(stops):
        assert resolve(event(), "d", list(order)).stop_reason == "repeat_cycle"
    assert resolve(event(), "d", stops[:1]).stop_reason == "todo_not_converged"


@pytest.mark.parametrize(("interactive", "verdict"), [(False, "deny"), (True, "ask"), (None, "ask")])
def test_where_nobody_can_answer_ask_becomes_deny(interactive: bool | None, verdict: str) -> None:
    assert resolve(event(interactive), "d", [result("a", "ask")]).verdict == verdict


def test_all_that_is_told_is_sorted_and_kept() -> None:
    some = [result("b", "warn"), result("a", "warn"), result("c", "deny")]
    decision = resolve(event(), "d", list(some), ("why",), list(some), list(some), 7)
    for told in (decision.rules, decision.waived, decision.shadow):
        assert [one.rule for one in told] == ["c", "a", "b"]
    assert (decision.errors, decision.timeout_ms, decision.policy, decision.hook) == (("why",), 7, "d", "prompt")


@pytest.mark.parametrize(("hook", "verdict"), [("prompt", "deny"), ("session_end", "warn")])
def test_what_is_lacking_refuses_beside_all_that_was_said(hook: str, verdict: str) -> None:
    here = Event.from_dict({"hook": hook, "session": "s", "prompt": ""})
    before = resolve(here, "d", [result("a", "warn")], ("old",), [result("w", "deny")], [result("x", "deny")], 5)
    after = refused(here, before, "E-POLICY", ["one", "two"])
    assert after.verdict == verdict
    assert {(one.rule, one.outcome, one.verdict, one.message, one.undecided) for one in after.rules} == {
        ("a", "violated", "warn", "", ()),
        (ENGINE, "undecided", verdict, "E-POLICY: one.", ("E-POLICY: one",)),
        (ENGINE, "undecided", verdict, "E-POLICY: two.", ("E-POLICY: two",)),
    }
    assert after.errors == ("old", "E-POLICY: one", "E-POLICY: two")
    kept = ([one.rule for one in after.waived], [one.rule for one in after.shadow], after.timeout_ms, after.policy)
    assert kept == (["w"], ["x"], 5, "d")


def test_what_is_said_beside_a_decision_takes_nothing_from_it() -> None:
    before = resolve(event(), "d", [result("a", "warn")], ("old",), [result("w", "deny")], [result("x", "deny")], 5)
    after = beside(event(), before, [result("b", "deny"), warning("it ran otherwise")])
    told = [(one.rule, one.outcome, one.verdict, one.message) for one in after.rules]
    assert told == [
        ("b", "violated", "deny", ""), ("a", "violated", "warn", ""), (ENGINE, "violated", "warn", "it ran otherwise."),
    ]  # fmt: skip
    kept = ([one.rule for one in after.waived], [one.rule for one in after.shadow], after.timeout_ms, after.policy)
    assert (kept, after.verdict, after.errors) == ((["w"], ["x"], 5, "d"), "deny", ("old",))
    assert ([one.rule for one in before.rules], beside(event(), before, []).to_dict()) == (["a"], before.to_dict())


@pytest.mark.parametrize(("outcome", "undecided"), [("undecided", ("Why.",)), ("violated", ())])
def test_what_the_engine_says_of_a_run_is_its_own_word(outcome: str, undecided: tuple[str, ...]) -> None:
    word = own_word(outcome, "stop", "Why.", "own")
    assert (word.rule, word.outcome, word.verdict, word.message) == (ENGINE, outcome, "stop", "Why.")
    assert (word.undecided, word.reason, word.because, word.evidence) == (undecided, "own", (), ())


def test_what_weaker_layers_say_is_left_out() -> None:
    spoken = [result("organisation/a", "warn"), result("user/b", "ask"), result("c", "deny")]
    ranks = [RANK[word] for word in ("allow", "warn", "ask", "ask", "deny")]
    assert [worst(spoken, layer) for layer in range(5)] == ranks


def test_waived_and_shadow_results_are_told_and_do_not_count() -> None:
    decision = resolve(event(), "d", [], (), [result("a", "deny")], [result("b", "stop", "x")])
    assert (decision.verdict, decision.stop_reason) == ("allow", None)
    assert ([one.rule for one in decision.waived], [one.rule for one in decision.shadow]) == (["a"], ["b"])
