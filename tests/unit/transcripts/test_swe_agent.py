"""SWE-agent's trajectories become the events that hooks would have reported."""

from __future__ import annotations

from pathlib import Path

from tests.unit.transcripts.sources import document_events


def test_a_trajectory_of_swe_agent_has_no_exit_status(tmp_path: Path) -> None:
    steps = [
        {"action": "ls -a", "observation": "a.py", "state": '{"working_dir": "/repo", "open_file": "n/a"}'},
        {"action": "open a.py", "observation": "…", "state": {"working_dir": "/repo", "open_file": "/repo/a.py"}},
        {"action": "edit 1:1\nx = 2\nend_of_edit", "observation": "…", "state": {"working_dir": "/repo"}},
        {"action": "submit", "observation": "", "thought": "It is repaired."},
    ]
    history = [{"role": "system", "content": "s"}, {"role": "user", "content": "Repair it."}]
    found = document_events(tmp_path / "i-1.traj", {"trajectory": steps, "history": history, "info": {}})
    assert [event["hook"] for event in found] == [
        "session_start", "prompt", *["before_tool", "after_tool"] * 3, "before_completion",
    ]  # fmt: skip
    assert (found[0]["session"], found[3]["result"]) == ("i-1", {"text": "a.py", "status": "unknown"})
    assert [(event["tool"]["kind"], event["tool"]["args"].get("file_path")) for event in found[2:8:2]] == [
        ("shell", None), ("read", "a.py"), ("edit", "/repo/a.py"),
    ]  # fmt: skip
