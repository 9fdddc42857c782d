"""What Helix and Zed are told to start, started: the very commands of the files that are shipped."""

from __future__ import annotations

import json
import os
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.unit.debug_adapter.client import Debugger
from tests.unit.language_server.client import PATH, ROOT, Editor

EDITORS = ROOT / "editors"
MAIN = ".policy/main.policy"
RULE = 'language 1\nrule a "No end" {\n  on before_completion\n  warn "x"\n  test { finish => warn }\n}\n'


@pytest.fixture
def helix() -> dict[str, Any]:
    """What Helix is told."""
    return tomllib.loads((EDITORS / "helix/languages.toml").read_text("utf-8"))


def test_helix_starts_the_language_server_for_policies(helix: dict[str, Any], folder: Path) -> None:
    [language] = helix["language"]
    [name] = language["language-servers"]
    server = helix["language-server"][name]
    assert set(helix["language-server"]) == {name} and Path(MAIN).suffix == f".{language['file-types'][0]}"
    with Editor(folder, command=[server["command"], *server["args"]]) as editor:
        editor.open(MAIN, RULE.replace("before_completion", "before_completon"))
        [found] = editor.findings(MAIN, bool)
        assert found["code"] == "PE207"


def test_helix_starts_the_debugger_for_policies(helix: dict[str, Any], folder: Path, tmp_path: Path) -> None:
    adapter = helix["language"][0]["debugger"]
    assert adapter["transport"] == "stdio"
    with Debugger(folder, tmp_path / "home", [adapter["command"], *adapter["args"]]) as debugger:
        assert debugger.answer("initialize", adapterID=adapter["name"])["success"]


def _run(command: list[str], folder: Path, given: str = "") -> str:
    environment = {**os.environ, "PATH": PATH, "PYTHONPATH": str(ROOT), "HOME": str(folder.parent)}
    done = subprocess.run(command, cwd=folder, env=environment, input=given, capture_output=True, text=True, check=True)
    return done.stdout


def test_zed_formats_by_the_command_of_its_settings(folder: Path) -> None:
    [(language, settings)] = json.loads((EDITORS / "zed/settings.json").read_text("utf-8"))["languages"].items()
    formatter = settings["formatter"]["external"]
    assert _run([formatter["command"], *formatter["arguments"]], folder, RULE).startswith("language 1\n\nrule a")
    assert language == tomllib.loads((EDITORS / "zed/languages/policy/config.toml").read_text("utf-8"))["name"]


def test_zed_runs_the_tasks_of_the_extension(folder: Path) -> None:
    (folder / MAIN).write_text(RULE)
    tasks = json.loads((EDITORS / "zed/languages/policy/tasks.json").read_text("utf-8"))
    for task in tasks:
        *arguments, watch = task["args"]
        assert watch == "--watch" and _run([task["command"], *arguments], folder)
