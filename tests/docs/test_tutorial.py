"""Every session shown in the documentation is what really happens: commands, files and outputs, in an empty folder.

In a block ```` ```console ```` a line `$ …` is a command for `sh`, the lines after it its whole output, standard error
after standard output, and a last line `[n]` an exit status that is not 0. `…` stands for any text. A block with
`file:NAME` in its info string is written to that file first; a block ```` ```python ```` without one is run. All blocks
of a page are played in order, in one folder with an empty home. A page that says `<!-- played in a copy of the
repository -->` begins in such a copy.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.blocks import ROOT, Block, blocks, pages

COPY = "<!-- played in a copy of the repository -->"
COPIED = ("policy_engine", "grammar", "rules", "tests", "docs", "pyproject.toml", ".importlinter", "Makefile")
SECONDS = 600


def _played() -> list[Path]:
    return [page for page in pages() if any(block.kind == "console" for block in blocks(page))]


def _ground(page: Path, folder: Path) -> Path:
    """The folder in which a page is played, with `policy` and `python` on the path."""
    work = folder / "work"
    if COPY in (ROOT / page).read_text("utf-8"):
        work.mkdir()
        for name in COPIED:
            _copy(ROOT / name, work / name)
    else:
        work = work / "project"
        work.mkdir(parents=True)
    programs = folder / "bin"
    programs.mkdir()
    for name, arguments in (("policy", "-m policy_engine "), ("python", "")):
        script = programs / name
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}" {arguments}"$@"\n')
        script.chmod(0o755)
    (folder / "home").mkdir()
    return work


def _copy(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    elif source.exists():
        shutil.copy(source, target)


def _environment(folder: Path, work: Path) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("LANG", "TMPDIR") if name in os.environ}
    return {
        **kept,
        "HOME": str(folder / "home"),
        "PATH": f"{folder / 'bin'}:/usr/local/bin:/usr/bin:/bin",
        "PYTHONPATH": str(work if (work / "policy_engine").is_dir() else ROOT),
        "GIT_CONFIG_NOSYSTEM": "1",
        "LC_ALL": "C.UTF-8",
    }


def _steps(block: Block) -> list[tuple[str, str]]:
    """The commands of a block, each with its expected output."""
    found: list[tuple[str, list[str]]] = []
    for line in block.text.split("\n")[:-1]:
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif line.startswith("> ") and found and not found[-1][1]:
            found[-1] = (f"{found[-1][0]}\n{line[2:]}", [])
        else:
            assert found, f"{block.name}: output before the first command"
            found[-1][1].append(line)
    return [(command, "\n".join(lines)) for command, lines in found]


def _done(command: str, work: Path, environment: dict[str, str]) -> str:
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=work,
        env=environment,
        capture_output=True,
        check=False,
        stdin=subprocess.DEVNULL,
        timeout=SECONDS,
    )
    status = f"[{done.returncode}]\n" if done.returncode else ""
    text = (done.stdout + done.stderr).decode("utf-8", "replace")
    text = text if text.endswith("\n") or not text else text + "\n"
    return "\n".join(line.rstrip() for line in (text + status).split("\n")).rstrip("\n")


def _matches(expected: str, actual: str) -> bool:
    pattern = re.escape(expected).replace("…", r"[\s\S]*?")
    return re.fullmatch(pattern, actual) is not None


@pytest.mark.parametrize("page", _played(), ids=str)
def test_what_a_page_shows_is_what_happens(page: Path, tmp_path: Path) -> None:
    work = _ground(page, tmp_path)
    environment = _environment(tmp_path, work)
    for block in blocks(page):
        if block.file:
            (work / block.file).parent.mkdir(parents=True, exist_ok=True)
            (work / block.file).write_text(block.text, "utf-8")
        elif block.kind == "python":
            program = [sys.executable, "-c", block.text]
            done = subprocess.run(program, cwd=work, env=environment, capture_output=True, text=True, check=False)
            assert done.returncode == 0, f"{block.name}: {done.stderr}"
        if block.kind == "console":
            for command, expected in _steps(block):
                actual = _done(command, work, environment)
                assert _matches(expected, actual), f"{block.name}: $ {command}\n--- shown\n{expected}\n--- is\n{actual}"


def test_the_tutorial_is_played() -> None:
    assert Path("docs/tutorial.md") in _played()
