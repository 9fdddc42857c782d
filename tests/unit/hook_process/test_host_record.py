"""The end of the file in which a host records its session: bounded, and only of a file that nobody else could write."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from policy_engine.hook_process.host_record import TAIL, tail


def test_a_short_file_is_read_whole_and_of_a_long_one_the_last_whole_lines(tmp_path: Path) -> None:
    file = tmp_path / "rollout.jsonl"
    file.write_bytes(b"one\ntwo\n")
    assert tail(str(file)) == b"one\ntwo\n"
    file.write_bytes(b"first\n" + b"x" * TAIL + b"\nlast\n")
    assert tail(str(file)) == b"last\n"
    file.write_bytes(b"x" * (TAIL + 1))
    assert tail(str(file)) == b""


@pytest.mark.parametrize("path", [None, 3, "", "rollout.jsonl", "/no/such/file", "/dev/zero", "/", "/x\0y", "/\ud800"])
def test_what_is_no_file_is_empty(path: object) -> None:
    assert tail(path) == b""


def test_a_file_that_is_not_to_be_trusted_is_not_read(tmp_path: Path) -> None:
    file = tmp_path / "rollout.jsonl"
    file.write_bytes(b"one\n")
    (tmp_path / "link").symlink_to(file)
    assert tail(str(tmp_path / "link")) == b""
    os.mkfifo(tmp_path / "fifo")
    assert tail(str(tmp_path / "fifo")) == b""
    for mode in (0o620, 0o602, 0o666):
        file.chmod(mode)
        assert tail(str(file)) == b""
    file.chmod(0o644)
    assert tail(str(file)) == b"one\n"
