"""The policies that imitate other systems are in order; test_systems.py plays what was recorded of those systems."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from policy_engine import cli

ROOT = Path(__file__).resolve().parents[2]
COMPAT = ROOT / "rules/compat"
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


def test_nothing_but_their_migrations_knows_the_formats_of_other_systems() -> None:
    formats = re.compile(r"migrations\.(accept_checks|hooks_yaml|seed_config)|conversion\.neocode_hooks")
    room = ROOT / "policy_engine"
    knowing = [path.relative_to(room) for path in room.rglob("*.py") if formats.search(path.read_text("utf-8"))]
    assert [str(path) for path in knowing if path.parts[0] != "migrations"] == []
