"""Which events need a session, how its transaction begins and ends, and what a failure leaves of its past."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from policy_engine.filesystem.drives import Drives
from policy_engine.filesystem.file_system import Disk, Virtual
from policy_engine.model.errors import EventError
from policy_engine.model.event import Event
from policy_engine.model.points import COMPLETIONS, FAILURE_VERDICT, RECORDING
from policy_engine.runtime import engine as core
from policy_engine.runtime.engine import FILESYSTEMS, budgeted, failure, needs_session, starts_session
from tests.unit.runtime.handmade import raw
from tests.unit.runtime.watched import Watched, made

STATEFUL = "rule r { on before_tool on after_tool on session_start when prompted() warn }"
STATELESS = 'rule r { on before_tool when tool.name == "x" deny }'


def test_an_event_is_one_transaction() -> None:
    sessions = Watched()
    decision = made(STATEFUL, sessions).decide(raw())
    assert sessions.asked == [("open", "s", False), ("close", "s")]
    assert (decision.verdict, decision.errors) == ("allow", ("old",))


@pytest.mark.parametrize(
    ("hook", "source", "starts"),
    [
        ("session_start", None, True),
        ("session_start", "startup", True),
        ("session_start", "clear", True),
        ("session_start", "resume", False),
        ("session_start", "compact", False),
        ("after_tool", None, False),
        ("after_tool", "startup", False),
    ],
)
def test_a_session_that_starts_has_no_past(hook: str, source: str | None, starts: bool) -> None:
    given = raw(hook, **({} if source is None else {"source": source}))
    sessions = Watched()
    made(STATEFUL, sessions).decide(given)
    assert sessions.asked[0] == ("open", "s", starts)
    assert starts_session(Event.from_dict(given)) is starts


def test_what_fails_half_way_is_abandoned_and_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_given: object) -> Any:
        raise RuntimeError("broken")

    sessions = Watched()
    engine = made(STATEFUL, sessions)
    monkeypatch.setattr("policy_engine.runtime.judge.judge", broken)
    decision = engine.decide(raw())
    assert (decision.verdict, decision.errors) == ("deny", ("E-INTERNAL: RuntimeError: broken",))
    assert sessions.asked == [("open", "s", False), ("abandon", "s")]
    assert decision.policy.startswith("sha256:")
    assert (decision.event, decision.hook, decision.session) == ("e", "before_tool", "s")
    assert engine.decide(raw("after_tool")).verdict == "warn" and sessions.asked[2:] == [
        ("open", "s", False), ("abandon", "s"), ("lose", "s"),
    ]  # fmt: skip


@pytest.mark.parametrize("step", ["open", "close"])
def test_a_past_that_cannot_be_had_or_kept_is_told(step: str) -> None:
    sessions = Watched(step)
    decision = made(STATEFUL, sessions).decide(raw("after_tool"))
    assert sessions.asked[-1] == ("lose", "s")
    said = f"E-STORE: the session's history is not available: no {step}"
    assert (decision.verdict, decision.errors) == ("warn", ("old", said))
    first = decision.rules[0]
    assert (first.rule, first.outcome, first.verdict) == ("policy-engine", "undecided", "warn")
    assert (first.message, first.undecided) == (f"{said}.", (said,))


def test_a_past_that_will_seem_complete_is_told_as_well() -> None:
    decision = made(STATEFUL, Watched("open", "lose")).decide(raw("before_tool"))
    said = "E-STORE: the session's history is not available: no open; and it will seem complete: no lose"
    assert decision.errors == ("old", said)
    assert [(one.rule, one.outcome) for one in decision.rules] == [("r", "undecided")]  # the point can refuse


@pytest.mark.parametrize(
    ("given", "policy", "lost"),
    [
        (raw("after_tool", changes="odd"), STATEFUL, ["s"]),
        (raw("after_tool", changes="odd"), STATELESS, []),
        (raw("before_tool", changes="odd"), STATEFUL, []),
        ({"hook": "after_tool", "session": 3}, STATEFUL, []),
        ({"hook": 3, "session": "s"}, STATEFUL, []),
        ({"session": "s"}, STATEFUL, []),
        (None, STATEFUL, []),
    ],
)
def test_an_event_that_is_in_no_history_is_missed_where_something_happened(
    given: Any, policy: str, lost: list[str]
) -> None:
    sessions = Watched()
    decision = made(policy, sessions).decide(given)
    assert [name for _, name in sessions.asked] == lost
    assert decision.policy.startswith("sha256:") and decision.errors[0][:2] == "E-"


def test_an_event_that_was_read_before_is_missed_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    sessions = Watched("lose")
    engine = made(STATEFUL, sessions)
    monkeypatch.setattr(engine, "_decide", lambda *given: (_ for _ in ()).throw(EventError("E-TIME", "odd")))
    decision = engine.decide(Event.from_dict(raw("after_tool")))
    assert decision.errors == ("E-TIME: odd; and then StoreError: no lose",)
    assert (decision.event, decision.hook, decision.session, decision.verdict) == ("e", "after_tool", "s", "warn")


def program(
    verifies: object = (), buckets: tuple[str, ...] = (), facts: tuple[str, ...] = (), modes: object = ()
) -> Any:
    return SimpleNamespace(
        verifies=verifies, facts=facts, modes=modes, bucket=lambda point, kind: point if point in buckets else None
    )


@pytest.mark.parametrize("hook", FAILURE_VERDICT)
def test_the_budget_concerns_completions_and_prompts_where_a_completion_can_be_refused(hook: str) -> None:
    event: Any = SimpleNamespace(hook=hook)
    concerned = hook in (*COMPLETIONS, "prompt")
    assert budgeted(program(), event) is False
    assert budgeted(program(verifies=(1,)), event) is concerned
    for point in COMPLETIONS:
        assert budgeted(program(buckets=(point,)), event) is concerned
    assert budgeted(program(buckets=("before_tool",)), event) is False


PARTS = ("todos", "goal", "plan", "usage", "usage", "changes", "facts")


@pytest.mark.parametrize("hook", FAILURE_VERDICT)
def test_the_past_is_needed_where_something_happens_or_is_asked(hook: str) -> None:
    nothing: Any = SimpleNamespace(hook=hook, **dict.fromkeys(PARTS))
    always = hook in RECORDING or hook in COMPLETIONS or hook == "before_verification"
    bucket: Any = SimpleNamespace(uses_session=False)
    assert [needs_session(program(), each, nothing) for each in (None, bucket)] == [always, always]
    assert needs_session(program(), SimpleNamespace(uses_session=True), nothing) is True  # type: ignore[arg-type]
    assert needs_session(program(facts=("wrote",)), bucket, nothing) is always
    assert needs_session(program(facts=("refused",)), bucket, nothing) is True
    assert needs_session(program(modes=(1,)), bucket, nothing) is True
    for part in PARTS:
        setattr(nothing, part, [])
        assert needs_session(program(), bucket, nothing) is True
        setattr(nothing, part, None)


@pytest.mark.parametrize(
    ("given", "known"),
    [
        ({"hook": "after_tool", "id": "e", "session": "s"}, ("e", "after_tool", "s", "warn")),
        ({"hook": "nowhere", "id": "e", "session": "s"}, ("e", "nowhere", "s", "deny")),
        ({"hook": 1, "id": 2, "session": None}, ("", "", "", "deny")),
        ({}, ("", "", "", "deny")),
        (None, ("", "", "", "deny")),
        (SimpleNamespace(raw={"hook": "session_end", "id": "e"}), ("e", "session_end", "", "warn")),
    ],
)
def test_a_failure_names_what_is_known_and_fails_as_its_point_does(given: Any, known: tuple[str, ...]) -> None:
    decision = failure(given, "E-ODD", "why", "d")
    assert (decision.event, decision.hook, decision.session, decision.verdict) == known
    (rule,) = decision.rules
    assert (rule.rule, rule.outcome, rule.verdict) == ("policy-engine", "undecided", known[3])
    assert (rule.message, rule.undecided) == ("The event could not be decided: E-ODD: why.", ("E-ODD: why",))
    assert (decision.errors, decision.policy) == (("E-ODD: why",), "d")


def test_the_world_of_a_workspace_is_made_once_and_not_kept_for_ever() -> None:
    asked: list[str | None] = []

    def filesystem(workspace: str | None) -> Virtual:
        asked.append(workspace)
        return Virtual()

    engine = made(STATELESS, Watched(), filesystem=filesystem)
    assert engine.filesystem("/a") is engine.filesystem("/a") and engine.filesystem(None) is not engine.filesystem("/a")
    assert asked == ["/a", None]
    for number in range(FILESYSTEMS - 1):
        engine.filesystem(f"/{number}")
    engine.filesystem("/a")
    assert len(asked) == FILESYSTEMS + 1
    engine.filesystem("/one more")
    engine.filesystem("/a")
    assert asked[-2:] == ["/one more", "/a"]


@pytest.mark.parametrize(
    ("workspace", "kind"), [("/workspace", Disk), (None, Disk), ("C:\\work", Drives), ("c:/work", Drives), ("a", Disk)]
)
def test_a_workspace_of_another_system_has_a_world_of_its_own(workspace: str | None, kind: type) -> None:
    found = made(STATELESS, Watched(), filesystem=None).filesystem(workspace)
    assert type(found) is kind
    if kind is Disk:
        assert found.home == "/home/user"


def test_an_event_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[object] = []
    monkeypatch.setattr(core.Engine, "_read", staticmethod(lambda given: read.append(given) or Event.from_dict(given)))
    engine = made(STATELESS, Watched())
    engine.decide(raw())
    engine.decide(Event.from_dict(raw()))
    assert read == [raw()]
