"""GitHub Copilot CLI: one prompt with every tool allowed, offline with a model provider of our own."""

from __future__ import annotations

from tests.clients.hosts.base import NO_KEY, Client, Start
from tests.clients.models.base import Call
from tests.clients.models.chat import WIRE
from tests.clients.packages import FOLDER

PACKAGE = "@github/copilot"


def command(start: Start) -> list[str]:
    """One prompt, no questions, in a folder that is trusted."""
    return [str(start.modules / ".bin" / "copilot"), "-p", start.prompt, "--trust-folder", "--allow-all-tools"]


def environment(start: Start) -> dict[str, str]:
    """Bound to the scripted model; the cache is shared, for the client unpacks all of itself into a new one."""
    provider = {"BASE_URL": f"{start.model}/v1", "TYPE": "openai", "API_KEY": NO_KEY}
    return {
        **{f"COPILOT_PROVIDER_{name}": value for name, value in provider.items()},
        "COPILOT_OFFLINE": "true",
        "COPILOT_MODEL": "gpt-4.1",
        "COPILOT_AUTO_UPDATE": "false",
        "XDG_CACHE_HOME": str(FOLDER / "cache"),
    }


CLIENT = Client(
    "copilot",
    PACKAGE,
    "1.0.102",
    WIRE,
    command,
    environment,
    run=lambda text: Call("bash", {"command": text, "description": "run"}),
    save=lambda path, text: Call("create", {"path": str(path), "file_text": text}),
    show=lambda path: Call("view", {"path": str(path)}),
    delegate=lambda task: Call(
        "task", {"description": "look", "prompt": task, "agent_type": "general-purpose", "name": "look"}
    ),
    spare=True,
    scopes=("project",),
    mute=True,
)
