"""opencode: `opencode run` with a provider of our own; the program of its platform, without the launcher."""

from __future__ import annotations

import json

from tests.clients.hosts.base import NO_KEY, Client, Start
from tests.clients.models.base import Call
from tests.clients.models.chat import WIRE
from tests.clients.packages import machine

PACKAGE = f"opencode-{machine()}"
MODEL = "scripted"


def command(start: Start) -> list[str]:
    """One prompt, no questions."""
    return [str(start.modules / PACKAGE / "bin" / "opencode"), "run", "--auto", start.prompt]


def environment(start: Start) -> dict[str, str]:
    """Bound to the scripted model, which is its registry too: without an answer it would wait a minute for npm."""
    known = {"name": MODEL, "tool_call": True, "limit": {"context": 100_000, "output": 4_096}}
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "scripted",
        "options": {"baseURL": f"{start.model}/v1", "apiKey": NO_KEY},
        "models": {MODEL: known},
    }
    model = f"scripted/{MODEL}"
    settings = {"model": model, "small_model": model, "autoupdate": False, "share": "disabled"}
    off = ("MODELS_FETCH", "AUTOUPDATE", "LSP_DOWNLOAD", "SHARE")
    return {
        "OPENCODE_CONFIG_CONTENT": json.dumps({**settings, "provider": {"scripted": provider}}),
        **{f"OPENCODE_DISABLE_{name}": "1" for name in off},
        "npm_config_registry": start.model,
        "npm_config_fetch_retries": "0",
    }


CLIENT = Client(
    "opencode",
    PACKAGE,
    "1.18.33",
    WIRE,
    command,
    environment,
    run=lambda text: Call("bash", {"command": text, "description": "run"}),
    run_in=lambda text, folder: Call("bash", {"command": text, "description": "run", "workdir": str(folder)}),
    save=lambda path, text: Call("write", {"filePath": str(path), "content": text}),
    show=lambda path: Call("read", {"filePath": str(path)}),
    delegate=lambda task: Call("task", {"description": "look", "prompt": task, "subagent_type": "general"}),
    spare=True,
    scopes=("project",),
    cannot=dict.fromkeys(
        ("before_completion refuses", "before_completion stops"), "`opencode run` ends before a completion is answered"
    ),
)
