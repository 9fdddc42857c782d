"""The one file that needs no Python: built as a release builds it, run with nothing on the path."""

from __future__ import annotations

import importlib.util
import json
import platform
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.clients.packages import offline
from tests.end_to_end.action import ROOT

pytestmark = [
    pytest.mark.skipif(offline(), reason="what it is built with cannot be fetched: POLICY_OFFLINE is set"),
    pytest.mark.skipif(
        importlib.util.find_spec("PyInstaller") is None,
        reason="the extra `binary` is not installed; building takes minutes",
    ),
]
POLICY = """\
language 1

rule no-key "No key is written" {
  on before_tool(write)
  when content matches /AKIA[0-9A-Z]{16}/
  deny "No keys. Read it from the environment."

  test {
    write "a" content "AKIAABCDEFGHIJKLMNOP" => deny
    write "a" content "b" => allow
  }
}
"""
PAYLOAD = {
    "hook_event_name": "PreToolUse", "session_id": "s", "tool_name": "Write",
    "tool_input": {"file_path": "a", "content": "AKIAABCDEFGHIJKLMNOP"},
}  # fmt: skip


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build it in a copy of the sources."""
    folder = tmp_path_factory.mktemp("binary") / "sources"
    kept = shutil.ignore_patterns(".*", "__pycache__", "build", "dist", "node_modules")
    shutil.copytree(ROOT, folder, ignore=kept)
    done = subprocess.run(["make", "binary"], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "dist" / f"policy-{platform.system().lower()}-{platform.machine()}"


def test_it_checks_tests_and_answers_a_hook_without_python(program: Path, tmp_path: Path) -> None:
    work = tmp_path / "work"
    (work / ".policy").mkdir(parents=True)
    (work / ".policy" / "main.policy").write_text(POLICY)

    def run(*words: str, text: str = "") -> subprocess.CompletedProcess[str]:
        environment = {"HOME": str(tmp_path / "home"), "PATH": ""}
        command = [str(program), *words]
        return subprocess.run(
            command, cwd=work, env=environment, input=text, capture_output=True, text=True, check=False
        )

    assert run("check").returncode == 0
    tested = run("test", "--format", "json")
    assert tested.returncode == 0, tested.stdout + tested.stderr
    answered = run("hook", "claude-code", text=json.dumps({**PAYLOAD, "cwd": str(work)}))
    assert "No keys." in json.loads(answered.stdout)["hookSpecificOutput"]["permissionDecisionReason"], answered.stderr
    assert run("packs").returncode == 0
