"""Draw a session at a terminal: from `policy init` over a refusal to a mistake and the tests."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.text import Text

from tools.pictures.terminal import draw, renamed, shown, typed

PROJECT = """\
[project]
name = "shop"
version = "1.0"

[dependency-groups]
dev = ["pytest"]
"""
EVENT = {
    "hook_event_name": "PreToolUse",
    "session_id": "s-1",
    "tool_name": "Bash",
    "tool_input": {"command": "git push --force origin main"},
}
MISTAKE = "sed -i.bak 's/todos_converged/todos_convergd/' .policy/main.policy"
UNDONE = "mv .policy/main.policy.bak .policy/main.policy"
STEPS = (
    ("session-1-init", "A first policy", ("policy init", "policy add security/no-force-push-protected")),
    ("session-2-hook", "A call is refused", ("cat event.json", "policy hook claude-code < event.json > answer.json")),
    ("session-3-why", "What was decided, and why", ("policy log", "policy why")),
    ("session-4-check", "A mistake", (MISTAKE, "policy check")),
    ("session-5-test", "The rules play their tests", (UNDONE, "policy check", "policy test")),
)


def make() -> list[Path]:
    """Draw each step of the session."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder).resolve()
        project = home / "project"
        (project / "tests").mkdir(parents=True)
        (project / "pyproject.toml").write_text(PROJECT)
        (project / "tests" / "test_cart.py").write_text("def test_cart(): ...\n")
        (project / "event.json").write_text(json.dumps({**EVENT, "cwd": str(project)}, indent=2) + "\n")
        path = os.pathsep.join((str(Path(sys.executable).parent), os.defpath))  # `policy` is beside this interpreter
        environment = {"HOME": str(home), "LANG": "C.UTF-8", "PATH": path}
        subprocess.run(["git", "init", "--quiet", "--initial-branch=main", str(project)], check=True)
        names = {str(project): "~/project", str(home): "~"}
        return [
            draw(name, title, renamed(_step(commands, environment, project), names)) for name, title, commands in STEPS
        ]


def _step(commands: tuple[str, ...], environment: dict[str, str], folder: Path) -> list[Text]:
    """Return the lines of some commands, one after another."""
    found: list[Text] = []
    for command in commands:
        said = shown(["/bin/sh", "-c", command], environment, folder)
        found += [*([Text()] if found else []), typed(command), *said]
    return found
