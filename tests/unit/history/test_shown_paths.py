"""A path of the workspace is shown from there, however the tool called it."""

from __future__ import annotations

import pytest

from policy_engine.filesystem.file_system import Virtual
from policy_engine.history.facts import facts_of
from policy_engine.model.event import Event


@pytest.mark.parametrize(
    ("named", "shown"), [("/workspace/src/a.py", "src/a.py"), ("src/a.py", "src/a.py"), ("/etc/a", "/etc/a")]
)
def test_a_written_file_is_called_by_its_place_in_the_workspace(named: str, shown: str) -> None:
    event = Event.from_dict(
        {
            "hook": "after_tool", "session": "s", "cwd": "/workspace", "workspace": "/workspace",
            "tool": {"name": "Write", "kind": "write", "args": {"file_path": named, "content": "x"}},
            "result": {"ok": True, "status": "completed"},
        }
    )  # fmt: skip
    paths = [fact.path for fact in facts_of(event, Virtual(), None) if fact.kind == "wrote"]
    assert [(path.text, path.real) for path in paths if path] == [
        (shown, named if named[0] == "/" else f"/workspace/{named}")
    ]
