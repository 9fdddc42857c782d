"""A session whose past is lost or cannot be had: what needs it is undecided and fails closed, the rest decides."""

from __future__ import annotations

from typing import Any

import pytest

from policy_engine.bootstrap import Engine
from policy_engine.runtime.session import MemorySessions
from policy_engine.runtime.stored_sessions import StoredSessions
from policy_engine.state.own_file import failure
from policy_engine.stores.memory import MemoryStore

POLICY = """\
language 1

mode careful "The agent works on the release" {
  enter when wrote("release/**")
}

rule careful-shell "No shell in a release" {
  on before_tool(shell)
  when mode.careful
  deny "no"
}

rule open-ended "Todos first" {
  on before_tool(write)
  require todos_converged()
  deny "no"
}

rule patient "Not in the first steps" {
  on before_tool(edit)
  when session.steps < 2
  deny "no"
}

rule stateless "No fetching" {
  on before_tool(fetch)
  deny "no"
}

limit calls "At most two searches" {
  on before_tool(search)
  counts tool.kind == "search"
  at 3 deny "no"
}
"""


class Failing(MemoryStore):
    """A store that fails at one step as long as it is told to."""

    step = ""

    def begin(self, session: str, starts: bool = False) -> bytes | None:
        if self.step == "begin":
            raise failure("busy", "another holds it")
        return super().begin(session, starts)

    def commit(self, session: str, blob: bytes) -> None:
        if self.step == "commit":
            self.rollback()
            raise failure("full", "no room")
        super().commit(session, blob)


def event(kind: str, hook: str = "before_tool", **fields: Any) -> dict[str, Any]:
    tool = {"name": kind, "kind": kind, "args": {"command": "ls", "file_path": "/workspace/a", "content": "x"}}
    return {"hook": hook, "session": "s", "cwd": "/workspace", "workspace": "/workspace", "tool": tool, **fields}


def done(kind: str, call: str, **fields: Any) -> dict[str, Any]:
    return event(kind, "after_tool", id=call, result={"ok": True, "text": "", "status": "completed"}, **fields)


def outcomes(engine: Engine) -> dict[str, str]:
    """Per tool kind what came of a proposed call: the verdict, or that the rule was undecided."""
    found = {}
    for kind in ("shell", "write", "edit", "fetch", "search"):
        decision = engine.decide(event(kind))
        undecided = any(rule.outcome == "undecided" for rule in decision.rules)
        found[kind] = "undecided" if undecided else decision.verdict
        assert decision.verdict == "deny" or not undecided  # closed
    return found


KNOWN = {"shell": "allow", "write": "allow", "edit": "deny", "fetch": "deny", "search": "allow"}


@pytest.mark.parametrize(("step", "undecided"), [("begin", "shell write edit search"), ("commit", "search")])
def test_without_the_store_only_what_needs_it_is_undecided(step: str, undecided: str) -> None:
    """What only reads the past needs no room; what counts does."""
    store = Failing()
    engine = Engine.from_text(POLICY, sessions=StoredSessions(store))
    assert outcomes(engine) == KNOWN
    store.step = step
    assert outcomes(engine) == {**KNOWN, **dict.fromkeys(undecided.split(), "undecided")}
    assert engine.decide(event("fetch")).rules[0].outcome == "violated"


@pytest.mark.parametrize("step", ["begin", "commit"])
def test_a_report_that_is_not_recorded_is_shown_and_its_session_is_lost(step: str) -> None:
    store = Failing()
    engine = Engine.from_text(POLICY, sessions=StoredSessions(store))
    store.step = step
    decision = engine.decide(done("write", "1"))
    assert (decision.verdict, decision.rules[0].rule) == ("warn", "policy-engine")
    assert decision.errors[0].startswith("E-STORE: ")
    store.step = ""
    # a write says nothing of todos, and where there is no file of a release none was written
    assert outcomes(engine) == {**KNOWN, "edit": "undecided"}


def test_a_lost_past_is_known_again_once_the_present_says_it() -> None:
    sessions = MemorySessions()
    engine = Engine.from_text(POLICY, sessions=sessions)
    sessions.lose("s")
    assert outcomes(engine)["write"] == "undecided"
    todo = {"id": "1", "title": "a", "status": "completed", "required": True}
    assert engine.decide(event("write", todos=[todo])).verdict == "allow"
    assert outcomes(engine)["write"] == "allow"
    path = {"file_path": "/workspace/release/a", "content": "x"}
    engine.decide({**done("write", "1"), "tool": {"name": "write", "kind": "write", "args": path}})
    assert outcomes(engine)["shell"] == "deny"


def test_continue_keeps_a_goal_that_is_known_and_says_one_that_is_lost() -> None:
    sessions = MemorySessions()
    rule = 'rule demanded "Demanded" { on before_tool(shell) when goal.commands != [] deny "no" }'
    engine = Engine.from_text(f"language 1\n{rule}\n", sessions=sessions)
    said = {"hook": "prompt", "session": "s", "cwd": "/workspace", "workspace": "/workspace"}
    engine.decide({**said, "prompt": "Acceptance: `npm test` must pass."})
    engine.decide({**said, "prompt": "Continue, please."})
    assert [one.outcome for one in engine.decide(event("shell")).rules] == ["violated"]
    sessions.lose("s")
    assert [one.outcome for one in engine.decide(event("shell")).rules] == ["undecided"]
    engine.decide({**said, "prompt": "Continue, please."})
    assert engine.decide(event("shell")).verdict == "allow"


def test_a_part_of_the_todos_is_not_taken_for_all_of_them() -> None:
    sessions = MemorySessions()
    engine = Engine.from_text(POLICY, sessions=sessions)
    sessions.lose("s")
    engine.decide(done("todo", "1", todo_changes=[{"id": "7", "status": "completed"}]))
    assert outcomes(engine)["write"] == "undecided"


@pytest.mark.parametrize("sessions", [MemorySessions(), StoredSessions(MemoryStore())])
def test_a_malformed_report_makes_the_past_incomplete(sessions: Any) -> None:
    engine = Engine.from_text(POLICY, sessions=sessions)
    assert outcomes(engine)["shell"] == "allow"
    decision = engine.decide({**done("write", "1"), "changes": "a"})
    assert (decision.verdict, decision.errors[0][:6]) == ("warn", "E-TYPE")
    assert outcomes(engine)["shell"] == "undecided"


def searches(engine: Engine, number: int) -> list[str]:
    return [engine.decide(event("search", id=f"q{n}-{number}")).verdict for n in range(number)]


@pytest.mark.fault(91)
def test_what_was_counted_before_an_event_was_missed_still_counts() -> None:
    store = Failing()
    engine = Engine.from_text(POLICY, sessions=StoredSessions(store))
    assert searches(engine, 2) == ["allow", "allow"]
    store.step = "commit"
    engine.decide(done("write", "1"))
    store.step = ""
    assert searches(engine, 1) == ["deny"]


@pytest.mark.fault(91)
def test_a_session_whose_counts_nobody_knows_is_not_let_count_anew() -> None:
    store = Failing()
    engine = Engine.from_text(POLICY, sessions=StoredSessions(store))
    searches(engine, 2)
    store._blobs["s"], store._rests["s"] = b"", b"damaged"
    found = engine.decide(event("search", id="q"))
    assert found.verdict == "deny" and "counted before is lost" in found.rules[0].undecided[0]
