"""Factory droid: `droid exec` with a model of our own, cut off from its vendor."""

from __future__ import annotations

import json

from tests.clients.hosts.base import NO_KEY, Client, Start
from tests.clients.models.base import Call
from tests.clients.models.chat import WIRE

PACKAGE = "droid"


def command(start: Start) -> list[str]:
    """One prompt, no questions; the model's address is known only now."""
    model = {
        "model": "scripted",
        "displayName": "scripted",
        "baseUrl": f"{start.model}/v1",
        "apiKey": NO_KEY,
        "provider": "generic-chat-completion-api",
        "maxOutputTokens": 4096,
    }
    settings = start.home / ".factory" / "settings.json"
    settings.parent.mkdir(exist_ok=True)
    before = json.loads(settings.read_bytes()) if settings.exists() else {}
    settings.write_text(json.dumps({**before, "customModels": [model]}, indent=2))
    free = ("-m", "custom:scripted-0", "--skip-permissions-unsafe")
    return [str(start.modules / ".bin" / "droid"), "exec", *free, start.prompt]


def environment(_start: Start) -> dict[str, str]:
    """Nothing of its vendor's."""
    off = ("FACTORY_DROID_AUTO_UPDATE_ENABLED", "FACTORY_OTEL_ENABLED")
    return {"FACTORY_AIRGAP_ENABLED": "true", "FACTORY_DISABLE_KEYRING": "1", **dict.fromkeys(off, "false")}


CLIENT = Client(
    "droid",
    PACKAGE,
    "0.215.0",
    WIRE,
    command,
    environment,
    run=lambda text: Call(
        "Execute", {"command": text, "summary": "run", "riskLevel": "low", "riskLevelReason": "scripted"}
    ),
    save=lambda path, text: Call("Create", {"file_path": str(path), "content": text}),
    show=lambda path: Call("Read", {"file_path": str(path)}),
    delegate=lambda task: Call("Task", {"description": "look", "prompt": task, "subagent_type": "worker"}),
    spare=True,
    scopes=("project",),
    cannot=dict.fromkeys(("prompt refuses", "prompt stops", "prompt tells"), "`droid exec` does not report prompts"),
)
