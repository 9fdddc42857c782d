"""A run that was stopped stays stopped, on hosts that would go on: every later gate refuses until a person speaks."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from policy_engine import cli
from policy_engine.adapters.base import Answer
from tests.end_to_end.native import Native

STOPS = """language 1
rule no-halt "No halting" {
  on before_tool(shell)
  when any c in commands { c.program == "halt" }
  stop enough "`{c.text}` would end the machine."
}
"""
LIMIT = """language 1
limit same "The same again" {
  on after_tool(shell)
  repeats (tool.args)
  at 2 stop repeat_cycle "Twice the same."
}
"""
NONE = 'language 1\nrule no-rm "R" { on before_tool(shell) when any c in commands { c.program == "rm" } deny "No." }\n'
IGNORING = ("codex", "copilot", "cursor")  # they know no `stop` before a tool


@pytest.fixture
def native(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Native]:
    with pytest.MonkeyPatch.context() as patch:
        yield Native(request.param, tmp_path, patch)


def said(answer: Answer) -> str:
    return (answer.stdout + answer.stderr).decode()


@pytest.mark.parametrize("native", IGNORING, indirect=True)
def test_every_later_call_is_refused_for_the_same_reason(native: Native) -> None:
    native.write_policy(STOPS)
    assert not native.refuses_call(native.propose("ls"))
    assert native.refuses_call(native.propose("halt"))
    for _ in range(3):
        again = native.propose("ls")
        assert native.refuses_call(again)
        assert "would end the machine. [no-halt]" in said(again) and "until a person says" in said(again)


@pytest.mark.parametrize("native", IGNORING, indirect=True)
def test_the_completion_of_a_stopped_run_ends_it(native: Native) -> None:
    native.write_policy(STOPS + 'rule never "N" { on before_completion deny "Not yet." }\n')
    assert native.refuses_completion(native.complete(stop_hook_active=False))
    native.propose("halt")
    over = native.complete(stop_hook_active=True)
    assert not native.refuses_completion(over)
    assert "would end the machine" in said(over)


@pytest.mark.parametrize("native", IGNORING, indirect=True)
def test_a_person_s_prompt_lets_it_go_on_and_another_session_always_does(native: Native) -> None:
    native.write_policy(STOPS)
    native.propose("halt")
    assert not native.refuses_call(native.propose("ls", session_id="other", conversation_id="other"))
    native.prompt()
    assert not native.refuses_call(native.propose("ls"))
    assert native.refuses_call(native.propose("halt"))


@pytest.mark.parametrize("native", ["copilot", "cursor"], indirect=True)
def test_what_the_host_says_in_a_person_s_place_lets_nothing_go_on(native: Native) -> None:
    native.write_policy(STOPS)
    native.propose("halt")
    native.say("beforeSubmitPrompt" if native.adapter.name == "cursor" else "UserPromptSubmit", prompt=MARKED)
    assert native.refuses_call(native.propose("ls"))


MARKED = "Not yet.\n[policy engine: not done yet]"


@pytest.mark.parametrize("source", ["startup", "resume", "compact"])
@pytest.mark.parametrize("native", ["codex"], indirect=True)
def test_a_session_that_is_opened_once_more_goes_on_and_one_that_was_compacted_does_not(
    native: Native, source: str
) -> None:
    native.write_policy(STOPS)
    native.propose("halt")
    native.say("SessionStart", source=source)
    assert native.refuses_call(native.propose("ls")) == (source == "compact")


@pytest.mark.parametrize("native", ["codex"], indirect=True)
def test_a_stop_after_a_tool_holds_before_the_next(native: Native) -> None:
    native.write_policy(LIMIT)
    for _ in range(2):
        assert not native.refuses_call(native.propose("ls"))
        native.say("PostToolUse", tool_name="Bash", tool_input={"command": "ls"}, tool_response="", tool_use_id="c")
    again = native.propose("make")
    assert native.refuses_call(again)
    assert "Twice the same. [same]" in said(again)


@pytest.mark.parametrize("native", ["claude-code", "gemini"], indirect=True)
def test_a_host_that_heeds_a_stop_is_not_held_to_it(native: Native) -> None:
    native.write_policy(STOPS)
    assert json.loads(native.propose("halt").stdout)["continue"] is False
    assert not native.refuses_call(native.propose("ls"))


@pytest.mark.parametrize("policy", [STOPS, LIMIT, NONE])
@pytest.mark.parametrize("native", ["codex"], indirect=True)
def test_where_nobody_can_know_where_the_session_began_it_is_refused(native: Native, policy: str) -> None:
    native.write_policy(policy)
    native.propose("halt")
    shutil.rmtree(native.state)
    native.state.write_text("")
    answer = native.propose("ls")
    assert native.refuses_call(answer)
    assert "E-SESSION" in said(answer)


@pytest.mark.parametrize("native", ["codex"], indirect=True)
def test_a_stop_that_cannot_be_kept_is_said(native: Native) -> None:
    native.write_policy(LIMIT)
    ended = {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_response": "", "tool_use_id": "c"}
    native.say("PostToolUse", **ended)
    (native.state / "stopped").write_text("in the way")
    assert "will not be held to it" in said(native.say("PostToolUse", **ended))
    assert "Whether the run was stopped" in said(native.propose("ls"))


@pytest.mark.parametrize("text", ["", "{}", '["a"]', "[1, 2]", '["a", "b", "c"]', "\x00"])
@pytest.mark.parametrize("native", ["codex"], indirect=True)
def test_damaged_words_of_a_stop_still_stop(native: Native, text: str) -> None:
    native.write_policy(STOPS)
    native.propose("halt")
    (file,) = (native.state / "stopped").iterdir()
    file.write_text(text)
    assert native.refuses_call(native.propose("ls"))
    native.say("SessionEnd", reason="other")
    assert not file.exists()


@pytest.mark.parametrize("native", ["codex"], indirect=True)
def test_the_log_of_a_stopped_run_is_decided_again_alike(native: Native, capfd: pytest.CaptureFixture[str]) -> None:
    native.write_policy(STOPS + 'rule never "N" { on before_completion deny "Not yet." }\n')
    native.complete(stop_hook_active=True)  # nobody knows how often it was refused
    for command in ("halt", "ls", "ls"):
        native.propose(command)
    native.complete(stop_hook_active=True)
    log = native.state / "decisions.jsonl"
    assert [len(json.loads(line).get("held", ())) for line in log.read_text().splitlines()] == [1, 0, 1, 1, 1]
    cli.main(["replay", "--format", "json", str(log)])
    compared = json.loads(capfd.readouterr().out)["compared"]
    assert compared == {"same": 5, "same_verdict": 0, "different": 0, "not_whole": 0}
