"""What is kept of a goal decides as the goal itself would."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from policy_engine.model.strict_json import write_json
from policy_engine.runtime.stored_sessions import StoredSessions, open_store
from tests.generated.events import Worlds
from tests.generated.play import decided, engine, loaded

RULE = """language 1

rule demanded "What the goal demands ran." {
  on before_completion
  when %s
  warn
}
"""
GOALS: list[dict[str, Any]] = [
    {"text": 3},
    {"text": None},
    {"text": "run the tests, `make test` must pass"},
    {"text": 3, "commands": ["make test"]},
    {"text": "a", "commands": "make test"},
    {"text": "a", "commands": [1]},
]


@pytest.mark.parametrize("condition", ["any c in goal.commands { command_success(c) }", 'goal.text contains "make"'])
@pytest.mark.parametrize("goal", GOALS, ids=repr)
def test_a_kept_goal_decides_as_the_goal(tmp_path: Path, goal: dict[str, Any], condition: str) -> None:
    base = {"session": "s", "workspace": "/workspace", "cwd": "/workspace", "time": "2026-11-20T10:00:00Z"}
    run = {"name": "Bash", "kind": "shell", "args": {"command": "make test"}}
    events = [
        {**base, "id": "e0", "hook": "prompt", "prompt": "go", "goal": goal},
        {**base, "id": "e1", "hook": "before_tool", "tool": run},
        {**base, "id": "e2", "hook": "after_tool", "tool": run, "result": {"ok": True, "exit_code": 0}},
        {**base, "id": "e3", "hook": "before_completion", "answer": "done"},
    ]
    found = loaded(RULE % condition)
    worlds, stored = Worlds(), []
    for raw in events:
        worlds.happened(raw)
        sessions = StoredSessions(open_store(str(tmp_path / "state.db")))
        stored.append(write_json(engine(found, worlds, sessions=sessions).decide(raw).to_dict()))
        if sessions._store is not None:
            sessions._store.close()
    assert stored == [write_json(one.to_dict()) for one in decided(found, events)]
