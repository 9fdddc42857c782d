"""What tests of a running engine ask it: the verdict on one proposed shell call."""

from __future__ import annotations

from typing import Any

from policy_engine.bootstrap import Engine


def shell(command: str, **fields: Any) -> dict[str, Any]:
    """A proposed shell call."""
    tool = {"name": "Bash", "kind": "shell", "args": {"command": command}}
    return {"hook": "before_tool", "session": "s", "cwd": "/work", "workspace": "/work", "tool": tool, **fields}


def verdict(engine: Engine, command: str) -> str:
    return engine.decide(shell(command)).verdict
