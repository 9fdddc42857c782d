"""The interpreter that `make` takes is one that the tests were run with, where there is one."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
PREFIX = "Programming Language :: Python :: 3."
LISTED = sorted(int(line[len(PREFIX) :]) for line in PROJECT["classifiers"] if line.startswith(PREFIX))
NEWER = LISTED[-1] + 1


def found(folder: Path, programs: dict[str, int | str], **environment: str) -> tuple[int, str, str]:
    """Status, output and complaint where these are the only programs: name → minor version, or implementation."""
    for tool in ("dirname", "sed", "sort"):
        (folder / tool).symlink_to(shutil.which(tool) or "")
    for name, what in programs.items():
        version, kind = (what, "cpython") if isinstance(what, int) else (LISTED[0], what)
        seen = f"sys.version_info = (3, {version}, 0); sys.implementation.name = {kind!r}; sys.executable = {name!r}"
        code = "code = sys.argv[2]; sys.argv[:3] = ['-c']; exec(code)"
        (folder / name).write_text(f"#!{sys.executable}\nimport ensurepip, sys, venv\n{seen}; {code}\n")
        (folder / name).chmod(0o755)
    command = [ROOT / "tools" / "find_python"]
    done = subprocess.run(
        command, env={"PATH": str(folder), **environment}, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout.strip(), done.stderr


def test_each_version_that_is_allowed_is_listed_from_the_lowest_on() -> None:
    assert PROJECT["requires-python"] == f">=3.{LISTED[0]}"
    assert list(range(LISTED[0], NEWER)) == LISTED


@pytest.mark.parametrize(
    ("programs", "name"),
    [
        ({"python3": 11, "python3.13": 13}, "python3"),
        ({"python3": 9, "python3.12": 12, "python3.13": 13}, "python3.13"),
        ({"python3": NEWER, "python3.11": 11}, "python3.11"),
        ({"python3": "pypy", "python3.13": 9, "python3.12": 12}, "python3.12"),
    ],
)
def test_a_version_that_is_listed_is_taken(tmp_path: Path, programs: dict[str, int | str], name: str) -> None:
    assert found(tmp_path, programs) == (0, name, "")


def test_a_newer_version_is_taken_if_there_is_no_other_and_it_is_said(tmp_path: Path) -> None:
    status, name, said = found(tmp_path, {"python": NEWER, "python3": 9})
    assert (status, name) == (0, "python")
    assert said == "note: the tests were run with Python 3.11 3.12 3.13 and not with the version of python\n"


def test_without_any_it_says_what_it_tried(tmp_path: Path) -> None:
    status, name, said = found(tmp_path, {"python3": 10, "python3.11": "pypy"})
    assert (status, name) == (1, "")
    assert "(tried: python3 python3.13 python3.12 python3.11 " in said


def test_a_person_may_name_another(tmp_path: Path) -> None:
    assert found(tmp_path, {"python3": 11, "mine": 13}, PYTHON="mine") == (0, "mine", "")
