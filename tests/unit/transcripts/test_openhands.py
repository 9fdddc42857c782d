"""OpenHands' conversations, as a list and as a folder become the events that hooks would have reported."""

from __future__ import annotations

import json
from pathlib import Path

from tests.unit.transcripts.sources import document_events, file_events


def test_an_observation_of_openhands_belongs_to_its_cause(tmp_path: Path) -> None:
    facts = {"metadata": {"exit_code": 1, "working_dir": "/workspace/p"}}
    events = [
        {"id": 0, "source": "agent", "action": "system", "args": {}},
        {"id": 1, "source": "user", "action": "message", "args": {"content": "Test it."}},
        {"id": 2, "source": "agent", "action": "run", "args": {"command": "pytest"}},
        {"id": 3, "source": "agent", "observation": "run", "cause": 2, "content": "1 failed", "extras": facts},
        {"id": 4, "source": "agent", "action": "write", "args": {"path": "/workspace/p/a.py", "content": "x"}},
        {"id": 5, "source": "agent", "observation": "write", "cause": 4, "content": "ok", "extras": {}},
        {"id": 6, "source": "agent", "action": "finish", "args": {"final_thought": "Done."}},
    ]
    found = document_events(tmp_path / "trajectory.json", events)
    assert [event["hook"] for event in found] == [
        "prompt", "before_tool", "after_tool", "before_tool", "after_tool", "before_completion",
    ]  # fmt: skip
    assert (found[2]["result"]["exit_code"], found[3]["workspace"]) == (1, "/workspace/p")


def test_a_folder_of_events_of_openhands_is_one_recording(tmp_path: Path) -> None:
    folder = tmp_path / "c-1" / "events"
    folder.mkdir(parents=True)
    action = {"kind": "TerminalAction", "command": "ls"}
    seen = {"kind": "TerminalObservation", "exit_code": 0, "content": [{"type": "text", "text": "a"}]}
    events = [
        {"kind": "SystemPromptEvent", "source": "agent"},
        {"kind": "MessageEvent", "source": "user", "llm_message": {"content": [{"type": "text", "text": "Look."}]}},
        {"kind": "ActionEvent", "source": "agent", "tool_name": "terminal", "tool_call_id": "t", "action": action},
        {"kind": "ObservationEvent", "source": "environment", "tool_call_id": "t", "observation": seen},
    ]
    for number, event in enumerate(events):
        (folder / f"event-{number:05}-x.json").write_text(json.dumps(event))
    found = file_events(folder)
    assert [event["hook"] for event in found] == ["prompt", "before_tool", "after_tool"]
    assert (found[0]["session"], found[2]["result"]["exit_code"]) == ("c-1", 0)
