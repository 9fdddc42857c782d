"""The reference loop asks at every lifecycle point and decides one stop reason, whatever model and tools do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from policy_engine import Engine
from policy_engine.model.ladder import STOP_REASONS
from policy_engine.runtime.loop import UNDETERMINED, Loop, decide_stop
from policy_engine.runtime.turns import BudgetExceeded, Call, Message, Turn

QUIET = 'language 1\nrule quiet "t" { on prompt when prompt == "never" deny "no" }'


class Script:
    """A model that says one turn after the other, then `done`; a turn may be something to raise or to call."""

    def __init__(self, *turns: Any) -> None:
        self.turns = list(turns)
        self.read: list[list[Message]] = []

    def __call__(self, messages: list[Message]) -> Turn:
        self.read.append(list(messages))
        turn = self.turns.pop(0) if self.turns else "done"
        if isinstance(turn, BaseException):
            raise turn
        return Turn(turn) if isinstance(turn, str) else turn


def shell(command: str, name: str = "c") -> Turn:
    return Turn("", (Call(name, "Bash", "shell", {"command": command}),))


class Play:
    """A loop with a scripted model; `heard` are the names of events, `ran` the commands that ran."""

    def __init__(self, root: Path, policy: str, *turns: Any, **options: Any) -> None:
        self.model = Script(*turns)
        self.heard: list[str] = []
        self.stops: list[dict[str, Any]] = []
        self.ran: list[tuple[str, float | None]] = []
        self.result: Callable[[], dict[str, Any]] = lambda: {"result": {"ok": True, "exit_code": 0, "text": "fine"}}
        options = {"tools": {"Bash": self._bash}, "session": "s", "workspace": str(root), "tell": self._tell, **options}
        self.loop = Loop(Engine.from_text(policy), self.model, **options)

    def _bash(self, call: Call, seconds: float | None) -> dict[str, Any]:
        self.ran.append((call.args["command"], seconds))
        return self.result()

    def _tell(self, name: str, payload: dict[str, Any]) -> None:
        self.heard.append(name)
        if name == "stop_reason_decided":
            self.stops.append(payload)


def test_every_point_is_asked_in_its_order(tmp_path: Path) -> None:
    play = Play(tmp_path, QUIET, shell("ls"))
    run = play.loop.run("go")
    assert (run.reason, run.text) == ("accepted", "done")
    assert play.heard == [
        "session_start", "prompt", "before_tool", "after_tool", "after_round", "before_completion",
        "acceptance_decided", "before_stop", "session_end", "stop_reason_decided",
    ]  # fmt: skip


def test_a_denied_call_does_not_run_and_the_model_reads_why(tmp_path: Path) -> None:
    policy = (
        'language 1\nrule r "t" { on before_tool(shell) when any c in commands { c.program == "rm" } deny "No rm." }'
    )
    play = Play(tmp_path, policy, shell("rm a"))
    assert play.loop.run("go").reason == "accepted"
    assert play.ran == [] and "after_tool" not in play.heard
    assert play.model.read[1][-1] == {"role": "tool", "text": "refused: No rm.", "id": "c", "name": "Bash"}


@pytest.mark.parametrize(("answer", "ran"), [(True, 1), (False, 0), (None, 0)])
def test_a_question_needs_somebody_who_says_yes(tmp_path: Path, answer: bool | None, ran: int) -> None:
    policy = 'language 1\nrule r "t" { on before_tool(shell) when commands != [] ask "May I?" }'
    approve = None if answer is None else lambda call, decision: answer
    play = Play(tmp_path, policy, shell("ls"), approve=approve)
    play.loop.run("go")
    assert len(play.ran) == ran
    assert ("before_permission" in play.heard) is (answer is not None)


def test_what_a_person_would_grant_can_be_denied_before_it_is_asked(tmp_path: Path) -> None:
    policy = """language 1
    rule question "t" { on before_tool(shell) when commands != [] ask "May I?" }
    rule no "t" { on before_permission(shell) when commands != [] deny "Not today." }"""
    play = Play(tmp_path, policy, shell("ls"), approve=lambda call, decision: True)
    play.loop.run("go")
    assert play.ran == []


def test_a_refused_completion_goes_on_with_the_hint_and_without_the_text(tmp_path: Path) -> None:
    policy = """language 1
    rule tested "t" { on before_completion require command_success(command("pytest")) deny "Run pytest." }"""
    play = Play(tmp_path, policy, "I am done", shell("pytest"), "now")
    run = play.loop.run("go")
    assert (run.reason, run.text) == ("accepted", "now")
    assert play.model.read[1] == [{"role": "user", "text": "go"}, {"role": "reminder", "text": "Run pytest."}]


def test_a_completion_that_stays_refused_ends_in_a_persons_hands(tmp_path: Path) -> None:
    policy = 'language 1\nrule never "t" { on before_completion when host.name == "generic" deny "No." }'
    run = Play(tmp_path, policy).loop.run("go")
    assert run.reason == "accept_continue_exhausted" and run.text == "done"


def test_a_reminder_reaches_the_model(tmp_path: Path) -> None:
    policy = 'language 1\nrule r "t" { on after_tool(shell) when result.ok remind "Well done." }'
    play = Play(tmp_path, policy, shell("ls"))
    play.loop.run("go")
    assert play.model.read[1][-1] == {"role": "reminder", "text": "Well done."}


def test_the_time_budget_reaches_the_tool(tmp_path: Path) -> None:
    play = Play(tmp_path, 'language 1\nrule r "t" { on before_tool(shell) timeout 7s }', shell("ls"))
    play.loop.run("go")
    assert play.ran == [("ls", 7.0)]


def test_a_stop_ends_the_run_at_once(tmp_path: Path) -> None:
    policy = 'language 1\nrule r "t" { on after_tool(shell) when result.ok stop repeat_cycle "Enough." }'
    play = Play(tmp_path, policy, shell("ls"), shell("ls"))
    run = play.loop.run("go")
    assert (run.reason, run.detail, len(play.ran)) == ("repeat_cycle", "Enough.", 1)
    assert play.heard[-3:] == ["before_stop", "session_end", "stop_reason_decided"]


@pytest.mark.parametrize(
    ("turns", "reason", "detail"),
    [
        ([KeyboardInterrupt()], "user_interrupt", ""),
        ([BudgetExceeded("10000 tokens")], "budget_exceeded", "10000 tokens"),
        ([OSError("no network")], "fatal_error", "OSError: no network"),
        ([""], "empty_response", ""),
        ([shell("ls")] * 3, "react_step_exhausted", "the limit of 3 turns is reached"),
    ],
)
def test_every_other_way_out_has_its_reason(tmp_path: Path, turns: list[Any], reason: str, detail: str) -> None:
    play = Play(tmp_path, QUIET, *turns, max_turns=3)
    run = play.loop.run("go")
    assert (run.reason, run.detail) == (reason, detail)
    assert play.stops == [{"reason": reason, "detail": detail}]


def test_a_prompt_that_is_refused_never_reaches_the_model(tmp_path: Path) -> None:
    play = Play(tmp_path, QUIET)
    run = play.loop.run("never")
    assert (run.reason, run.detail, play.model.read) == ("fatal_error", "no", [])


@pytest.mark.parametrize(
    ("problem", "status"), [(ValueError("x"), "failed"), (TimeoutError("x"), "timed_out"), (None, "failed")]
)
def test_a_tool_that_breaks_has_failed(tmp_path: Path, problem: Exception | None, status: str) -> None:
    seen: list[str] = []

    def tell(name: str, payload: dict[str, Any]) -> None:
        if name == "after_tool":
            seen.append(payload["event"]["result"]["status"])

    play = Play(tmp_path, QUIET, shell("ls"), tell=tell)
    if problem is None:
        play.loop.tools = {}
    else:
        play.result = lambda: (_ for _ in ()).throw(problem)  # type: ignore[assignment]
    assert play.loop.run("go").reason == "accepted"
    assert seen == [status]


def test_a_call_that_the_user_interrupts_is_still_reported(tmp_path: Path) -> None:
    play = Play(tmp_path, QUIET, shell("ls"))
    play.result = lambda: (_ for _ in ()).throw(KeyboardInterrupt())  # type: ignore[assignment]
    assert play.loop.run("go").reason == "user_interrupt"
    assert "after_tool" in play.heard


def test_compaction_is_asked_for_and_can_be_refused(tmp_path: Path) -> None:
    policy = """language 1
    rule no "t" { on before_compact when open_todos != [] deny "Finish the todo first." }"""
    play = Play(tmp_path, policy, shell("ls"), compact=lambda messages: messages[-1:], context=1)
    play.loop.run("go")
    assert [name for name in play.heard if "compact" in name] == ["before_compact", "after_compact"]
    assert len(play.model.read[1]) == 1


def test_a_sub_agent_passes_the_same_rules_and_completes_nothing_but_itself(tmp_path: Path) -> None:
    policy = """language 1
    rule r "t" { on before_tool(shell) when any c in commands { c.program == "rm" } deny "No rm." }
    rule tested "t" { on subagent_completion require ran(command("pytest")) deny "Run pytest." }"""
    play = Play(tmp_path, policy, "done", shell("rm a"), shell("pytest"), agent={"kind": "reviewer", "name": "r1"})
    assert play.loop.run("review").reason == "accepted"
    assert [one for one, _ in play.ran] == ["pytest"]
    assert "subagent_start" in play.heard and "subagent_completion" in play.heard
    assert not {"session_start", "prompt", "before_completion", "before_stop", "session_end"} & set(play.heard)


def test_the_earliest_of_all_stop_reasons_wins() -> None:
    for place, reason in enumerate(STOP_REASONS):
        signals = dict.fromkeys(STOP_REASONS[place:], f" about {reason} ")
        assert decide_stop(signals) == (reason, f"about {reason}")
    assert decide_stop({}) == ("fatal_error", UNDETERMINED)
    assert decide_stop({"my_own": "x", "react_step_exhausted": "y"}) == ("my_own", "x")


def test_what_the_model_used_reaches_the_rules() -> None:
    rule = 'on before_completion when usage.cents > 500 or usage.tokens > 900 stop budget_exceeded "b"'
    policy = f'language 1\nrule dear "t" {{ {rule} }}'
    for usage, reason in (
        ({"cents": 501, "tokens": 1}, "budget_exceeded"),
        ({"cents": 500, "tokens": 900}, "accepted"),
    ):
        script = Script(Turn("", shell("ls").calls, usage=usage), "done")
        run = Loop(Engine.from_text(policy), script, {}, session="s", workspace="/w").run("Do it.")
        assert run.reason == reason


@pytest.mark.parametrize(("thinking", "reason", "asked"), [(True, "accepted", 2), (False, "empty_response", 1)])
def test_a_turn_that_only_thought_goes_on_and_an_empty_one_ends(
    tmp_path: Path, thinking: bool, reason: str, asked: int
) -> None:
    play = Play(tmp_path, QUIET, Turn("", thinking=thinking), "ok")
    assert (play.loop.run("go").reason, len(play.model.read)) == (reason, asked)
    assert play.heard.count("before_completion") == 1
