"""Golden files: what each program would do, said line by line below the command.

A file `tests/cases/programs/NAME.case` holds commands (`$ rm -rf build`) and below each what is expected of it, sorted
as it is shown here; nothing below means that nothing is expected. The words are those of a plain POSIX line. With
`UPDATE_CASES=1` in the environment the expectations are written anew, to be read before they are kept.
"""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import pytest

from policy_engine.effects.analysis import analysis_of
from policy_engine.effects.command import effects_of
from policy_engine.filesystem.file_system import Virtual
from policy_engine.shell.command import SimpleCommand

FOLDER = Path(__file__).resolve().parents[2] / "cases" / "programs"
FILES = sorted(FOLDER.glob("*.case"))


def _world() -> Virtual:
    filesystem = Virtual()
    for name in ("src/a.py", "docs/x.md", ".policy/main.policy", ".env"):
        filesystem.write(filesystem.resolve(name, "/workspace"), b"x")
    return filesystem


def _command(line: str) -> SimpleCommand:
    filesystem, words = _world(), shlex.split(line)
    env = []
    while "=" in words[0]:
        env.append(words.pop(0))
    return SimpleCommand(tuple(words), line, filesystem.resolve("/workspace", None), filesystem, tuple(env))


def _told(line: str) -> list[str]:
    """What the models say of a command, a line each."""
    command = _command(line)
    analysis, told = analysis_of(command), []
    for path in analysis.paths:
        place = (
            (path.real if (near := command.filesystem.relative(path)) is None else near or ".") if path.known else "?"
        )
        told.append(f"{path.access} {place}{'/**' if path.recursive else ''}")
    told += [f"reads the content of {path.text}" for path in analysis.contents]
    told += [f"mentions {path.text}" for path in analysis.mentions]
    told += [f"runs {path.text}" for path in analysis.runs]
    told += [f"does {word}" for word in analysis.words]
    told += [f"may do {word}" for word in analysis.doubts]
    told += [f"rewrites {branch}" for branch in analysis.branches]
    told += ["may rewrite a branch"] if analysis.branch_doubts else []
    told += ["is opaque"] if analysis.opaque else []
    told += ["only reads"] if effects_of(command).read_only else []
    return list(dict.fromkeys(told))


def _blocks(text: str) -> list[tuple[str, list[str]]]:
    blocks: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        if line.startswith("$ "):
            blocks.append((line[2:], []))
        elif line.strip():
            blocks[-1][1].append(line.strip())
    return blocks


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_a_program_does_what_its_case_says(file: Path) -> None:
    blocks = _blocks(file.read_text())
    told = [(line, _told(line)) for line, _ in blocks]
    if os.environ.get("UPDATE_CASES"):
        file.write_text("\n".join(f"$ {line}\n" + "".join(f"  {one}\n" for one in found) for line, found in told))
    assert told == _blocks(file.read_text())


def test_there_are_cases() -> None:
    assert len(FILES) > 100
