"""Qwen Code: one prompt in `--yolo`, against a model of OpenAI's kind."""

from __future__ import annotations

import json
from pathlib import Path

from tests.clients.hosts.base import NO_KEY, Client, Start
from tests.clients.models.base import Call
from tests.clients.models.chat import WIRE

PACKAGE = "@qwen-code/qwen-code"
SETTINGS = {
    "general": {"enableAutoUpdate": False, "disableAutoUpdate": True},
    "privacy": {"usageStatisticsEnabled": False},
    "telemetry": {"enabled": False},
    "security": {"auth": {"selectedType": "openai"}, "folderTrust": {"enabled": False}},
}


def command(start: Start) -> list[str]:
    """One prompt, no questions."""
    return [str(start.modules / ".bin" / "qwen"), "--yolo", "-p", start.prompt]


def environment(start: Start) -> dict[str, str]:
    """Bound to the scripted model."""
    return {"OPENAI_API_KEY": NO_KEY, "OPENAI_BASE_URL": f"{start.model}/v1", "OPENAI_MODEL": "scripted"}


def prepare(home: Path, _workspace: Path) -> None:
    """The settings of a person who has signed in."""
    (home / ".qwen").mkdir()
    (home / ".qwen" / "settings.json").write_text(json.dumps(SETTINGS, indent=2))


CLIENT = Client(
    "qwen",
    PACKAGE,
    "0.24.4",
    WIRE,
    command,
    environment,
    run=lambda text: Call("run_shell_command", {"command": text, "is_background": False}),
    save=lambda path, text: Call("write_file", {"file_path": str(path), "content": text}),
    show=lambda path: Call("read_file", {"file_path": str(path)}),
    delegate=lambda task: Call("agent", {"description": "look", "prompt": task, "subagent_type": "general-purpose"}),
    prepare=prepare,
    spare=True,
    scopes=("project",),
)
