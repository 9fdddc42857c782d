"""Wheel and sdist, put into an empty home by each installer: the command runs, and its registered hook refuses."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import policy_engine
from tests.clients.packages import offline
from tests.end_to_end.action import ROOT, own_home

SECONDS = 600
Words = list[str]

pytestmark = pytest.mark.skipif(offline(), reason="the engine's dependencies cannot be fetched: POLICY_OFFLINE is set")


def _run(folder: Path, environment: dict[str, str], command: Words, text: str = "") -> str:
    done = subprocess.run(
        command, cwd=folder, env=environment, input=text, capture_output=True, text=True, check=False, timeout=SECONDS
    )
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Build the sdist and, from it, the wheel; by the end of the name."""
    folder = tmp_path_factory.mktemp("built")
    _run(ROOT, own_home(folder), [sys.executable, "-m", "build", "--outdir", str(folder), str(ROOT)])
    found = {kind: list(folder.glob(f"*.{kind}")) for kind in ("whl", "tar.gz")}
    assert [len(files) for files in found.values()] == [1, 1]
    return {kind: files[0] for kind, files in found.items()}


def _pip(home: Path, environment: dict[str, str], artifact: Path) -> Words:
    _run(home, environment, [sys.executable, "-m", "venv", "own"])
    _run(home, environment, [str(home / "own/bin/pip"), "install", "--quiet", str(artifact)])
    return [str(home / "own/bin/policy")]


def _uv_tool(home: Path, environment: dict[str, str], artifact: Path) -> Words:
    _run(home, environment, ["uv", "tool", "install", "--quiet", "--python", sys.executable, str(artifact)])
    return [str(home / ".local/bin/policy")]


def _uvx(home: Path, environment: dict[str, str], artifact: Path) -> Words:
    return ["uvx", "--quiet", "--python", sys.executable, "--from", str(artifact), "policy"]


def _pipx(home: Path, environment: dict[str, str], artifact: Path) -> Words:
    _run(home, environment, ["pipx", "install", "--quiet", "--python", sys.executable, str(artifact)])
    return [str(home / ".local/bin/policy")]


INSTALLERS: dict[str, Callable[[Path, dict[str, str], Path], Words]] = {
    "pip": _pip,
    "uv-tool": _uv_tool,
    "uvx": _uvx,
    "pipx": _pipx,
}


@pytest.mark.parametrize("kind", ["whl", "tar.gz"])
@pytest.mark.parametrize("installer", INSTALLERS)
def test_what_is_built_runs_from_an_empty_home(
    built: dict[str, Path], tmp_path: Path, installer: str, kind: str
) -> None:
    home, work = tmp_path / "home", tmp_path / "work"
    settings = home / ".config" / "policy-engine" / "policy.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text('[hook]\nresident = "off"\n')  # nothing stays behind when the home is taken away
    work.mkdir()
    path = os.pathsep.join([str(Path(sys.executable).parent), os.defpath])
    kept = {name: value for name, value in own_home(home).items() if not name.startswith(("VIRTUAL_ENV", "PYTHON"))}
    environment = {**kept, "PATH": path}
    policy = INSTALLERS[installer](home, environment, built[kind])

    assert _run(work, environment, [*policy, "--version"]) == f"policy {policy_engine.__version__}\n"
    _run(work, environment, ["git", "init", "-q"])
    assert "wrote .policy/main.policy" in _run(work, environment, [*policy, "init"])
    assert _run(work, environment, [*policy, "check"]) == "no findings in 1 file\n"
    assert "passed in 1 file" in _run(work, environment, [*policy, "test"])
    assert "no-secret-read" in _run(work, environment, [*policy, "packs"])

    _run(work, environment, [*policy, "install", "claude-code", "--scope", "local"])
    registered = json.loads((work / ".claude" / "settings.local.json").read_text("utf-8"))
    hook = registered["hooks"]["PreToolUse"][0]["hooks"][0]["command"]
    answers = {}
    for line in ("ls", "rm -rf /srv/data"):
        call = {"tool_name": "Bash", "tool_input": {"command": line}, "tool_use_id": line}
        payload = {"hook_event_name": "PreToolUse", "session_id": "s", "cwd": str(work), **call}
        done = subprocess.run(
            ["sh", "-c", hook],
            cwd=work,
            env={**environment, "CLAUDE_PROJECT_DIR": str(work)},
            input=json.dumps(payload),
            capture_output=True,
            text=True,
            check=False,
            timeout=SECONDS,
        )
        answers[line] = done.returncode, done.stdout + done.stderr
    assert answers["ls"][0] == 0, answers
    assert answers["rm -rf /srv/data"][0] == 2, answers
    assert "no-recursive-delete" in answers["rm -rf /srv/data"][1]
