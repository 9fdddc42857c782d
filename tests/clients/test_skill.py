"""The real clients take the plugin and the skill that write policies, in an empty home."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.clients.hosts import claude_code, codex
from tests.clients.hosts.base import Client
from tests.clients.packages import Absent, install, offline
from tests.end_to_end.action import own_home
from tests.house.sources import ROOT

PLUGIN = ROOT / "plugins" / "policy"
CLAUDE = f"{claude_code.PACKAGE}/claude"


def _program(client: Client, name: str) -> str:
    try:
        modules = install(client.package, client.version)
    except Absent as why:
        if offline():
            pytest.skip(str(why))
        pytest.fail(str(why))
    return str(next(path for path in modules.glob(name) if path.is_file()))


def _done(folder: Path, *command: str) -> str:
    home = own_home(folder / "home")
    work = folder / "work"
    work.mkdir(exist_ok=True)
    done = subprocess.run(command, cwd=work, env=home, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("place", [PLUGIN, ROOT], ids=["plugin", "marketplace"])
def test_claude_code_finds_nothing_wrong(place: Path, tmp_path: Path) -> None:
    assert "Validation passed" in _done(
        tmp_path, _program(claude_code.CLIENT, CLAUDE), "plugin", "validate", str(place)
    )


def test_claude_code_installs_the_plugin_from_a_checkout(tmp_path: Path) -> None:
    claude = _program(claude_code.CLIENT, CLAUDE)
    _done(tmp_path, claude, "plugin", "marketplace", "add", str(ROOT))
    _done(tmp_path, claude, "plugin", "install", "policy@policy-engine")
    [installed] = json.loads(_done(tmp_path, claude, "plugin", "list", "--json"))
    assert (installed["id"], installed["enabled"]) == ("policy@policy-engine", True)
    assert (Path(installed["installPath"]) / "skills" / "write-policy" / "SKILL.md").is_file()


def test_codex_names_the_skill_to_its_model(tmp_path: Path) -> None:
    target = tmp_path / "home" / ".agents" / "skills"
    shutil.copytree(PLUGIN / "skills", target)
    program = _program(codex.CLIENT, "@openai/codex-*/vendor/*/bin/codex")
    assert "write-policy: Draft, check, test and prove" in _done(tmp_path, program, "debug", "prompt-input", "hello")
