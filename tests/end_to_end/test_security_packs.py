"""The security packs against lines of every class: each guard alone, in a virtual workspace with secrets and policies.

`tests/cases/packs/GUARD.case` holds lines as `VERDICT<TAB>COMMAND`; nothing in them is ever run.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from policy_engine.filesystem.file_system import Virtual
from tests.unit.compiler.asking import engine, shell

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / "tests" / "cases" / "packs").glob("*.case"))


def _world() -> Virtual:
    filesystem = Virtual()
    for name in (
        ".env", ".policy/main.policy", ".claude/settings.json", ".git/config", ".git/hooks/pre-commit", ".git/index",
        "README.md",
        "src/a.py", "build/out.o", "package.json", "/home/user/.ssh/id_rsa", "/home/user/other/a",
    ):  # fmt: skip
        filesystem.write(filesystem.resolve(name, "/workspace"), b"x\n")
    return filesystem


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_a_guard_says_what_its_case_expects(file: Path) -> None:
    text = (ROOT / "rules" / "security" / f"{file.stem}.policy").read_text().replace("language 1\n", "", 1)
    guard = engine(text, _world())
    rows = [line.partition("\t")[::2] for line in file.read_text().splitlines() if line.strip()]
    assert rows
    said = [(guard.decide(shell(command)).verdict, command) for _, command in rows]
    assert said == rows


@pytest.mark.parametrize("count", [300, 1500])
def test_a_long_line_is_decided_and_its_last_command_counts(count: int) -> None:
    text = (ROOT / "rules" / "security" / "no-sudo.policy").read_text().replace("language 1\n", "", 1)
    guard = engine(text, _world())
    assert guard.decide(shell("true; " * count + "true")).verdict == "allow"
    assert guard.decide(shell("true; " * count + "sudo ls")).verdict != "allow"
