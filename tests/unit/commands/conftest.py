"""A shell for every test of a command."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.commands.running import Shell


@pytest.fixture
def policy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]) -> Shell:
    """The command `policy` in an empty folder."""
    return Shell(tmp_path, monkeypatch, capsysbinary)
