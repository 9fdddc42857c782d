"""Any output is read, in bounded time, without an exception; files are named from the workspace's root."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy_engine.model.limits import VERIFY_FAILURES
from policy_engine.verification.failure import ERROR_CLASSES
from policy_engine.verification.reading import failures_of, readers
from tests.unit.verification.outputs import recorded

MEGABYTE = 1_000_000
SEEDS = [
    " ", "(", "a:", "a.a", "=", "\x1b[", "\x1b]", "', ", "a  ", "\r", '[{"filePath":', "a.py:1: error: [", "at a (",
    "thread 'a' panicked at '", "ld: a.o:a.c:(", "--- FAIL: T (0.00s)\n", "FAILED a.py::t - x\n", " FAIL  a > b\n",
    "test a ... FAILED\n", "======\nERROR: a (b)\n", "==== FAILURES ====\n__ t __\n",
]  # fmt: skip


@pytest.mark.parametrize("seed", SEEDS)
def test_a_megabyte_of_anything_is_read(seed: str) -> None:
    text = seed * (MEGABYTE // len(seed))
    for reader in readers():
        assert len(reader.read(text)) <= VERIFY_FAILURES


PIECES = sorted({line for run in recorded() for line in run.text.split("\n")[:12]})


@given(st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=20)), max_size=30), st.sampled_from(readers()))
def test_lines_in_any_order_are_read(lines: list[str], reader: object) -> None:
    for one in failures_of("\n".join(lines), (str(getattr(reader, "name", "")),), "/workspace"):
        assert one.error_class in ERROR_CLASSES
        assert one.summary.strip()
        assert one.line is None or one.line >= 0


@pytest.mark.parametrize(
    ("written", "file"),
    [
        ("{root}/src/a.c", "src/a.c"),
        ("{root}/src/../a.c", "a.c"),
        ("{root}.old/a.c", "{root}.old/a.c"),
        ("/usr/include/a.h", "/usr/include/a.h"),
        ("./src/a.c", "./src/a.c"),
        ("../a.c", "../a.c"),
        ("{link}/a.c", "{link}/a.c"),
    ],
)
def test_files_below_the_root_are_relative_to_it(tmp_path: Path, written: str, file: str) -> None:
    root, link = tmp_path / "root", tmp_path / "link"
    root.mkdir()
    link.symlink_to(root)
    names = {"root": str(root), "link": str(link)}
    (found,) = failures_of(f"{written.format(**names)}:3:1: error: odd", ("gcc",), str(root))
    assert found.file == file.format(**names)


def test_a_root_that_is_a_link_knows_its_real_folder(tmp_path: Path) -> None:
    root, link = tmp_path / "root", tmp_path / "link"
    root.mkdir()
    link.symlink_to(root)
    (found,) = failures_of(f"{root}/a.c:3:1: error: odd", ("gcc",), str(link))
    assert found.file == "a.c"


def test_nothing_said_is_no_failure() -> None:
    assert failures_of("", ("pytest",), "/workspace") == ()
    assert failures_of(" \n\x1b[0m\n", ("pytest",), "/workspace") == ()


def test_a_claimed_output_without_a_failure_is_read_by_others() -> None:
    (found,) = failures_of("sh: 1: jest: not found", ("jest",), "/workspace")
    assert found.error_class == "missing_command"
