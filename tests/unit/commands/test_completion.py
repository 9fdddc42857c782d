"""Shells complete commands, options, hosts, packs and codes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.unit.commands.running import Shell

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_is_one_of_that_shell(policy: Shell, shell: str) -> None:
    done = policy("completion", shell)
    assert (done.status, f"_POLICY_COMPLETE={shell}_complete" in done.out) == (0, True)
    if (program := shutil.which(shell)) is not None:
        assert subprocess.run([program, "-n"], input=done.out.encode(), check=False).returncode == 0


def offered(folder: Path, *words: str) -> list[str]:
    """What is offered for the last word, as the script of bash asks for it."""
    given = {"_POLICY_COMPLETE": "bash_complete", "COMP_WORDS": " ".join(words), "COMP_CWORD": str(len(words) - 1)}
    environment = {**os.environ, **given, "PYTHONPATH": str(ROOT), "HOME": str(folder)}
    ran = subprocess.run(
        [sys.executable, "-m", "policy_engine"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return [line.partition(",")[2] for line in ran.stdout.splitlines()]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("policy", "inst"), ["install"]),
        (("policy", "install", "c"), ["claude-code", "cline", "codex", "copilot", "cursor"]),
        (("policy", "doctor", "ki"), ["kiro"]),
        (("policy", "check", "--host", "gem"), ["gemini"]),
        (("policy", "check", "--format", "ju"), ["junit"]),
        (("policy", "add", "no-su"), ["no-sudo"]),
        (("policy", "explain-code", "PE20"), [f"PE20{number}" for number in range(1, 10)]),
        (("policy", "explain-code", "shad"), ["shadowed-rule"]),
    ],
)
def test_what_is_typed_is_completed(tmp_path: Path, words: tuple[str, ...], expected: list[str]) -> None:
    found = offered(tmp_path, *words)
    assert found == expected or (expected[0].startswith("PE") and set(found) <= set(expected) and found)


def test_bash_completes_at_its_prompt(tmp_path: Path) -> None:
    typed = "COMP_WORDS=(policy inst); COMP_CWORD=1"
    script = f'eval "$(policy completion bash)"; {typed}; _policy_completion policy; echo "${{COMPREPLY[@]}}"'
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "HOME": str(tmp_path)}
    ran = subprocess.run(
        ["bash", "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert ran.stdout.split()[-1] == "install", ran.stderr
