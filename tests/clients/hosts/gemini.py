"""Gemini CLI: one prompt in `--yolo`; a sub-agent ends by a tool of its own."""

from __future__ import annotations

import json
from pathlib import Path

from tests.clients.hosts.base import NO_KEY, Client, Start
from tests.clients.models.base import Call
from tests.clients.models.gemini import WIRE

PACKAGE = "@google/gemini-cli"
SETTINGS = {
    "general": {"enableAutoUpdate": False},
    "privacy": {"usageStatisticsEnabled": False},
    "telemetry": {"enabled": False},
    "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": False}},
}


def command(start: Start) -> list[str]:
    """One prompt, no questions."""
    return [str(start.modules / ".bin" / "gemini"), "-m", "gemini-2.5-pro", "--yolo", "-p", start.prompt]


def environment(start: Start) -> dict[str, str]:
    """Bound to the scripted model, in a folder that is trusted."""
    return {"GEMINI_API_KEY": NO_KEY, "GOOGLE_GEMINI_BASE_URL": start.model, "GEMINI_CLI_TRUST_WORKSPACE": "true"}


def prepare(home: Path, _workspace: Path) -> None:
    """The settings of a person who has signed in."""
    (home / ".gemini").mkdir()
    (home / ".gemini" / "settings.json").write_text(json.dumps(SETTINGS, indent=2))


CLIENT = Client(
    "gemini",
    PACKAGE,
    "0.61.0",
    WIRE,
    command,
    environment,
    run=lambda text: Call("run_shell_command", {"command": text}),
    save=lambda path, text: Call("write_file", {"file_path": str(path), "content": text}),
    show=lambda path: Call("read_file", {"file_path": str(path)}),
    delegate=lambda task: Call("invoke_agent", {"agent_name": "generalist", "prompt": task}),
    prepare=prepare,
    last=Call("complete_task", {"result": "done", "response": "done"}),
)
