"""Whatever is done to a log is found, and nothing is found in one that was left alone."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy_engine.audit.chain import add, head_path
from policy_engine.audit.check import Checked, check_log, ordered
from policy_engine.audit.link import digest_of

RECORDS = 6


def _written(folder: str) -> Path:
    log = Path(folder, "decisions.jsonl")
    for number in range(RECORDS):
        add(str(log), json.dumps({"time": 1000 + number, "text": "é" * number, "m": {"n": 1}}).encode())
    return log


def _after(lines: list[bytes], folder: str) -> Checked:
    log = Path(folder, "decisions.jsonl")
    log.write_bytes(b"".join(lines))
    return check_log([str(log)])


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A log with a few records."""
    return _written(str(tmp_path))


def _lines(log: Path) -> list[bytes]:
    return log.read_bytes().splitlines(keepends=True)


def _kinds(checked: Checked) -> list[tuple[str, int, int]]:
    return [(found.kind, found.record, found.line) for found in checked.findings]


@pytest.mark.requirement("R24")
@pytest.mark.fault(92)
@given(data=st.data())
def test_any_changed_byte_is_found(data: st.DataObject) -> None:
    with TemporaryDirectory() as folder:
        raw = bytearray(_written(folder).read_bytes())
        place = data.draw(st.integers(0, len(raw) - 1))
        raw[place] ^= data.draw(st.integers(1, 255))
        assert _after([bytes(raw)], folder).findings


@pytest.mark.requirement("R24")
@pytest.mark.fault(92)
@given(data=st.data())
def test_any_removed_repeated_moved_or_swapped_line_is_found(data: st.DataObject) -> None:
    with TemporaryDirectory() as folder:
        lines = _lines(_written(folder))
        before = list(lines)
        place, other = (data.draw(st.integers(0, RECORDS - 1)) for _ in range(2))
        what = data.draw(st.sampled_from(["remove", "cut", "repeat", "swap", "move", "insert", "blank"]))
        if what == "remove":
            del lines[place]
        elif what == "cut":
            del lines[place:]
        elif what == "repeat":
            lines.insert(other, lines[place])
        elif what == "swap":
            lines[place], lines[other] = lines[other], lines[place]
        elif what == "move":
            lines.insert(other, lines.pop(place))
        else:
            lines.insert(other, data.draw(st.binary(max_size=40)) + b"\n" if what == "insert" else b"\n")
        assert bool(_after(lines, folder).findings) == (lines != before)


@pytest.mark.requirement("R24")
@given(data=st.data())
def test_a_forged_chain_behind_a_true_beginning_is_found(data: st.DataObject) -> None:
    with TemporaryDirectory() as folder:
        lines = _lines(_written(folder))
        place = data.draw(st.integers(0, RECORDS - 1))
        before = json.loads(lines[place - 1])["hash"] if place else "0" * 64
        forged = []
        for number in range(place + 1, RECORDS + 1):
            line = b'{"time":1,"n":%d,"prev":"%s"' % (number, before.encode())
            before = digest_of(line)
            forged.append(line + b',"hash":"%s"}\n' % before.encode())
        assert _after([*lines[:place], *forged], folder).findings


def test_what_was_done_is_named_with_its_place_and_time(log: Path, tmp_path: Path) -> None:
    lines = _lines(log)
    folder = str(tmp_path)
    assert _kinds(_after([*lines[:2], lines[2].replace(b"1002", b"1003"), *lines[3:]], folder)) == [("changed", 3, 3)]
    assert _kinds(_after([*lines[:2], *lines[4:]], folder)) == [("removed", 3, 3)]
    assert _kinds(_after(lines[1:], folder)) == [("removed", 1, 1)]
    assert _kinds(_after(lines[:4], folder)) == [("cut", 6, 0)]
    assert _kinds(_after([*lines[:3], lines[1], *lines[3:]], folder)) == [("inserted", 2, 4)]
    assert _kinds(_after([*lines[:3], b"{}\n", *lines[3:]], folder)) == [("inserted", 3, 4)]
    swapped = _after([lines[0], lines[2], lines[1], *lines[3:]], folder)
    assert _kinds(swapped) == [("moved", 2, 2), ("inserted", 2, 3)]
    assert [found.time for found in swapped.findings] == [1002, 1001]
    assert [found.text for found in _after(lines[:4], folder).findings] == [
        "records 5 to 6, the last, missing or destroyed"
    ]


@pytest.mark.fault(92)
def test_another_file_in_its_place_is_found(log: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    assert _kinds(_after(_lines(_written(str(other))), str(tmp_path))) == []
    add(str(other / "decisions.jsonl"), b'{"time":5}')
    log.write_bytes((other / "decisions.jsonl").read_bytes())
    add(str(log), b'{"time":6}')
    assert _kinds(check_log([str(log)])) == []  # the very records, and one that the head had not seen: no change
    forged = tmp_path / "forged"
    forged.mkdir()
    for number in range(8):
        add(str(forged / "decisions.jsonl"), b'{"time":%d}' % number)
    log.write_bytes((forged / "decisions.jsonl").read_bytes())
    assert check_log([str(log)]).findings


def test_files_are_put_in_the_order_of_their_records(log: Path) -> None:
    old = log.with_name("decisions.jsonl.old")
    log.rename(old)
    add(str(log), b'{"time":9}')
    assert ordered([str(log), str(old)]) == [str(old), str(log)]
    assert check_log(ordered([str(log), str(old)])).records == RECORDS + 1


def test_a_log_that_was_moved_and_has_no_successor_is_held_against_the_head(log: Path) -> None:
    old = log.with_name("decisions.jsonl.1")
    log.rename(old)
    assert check_log([str(old)]).findings == []
    assert check_log([str(old)]).unknown == []
    Path(head_path(str(log))).unlink()
    assert len(check_log([str(old)]).unknown) == 1
