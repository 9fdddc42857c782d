"""What the engine says of the run beside a decision: where it is asked, with what, and where that is told."""

from __future__ import annotations

from typing import Any

import pytest

from policy_engine.adapters.base import Capability
from policy_engine.hook_process import continuing, stopped
from policy_engine.loading.active import Live
from policy_engine.model.decision import Decision, RuleResult
from policy_engine.model.points import ENGINE
from tests.unit.hook_process.desk import Desk
from tests.unit.hook_process.plain import CAPABILITIES, plain

UNGATED = plain(capabilities={**CAPABILITIES, "Stop": Capability("before_completion", False, "")})


def word(text: str, verdict: str = "deny") -> RuleResult:
    return RuleResult(ENGINE, "violated", verdict, text)


class Asked:
    """In the place of both: what they were asked, and what they say."""

    def __init__(self) -> None:
        self.calls: list[tuple[Any, ...]] = []
        self.held: RuleResult | OSError | None = None
        self.unknown: RuleResult | None = None
        self.ended: RuleResult | None = None

    def say_held(self, event: Any, decision: Decision, capability: Capability) -> RuleResult | None:
        self.calls.append(("held", event.id, decision.verdict, capability.point))
        if isinstance(self.held, OSError):
            raise self.held
        return self.held

    def say_unknown(
        self, event: Any, decision: Decision, capability: Capability, program: Any, why: str
    ) -> RuleResult | None:
        self.calls.append(("unknown", event.id, decision.verdict, capability.point, program.digest[:7], why))
        return self.unknown

    def say_ended(self, adapter: Any, payload: Any, raw: Any, verdict: str, judged: bool) -> RuleResult | None:
        self.calls.append(("ended", adapter.name, payload["flag"], raw["id"], verdict, judged))
        return self.ended

    def begun(self, event: Any) -> None:
        self.calls.append(("begun", event.hook))


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    found = Asked()
    monkeypatch.setattr(stopped, "held", found.say_held)
    monkeypatch.setattr(stopped, "unknown", found.say_unknown)
    monkeypatch.setattr(continuing, "ended", found.say_ended)
    monkeypatch.setattr(continuing, "begun", found.begun)
    return found


def test_an_earlier_stop_is_asked_for_at_every_event(desk: Desk, asked: Asked) -> None:
    assert desk.decision("Before", desk.event(command="rm a"))["verdict"] == "deny"
    assert asked.calls == [("held", "e", "deny", "before_tool")] and "held" not in desk.record
    asked.held = word("stopped", "stop")
    decision = desk.decision("Before", desk.event())
    assert (decision["verdict"], decision["rules"][0]["message"]) == ("stop", "stopped")
    told = {"outcome": "violated", "verdict": "stop", "message": "stopped", "reason": ""}
    assert desk.record["held"] == [told]


@pytest.mark.parametrize(("fault", "why"), [(OSError(28, "No space left"), "No space left"), (OSError(), "")])
def test_where_that_cannot_be_known_it_is_told_with_the_reason(
    desk: Desk, asked: Asked, fault: OSError, why: str
) -> None:
    asked.held, asked.unknown = fault, word("nobody knows")
    assert desk.decision("Before", desk.event())["rules"][0]["message"] == "nobody knows"
    assert asked.calls[1:] == [("unknown", "e", "allow", "before_tool", "sha256:", why)]
    asked.unknown = None
    assert desk.decision("Before", desk.event())["verdict"] == "allow"


@pytest.mark.parametrize(
    ("native", "hook", "begins"),
    [("Prompt", "prompt", True), ("End", "session_end", True), ("Before", "before_tool", False),
     ("Start", "session_start", False)],
)  # fmt: skip
def test_a_person_who_speaks_and_the_end_of_the_session_begin_anew(
    desk: Desk, asked: Asked, native: str, hook: str, begins: bool
) -> None:
    adapter = plain(capabilities={**CAPABILITIES, "End": Capability("session_end", False, "")})
    desk.decision(native, desk.event(hook, prompt="x"), adapter=adapter)
    assert asked.calls[1:] == ([("begun", hook)] if begins else [])


@pytest.mark.parametrize(("native", "hook"), [("Stop", "before_completion"), ("SubStop", "subagent_completion")])
@pytest.mark.parametrize(
    ("answer", "held", "lacking", "verdict", "judged"),
    [
        ("yes", None, (), "allow", True),
        ("no", None, (), "deny", True),
        ("no", None, ("gone",), "deny", False),
        ("yes", word("stopped", "stop"), (), "stop", True),
    ],
)
def test_a_completion_is_counted_as_it_is_answered(
    desk: Desk,
    asked: Asked,
    native: str,
    hook: str,
    answer: str,
    held: RuleResult | None,
    lacking: tuple[str, ...],
    verdict: str,
    judged: bool,
) -> None:
    asked.held = held
    desk.live = Live(desk.live.program, (), lacking)
    desk.decision(native, desk.event(hook, answer=answer), flag=7)
    assert asked.calls[1:] == [("ended", "plain", 7, "e", verdict, judged)]
    asked.ended = word("over", "stop")
    decision = desk.decision(native, desk.event(hook, answer=answer), flag=7)
    assert decision["verdict"] == "stop" and "over" in [one["message"] for one in decision["rules"]]
    assert [one["message"] for one in desk.record["held"]] == [*([held.message] if held else []), "over"]


def test_a_completion_whose_past_is_not_available_was_not_judged(
    desk: Desk, asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    from policy_engine.hook_process import native

    decide = native._decide

    def without_store(*given: Any) -> Decision:
        decision = decide(*given)
        decision.errors = ("old", "E-STORE: gone")
        return decision

    monkeypatch.setattr(native, "_decide", without_store)
    desk.decision("Stop", desk.event("before_completion", answer="yes"), flag=7)
    assert asked.calls[1:] == [("ended", "plain", 7, "e", "allow", False)]


def test_a_completion_that_the_host_only_reports_is_not_counted(desk: Desk, asked: Asked) -> None:
    desk.decision("Stop", desk.event("before_completion", answer="no"), adapter=UNGATED, flag=7)
    assert [call[0] for call in asked.calls] == ["held"]


@pytest.mark.parametrize(
    ("native", "counted"), [("Stop", True), ("SubStop", True), ("Before", False), ("After", False), ("Odd", False)]
)
@pytest.mark.parametrize("over", [None, Decision("", "before_completion", "", "stop", "", (word("over", "stop"),))])
def test_a_completion_that_cannot_be_looked_at_is_counted_too(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, native: str, counted: bool, over: Decision | None
) -> None:
    given: list[tuple[Any, ...]] = []
    monkeypatch.setattr(continuing, "failed", lambda adapter, *more: given.append((adapter.name, *more)) or over)
    answer = desk.answer(native, {"hook": "odd"}, flag=7)
    text = "unknown lifecycle point `odd`"
    payload = {"flag": 7, "event": {"hook": "odd"}}
    assert given == ([("plain", payload, {"hook": "odd"}, native, "E-POINT", text)] if counted else [])
    if counted and over is not None:
        assert answer.stdout == plain().encode(over, native, None).stdout
    else:
        assert (answer.stdout, answer.stderr, answer.exit_code) == (b"", f"{native}|E-POINT|{text}\n".encode(), 2)


def test_a_completion_that_the_host_only_reports_is_not_ended(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(continuing, "failed", lambda *given: pytest.fail("not to be asked"))
    assert desk.answer("Stop", {"hook": "odd"}, UNGATED).exit_code == 2
