"""A log that has grown long goes on in a new file: one chain, so many parts and no more, and nothing goes untold."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from policy_engine.audit import chain, parts
from policy_engine.audit.chain import Busy, add, head_path, late_path
from policy_engine.audit.check import Checked, check_log, ordered
from policy_engine.audit.reader import LogReader, LogTail

SMALL = 2_000  # bytes of a file: some eight records
WRITER = """
import sys
from policy_engine.audit import chain, parts
chain.PART_BYTES, parts.PARTS, name = 2_000, 10_000, sys.argv[2]
for number in range(200):
    while True:
        try:
            chain.add(sys.argv[1], b'{"event":"%s-%d"}' % (name.encode(), number))
        except chain.Busy:
            pass
        break
"""


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Where the log will be; its parts are small, and few."""
    monkeypatch.setattr(chain, "PART_BYTES", SMALL)
    monkeypatch.setattr(parts, "PARTS", 3)
    return str(tmp_path / "decisions.jsonl")


def _put(log: str, first: int, last: int) -> None:
    for number in range(first, last + 1):
        add(log, json.dumps({"time": number, "event": number}).encode())


def _files(log: str) -> list[str]:
    return ordered([str(path) for path in Path(log).parent.glob("decisions.jsonl*")])


def _check(log: str) -> Checked:
    return check_log(_files(log))


def _events(log: str) -> list[Any]:
    reader = LogReader(log)
    try:
        return [record["event"] for record in reader.records()]
    finally:
        reader.close()


@pytest.mark.requirement("R24")
def test_the_chain_goes_on_through_the_parts(log: str) -> None:
    _put(log, 1, 25)
    checked = _check(log)
    assert len(parts.parts(log)) >= 2 and (checked.records, checked.findings, checked.unknown) == (25, [], [])
    assert (_events(log), [record["event"] for _, record in LogTail(3_000).read(log)[1]][-2:]) == (
        list(range(1, 26)),
        [24, 25],
    )
    assert all(os.stat(path).st_size < 2 * SMALL for path in _files(log))
    assert (
        int(parts.parts(log)[0].rpartition(".")[2])
        == json.loads(Path(parts.parts(log)[0]).read_text().splitlines()[-1])["n"]
    )


@pytest.mark.requirement("R24")
def test_the_oldest_parts_go_and_the_chain_tells_of_them(log: str) -> None:
    _put(log, 1, 200)
    checked = _check(log)
    first = checked.first
    assert (len(parts.parts(log)), checked.findings, checked.unknown) == (3, [], [])
    assert first > 100 and checked.records == 201 - first
    (note,) = checked.notes
    assert note.startswith(f"records 1 to {first - 1} went with the oldest parts, as record ")
    assert sum(os.stat(path).st_size for path in _files(log)) < 5 * SMALL


@pytest.mark.requirement("R24")
@pytest.mark.parametrize("which", [0, 1])
def test_a_part_that_somebody_else_removed_is_missed(log: str, which: int) -> None:
    _put(log, 1, 200)
    os.unlink(parts.parts(log)[which])
    checked = _check(log)
    assert bool(checked.unknown) == (which == 0) and bool(checked.findings) == (which == 1)


@pytest.mark.requirement("R24")
def test_another_part_in_the_place_of_one_is_found(log: str) -> None:
    _put(log, 1, 200)
    first = parts.parts(log)[0]
    lines = Path(first).read_bytes().splitlines(keepends=True)
    Path(first).write_bytes(b"".join(lines[1:]))
    assert [text.partition(" stood")[0] for text in _check(log).unknown] == [f"record {json.loads(lines[0])['n']}"]
    Path(first).write_bytes(lines[0].replace(b'"time":', b'"tine":') + b"".join(lines[1:]))
    assert [finding.kind for finding in _check(log).findings] == ["changed"]


def test_what_was_moved_away_by_hand_stays_and_belongs_to_the_chain(log: str) -> None:
    _put(log, 1, 3)
    mine = Path(f"{log}-2026-11")
    os.rename(log, mine)
    _put(log, 4, 200)
    assert mine.exists() and len(parts.parts(log)) == 3


def test_nothing_is_written_over(log: str) -> None:
    for text in ("one", "two"):
        Path(log).write_text(text)
        parts.turn(log, 12)
    parts.turn(log, 12)  # it is gone already
    assert [Path(part).read_text() for part in parts.parts(log)] == ["one", "two"]


@pytest.mark.fault(92)
def test_without_its_head_file_the_chain_goes_on_after_the_last_part(log: str) -> None:
    _put(log, 1, 8)
    while Path(log).exists():
        _put(log, 0, 0)
    last = parts.last(parts.parts(log)[-1])[0]
    Path(head_path(log)).unlink()
    _put(log, last + 1, last + 1)
    checked = _check(log)
    assert (checked.records, checked.findings) == (last + 1, [])
    assert checked.unknown == [f"the head file was missing before record {last + 1}: what was cut there is not known"]


@pytest.mark.fault(83)
def test_parts_that_could_not_be_told_of_stay(log: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _put(log, 1, 8)
    while len(parts.parts(log)) <= 3 or Path(log).exists():
        _put(log, 0, 0)
    before = parts.parts(log)

    def full(file: int, data: bytes) -> None:
        raise OSError("no room")

    with monkeypatch.context() as patched:
        patched.setattr(chain, "_write", full)
        with pytest.raises(OSError, match="no room"):
            _put(log, 0, 0)
    assert parts.parts(log) == before
    _put(log, 0, 0)
    checked = _check(log)
    assert (parts.parts(log), checked.findings, checked.unknown) == (before[1:], [], [])


@pytest.mark.fault(86)
def test_processes_that_write_at_once_lose_nothing_at_a_turn(log: str) -> None:
    command = [sys.executable, "-c", WRITER, log]
    environment = {**os.environ, "PYTHONPATH": os.getcwd()}
    running = [subprocess.Popen([*command, str(number)], env=environment) for number in range(4)]
    assert [process.wait(120) for process in running] == [0] * 4
    add(log, b'{"event":"last"}')
    checked = _check(log)
    assert (checked.findings, checked.unknown, checked.records) == ([], [], 801)
    assert len(set(_events(log))) == 801


def test_a_follower_misses_nothing_at_a_turn(log: str) -> None:
    _put(log, 1, 3)
    reader = LogReader(log)
    follow = reader.follow(lambda: _put(log, told[-1] + 1, told[-1] + 4))
    told = [0]
    while told[-1] < 60:
        told.append(next(follow)["event"])
    reader.close()
    assert told == list(range(61))


def test_the_file_of_late_records_is_emptied_and_bounded(log: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chain, "LATE_KEPT", 200)
    monkeypatch.setattr(chain, "LATE_MOST", 600)
    holder = _holding(log)
    waited = 0
    while not (os.path.exists(late_path(log)) and os.stat(late_path(log)).st_size > 600):
        with pytest.raises(Busy):
            add(log, json.dumps({"event": f"late-{waited}"}).encode(), 0)
        waited += 1
    with pytest.raises(OSError, match="too many records wait"):
        add(log, b'{"event": "one too many"}', 0)
    holder.communicate(b"\n")
    _put(log, 1, 2)
    assert os.stat(late_path(log)).st_size == 0
    assert _events(log) == [*(f"late-{number}" for number in range(waited)), 1, 2]
    assert (_check(log).findings, _check(log).notes) == ([], [])


HOLD = """
import posix, sys
file = posix.open(sys.argv[1], posix.O_RDWR | posix.O_CREAT, 0o600)
posix.lockf(file, posix.F_LOCK, 0)
print("held", flush=True)
sys.stdin.readline()
"""


def _holding(log: str) -> subprocess.Popen[bytes]:
    """Another process that holds the lock."""
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, head_path(log)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert holder.stdout is not None and holder.stdout.readline() == b"held\n"
    return holder
