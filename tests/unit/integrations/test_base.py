"""What integrations share: events from calls, rulings from decisions, the end of runs, and faults that refuse."""

from __future__ import annotations

import asyncio
import logging
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from policy_engine import Engine
from policy_engine.integrations.base import (
    CONTINUATIONS,
    Call,
    Guard,
    Run,
    Stopped,
    Tool,
    aside,
    result_of,
    stop_behind,
)
from policy_engine.model.decision import Decision, RuleResult
from policy_engine.model.tool_use import plain

POLICY = """\
language 1

rule no-rm "Nothing is removed" {
  severity high
  on before_tool(shell)
  when any c in commands { c.program == "rm" }
  deny "No."
  test { shell "rm a" => deny }
}

rule ask-mv "A person decides" {
  severity high
  on before_tool(shell)
  when any c in commands { c.program == "mv" }
  ask "May I?"
  test { shell "mv a b" => ask }
}

rule watch-ls "Noted" {
  severity low
  on before_tool(shell)
  when any c in commands { c.program == "ls" }
  warn "listed"
  test { shell "ls" => warn }
}
"""


class Said:
    """An engine that gives one verdict, and keeps the events."""

    def __init__(self, verdict: str = "allow", **only: str) -> None:
        self.verdict, self.only = verdict, only
        self.events: list[dict[str, Any]] = []

    def decide(self, event: dict[str, Any]) -> Decision:
        self.events.append(event)
        verdict = self.only.get(event["hook"], self.verdict)
        rules = () if verdict == "allow" else (RuleResult("r", "violated", verdict, "because"),)
        return Decision(event["id"], event["hook"], event["session"], verdict, "", rules)


class Gone:
    """An engine that is not there."""

    def decide(self, event: dict[str, Any]) -> Decision:
        raise OSError("gone")


@dataclass
class Point:
    """A value of a user's own."""

    x: int


def test_a_tool_is_what_its_owner_says_and_else_what_it_is_given() -> None:
    guard = Guard(Engine.from_text(POLICY), "h", "/w", {"sh": Tool("shell", {"command": "line"})})
    run = guard.run()
    assert guard.before(run, Call("sh", {"line": "rm a"})).refusal.startswith("No.")
    assert guard.before(run, Call("anything", {"command": "rm a"})).refused
    assert not guard.before(run, Call("anything", {"text": "rm a"})).refused
    with pytest.raises(ValueError, match="unknown tool kind `shel`"):
        Tool("shel")


def test_a_tool_of_a_server_says_which() -> None:
    engine = Said()
    guard = Guard(engine, "h", "/w", {"push": Tool("mcp", server="forge")})
    guard.before(guard.run(), Call("push", {}))
    guard.before(guard.run(), Call("mcp__b__pull", {}, server="b"))
    assert [(event["tool"]["kind"], event["tool"]["server"]) for event in engine.events] == [
        ("mcp", "forge"), ("mcp", "b"),
    ]  # fmt: skip


def test_what_asks_is_a_denial_where_nobody_answers() -> None:
    engine = Engine.from_text(POLICY)
    for interactive, verdict in ((False, "deny"), (True, "ask")):
        guard = Guard(engine, "h", "/w", interactive=interactive)
        assert guard.before(guard.run(), Call("sh", {"command": "mv a b"})).verdict == verdict


def test_warnings_reach_the_log(caplog: pytest.LogCaptureFixture) -> None:
    guard = Guard(Engine.from_text(POLICY), "h", "/w")
    with caplog.at_level(logging.WARNING, "policy_engine"):
        assert guard.before(guard.run(), Call("sh", {"command": "ls"})).verdict == "allow"
    assert "listed" in caplog.text


def test_an_event_says_where_it_comes_from(tmp_path: Path) -> None:
    engine = Said()
    guard = Guard(engine, "h", tmp_path, {"todo": "todo"})
    run = guard.run("s", "agent")
    guard.begin(run, "go")
    guard.begin(run, "again")
    guard.after(run, Call("todo", {"todos": [{"content": "x", "status": "pending"}]}, "c1"), "ok")
    guard.finish(run, "done")
    assert [event["hook"] for event in engine.events] == [
        "session_start", "prompt", "prompt", "after_tool", "before_completion",
    ]  # fmt: skip
    last = engine.events[3]
    assert last["todos"] == [{"id": "1", "title": "x", "status": "pending"}]
    assert last["tool"] == {
        "name": "todo",
        "kind": "todo",
        "args": {"todos": [last["tool"]["args"]["todos"][0]]},
        "id": "c1",
    }
    assert (last["workspace"], last["agent"], last["session"]) == (
        str(tmp_path), {"kind": "main", "name": "agent"}, "s",
    )  # fmt: skip


def test_an_agent_within_a_tool_call_is_a_sub_agent_of_that_session() -> None:
    guard = Guard(Said(), "h", "/w")
    above = guard.run("s")
    with guard.within(above):
        assert guard.run("other", "helper") == Run("s", "subagent", "helper")
        assert asyncio.run(aside(guard.run)) == Run("s", "subagent", "subagent")
    assert guard.run("other") == Run("other")


def test_a_sub_agent_begins_and_ends_as_one() -> None:
    engine = Said()
    guard, run = Guard(engine, "h", "/w"), Run("s", "subagent", "helper")
    guard.begin(run, "look")
    guard.finish(run, "seen")
    assert [event["hook"] for event in engine.events] == ["subagent_start", "subagent_completion"]


def test_refusing_ends_by_itself_and_a_prompt_begins_anew() -> None:
    guard = Guard(Said(before_completion="deny"), "h", "/w")
    run = guard.run()
    for _ in range(2):
        assert not guard.begin(run, "go").refused
        assert [guard.finish(run, "done").refusal for _ in range(CONTINUATIONS)] == ["because [r]"] * CONTINUATIONS
        with pytest.raises(Stopped, match="A person takes over") as stop:
            guard.finish(run, "done")
        assert stop.value.reason == "accept_continue_exhausted"


@pytest.mark.parametrize("point", ["before", "after"])
def test_stop_ends_the_run(point: str) -> None:
    guard = Guard(Said("stop"), "h", "/w")
    with pytest.raises(Stopped, match="because"):
        _ = guard.before(Run("s"), Call("a", {})) if point == "before" else guard.after(Run("s"), Call("a", {}), "")


@pytest.mark.requirement("R1")
def test_a_fault_refuses_wherever_something_can_be_refused() -> None:
    guard, run = Guard(Gone(), "h", "/w"), Run("s")
    assert guard.begin(run, "go").refused
    assert "E-INTERNAL: OSError: gone" in guard.before(run, Call("a", {})).refusal
    assert guard.finish(run, "done").refused
    assert not guard.after(run, Call("a", {}), "").refused

    class Unreadable:
        def __str__(self) -> str:
            raise RuntimeError("no text")

    assert Guard(Said(), "h", "/w").before(run, Call("a", {"x": Unreadable()})).refused


def test_results_say_what_is_known() -> None:
    shell, other = Tool("shell"), Tool("other")
    done = subprocess.CompletedProcess(["x"], 3, "out")
    assert result_of({"exit_code": 0, "stdout": "hi"}, shell, False) == {
        "text": "hi", "ok": True, "exit_code": 0, "status": "completed",
    }  # fmt: skip
    assert result_of(done, shell, False)["exit_code"] == 3
    assert result_of("hi", shell, False) == {"text": "hi", "status": "unknown"}
    assert result_of("hi", Tool("shell", exit_code=lambda text: 5), False)["ok"] is False
    assert result_of("hi", other, False) == {"text": "hi", "ok": True, "status": "completed"}
    assert result_of("hi", other, True)["status"] == "failed"
    assert result_of(TimeoutError("late"), shell, True)["status"] == "timed_out"
    assert result_of(True, shell, False)["status"] == "unknown"


def test_values_become_json() -> None:
    given = {"path": Path("a"), 1: (b"x", {2}), "p": Point(3), "n": None}
    assert plain(given) == {"path": "a", "1": ["x", [2]], "p": {"x": 3}, "n": None}


def test_a_stop_is_found_behind_the_errors_of_a_framework() -> None:
    stop = Stopped("end", Decision("", "", "", "stop", "", stop_reason="accepted"))
    wrapped = RuntimeError("wrapped")
    wrapped.__cause__ = ValueError("within")
    wrapped.__cause__.__context__ = stop
    assert stop_behind(wrapped) is stop
    assert stop_behind(ValueError()) is None
