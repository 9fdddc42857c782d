"""A pattern becomes the names that are there now; one that takes every name stands for its folder too."""

from __future__ import annotations

import pytest

from policy_engine.filesystem.expansion import expanded
from policy_engine.filesystem.file_system import Virtual
from policy_engine.model.partial import GLOB


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        (f"{GLOB}.e*", [".env"]),
        (f"src/{GLOB}*.py", ["src/a.py", "src/b.py"]),
        (f"src/{GLOB}*", ["src/", "src/a.py", "src/b.py"]),
        (f"{GLOB}*", [".", "docs", "src"]),
        (f"{GLOB}nothing*", ["nothing*"]),
        ("plain", ["plain"]),
    ],
)
def test_a_pattern_becomes_names(word: str, expected: list[str]) -> None:
    filesystem = Virtual()
    for name in ("src/a.py", "src/b.py", "docs/x.md", ".env"):
        filesystem.write(filesystem.resolve(name, "/workspace"), b"x")
    assert expanded(word, filesystem.resolve("/workspace", None), filesystem) == expected
