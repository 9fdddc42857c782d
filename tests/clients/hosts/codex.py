"""Codex CLI: `codex exec` with a model provider of our own; sub-agents belong to its models with code mode."""

from __future__ import annotations

import json
from pathlib import Path

from tests.clients.hosts.base import NO_KEY, Client, Start
from tests.clients.models.base import Call
from tests.clients.models.responses import WIRE

PACKAGE = "@openai/codex"
SETTINGS = {
    "model_provider": "fake",
    "approval_policy": "never",
    "sandbox_mode": "danger-full-access",
    "check_for_update_on_startup": False,
    "analytics.enabled": False,
    "model_providers.fake.name": "fake",
    "model_providers.fake.env_key": "FAKE_KEY",
    "model_providers.fake.wire_api": "responses",
    "model_providers.fake.request_max_retries": 0,
    "model_providers.fake.stream_max_retries": 0,
}


def command(start: Start) -> list[str]:
    """One prompt, no questions; it runs only hooks that `policy install` told it to trust."""
    settings = {**SETTINGS, "model": start.variant or "gpt-5.5", "model_providers.fake.base_url": f"{start.model}/v1"}
    words = [word for name, value in settings.items() for word in ("-c", f"{name}={json.dumps(value)}")]
    free = ("--skip-git-repo-check", "--json")
    return [str(start.modules / ".bin" / "codex"), "exec", *free, *words, start.prompt]


def prepare(home: Path, workspace: Path) -> None:
    """The settings of a person who trusts the project; hooks of another one are not run."""
    (home / ".codex").mkdir()
    (home / ".codex" / "config.toml").write_text(f'[projects."{workspace}"]\ntrust_level = "trusted"\n')


def environment(start: Start) -> dict[str, str]:
    """Bound to its folder, without which it does not start."""
    return {"CODEX_HOME": str(start.home / ".codex"), "FAKE_KEY": NO_KEY}


def patch(path: Path, text: str) -> Call:
    """A new file, or one that is replaced."""
    lines = "".join(f"+{line}\n" for line in text.splitlines())
    removal = f"*** Delete File: {path}\n" if path.exists() else ""
    return Call("apply_patch", f"*** Begin Patch\n{removal}*** Add File: {path}\n{lines}*** End Patch\n")


def run(text: str) -> Call:
    """A shell call."""
    return Call("exec_command", {"cmd": text})


def run_in(text: str, folder: Path) -> Call:
    """A shell call in a folder that the model chooses."""
    return Call("exec_command", {"cmd": text, "workdir": str(folder)})


def nested_run(text: str) -> Call:
    """The same in code mode."""
    given = json.dumps({"cmd": text})
    return Call("exec", f"text(JSON.stringify(await tools.exec_command({given})));", "functions")


CLIENT = Client(
    "codex",
    PACKAGE,
    "0.169.0",
    WIRE,
    command,
    environment,
    run,
    save=patch,
    show=lambda path: run(f"cat {path}"),
    delegate=lambda task: Call("spawn_agent", {"task_name": "look", "message": task}, "collaboration"),
    prepare=prepare,
    variant="gpt-6-sol",
    nested_run=nested_run,
    run_in=run_in,
    awaiting=(Call("wait_agent", {"timeout_ms": 10_000}, "collaboration"),),
)
