"""Imports fall, siblings are strangers, each library has one home: `.importlinter` holds, and covers every family."""

from __future__ import annotations

import configparser
import subprocess
import sys

from tests.house.sources import ROOT, families

RUN = "from importlinter.cli import lint_imports_command; lint_imports_command()"


def test_the_floors_hold() -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "from importlinter.cli import lint_imports_command; lint_imports_command()",
            "--no-cache",
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_family_has_its_contract() -> None:
    contracts = configparser.ConfigParser()
    contracts.read(ROOT / ".importlinter", "utf-8")
    names = [name.replace("/", "-") for name in families()]
    missing = [name for name in names if f"importlinter:contract:family-{name}" not in contracts]
    assert missing == []
