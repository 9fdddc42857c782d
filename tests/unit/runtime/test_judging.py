"""One event at one moment: what is put where, what is made ready, and what stays behind, with parts made by hand."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from policy_engine.evaluators.context import EvaluationContext
from policy_engine.model.decision import Decision, RuleResult
from policy_engine.model.undecided import Undecided
from policy_engine.runtime.judge import PARSED_EARLY, Results, judge_event, prepare, remember
from policy_engine.runtime.session import empty_session
from tests.unit.compiler.asking import engine, event
from tests.unit.runtime.handmade import context, raising, rule, seen


@pytest.mark.parametrize(
    ("given", "timeout"),
    [
        ((), None),
        ((("a", 5),), 5),
        ((("a", 5), ("b", 9)), 9),
        ((("a", 9), ("b", 5)), 9),
        ((("user/a", 9), ("b", 5)), 5),
        ((("user/a", 5), ("user/b", 9), ("c", 7)), 7),
        ((("organisation/a", 3), ("user/b", 9), ("c", 7)), 3),
        ((("a", 0),), 0),
    ],
)
def test_a_layer_gives_the_longest_time_and_no_layer_more_than_another(
    given: tuple[tuple[str, int], ...], timeout: int | None
) -> None:
    said = Results()
    for name, budget in given:
        said.give(rule(id=name), budget)
    assert said.timeout == timeout


@pytest.mark.parametrize(
    ("waivers", "shadow", "place"),
    [
        (((10**15, ""),), False, "waived"),
        (((10**15, ""),), True, "waived"),
        (((10**15, "no"),), True, "shadow"),
        ((), True, "shadow"),
        ((), False, "spoken"),
        (((10**15, "no"),), False, "spoken"),
    ],
)
def test_a_word_counts_unless_its_rule_is_waived_or_in_shadow(waivers: Any, shadow: bool, place: str) -> None:
    said, result = Results(), RuleResult("r", "violated", "deny")
    said.add(
        rule({"no": lambda _: False}, waivers=waivers, shadow=shadow), context(time="1970-01-01T00:00:01Z"), result
    )
    assert {name: getattr(said, name) for name in ("spoken", "waived", "shadow")} == {
        "spoken": [], "waived": [], "shadow": [], place: [result],
    }  # fmt: skip


EFFECT = (3000, 0, 0)


def test_a_rule_that_passes_its_plain_test_is_not_asked_again() -> None:
    asked: list[object] = []
    made = rule({"test": lambda m: m.event.id != "e", "trace": asked.append})
    program: Any = SimpleNamespace(rule=lambda number: made, digest="d")
    assert (judge_event(program, [0], context(), ()).rules, asked) == ((), [])


@pytest.mark.parametrize(
    ("fields", "truth", "spoken", "timeout"),
    [
        ({}, True, ["r"], None),
        ({}, False, [], None),
        ({"effect": EFFECT}, True, ["r"], 3000),
        ({"effect": EFFECT}, False, [], None),
        ({"effect": EFFECT}, None, ["r"], None),  # undecided: no time is given
        ({"effect": EFFECT, "shadow": True}, True, [], None),
        ({"effect": EFFECT, "verdict": ""}, True, [], 3000),  # says nothing, and gives time
        ({"effect": EFFECT, "verdict": "", "fail": "open"}, None, ["r"], None),
    ],
)
def test_a_rule_speaks_and_gives_time_as_it_declares(
    fields: dict[str, Any], truth: bool | None, spoken: list[str], timeout: int | None
) -> None:
    test: Any = raising(Undecided("x")) if truth is None else lambda _: truth
    trace: Any = raising(Undecided("x")) if truth is None else lambda _: (seen(truth, "w"), None, None, None)
    made = rule({"test": test, "trace": trace}, **fields)
    program: Any = SimpleNamespace(rule=lambda number: made, digest="d")
    for hits in ([0], [0, 0]):  # a rule that is found twice speaks once
        decision = judge_event(program, hits, context(), ("old",))
        assert ([one.rule for one in decision.rules], decision.timeout_ms) == (spoken, timeout)
        assert (decision.policy, decision.errors, decision.event) == ("d", ("old",), "e")


class Line:
    """A parsed command that remembers whether it was asked what it would do."""

    def __init__(self, known: bool = True) -> None:
        self.asked = 0
        self.known = known

    @property
    def analysis(self) -> object:
        self.asked += 1
        if not self.known:
            raise Undecided("what it touches")
        return object()


@pytest.mark.parametrize(
    ("hook", "tool", "parsed", "asked"),
    [
        ("before_tool", {"command": "ls"}, True, 1),
        ("before_permission", {"command": "ls"}, True, 0),
        ("after_tool", {"command": "ls"}, True, 0),
        ("before_tool", {"command": "x" * PARSED_EARLY}, True, 1),
        ("before_tool", {"command": "x" * (PARSED_EARLY + 1)}, False, 0),
        ("before_tool", None, False, 0),
        ("prompt", None, False, 0),
    ],
)
def test_a_shell_line_is_parsed_before_the_session_is_held(
    monkeypatch: pytest.MonkeyPatch, hook: str, tool: dict[str, Any] | None, parsed: bool, asked: int
) -> None:
    lines = [Line(), Line(known=False), Line()]
    calls = []
    monkeypatch.setattr(EvaluationContext, "__getattr__", lambda self, name: calls.append(name) or lines)
    kind = (
        {"name": "sh", "kind": "other", "args": {}} if tool is None else {"name": "sh", "kind": "shell", "args": tool}
    )
    at = context(hook, prompt="x", **({} if hook == "prompt" else {"tool": kind}))
    rules: list[int] = []
    program: Any = SimpleNamespace(watch=None, rule=rules.append)
    prepare(program, None, at)
    assert (calls, [line.asked for line in lines]) == (["line_commands"] if parsed else [], [asked, asked, 0])
    bucket: Any = SimpleNamespace(limits=(3, 1))
    prepare(program, bucket, at)
    assert rules == [3, 1]


def test_a_line_that_cannot_be_understood_is_left_to_the_rules() -> None:
    program: Any = SimpleNamespace(watch=None)
    assert prepare(program, None, context(tool={"name": "sh", "kind": "shell", "args": {"command": "if ("}})) is None


@pytest.mark.parametrize(
    ("verdicts", "refused"),
    [
        ((), []),
        (("warn", "remind"), []),
        (("ask",), ["r0"]),
        (("deny", "warn", "ask"), ["r0", "r2"]),
        (("stop",), ["r0"]),
    ],
)
def test_refusals_are_remembered_where_a_policy_asks_for_them(
    monkeypatch: pytest.MonkeyPatch, verdicts: tuple[str, ...], refused: list[str]
) -> None:
    seen: list[Any] = []
    monkeypatch.setattr("policy_engine.history.facts.refusals", lambda event, rules: (event.id, rules))
    session = empty_session("s")
    monkeypatch.setattr(type(session.history), "observe", lambda self, facts: seen.append(facts))
    spoken = tuple(RuleResult(f"r{place}", "violated", word) for place, word in enumerate(verdicts))
    decision = Decision("e", "before_tool", "s", "deny", "d", (*spoken, *spoken))
    at = context()
    program: Any = SimpleNamespace(facts=("refused",), budgets=(), retained=())
    assert remember(program, session, at, decision) is decision and seen == [("e", refused)]
    program.facts = ("wrote",)
    assert remember(program, session, at, decision) is decision and len(seen) == 1


@pytest.mark.parametrize(
    ("hook", "asked"),
    [("before_completion", 1), ("subagent_completion", 1), ("prompt", 1), ("before_tool", 0), ("session_end", 0)],
)
def test_the_budget_of_completions_is_asked_at_completions_and_prompts(
    monkeypatch: pytest.MonkeyPatch, hook: str, asked: int
) -> None:
    other = Decision("e", hook, "s", "stop", "d")
    calls: list[object] = []
    monkeypatch.setattr(
        "policy_engine.runtime.completion.completion_budget", lambda *given: calls.append(given) or other
    )
    decision, session, at = Decision("e", hook, "s", "deny", "d"), empty_session("s"), context(hook, prompt="x")
    program: Any = SimpleNamespace(facts=())
    found = remember(program, session, at, decision)
    assert calls == [(program, session, at, decision)] * asked
    assert found is (other if asked else decision)


def test_rules_see_the_event_that_they_judge_in_the_history() -> None:
    made = engine('rule r { on after_tool when wrote("src/**") warn } rule p { on prompt when prompted() warn }')
    result = {"ok": True, "text": "", "status": "completed"}
    assert made.decide(event("after_tool", result=result)).verdict == "warn"
    assert made.decide(event("prompt", prompt="x")).verdict == "warn"
    assert engine('rule r { on before_tool when wrote("src/**") warn }').decide(event()).verdict == "allow"
