"""A file that leads to a program of the system is that program, by links that lie on the disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from policy_engine.filesystem.file_system import Disk
from policy_engine.shell.parse import parse


def started(root: Path, line: str) -> str:
    return parse(line, str(root), Disk(str(root), str(root)))[-1].argv[0]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "bin").mkdir()
    for name, to in (("x", "/bin/sh"), ("cat", "/bin/sh"), ("bin/sh", "/bin/sh"), ("own", "run.sh"), ("y", "x")):
        (tmp_path / name).symlink_to(to)
    (tmp_path / "run.sh").write_text("ls\n")
    return tmp_path


@pytest.mark.parametrize("word", ["./x", "./cat", "./y", "bin/../x"])
def test_a_link_to_a_shell_is_that_shell(root: Path, word: str) -> None:
    assert started(root, f"{word} -s").startswith(("/bin/", "/usr/bin/"))


@pytest.mark.parametrize("word", ["bin/sh", "./own", "./none", "cat", "/bin/sh"])
def test_other_words_stay_what_they_are(root: Path, word: str) -> None:
    assert started(root, f"{word} -s") == word
