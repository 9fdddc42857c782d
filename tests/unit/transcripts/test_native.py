"""Payloads of hosts as they were recorded: read as what their host's adapter makes of them, without naming the host."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from policy_engine.model.errors import ConfigurationError
from policy_engine.transcripts.native import guess_host
from tests.unit.transcripts.sources import read

RECORDED = Path(__file__).resolve().parents[2] / "adapters"
CALL = {
    "session_id": "s", "cwd": "/w", "hook_event_name": "PreToolUse", "tool_name": "Bash",
    "tool_input": {"command": "rm a"}, "tool_use_id": "t",
}  # fmt: skip


@pytest.mark.parametrize("host", ["claude-code", "codex", "cline", "droid", "gemini", "qwen"])
def test_the_host_of_a_recorded_payload_is_guessed(host: str) -> None:
    payloads = [json.loads(path.read_text()) for path in sorted((RECORDED / host).glob("*.in.json"))]
    found = [guess_host(payload) for payload in payloads if payload.get("transcript_path") or host == "cline"]
    assert found and {each.name for each in found if each is not None} == {host}


def test_payloads_are_the_events_that_a_hook_decides() -> None:
    (found,) = read(CALL)
    assert isinstance(found.event, dict)
    assert (found.event["hook"], found.event["tool"]["args"]) == ("before_tool", {"command": "rm a"})


def test_a_payload_that_no_host_has_is_no_recording() -> None:
    with pytest.raises(ConfigurationError):
        read({"hook_event_name": "NothingLikeThis", "session_id": "s"})
