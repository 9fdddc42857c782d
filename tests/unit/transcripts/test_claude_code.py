"""Claude Code's transcripts become the events that its hooks would have reported."""

from __future__ import annotations

from typing import Any

from tests.unit.transcripts.sources import check_real_session, events, read

HEAD = {"sessionId": "s-1", "cwd": "/home/dev/proj", "isSidechain": False, "userType": "external", "version": "2.1.329"}


def _line(kind: str, content: Any, **more: Any) -> dict[str, Any]:
    message = {"role": kind, "content": content}
    return {"type": kind, "message": message, "timestamp": "2026-11-20T10:00:00.000Z", "uuid": "u", **HEAD, **more}


def _call(name: str, given: dict[str, Any], call: str, **more: Any) -> dict[str, Any]:
    return _line("assistant", [{"type": "tool_use", "id": call, "name": name, "input": given}], **more)


def _result(call: str, text: str, error: bool = False, **more: Any) -> dict[str, Any]:
    block = {"type": "tool_result", "tool_use_id": call, "content": text, "is_error": error}
    return _line("user", [block], **more)


def _points(*lines: dict[str, Any]) -> list[str]:
    return [event["hook"] for event in events(*lines)]


def test_a_session_from_its_prompt_to_its_answer() -> None:
    found = events(
        {"type": "summary", "summary": "Earlier work", "leafUuid": "x"},
        _line("user", "Build it."),
        _call("Bash", {"command": "make"}, "t1"),
        _result("t1", "ok", toolUseResult={"stdout": "ok", "stderr": "", "interrupted": False}),
        _line("assistant", [{"type": "text", "text": "Done."}]),
    )
    assert [event["hook"] for event in found] == [
        "session_start", "prompt", "before_tool", "after_tool", "before_completion",
    ]  # fmt: skip
    assert {(event["session"], event["workspace"], event["time"][:10]) for event in found} == {
        ("s-1", "/home/dev/proj", "2026-11-20")
    }
    assert found[2]["tool"] == {"name": "Bash", "kind": "shell", "args": {"command": "make"}, "id": "t1"}
    assert (found[3]["result"]["exit_code"], found[3]["result"]["text"]) == (0, "ok")
    assert (found[1]["prompt"], found[4]["answer"]) == ("Build it.", "Done.")


def test_a_call_that_failed_tells_its_exit_status() -> None:
    *_, after = events(_call("Bash", {"command": "make"}, "t1"), _result("t1", "Exit code 2\nno rule", True))
    assert (after["result"]["ok"], after["result"]["exit_code"], after["result"]["text"]) == (False, 2, "no rule")


def test_a_result_whose_form_is_not_recorded_has_proved_nothing() -> None:
    *_, after = events(_call("Bash", {"command": "pytest"}, "t1"), _result("t1", "5 passed"))
    assert after["result"] == {"text": "5 passed", "status": "unknown"}


def test_what_the_client_wrote_itself_is_no_prompt() -> None:
    assert _points(
        _line("user", "Caveat: …", isMeta=True),
        _line("user", "<command-name>/clear</command-name>"),
        _line("user", "This session is being continued", isCompactSummary=True),
        _line("user", "[Request interrupted by user]"),
    ) == ["session_start"]


def test_a_run_that_a_person_interrupted_was_not_completed() -> None:
    said = _line("assistant", [{"type": "text", "text": "I will …"}])
    assert _points(said, _line("user", "Go on.")) == ["session_start", "before_completion", "prompt"]
    stopped = _line("user", [{"type": "text", "text": "[Request interrupted by user]"}])
    assert _points(said, stopped, _line("user", "Go on.")) == ["session_start", "prompt"]


def test_a_sub_agent_is_another_agent() -> None:
    found = events(
        _call("Read", {"file_path": "/a"}, "t1", isSidechain=True, agentId="a1"), _line("user", "x", isSidechain=True)
    )
    assert [(event["hook"], event["agent"]["kind"]) for event in found[1:]] == [("before_tool", "subagent")]


def test_compaction_is_an_event_and_a_result_without_its_call_is_none() -> None:
    compacted = {"type": "system", "subtype": "compact_boundary", **HEAD}
    assert _points(compacted, _result("elsewhere", "x")) == ["session_start", "after_compact"]


def test_a_call_that_the_adapter_refuses_is_counted_as_refused() -> None:
    line = _line("assistant", [{"type": "tool_use", "id": "t1", "name": "Bash", "input": "no object"}])
    assert [getattr(each.event, "code", None) for each in read(line)] == [None, "E-TYPE"]


def test_a_session_of_the_real_client() -> None:
    check_real_session("claude-code.jsonl")
