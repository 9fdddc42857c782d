"""Claude Code: the program of its platform, without the launcher that needs a later Node."""

from __future__ import annotations

from tests.clients.hosts.base import NO_KEY, Client, Start
from tests.clients.models.anthropic import WIRE
from tests.clients.models.base import Call
from tests.clients.packages import machine

PACKAGE = f"@anthropic-ai/claude-code-{machine()}"


def command(start: Start) -> list[str]:
    """One prompt, no questions."""
    free = ("--permission-mode", "bypassPermissions", "--output-format", "json")
    return [str(start.modules / PACKAGE / "claude"), "-p", start.prompt, "--model", "claude-sonnet-4-5", *free]


def environment(start: Start) -> dict[str, str]:
    """Bound to the scripted model; as root it bypasses permissions only in what it takes for a sandbox."""
    quiet = {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1", "IS_SANDBOX": "1"}
    return {"ANTHROPIC_BASE_URL": start.model, "ANTHROPIC_API_KEY": NO_KEY, **quiet}


CLIENT = Client(
    "claude-code",
    PACKAGE,
    "2.1.329",
    WIRE,
    command,
    environment,
    run=lambda text: Call("Bash", {"command": text, "description": "run"}),
    save=lambda path, text: Call("Write", {"file_path": str(path), "content": text}),
    show=lambda path: Call("Read", {"file_path": str(path)}),
    delegate=lambda task: Call(
        "Agent",
        {"description": "look", "prompt": task, "subagent_type": "general-purpose", "run_in_background": False},
    ),
)
