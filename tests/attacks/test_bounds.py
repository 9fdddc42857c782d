"""Inputs without end: each is bounded, names its bound, and fails in the direction of its kind."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.attacks.session import ROOT, Session

COMMANDS = ("check", "test", "status", "explain", "trust --show", "doctor", "dump", "fmt", "init", "new rule x")


def _policy(session: Session, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r}); "
               "from policy_engine.cli import main; sys.exit(main(sys.argv[1:]))", *words]  # fmt: skip
    return subprocess.run(
        command, env=session.environment, cwd=session.workspace, capture_output=True, text=True, check=False
    )


def _nested(folder: Path, depth: int) -> None:
    before = os.open(folder, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir("d", dir_fd=before)
        handle = os.open("d", os.O_RDONLY, dir_fd=before)
        os.close(before)
        before = handle
    os.close(before)


@pytest.mark.parametrize("command", COMMANDS)
def test_folders_without_end_are_a_diagnostic_and_no_fault(tmp_path: Path, command: str) -> None:
    session = Session(tmp_path)
    _nested(session.workspace / ".policy", 1500)
    try:
        done = _policy(session, *command.split())
        assert done.returncode != 70, done.stderr
        if command in ("check", "test"):
            assert "POLICY_FOLDERS" in done.stderr + done.stdout
        assert session.guarded()  # what was in force stays so
    finally:
        subprocess.run(["rm", "-rf", str(session.workspace / ".policy")], check=True)


def test_a_policy_folder_that_is_the_whole_disk_is_not_walked(tmp_path: Path) -> None:
    session = Session(tmp_path)
    os.rename(session.workspace / ".policy", session.workspace / "old")
    whole = tmp_path / "whole"
    whole.mkdir()
    for number in range(10_100):
        (whole / str(number)).touch()
    (session.workspace / ".policy").symlink_to(whole)
    assert session.guarded()
    done = _policy(session, "check")
    assert done.returncode not in (0, 70) and "POLICY_ENTRIES" in done.stdout + done.stderr
