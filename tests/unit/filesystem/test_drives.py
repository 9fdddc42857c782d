"""Paths of a system with drive letters, read where nothing of it is on the disk."""

from __future__ import annotations

import pytest

from policy_engine.filesystem.drives import Drives
from policy_engine.model.undecided import Undecided
from policy_engine.shell.parse import parse

HERE = "C:\\Users\\dev\\proj"


@pytest.mark.parametrize(
    ("text", "real"),
    [
        ("src\\a.py", "/C:/Users/dev/proj/src/a.py"),
        ("src/a.py", "/C:/Users/dev/proj/src/a.py"),
        ("..\\x", "/C:/Users/dev/x"),
        ("..\\..\\..\\..\\..\\x", "/C:/x"),
        ("D:\\x", "/D:/x"),
        ("\\x", "/C:/x"),
        ("\\\\?\\C:\\x", "/C:/x"),
        ("\\\\server\\share\\x", "//server/share/x"),
        ("~\\x", "/C:/Users/dev/x"),
        (".policy. \\x", "/C:/Users/dev/proj/.policy/x"),
    ],
)
def test_a_path_is_read_by_its_text(text: str, real: str) -> None:
    assert Drives(HERE).resolve(text, HERE).real == real


@pytest.mark.parametrize("text", ["C:x", "src\\con", "NUL.txt", "a.py:stream", "PROGRA~1\\x"])
def test_what_may_be_another_file_is_not_known(text: str) -> None:
    with pytest.raises(Undecided):
        Drives(HERE).resolve(text, HERE)


def test_a_place_inside_is_found_whatever_its_case() -> None:
    filesystem = Drives(HERE)
    assert filesystem.relative(filesystem.resolve("c:\\users\\DEV\\proj\\a", HERE)) == "a"
    assert filesystem.relative(filesystem.resolve("..\\proj-evil\\a", HERE)) is None


def test_the_disk_is_out_of_reach() -> None:
    filesystem = Drives(HERE)
    path = filesystem.resolve("a", HERE)
    for look in (filesystem.look, filesystem.names, filesystem.files_below, filesystem.read):
        with pytest.raises(Undecided):
            look(path)
    assert filesystem.program("git") is None


def test_a_line_keeps_the_backslashes_of_its_paths() -> None:
    (command,) = parse("Remove-Item -Rec -Fo C:\\Users\\dev\\other", HERE, Drives(HERE))
    assert command.argv[-1] == "C:/Users/dev/other"
