"""`decide` always answers: malformed events, faults and a missing past become the point's failure verdict."""

from __future__ import annotations

from typing import Any

import pytest

from policy_engine.bootstrap import Engine
from policy_engine.filesystem.file_system import Virtual
from policy_engine.model.errors import StoreError
from policy_engine.model.points import ENGINE, FAILURE_VERDICT
from policy_engine.runtime import engine as core
from policy_engine.runtime.session import MemorySessions
from tests.unit.compiler.asking import engine, event

ALLOWING = 'rule r { on before_tool when tool.name == "never" deny }'


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (None, "E-TYPE"),
        ([], "E-TYPE"),
        ({}, "E-POINT"),
        ({"hook": "nowhere", "session": "s"}, "E-POINT"),
        ({"hook": "before_tool"}, "E-FIELD"),
        ({"hook": "before_tool", "session": "s"}, "E-FIELD"),
        ({"hook": "prompt", "session": "s", "prompt": 3}, "E-TYPE"),
        ({"hook": "before_tool", "session": "s", "tool": {"name": "x", "kind": "odd", "args": {}}}, "E-KIND"),
        ({"hook": "before_tool", "session": "s", "tool": {"name": "x", "kind": "shell", "args": {}}}, "E-TYPE"),
        ({"hook": "before_tool", "session": "s", "time": "now", "tool": {"name": "x", "args": {}}}, "E-TIME"),
    ],
)
def test_a_malformed_event_is_refused_with_its_code(raw: Any, code: str) -> None:
    decision = engine(ALLOWING).decide(raw)
    assert decision.verdict == "deny"
    assert [error.split(":")[0] for error in decision.errors] == [code]
    assert [(one.rule, one.outcome) for one in decision.rules] == [("policy-engine", "undecided")]


@pytest.mark.parametrize(("point", "verdict"), sorted(FAILURE_VERDICT.items()))
def test_a_point_that_cannot_refuse_fails_visibly(point: str, verdict: str) -> None:
    assert engine(ALLOWING).decide({"hook": point, "session": "s", "workspace": 3}).verdict == verdict


def test_a_fault_of_ours_never_reads_as_allowed() -> None:
    def broken(workspace: str | None) -> Virtual:
        raise RuntimeError("broken")

    made = Engine.from_text(f"language 1\n{ALLOWING}\nrule s {{ on before_tool when cwd under \"x\" deny }}",
                            home="/home/user", filesystem=broken)  # fmt: skip
    decision = made.decide(event())
    assert decision.verdict == "deny"
    assert "RuntimeError" in str(decision.to_dict())


class NoSessions(MemorySessions):
    """A store that is not there."""

    __slots__ = ()

    def open(self, session: str, program: Any, starts: bool = False) -> Any:
        raise StoreError("the disk is full")

    def lose(self, session: str, kind: bytes = b"") -> None:
        raise StoreError("the disk is full")


def test_without_its_past_a_rule_about_the_past_is_undecided_and_the_others_decide() -> None:
    rules = 'rule a { on before_tool when prompted() deny } rule b { on before_tool when tool.name == "Write" ask }'
    made = Engine.from_text(
        f"language 1\n{rules}", home="/home/user", filesystem=lambda workspace: Virtual(), sessions=NoSessions()
    )
    decision = made.decide(event())
    assert {(one.rule, one.outcome, one.verdict) for one in decision.rules} == {
        ("a", "undecided", "deny"), ("b", "violated", "ask"),
    }  # fmt: skip
    assert any("E-STORE" in error for error in decision.errors)


def test_without_its_past_a_point_that_cannot_refuse_says_so_beside_all_else() -> None:
    rules = """
        rule a { on after_tool when prompted() remind }
        rule w { on after_tool warn }
        waive w "known" { until 9999-12-31 owner "someone" }
        rule s { on after_tool warn shadow }
    """
    made = Engine.from_text(
        f"language 1\n{rules}", home="/home/user", filesystem=lambda workspace: Virtual(), sessions=NoSessions()
    )
    decision = made.decide(event("after_tool"))
    told = {one.rule: one for one in decision.rules}
    assert sorted(told) == ["a", ENGINE] and told["a"].outcome == "undecided"
    (said,) = told[ENGINE].undecided
    assert said.startswith("E-STORE: ") and "the disk is full" in said and told[ENGINE].message == f"{said}."
    assert ([one.rule for one in decision.waived], [one.rule for one in decision.shadow]) == (["w"], ["s"])
    assert said in decision.errors and decision.policy.startswith("sha256:")


def test_what_is_given_stands_in_the_place_of_the_events_own() -> None:
    made = engine('rule r { on before_tool when tool.name == "given" deny }')
    assert [made.decide(event(), given).verdict for given in (None, {"tool_name": "given"})] == ["allow", "deny"]


def test_a_fault_outside_of_any_rule_is_refused_with_its_name() -> None:
    def gone() -> Any:
        raise RuntimeError("gone")

    made = core.Engine(gone, MemorySessions(), "/home/user", lambda: 0)
    decision = made.decide(event())
    assert decision.verdict == "deny"
    assert decision.errors == ("E-INTERNAL: RuntimeError: gone; and then RuntimeError: gone",)


def test_a_policy_without_a_past_never_opens_a_store() -> None:
    made = Engine.from_text(f"language 1\n{ALLOWING}", home="/home/user", sessions=NoSessions())
    raws = [event(), event("prompt", prompt="x"), event("after_tool"), event("before_completion", answer="x")]
    assert [made.decide(raw).verdict for raw in raws] == ["allow"] * 4


def test_an_event_without_a_time_happens_now() -> None:
    made = engine('rule r { on before_tool when time.weekday == "thursday" and time.hour == 0 warn }')
    assert made.decide(event()).verdict == "warn"


def test_the_decision_names_the_event_its_session_and_the_policy() -> None:
    decision = engine(ALLOWING).decide(event())
    assert (decision.event, decision.hook, decision.session) == ("e", "before_tool", "s")
    assert decision.policy.startswith("sha256:")
