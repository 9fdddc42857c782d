"""A line → what its one command would touch, in the terms of the workspace."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from policy_engine.effects.command import effects_of
from policy_engine.filesystem.file_system import Virtual
from policy_engine.shell.parse import parse

Touched = Callable[[str], list[str]]


@pytest.fixture
def touched() -> Touched:
    """`delete build/**`: the access, the path below the workspace (or absolute), `/**` if all below is meant."""
    filesystem = Virtual()
    for name in ("src/a.py", "src/b.py", "docs/x.md"):
        filesystem.write(filesystem.resolve(name, "/workspace"), b"x")

    def ask(line: str) -> list[str]:
        (command,) = parse(line, "/workspace", filesystem)
        shown = []
        for path in effects_of(command).paths:
            place = filesystem.relative(path)
            shown.append(f"{path.access} {path.real if place is None else place}{'/**' if path.recursive else ''}")
        return shown

    return ask
