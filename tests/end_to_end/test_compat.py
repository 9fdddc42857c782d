"""The policies that imitate other systems are in order; test_systems.py plays what was recorded of those systems."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from policy_engine import cli

ROOT = Path(__file__).resolve().parents[2]
COMPAT = ROOT / "policy_engine_compat/rules/compat"
PACKS = [
    "neocode.policy",
    *sorted(
        path.relative_to(COMPAT).as_posix() for path in COMPAT.glob("neocode/*.policy") if ".test" not in path.suffixes
    ),
]


@pytest.mark.parametrize("pack", PACKS)
def test_a_policy_that_imitates_is_in_order(pack: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = COMPAT / pack
    tests = [*path.parent.glob(f"{path.stem}.test.policy"), *path.parent.glob(f"{path.stem}/*.test.policy")]
    files = [str(file) for file in (path, *tests)]
    assert cli.main(["fmt", "--check", *files]) == 0
    capsys.readouterr()
    assert cli.main(["check", "--format", "json", *files]) == 0
    found = json.loads(capsys.readouterr().out)["diagnostics"]
    assert [one["message"] for one in found if one["code"] != "cost"] == []  # to imitate costs what it costs


def test_the_tests_of_policies_that_imitate_pass() -> None:
    for folder in sorted(path for path in COMPAT.iterdir() if path.is_dir()):
        assert cli.main(["test", str(folder)]) == 0


def test_nothing_else_imports_the_packs_that_imitate() -> None:
    others = [path for path in (ROOT / "rules").rglob("*.policy") if COMPAT not in path.parents]
    assert [path.name for path in others if re.search(r'import ".*(compat|icecoder|neocode)', path.read_text())] == []


def test_nothing_of_the_engine_names_what_imitates() -> None:
    named = re.compile(r"policy_engine_compat")
    room = ROOT / "policy_engine"
    naming = [path.relative_to(room) for path in room.rglob("*.py") if named.search(path.read_text("utf-8"))]
    assert [str(path) for path in naming] == ["model/shipped.py"]


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An installation without the package that imitates."""
    folder = tmp_path_factory.mktemp("alone")
    for name in ("policy_engine", "grammar", "rules"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def run(installation: Path, *arguments: str) -> tuple[int, str]:
    environment = {**os.environ, "PYTHONPATH": str(installation), "PYTHONDONTWRITEBYTECODE": "1"}
    line = [sys.executable, "-m", "policy_engine", *arguments]
    ended = subprocess.run(line, cwd=installation, env=environment, capture_output=True, text=True, check=False)
    return ended.returncode, ended.stdout + ended.stderr


def test_the_engine_stands_without_what_imitates(alone: Path) -> None:
    policy = alone / "a.policy"
    policy.write_text('language 1\nimport "pack:security/no-sudo"\n', "utf-8")
    assert run(alone, "check", "--no-lint", str(policy))[0] == 0
    status, packs = run(alone, "packs")
    assert (status, "no-sudo" in packs, "neocode" in packs) == (0, True, False)
    policy.write_text('language 1\nimport "pack:compat/neocode"\n', "utf-8")
    status, said = run(alone, "check", str(policy))
    assert (status, "PE305" in said) == (3, True)
    assert "= help: the packs of `compat` come with `policy_engine_compat`, which is not installed" in said
    policy.write_text("[]", "utf-8")
    status, said = run(alone, "migrate", "--from", "accept-checks", str(policy))
    assert (status, "no such format `accept-checks`" in said) == (2, True)
    assert "come with the package `policy_engine_compat`, which is not installed" in said
    assert run(alone, "migrate", "--from", "claude-settings", str(policy))[0] != 0  # it is known, and this is none
