"""Reading the decision log while others write to it, tear it, move it away and begin it again."""

from __future__ import annotations

from pathlib import Path

import pytest

from policy_engine.audit.reader import LogReader
from policy_engine.model.errors import ConfigurationError


def _events(reader: LogReader) -> list[object]:
    return [record.get("event") for record in reader.records()]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the log will be."""
    return tmp_path / "decisions.jsonl"


def test_a_torn_line_is_read_once_it_is_whole(path: Path) -> None:
    path.write_text('{"event": 1}\n{"even')
    reader = LogReader(str(path))
    assert (_events(reader), reader.torn) == ([1], True)
    with path.open("a") as file:
        file.write('t": 2}\n')
    assert (_events(reader), reader.torn, reader.unreadable) == ([2], False, 0)
    reader.close()


def test_lines_that_are_no_records_are_counted(path: Path) -> None:
    path.write_bytes(b'{"event": 1}\nnonsense\n[]\n\n\xff\n' + b"[" * 100_000 + b'\n{"event": 2}\n')
    reader = LogReader(str(path))
    assert (_events(reader), reader.unreadable) == ([1, 2], 4)
    reader.close()


@pytest.mark.parametrize("again", ["moved", "emptied"])
def test_a_log_that_begins_again_is_followed(path: Path, again: str) -> None:
    path.write_text('{"event": 1}\n{"event": 2}\n')
    reader = LogReader(str(path))
    waits = 0

    def wait() -> None:
        nonlocal waits
        waits += 1
        if waits == 1 and again == "moved":
            path.rename(path.with_suffix(".old"))
        elif waits == 2:
            path.write_text('{"event": 3}\n')

    follow = reader.follow(wait)
    assert [next(follow)["event"] for _ in range(3)] == [1, 2, 3]
    reader.close()


def test_a_log_may_come_later(path: Path) -> None:
    reader = LogReader(str(path))
    assert _events(reader) == []
    follow = reader.follow(lambda: path.write_text('{"event": 1}\n') and None)
    assert next(follow)["event"] == 1
    reader.close()


def test_what_is_no_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="is a directory"):
        _events(LogReader(str(tmp_path)))
