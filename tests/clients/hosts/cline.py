"""Cline CLI: one prompt with a provider of OpenAI's kind, signed in by the client itself."""

from __future__ import annotations

from tests.clients.hosts.base import NO_KEY, Client, Start
from tests.clients.models.base import Call
from tests.clients.models.chat import WIRE

PACKAGE = "cline"


def command(start: Start) -> list[str]:
    """One prompt, no questions; the model's address is known only now."""
    program = str(start.modules / ".bin" / "cline")
    sign_in = [program, "auth", "-p", "openai-compatible", "-k", NO_KEY, "-m", "scripted", "-b", f"{start.model}/v1"]
    both = '"$1" "$2" "$3" "$4" "$5" "$6" "$7" "$8" "$9" "${10}" && exec "$1" --json "${11}"'
    return ["/bin/sh", "-c", both, "sh", *sign_in, start.prompt]


def environment(_start: Start) -> dict[str, str]:
    """Nothing of its vendor's."""
    return {"CLINE_TELEMETRY_DISABLED": "1"}


CLIENT = Client(
    "cline",
    PACKAGE,
    "3.0.65",
    WIRE,
    command,
    environment,
    run=lambda text: Call("run_commands", {"commands": [text]}),
    save=lambda path, text: Call("editor", {"path": str(path), "new_text": text}),
    show=lambda path: Call("read_files", {"files": [{"path": str(path)}]}),
    delegate=lambda task: Call("spawn_agent", {"systemPrompt": "look", "task": task}),
    spare=True,
    aborts=True,
    mute=True,
    scopes=("user",),
    cannot=dict.fromkeys(
        ("prompt refuses", "prompt stops", "prompt tells"), "its command line does not report prompts"
    ),
)
