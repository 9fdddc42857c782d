"""Files of build tools that hold commands, written in one call and read by the tool in the next."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from policy_engine.bootstrap import Engine
from policy_engine.filesystem.file_system import Virtual
from tests.unit.compiler.asking import engine, shell

ROOT = Path(__file__).resolve().parents[2]
ROWS = [json.loads(line) for line in (ROOT / "tests/data/build_files.jsonl").read_text("utf-8").splitlines()]


def _verdict(row: dict[str, str]) -> str:
    filesystem = Virtual("/workspace", "/home/user")
    filesystem.write(filesystem.resolve(".env", "/workspace"), b"A=b")
    filesystem.write(filesystem.resolve(row["file"], "/workspace"), row["text"].encode())
    guards = [
        _guard(name, filesystem) for name in ("no-recursive-delete-outside-workspace", "no-secret-read", "no-sudo")
    ]
    guards += [_guard(name, filesystem) for name in ("no-remote-or-decoded-exec", "no-package-publish")]
    verdicts = {guard.decide(shell(row["line"])).verdict for guard in guards}
    return "deny" if "deny" in verdicts else "ask" if "ask" in verdicts else "allow"


def _guard(name: str, filesystem: Virtual) -> Engine:
    return engine((ROOT / f"rules/security/{name}.policy").read_text().replace("language 1\n", "", 1), filesystem)


@pytest.mark.parametrize("row", ROWS, ids=[f"{row['file']}: {row['line']}: {row['verdict']}" for row in ROWS])
def test_a_command_in_a_build_file_is_judged_where_its_task_starts(row: dict[str, str]) -> None:
    assert _verdict(row) == row["verdict"]
