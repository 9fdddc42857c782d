"""`can_run`: whether a text is a command here; what is one is tested with the goal (history/test_goal.py)."""

from __future__ import annotations

from policy_engine.filesystem.file_system import Virtual
from policy_engine.predicates.commands import can_run


def test_a_command_ends_and_a_server_does_not() -> None:
    assert can_run(Virtual(), "npm test")
    assert not can_run(Virtual(), "npm run dev")
    assert not can_run(Virtual(), "src/missing.sh")
