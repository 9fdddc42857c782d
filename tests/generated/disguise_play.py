"""Seeds and guards for disguised lines, and what a disguised line starts when bash runs it.

Seeds are the rows of tests/cases/packs; `POLICY_SEEDS` names a file with more of them, as `VERDICT<TAB>LINE`.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from functools import cache
from pathlib import Path

from policy_engine.bootstrap import Engine
from policy_engine.filesystem.file_system import Virtual
from policy_engine.model.decision import Decision
from tests.unit.compiler.asking import engine, shell

ROOT = Path(__file__).resolve().parents[2]
LAST_RESORT = "readonly-autoallow"  # it asks for whatever is not known to only read, which would hide all else
BASH = "/bin/bash"
SECONDS = 5


@cache
def guards() -> Engine:
    """All security packs that speak of harm, over a workspace with secrets, policies and hooks."""
    filesystem = Virtual()
    for name in (
        ".env", ".policy/main.policy", ".claude/settings.json", ".git/config", ".git/hooks/pre-commit", "README.md",
        "src/a.py", "build/out.o", "package.json", "/home/user/.ssh/id_rsa", "/home/user/other/a",
    ):  # fmt: skip
        filesystem.write(filesystem.resolve(name, "/workspace"), b"x\n")
    packs = sorted((ROOT / "rules" / "security").glob("*.policy"))
    imports = [f'import "pack:security/{pack.stem}"' for pack in packs if pack.stem != LAST_RESORT]
    return engine("\n".join(imports), filesystem)


def decided(line: str) -> Decision:
    """What the guards say of a line."""
    return guards().decide(shell(line))


@cache
def seeds(verdict: str) -> tuple[str, ...]:
    """Lines that deserve this verdict and get it without a disguise."""
    files = [file for file in sorted((ROOT / "tests" / "cases" / "packs").glob("*.case")) if file.stem != LAST_RESORT]
    more = os.environ.get("POLICY_SEEDS")
    files += [Path(more)] if more else []
    rows = [row.partition("\t")[::2] for file in files for row in file.read_text().splitlines()]
    lines = dict.fromkeys(line for said, line in rows if said == verdict)
    return tuple(line for line in lines if decided(line).verdict == verdict)


def programs(folder: Path) -> Path:
    """A folder with programs `aa` and `bb` that add their words to a file and print nothing."""
    folder.mkdir()
    program = folder / "aa"
    program.write_text('#!/bin/sh\nprintf \'%s\\0\' "${0##*/}" "$@" "$(printf \'\\001\')" >>"$LOG_OF_WORDS"\n')
    program.chmod(0o755)
    (folder / "bb").symlink_to(program)
    for name, kin in (("python", "python3"), ("gawk", "awk"), ("mawk", "awk")):
        found = shutil.which(kin)
        if found is not None:
            (folder / name).symlink_to(found)
    return folder


def started(script: str, stand_ins: Path, folder: Path) -> list[tuple[str, ...]]:
    """The argvs of the stand-ins that bash starts for the script, in an empty folder."""
    log, place = folder / "log", folder / "work"
    log.write_bytes(b"")
    place.mkdir(exist_ok=True)
    environment = {
        "PATH": f"{stand_ins}:/usr/bin:/bin", "HOME": "/home/user", "LC_ALL": "C.UTF-8", "LOG_OF_WORDS": str(log),
    }  # fmt: skip
    process = subprocess.Popen(
        [BASH, "-c", script + "\nwait"], cwd=place, env=environment, start_new_session=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        process.wait(SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    subprocess.run(["/bin/rm", "-r", str(place)], check=True)
    return [tuple(run.decode().split("\0")[:-1]) for run in log.read_bytes().split(b"\1\0")[:-1]]
