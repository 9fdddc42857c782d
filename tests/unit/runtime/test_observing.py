"""What an observing hook starts runs beside the decision, and is heard once, at the session's next event."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from policy_engine.bootstrap import Engine
from policy_engine.model.decision import Decision
from policy_engine.runtime import observing
from policy_engine.runtime.external import Hooks, everybody
from policy_engine.runtime.loop import Loop
from policy_engine.runtime.turns import Call, Message, Turn
from policy_engine.state.places import state_folder
from tests.unit.compiler.asking import event

GATE = "import os, sys; open(sys.argv[1]).read(); "
"""A program that goes on when somebody opens the other end of its named pipe."""


class Beside:
    """An engine whose one hook waits for the test."""

    def __init__(self, folder: Path, program: str, timeout: str = "30s") -> None:
        self.folder, self.pipe = folder, folder / "pipe"
        os.mkfifo(self.pipe)
        argv = json.dumps([sys.executable, "-c", GATE + program, str(self.pipe)])
        policy = f'language 1\nhook h "H" {{ on before_tool(write) run {argv} observe timeout {timeout} }}'
        self.engine = Engine.from_text(policy, home=str(folder), hooks=Hooks(admit=everybody, beside=True))

    def decide(self, hook: str = "before_tool", **more: Any) -> Decision:
        raw: Any = event(hook, workspace=str(self.folder), cwd=str(self.folder), **more)
        return self.engine.decide(raw)

    def go_on(self) -> None:
        """Let the program go on."""
        self.pipe.write_text("")

    def heard(self) -> list[tuple[str, str, str]]:
        """Ask at events of another point until an answer comes; the time limit of the hook bounds it."""
        while any((Path(state_folder()) / observing.FOLDER).iterdir()):
            decision = self.decide("after_tool", result={"ok": True})
            if decision.rules:
                return [(one.outcome, one.verdict, one.message) for one in decision.rules]
        return []


@pytest.fixture(autouse=True)
def _state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("", []),
        ("print('The tests fail.'); exit(2)", [("violated", "remind", "The tests fail.")]),
        ('print(\'{"verdict": "stop", "message": "No."}\')', [("violated", "remind", "No.")]),
        ('print(\'{"verdict": "warn", "message": "Hm."}\')', [("violated", "warn", "Hm.")]),
        ("print('x' * 9000); exit(1)", [("violated", "remind", "x" * 4096)]),
        ("exit(3)", [("undecided", "warn", f"Could not be decided: `{sys.executable}` ended with exit status 3. ")]),
    ],
)
def test_the_answer_is_said_once_at_a_later_event(
    tmp_path: Path, program: str, expected: list[tuple[str, str, str]]
) -> None:
    beside = Beside(tmp_path, program)
    assert beside.decide().verdict == "allow"  # the program cannot have ended
    assert beside.decide("after_tool", result={"ok": True}).rules == ()
    beside.go_on()
    assert beside.heard() == expected
    assert beside.heard() == []


def test_a_program_that_is_too_slow_is_said(tmp_path: Path) -> None:
    beside = Beside(tmp_path, "", timeout="200ms")
    beside.decide()
    ((outcome, verdict, message),) = beside.heard()
    assert (outcome, verdict) == ("undecided", "warn")
    assert "did not end within 200 ms" in message


def test_an_answer_that_never_comes_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(observing, "_SLACK_MS", -60_000)  # it is late already
    monkeypatch.setattr(observing, "_START", "exit()")  # who waits for the command is killed
    beside = Beside(tmp_path, "")
    (late,) = beside.decide().rules
    assert (late.verdict, late.undecided) == ("warn", (f"`{sys.executable}` never answered",))


def test_another_session_and_another_workspace_hear_nothing(tmp_path: Path) -> None:
    beside = Beside(tmp_path, "print('no'); exit(1)")
    beside.decide()
    beside.go_on()
    assert beside.decide("after_tool", result={"ok": True}, session="another").rules == ()
    elsewhere: Any = event("after_tool", result={"ok": True}, workspace="/elsewhere")
    assert beside.engine.decide(elsewhere).rules == ()
    assert beside.heard() == [("violated", "remind", "no")]


def test_so_many_answers_are_awaited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(observing, "OBSERVERS", 1)
    beside = Beside(tmp_path, "")
    assert beside.decide().verdict == "allow"
    (second,) = beside.decide().rules
    assert (second.outcome, second.verdict) == ("undecided", "warn")
    assert "1 answers of observing hooks are awaited" in second.undecided[0]
    beside.go_on()
    assert beside.heard() == []


def test_what_cannot_be_kept_does_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    beside = Beside(tmp_path, "")
    monkeypatch.setenv("XDG_STATE_HOME", str(beside.pipe))
    (unknown,) = [one for one in beside.decide().rules if one.rule == "h"]
    assert (unknown.outcome, unknown.verdict) == ("undecided", "warn")


def test_the_event_is_not_in_a_file(tmp_path: Path) -> None:
    beside = Beside(tmp_path, "")
    beside.decide(tool={"name": "Write", "kind": "write", "args": {"file_path": "a", "content": "a-word-of-mine"}})
    (file,) = (Path(state_folder()) / observing.FOLDER).iterdir()
    assert "a-word-of-mine" not in file.read_text()
    beside.go_on()
    assert beside.heard() == []


def test_the_loop_goes_on_and_the_model_reads_the_answer(tmp_path: Path) -> None:
    beside = Beside(tmp_path, "print('The tests fail.'); exit(1)")
    seen: list[str] = []

    def model(messages: list[Message]) -> Turn:
        seen[:] = [one["text"] for one in messages if one["role"] == "reminder"]
        if len(messages) == 1:
            return Turn(calls=(Call("c", "Write", "write", {"file_path": "a", "content": "x"}),))
        if not seen:
            return Turn(calls=(Call("d", "Look", "other", {}),))
        return Turn("Seen.")

    def write(call: Call, seconds: float | None) -> dict[str, Any]:
        beside.go_on()  # the call runs although its observer has not answered
        return {"result": {"ok": True}}

    tools = {"Write": write, "Look": lambda call, seconds: {"result": {"ok": True}}}
    run = Loop(beside.engine, model, tools, "s", str(tmp_path), max_turns=10_000).run("Go.")
    assert (run.reason, seen) == ("accepted", ["The tests fail."])
