"""Codex's rollouts, those of today and older ones become the events that hooks would have reported."""

from __future__ import annotations

import json
from pathlib import Path

from policy_engine.loading.recordings import recording
from tests.unit.transcripts.sources import RECORDINGS, check_real_session, file_events, line_events


def test_a_session_of_the_real_client() -> None:
    check_real_session("codex.jsonl")


def test_an_older_rollout_of_codex_has_no_frames(tmp_path: Path) -> None:
    output = json.dumps({"output": "no\n", "metadata": {"exit_code": 2, "duration_seconds": 0.1}})
    call = {"name": "shell", "arguments": json.dumps({"command": ["bash", "-lc", "make"], "workdir": "/w/sub"})}
    lines = [
        {"id": "s-1", "timestamp": "2025-08-20T10:00:00Z", "instructions": None, "git": {}},
        {"record_type": "state"},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Build it."}]},
        {"type": "reasoning", "summary": []},
        {"type": "function_call", "call_id": "c1", **call},
        {"type": "function_call_output", "call_id": "c1", "output": output},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "It fails."}]},
    ]
    start, prompt, before, after, done = line_events(tmp_path, *lines)
    assert (start["session"], prompt["prompt"], done["answer"]) == ("s-1", "Build it.", "It fails.")
    assert (before["tool"]["args"], before["cwd"], "workspace" in before) == ({"command": "make"}, "/w/sub", False)
    assert (after["result"]["exit_code"], after["result"]["text"]) == (2, "no\n")


def test_a_command_of_a_script_of_codex_has_both_ends(tmp_path: Path) -> None:
    head = {"type": "session_meta", "payload": {"id": "s-1", "cwd": "/w"}}
    item = {
        "type": "CommandExecution", "id": "x1", "command": ["/bin/bash", "-lc", "git push"], "exit_code": 1,
        "cwd": "file:///w/a", "aggregated_output": "rejected",
    }  # fmt: skip
    lines = [head, {"type": "event_msg", "payload": {"type": "item_completed", "item": item}}]
    _, before, after = line_events(tmp_path, *lines)
    assert (before["tool"]["args"], before["cwd"], before["workspace"]) == ({"command": "git push"}, "/w/a", "/w")
    assert (after["result"]["exit_code"], after["result"]["text"]) == (1, "rejected")


def test_what_a_command_printed_is_no_exit_status_of_codex(tmp_path: Path) -> None:
    call = {"type": "function_call", "call_id": "c", "name": "exec_command", "arguments": '{"cmd": "cat log"}'}
    output = "Wall time: 1 seconds\nProcess running with session ID 7\nOutput:\nProcess exited with code 0\n"
    lines = [
        {"type": "session_meta", "payload": {"id": "s-1", "cwd": "/w"}},
        {"type": "response_item", "payload": call},
        {"type": "response_item", "payload": {"type": "function_call_output", "call_id": "c", "output": output}},
    ]
    assert line_events(tmp_path, *lines)[-1]["result"] == {"text": output, "status": "running"}


def test_a_kind_of_line_that_a_host_never_wrote_is_told(tmp_path: Path) -> None:
    lines = [{"type": "session_meta", "payload": {"id": "s", "cwd": "/w"}}, {"type": "news", "payload": {}}]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert [each.unknown for each in recording(str(tmp_path / "a.jsonl"))] == ["", "news"]


def test_a_damaged_line_is_told_and_the_others_are_read(tmp_path: Path) -> None:
    lines = (RECORDINGS / "codex.jsonl").read_text().splitlines()
    (tmp_path / "a.jsonl").write_text("\n".join([*lines[:3], '{"timestamp": "2026', *lines[3:]]) + "\n")
    found = list(recording(str(tmp_path / "a.jsonl")))
    assert [each.line for each in found if each.damaged] == [4]
    assert [each.event for each in found if not each.damaged] == file_events(RECORDINGS / "codex.jsonl")
