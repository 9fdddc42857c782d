"""Links are written one after the other by whoever has the lock, and go on after whatever befell the files."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from policy_engine.audit import chain
from policy_engine.audit.chain import Busy, Head, add, head_path, late_path, read_head
from policy_engine.audit.check import check_log
from policy_engine.audit.link import link_of

ROOT = Path(__file__).resolve().parents[3]
HOLD = """
import posix, sys, time
file = posix.open(sys.argv[1], posix.O_RDWR | posix.O_CREAT, 0o600)
posix.lockf(file, posix.F_LOCK, 0)
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def log(tmp_path: Path) -> str:
    """Where the log will be."""
    return str(tmp_path / "decisions.jsonl")


def _put(log: str, *numbers: int) -> None:
    for number in numbers:
        add(log, json.dumps({"time": number, "event": f"e-{number}"}).encode())


def _records(log: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(log).read_bytes().splitlines()]


def _state(log: str) -> tuple[int, list[str], list[str]]:
    checked = check_log([log])
    return checked.records, [finding.kind for finding in checked.findings], checked.unknown


@pytest.mark.requirement("R24")
def test_each_record_carries_the_digest_of_the_one_before_and_its_own(log: str) -> None:
    _put(log, 1, 2, 3)
    found = _records(log)
    assert [record["n"] for record in found] == [1, 2, 3]
    assert [record["prev"] for record in found] == ["0" * 64, found[0]["hash"], found[1]["hash"]]
    assert _state(log) == (3, [], [])


@pytest.mark.requirement("R17", "R24")
def test_the_files_are_for_their_user_alone(log: str) -> None:
    before = os.umask(0)
    try:
        _put(log, 1)
    finally:
        os.umask(before)
    assert [os.stat(path).st_mode & 0o777 for path in (log, head_path(log))] == [0o600, 0o600]


@pytest.mark.fault(92)
@pytest.mark.parametrize("which", [str, head_path])
@pytest.mark.parametrize("what", ["link", "null", "fifo", "folder"])
def test_what_is_no_regular_file_of_this_user_is_not_written_to(log: str, which: Any, what: str) -> None:
    victim = Path(log).with_name("victim")
    victim.write_text("precious")
    path = which(log)
    {
        "link": lambda: os.symlink(victim, path),
        "null": lambda: os.symlink("/dev/null", path),
        "fifo": lambda: os.mkfifo(path),
        "folder": lambda: os.mkdir(path),
    }[what]()
    with pytest.raises(OSError):
        _put(log, 1)
    assert victim.read_text() == "precious"


@pytest.mark.fault(92)
def test_the_chain_goes_on_in_a_new_file_when_the_log_is_moved_away(log: str) -> None:
    _put(log, 1, 2)
    os.rename(log, f"{log}.1")
    _put(log, 3)
    assert _records(log)[0]["prev"] == _records(f"{log}.1")[-1]["hash"]
    both = check_log([f"{log}.1", log])
    assert (both.records, both.findings, both.unknown) == (3, [], [])
    assert _state(log) == (1, [], ["records 1 to 2 stood in files that are not here"])


@pytest.mark.fault(83)
@pytest.mark.parametrize("torn", [b'{"time": 3, "ev', b"\0" * 40, b"{}"])
def test_a_torn_line_is_ended_and_sealed_by_the_next_record(log: str, torn: bytes) -> None:
    _put(log, 1, 2)
    with open(log, "ab") as file:
        file.write(torn)
    checked = check_log([log])
    assert (checked.findings, checked.notes) == ([], ["the last line is torn: its writer died, or is writing it now"])
    _put(log, 3)
    checked = check_log([log])
    assert (checked.records, checked.findings) == (3, [])
    assert checked.notes == [f"line 3 of {log} is torn; the record after it says so"]
    lines = Path(log).read_bytes().splitlines(keepends=True)
    Path(log).write_bytes(b"".join([*lines[:2], b"[]\n", lines[3]]))
    assert _state(log)[1] == ["inserted"]
    Path(log).write_bytes(b"".join([*lines[:2], lines[3]]))
    assert _state(log)[1] == ["removed"]


@pytest.mark.fault(83)
def test_a_record_whose_writer_died_before_the_head_was_written_is_taken_in(log: str) -> None:
    _put(log, 1)
    before = Path(head_path(log)).read_bytes()
    _put(log, 2, 3)
    Path(head_path(log)).write_bytes(before)
    _put(log, 4)
    assert [record["n"] for record in _records(log)] == [1, 2, 3, 4]
    assert _state(log) == (4, [], [])


@pytest.mark.fault(91, 92)
def test_a_log_that_was_cut_or_set_back_shows_it_before_and_after_the_next_record(log: str) -> None:
    _put(log, 1, 2)
    old = Path(log).read_bytes()
    _put(log, 3, 4)
    Path(log).write_bytes(old)
    assert _state(log) == (2, ["cut"], [])
    _put(log, 5)
    assert _state(log) == (3, ["removed"], [])
    Path(log).write_bytes(Path(log).read_bytes()[:-20])
    _put(log, 6)
    assert "changed" in _state(log)[1]


@pytest.mark.fault(92)
@pytest.mark.parametrize("damage", [b"", b"9" * 160, None])
def test_without_its_head_file_the_chain_goes_on_and_says_what_cannot_be_known(log: str, damage: bytes | None) -> None:
    _put(log, 1, 2)
    path = Path(head_path(log))
    path.unlink() if damage is None else path.write_bytes(damage)
    assert _state(log) == (2, [], ["there is no head file, so records cut from the end cannot be known"])
    _put(log, 3)
    assert [record["n"] for record in _records(log)] == [1, 2, 3]
    assert _state(log) == (3, [], ["the head file was missing before record 3: what was cut there is not known"])


def test_a_record_that_cannot_have_the_lock_waits_and_comes_into_the_chain(log: str) -> None:
    _put(log, 1)
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, head_path(log)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert holder.stdout is not None
    holder.stdout.readline()
    for number in (2, 3):
        with pytest.raises(Busy):
            add(log, json.dumps({"time": number}).encode(), 5)
    with open(late_path(log), "ab") as file:
        file.write(b"\n{torn")
    assert check_log([log]).notes[0].endswith("bytes of records wait to be brought into the chain")
    holder.communicate(b"")
    _put(log, 4, 5)
    assert [(record["time"], record.get("late")) for record in _records(log)] == [
        (1, None), (2, True), (3, True), (4, None), (5, None),
    ]  # fmt: skip
    assert _state(log) == (5, [], [])


def test_without_room_the_record_fails_and_the_next_goes_on(log: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _put(log, 1)
    write = chain.posix.write
    monkeypatch.setattr(chain.posix, "write", lambda file, data: write(file, data[:10]))
    with pytest.raises(OSError, match="no room"):
        _put(log, 2)
    monkeypatch.undo()
    _put(log, 3)
    assert [link[0] for line in Path(log).read_bytes().splitlines() if (link := link_of(line))] == [1, 2]
    assert _state(log) == (2, [], [])


@pytest.mark.requirement("R24")
def test_a_hundred_processes_write_one_chain(log: str) -> None:
    code = f"import sys; from policy_engine.audit.chain import add; add({log!r}, b'{{\"time\": 1}}', 60_000)"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    running: list[subprocess.Popen[bytes]] = []
    starter = threading.Semaphore(20)  # more at once only wait for the processor

    def one() -> None:
        with starter:
            running.append(subprocess.Popen([sys.executable, "-S", "-c", code], env=environment))
            running[-1].wait()

    threads = [threading.Thread(target=one) for _ in range(100)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [process.returncode for process in running] == [0] * 100
    assert _state(log) == (100, [], [])


@pytest.mark.requirement("R24")
def test_a_record_costs_the_same_however_long_the_log_is(log: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    pread = chain.posix.pread

    def counted(file: int, size: int, at: int) -> bytes:
        data = pread(file, size, at)
        read.append(len(data))
        return data

    _put(log, 1)
    monkeypatch.setattr(chain.posix, "pread", counted)
    _put(log, 2)
    few = list(read)
    _put(log, *range(3, 300))
    read.clear()
    _put(log, 300)
    assert read == few


def test_a_head_is_read_back_and_damage_is_seen() -> None:
    data = Head(10**12, "a" * 64, 10**13, 7, 9).to_bytes()
    found = read_head(data)
    assert found is not None
    assert (found.count, found.digest, found.end, found.first, found.late) == (10**12, "a" * 64, 10**13, 7, 9)
    assert [read_head(data[:place] + b"x" + data[place + 1 :]) for place in range(100)] == [None] * 100
    assert read_head(data + b"x") is None
