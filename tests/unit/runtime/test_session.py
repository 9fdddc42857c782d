"""A session remembers what the host said last and counts what happened, in memory as in a store."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from policy_engine.bootstrap import Engine
from policy_engine.filesystem.file_system import Virtual
from policy_engine.runtime.session import LIVE_SESSIONS, MemorySessions
from policy_engine.runtime.stored_sessions import StoredSessions, open_store
from policy_engine.stores.sqlite import SqliteStore
from tests.unit.compiler.asking import event

OPEN = Path("/proc/self/fd")


@pytest.fixture(params=["memory", "store"])
def sessions(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    return MemorySessions() if request.param == "memory" else StoredSessions(open_store(str(tmp_path / "state.db")))


def seen(sessions: Any, condition: str, *events: dict[str, Any]) -> list[bool]:
    """Whether the condition holds at each event."""
    rules = [f"rule r-{point} {{ on {point} when {condition} warn }}" for point in
             ("before_tool", "after_tool", "prompt", "after_round", "session_start")]  # fmt: skip
    made = Engine.from_text(
        "language 1\n" + "\n".join(rules), home="/home/user", filesystem=lambda workspace: Virtual(), sessions=sessions
    )
    return [made.decide({**raw, "id": f"e{number}"}).verdict == "warn" for number, raw in enumerate(events)]


def test_counters_include_the_event_at_hand(sessions: Any) -> None:
    prompt, call, turn = event("prompt", prompt="x"), event("after_tool"), event("after_round")
    condition = "session.turn == 1 and session.steps == 2 and session.rounds == 1"
    assert seen(sessions, condition, prompt, call, call, turn, prompt) == [False, False, False, True, False]


def test_todos_stay_until_the_host_sends_others(sessions: Any) -> None:
    todos = [{"id": "a"}]
    events = (event(), event(todos=todos), event(), event(todos=[]), event())
    assert seen(sessions, "open_todos != []", *events) == [False, True, True, False, False]


def test_a_prompt_is_the_goal_unless_the_host_names_one(sessions: Any) -> None:
    first, second = event("prompt", prompt="a"), event("prompt", prompt="b")
    events = (first, event(), event(goal={"text": "c"}), second, event())
    assert seen(sessions, 'goal.text == "a"', *events) == [True, True, False, False, False]
    named = event("prompt", prompt="b", goal={"text": "a"}, session="t")
    assert seen(sessions, 'goal.text == "a"', named, {**second, "session": "t"}) == [True, True]


def test_a_session_knows_that_it_was_taken_up_again(sessions: Any) -> None:
    opened, resumed = event("session_start", source="startup"), event("session_start", source="resume")
    assert seen(sessions, "session.resumed", opened, event(), resumed, event()) == [False, False, True, True]


def test_the_age_of_a_session_is_counted_from_its_start(sessions: Any) -> None:
    def at(minute: int, hook: str = "before_tool", **more: Any) -> dict[str, Any]:
        return event(hook, time=f"2026-11-20T10:{minute:02}:00Z", **more)

    opened, taken_up = at(0, "session_start", source="startup"), at(6, "session_start", source="resume")
    events = (opened, at(4), at(5), taken_up, at(9))
    assert seen(sessions, "session.age >= 5m", *events) == [False, False, True, True, True]


def test_an_age_is_not_known_without_the_start_or_before_it(sessions: Any) -> None:
    condition = "session.age >= 0s"
    unseen = (event("session_start", source="resume"), event(time="2026-11-20T10:00:00Z"))
    before = (event("session_start", time="2026-11-20T10:00:01Z"), event(time="2026-11-20T10:00:00Z"))
    assert seen(sessions, condition, *unseen) == [True, True]
    assert seen(sessions, condition, *({**one, "session": "t"} for one in before)) == [True, True]
    assert seen(sessions, f"not ({condition})", *unseen) == [True, True]


def test_sessions_are_told_apart(sessions: Any) -> None:
    prompt = event("prompt", prompt="x")
    assert seen(sessions, "prompted()", prompt, event(session="t"), event()) == [True, False, True]


def test_the_session_used_longest_ago_is_dropped_from_memory() -> None:
    from policy_engine.loading.loader import load_text

    program = load_text("language 1\nrule r { on prompt when prompted() warn }").require_program()
    kept = MemorySessions()
    first = kept.open("0", program)
    assert kept.open("0", program) is first
    for number in range(1, LIVE_SESSIONS + 1):
        kept.open(str(number), program)
    assert kept.open("0", program) is not first


def test_threads_take_turns(sessions: Any) -> None:
    rules = "rule new { on prompt when session.turn < 2 warn } rule last { on prompt when session.turn == 81 warn }"
    engine = Engine.from_text(f"language 1\n{rules}", sessions=sessions)
    assert engine.decide(event("prompt", prompt="x")).rules[0].rule == "new"
    with ThreadPoolExecutor(8) as pool:
        decisions = list(pool.map(lambda _: engine.decide(event("prompt", prompt="x")), range(80)))
    assert [(found.rule, found.outcome) for made in decisions for found in made.rules] == [("last", "violated")]
    assert not any(made.errors for made in decisions)
    engine.close()


@pytest.mark.skipif(not OPEN.is_dir(), reason="only /proc tells which files are open")
def test_a_closed_engine_has_let_go_of_its_file_and_opens_it_again(tmp_path: Path) -> None:
    engine = Engine.from_text(
        "language 1\nrule r { on prompt when session.turn == 2 warn }",
        sessions=StoredSessions(open_store(str(tmp_path / "state.db"))),
    )
    for verdict in ("allow", "warn"):
        assert engine.decide(event("prompt", prompt="x")).verdict == verdict
        engine.close()
        assert not [name for name in _open_files() if name.startswith(str(tmp_path))]


@pytest.mark.skipif(not OPEN.is_dir(), reason="only /proc tells which files are open")
def test_a_store_that_nobody_has_any_more_holds_up_nobody(tmp_path: Path) -> None:
    place = str(tmp_path / "state.db")
    SqliteStore(place).begin("s")  # and nothing ends the transaction
    assert not [name for name in _open_files() if name.startswith(place)]
    SqliteStore(place).begin("s")


def _open_files() -> list[str]:
    found = []
    for name in os.listdir(OPEN):
        try:
            found.append(os.readlink(OPEN / name))
        except OSError:
            continue  # the one that lists them
    return found
