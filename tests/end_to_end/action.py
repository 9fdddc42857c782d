"""Run the steps of action.yml as a runner does: by bash, values in variables, files for path and summary."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]
_EXPRESSION = re.compile(r"\$\{\{ (.+?) \}\}")


@dataclass
class Run:
    """What came of a run: the status and the output of each step, and the summary."""

    statuses: dict[str, int] = field(default_factory=dict)
    output: dict[str, str] = field(default_factory=dict)
    summary: str = ""


def definition() -> Any:
    """The action as it stands in the repository."""
    return yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))


def own_home(folder: Path) -> dict[str, str]:
    """The environment of this process with another home, and without what names the engine's and git's own places."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "POLICY_", "GIT_"))}
    return {**kept, "HOME": str(folder)}


def play(folder: Path, temporary: Path, path: str, leave_out: tuple[str, ...] = (), **inputs: str) -> Run:
    """Run every step in `folder`, with `path` as the program path; a step without `if` ends the run where it fails."""
    action = definition()
    values = {f"inputs.{name}": inputs.get(name.replace("-", "_"), one["default"]) for name, one in _inputs(action)}
    values["github.action_path"] = str(ROOT)
    values = {name: "" if "github.event" in value else value for name, value in values.items()}
    files = {name: temporary / name for name in ("GITHUB_PATH", "GITHUB_STEP_SUMMARY")}
    for file in files.values():
        file.touch()
    done = Run()
    for step in action["runs"]["steps"]:
        if step["id"] in leave_out or not _wanted(step.get("if", ""), values, done):
            continue
        added = files["GITHUB_PATH"].read_text().split()
        environment = {
            "PATH": os.pathsep.join([*reversed(added), path]),
            **{name: str(file) for name, file in files.items()},
        }
        ended = run_step(step, folder, temporary, values, environment)
        done.statuses[step["id"]] = ended.returncode
        done.output[step["id"]] = ended.stdout + ended.stderr
    done.summary = files["GITHUB_STEP_SUMMARY"].read_text("utf-8")
    return done


def run_step(
    step: Any, folder: Path, temporary: Path, values: dict[str, str], environment: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    """Run one step in `folder` with the values of its expressions; KeyError for an expression without one."""
    own = {name: _EXPRESSION.sub(lambda m: values[m[1]], text) for name, text in step.get("env", {}).items()}
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=folder,
        env={**own_home(temporary), "RUNNER_TEMP": str(temporary), **environment, **own},
        capture_output=True,
        text=True,
        check=False,
    )


def _inputs(action: Any) -> list[tuple[str, Any]]:
    return list(action["inputs"].items())


def _wanted(condition: str, values: dict[str, str], done: Run) -> bool:
    """The conditions that the action uses; another one fails the test."""
    match condition:
        case "":
            return not any(done.statuses.values())
        case "${{ !cancelled() }}":
            return True
        case "${{ !cancelled() && inputs.base != '' }}":
            return values["inputs.base"] != ""
    raise ValueError(condition)
