"""Hooks and pipelines run between two transactions: nobody waits for them, and the event stays one event."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from policy_engine.evaluators.context import EvaluationContext
from policy_engine.model.decision import Decision
from policy_engine.runtime.engine import Engine, Observer
from policy_engine.runtime.external import Hooks, everybody
from tests.unit.runtime.handmade import raw
from tests.unit.runtime.watched import Watched, made

HELD = [("open", "s", False), ("close", "s")]
STATEFUL = 'rule s { on before_tool when wrote("src/**") warn }\n'
COUNTING = 'limit many "Not so many" { on before_tool counts true at 3 deny }\n'
HOOK = "hook h { on before_tool on session_start call it }\n"


def hooked(policy: str, sessions: Watched, it: Callable[[Any], Any]) -> Engine:
    return made(policy, sessions, hooks=Hooks({"it": it}))


def test_a_hook_runs_while_nobody_holds_the_session() -> None:
    sessions, during = Watched(), []

    def it(given: Any) -> bool:
        during.append((given["id"], list(sessions.asked)))
        return False

    decision = hooked(STATEFUL + HOOK, sessions, it).decide(raw())
    assert during == [("e", HELD)] and sessions.asked == HELD * 2
    assert (decision.verdict, [one.rule for one in decision.rules]) == ("deny", ["h"])


def test_an_event_with_a_hook_counts_once_and_starts_its_session_once() -> None:
    sessions = Watched()
    engine = hooked(COUNTING + HOOK, sessions, lambda given: True)
    assert [engine.decide(raw()).verdict for _ in range(3)] == ["allow", "allow", "deny"]
    sessions.asked = []
    engine.decide(raw("session_start"))
    assert sessions.asked == [("open", "s", True), ("close", "s"), *HELD]


def test_what_was_refused_is_remembered_after_the_hooks() -> None:
    policy = "rule a { on before_tool ask } rule again { on before_tool when refused(a) stop enough }\n" + HOOK
    engine = hooked(policy, Watched(), lambda given: True)
    assert [engine.decide(raw(id=name)).verdict for name in "ab"] == ["ask", "stop"]


@pytest.mark.parametrize("policy", ["", 'rule r { on before_tool when tool.name == "sh" warn }\n'])
def test_a_hook_of_a_policy_without_a_past_opens_no_session(policy: str) -> None:
    sessions = Watched()
    answers = iter([False, True])
    engine = hooked(policy + HOOK, sessions, lambda given: next(answers))
    allowed = "warn" if policy else "allow"
    assert [engine.decide(raw()).verdict for _ in range(2)] == ["deny", allowed]
    assert sessions.asked == []


def test_what_fails_after_the_hooks_is_abandoned(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_given: object) -> Any:
        raise RuntimeError("broken")

    sessions = Watched()
    monkeypatch.setattr("policy_engine.runtime.judge.remember", broken)
    decision = hooked(STATEFUL + HOOK, sessions, lambda given: True).decide(raw())
    assert (decision.verdict, decision.errors) == ("deny", ("E-INTERNAL: RuntimeError: broken",))
    assert sessions.asked == [*HELD, ("open", "s", False), ("abandon", "s")]


def test_a_session_that_is_gone_after_the_hooks_is_told() -> None:
    sessions = Watched()

    def it(given: Any) -> bool:
        sessions.broken = ("open",)
        return True

    decision = hooked(STATEFUL + HOOK, sessions, it).decide(raw())
    assert decision.errors == ("old", "E-STORE: the session's history is not available: no open")
    assert sessions.asked == [*HELD, ("open", "s", False), ("lose", "s")]


VERIFY = 'verify v "V" { stage a run ["make"] }\n'


@pytest.mark.parametrize(("outcome", "verdict"), [("passed", "allow"), ("failed", "deny")])
def test_a_pipeline_runs_while_nobody_holds_the_session(outcome: str, verdict: str) -> None:
    sessions, during = Watched(), []

    def stage(spec: Any, folder: str) -> dict[str, Any]:
        during.append((spec[0], folder, list(sessions.asked)))
        return {"stage": "a", "command": "make", "outcome": outcome, "exit_code": int(outcome == "failed")}

    engine = made(VERIFY, sessions, hooks=Hooks(admit=everybody, stage=stage))
    decision = engine.decide(raw("before_completion", answer="done"))
    ((name, folder, asked),) = during
    assert (decision.verdict, name, folder) == (verdict, "a", "/workspace"), decision.to_dict()
    assert asked == HELD * 2  # the event itself, and that a verification begins
    assert sessions.asked[-2:] == HELD


def test_a_pipeline_whose_past_cannot_be_had_runs_nothing_and_refuses() -> None:
    engine = made(VERIFY, Watched("open"), hooks=Hooks(admit=everybody, stage=lambda *given: pytest.fail("it ran")))
    decision = engine.decide(raw("before_completion", answer="done"))
    assert [(one.rule, one.outcome, one.verdict) for one in decision.rules] == [("v", "undecided", "deny")]
    assert decision.errors == ("old", "E-STORE: the session's history is not available: no open")


@pytest.mark.parametrize("more", ["", STATEFUL, HOOK, STATEFUL + HOOK])
@pytest.mark.parametrize("broken", [(), ("open",)])
def test_what_is_given_stands_in_the_place_of_the_events_own(more: str, broken: tuple[str, ...]) -> None:
    policy = 'rule g { on before_tool when tool.name == "given" deny }\n' + more
    engine = hooked(policy, Watched(*broken), lambda given: True)
    found = [{one.rule for one in engine.decide(raw(), given).rules} for given in (None, {"tool_name": "given"})]
    assert found[1] - found[0] == {"g"}


def test_who_watches_the_engine_sees_every_event() -> None:
    seen: list[tuple[str, str, str]] = []

    class Watching(Observer):
        def before(self, context: EvaluationContext, session: Any) -> None:
            seen.append((context.event.hook, "before", session.id))

        def after(self, program: Any, context: EvaluationContext, session: Any, decision: Decision) -> None:
            seen.append((context.event.hook, decision.verdict, session.id))

    engine = made('rule r { on before_tool when tool.name == "x" deny }', Watched())
    engine.observer = Watching()
    decisions = [engine.decide(raw(hook)) for hook in ("before_tool", "session_end")]
    points = ("before_tool", "session_end")
    assert seen == [(point, look, "s") for point in points for look in ("before", "allow")]
    assert [(one.verdict, one.errors) for one in decisions] == [("allow", ("old",))] * 2
    away = Engine(made(STATEFUL, Watched())._in_force, Watched("open"), "/home/user", lambda: 7)
    away.observer = engine.observer
    assert away.decide(raw()).verdict == "warn"
    assert seen[4:] == [("before_tool", "before", "s"), ("before_tool", "warn", "s")]


def test_an_event_without_a_time_happens_when_the_engine_says() -> None:
    def at(policy: str, **fields: Any) -> str:
        return made(policy, Watched()).decide(raw(**fields)).verdict

    night = 'when time.weekday == "thursday" and time.hour == 0 warn }\n'
    assert at(f"rule r {{ on before_tool {night}") == "warn"
    assert at(f"rule r {{ on before_tool {night}{STATEFUL}") == "warn"
    assert at(f"rule r {{ on before_tool {night}{STATEFUL}", time="1970-01-01T05:00:00Z") == "allow"
    assert at(f"rule r {{ on before_tool {night}", time="1970-01-01T05:00:00Z") == "allow"
