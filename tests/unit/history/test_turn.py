"""`round.digest`, `tool.digest`, `result.signature`: what makes calls and turns the same, and when it is not known."""

from __future__ import annotations

from typing import Any

import pytest

from policy_engine.bootstrap import Engine
from policy_engine.history.digest import signature
from policy_engine.runtime.session import MemorySessions
from policy_engine.runtime.stored_sessions import StoredSessions
from policy_engine.stores.memory import MemoryStore

POLICY = """\
language 1
limit turns "The same turn" {
  on after_round
  repeats (round.digest) period 2
  at 2 remind "again"
}
"""
CALLS = """\
language 1
limit calls "The same call" {
  on before_tool
  repeats (tool.digest)
  at 2 warn "again"
}
"""


def ended(command: str, text: str = "x", agent: str = "main", **more: Any) -> dict[str, Any]:
    tool = {"name": "Bash", "kind": "shell", "args": {"command": command}}
    return said("after_tool", agent, tool=tool, result={"ok": True, "exit_code": 0, "text": text}, **more)


def said(hook: str, agent: str = "main", **more: Any) -> dict[str, Any]:
    return {"hook": hook, "session": "s", "workspace": "/w", "cwd": "/w", "agent": {"kind": agent}, **more}


def turn(engine: Engine, *calls: dict[str, Any], agent: str = "main") -> str:
    """The verdict at the end of a turn of these calls; `undecided` if the turn is not known."""
    for call in calls:
        engine.decide(call)
    decision = engine.decide(said("after_round", agent))
    return "undecided" if any(rule.outcome == "undecided" for rule in decision.rules) else decision.verdict


@pytest.mark.parametrize("store", [False, True])
def test_turns_are_the_same_whatever_order_their_calls_end_in(store: bool) -> None:
    engine = Engine.from_text(POLICY, sessions=StoredSessions(MemoryStore()) if store else MemorySessions())
    assert turn(engine, ended("a"), ended("b")) == "allow"
    assert turn(engine, ended("b"), ended("a")) == "remind"
    assert turn(engine, ended("a"), ended("a")) == "allow"
    assert turn(engine, ended("b", "y"), ended("a")) == "allow"
    assert turn(engine) == "allow"
    assert turn(engine) == "remind"


def test_calls_of_one_turn_are_no_repeat_and_turns_that_alternate_are() -> None:
    engine = Engine.from_text(POLICY)
    assert turn(engine, *[ended("a")] * 5) == "allow"
    assert turn(engine, ended("b")) == "allow"
    assert turn(engine, *[ended("a")] * 5) == "allow"
    assert turn(engine, ended("b")) == "remind"


def test_turns_of_refused_calls_are_told_apart_and_a_turn_without_calls_has_no_digest() -> None:
    refusing = 'rule none "None" {\n  on before_tool\n  when has tool.args["command"]\n  deny "no"\n}\n'
    engine = Engine.from_text(POLICY.replace("  repeats", "  when has round.digest\n  repeats") + refusing)

    def refused(command: str) -> dict[str, Any]:
        return said("before_tool", tool={"name": "Bash", "kind": "shell", "args": {"command": command}})

    assert engine.decide(refused("a")).verdict == "deny"
    assert [turn(engine, refused(command)) for command in ("b", "c", "c")] == ["allow", "allow", "remind"]
    assert [turn(engine) for _ in range(3)] == ["allow"] * 3


def test_each_agent_has_turns_of_its_own() -> None:
    engine = Engine.from_text(POLICY)
    engine.decide(ended("a"))
    assert turn(engine, ended("b", agent="explore"), agent="explore") == "allow"
    assert turn(engine, ended("b")) == "allow"
    assert turn(engine, ended("b", agent="explore"), agent="explore") == "remind"
    assert turn(engine, ended("a"), ended("b")) == "remind"


@pytest.mark.parametrize("missed", ["lost", "one call", "unproven"])
def test_a_turn_with_a_call_that_is_not_known_is_the_same_as_none(missed: str) -> None:
    sessions = MemorySessions()
    engine = Engine.from_text(POLICY, sessions=sessions)
    assert turn(engine, ended("a")) == "allow"
    if missed == "unproven":
        engine.decide(ended("c", unproven=True))
    else:
        sessions.lose("s", b"t" if missed == "one call" else b"")
    assert turn(engine, ended("a")) == "undecided"
    assert turn(engine, ended("a")) in ("allow", "remind")


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("./ci.sh", "./ci.sh 2>&1", True), ("./ci.sh", '"./ci.sh"  > log', True), ("./ci.sh", "./ci.sh -v", False),
        ("./ci.sh", "cd a && ./ci.sh", False), ("a | b", "a; b", False), ("A=1 make", "make", False),
        ("echo $(", "echo $(", True), ("echo $(", "echo $( ", False),
    ],
)  # fmt: skip
def test_a_line_is_what_it_runs(first: str, second: str, same: bool) -> None:
    engine = Engine.from_text(CALLS)
    tools = [{"name": "Bash", "kind": "shell", "args": {"command": line}} for line in (first, second)]
    assert [engine.decide(said("before_tool", tool=tool)).verdict for tool in tools] == [
        "allow",
        "warn" if same else "allow",
    ]


def test_another_call_is_its_name_and_arguments() -> None:
    engine = Engine.from_text(CALLS)
    tools = [
        {"name": name, "kind": "other", "args": {"n": n}} for name, n in (("a", 1), ("a", 1), ("b", 1), ("b", True))
    ]
    assert [engine.decide(said("before_tool", tool=tool)).verdict for tool in tools] == [
        "allow",
        "warn",
        "allow",
        "allow",
    ]


def test_a_signature_has_no_numbers() -> None:
    assert signature("src/a.ts:12:3 - error TS2304 at 0x7f12ab in 3 s") == signature(
        "src/a.ts:9:14 - error TS2304 at 0x7f13 in 9 s"
    )
    assert signature("a.ts:1 error") != signature("b.ts:1 error")
