"""The end of the decision log as the page keeps it, and the charts of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from policy_engine.audit.reader import LogTail
from policy_engine.serving import recent
from policy_engine.serving.charts import BARS, causes, charts
from policy_engine.serving.recent import Recent

HOUR = 3_600_000


def _record(number: int, **more: Any) -> dict[str, Any]:
    given = {"workspace": "/w", "tool": {"id": f"c{number}", "name": "Bash", "args": {"command": f"echo Ä{number}"}}}
    return {
        "n": number, "time": 1_700_000_000_000 + number * HOUR, "host": "h", "hook": "before_tool", "session": "s",
        "verdict": "allow", "rules": [], "errors": [], "input": given, **more,
    }  # fmt: skip


def _write(log: Path, *records: dict[str, Any], torn: str = "") -> None:
    with log.open("a") as file:
        file.write("".join(json.dumps(record) + "\n" for record in records) + torn)


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "decisions.jsonl"
    monkeypatch.setattr(recent, "log_path", lambda: str(path))
    return path


def test_each_line_is_read_once_and_a_torn_one_when_it_is_whole(tmp_path: Path) -> None:
    log, tail = tmp_path / "decisions.jsonl", LogTail(1 << 20)
    assert tail.read(str(log)) == (False, [])
    _write(log, _record(1), torn='{"n": 2, ')
    again, lines = tail.read(str(log))
    assert (again, [record["n"] for _, record in lines]) == (True, [1])
    assert tail.read(str(log)) == (False, [])
    _write(log, torn='"verdict": "deny"}\nno record\n[]\n')
    assert tail.read(str(log)) == (False, [(b'{"n": 2, "verdict": "deny"}', {"n": 2, "verdict": "deny"})])
    log.rename(tmp_path / "decisions.jsonl.000000000002")
    _write(log, _record(3))
    again, lines = tail.read(str(log))
    assert (again, [record["n"] for _, record in lines]) == (True, [1, 2, 3])
    log.unlink()
    assert tail.read(str(log)) == (True, [])


def test_what_is_kept_is_bounded_and_of_whole_lines(tmp_path: Path, log: Path) -> None:
    _write(log, *(_record(number) for number in range(100)))
    size = log.stat().st_size
    kept = Recent(size // 2)
    assert [entry.shown["number"] for entry in kept.entries()][-1] == "99"
    assert 40 < len(kept.entries()) < 50
    _write(log, *(_record(number) for number in range(100, 120)))
    numbers = [int(entry.shown["number"]) for entry in kept.entries()]
    assert numbers == list(range(120 - len(numbers), 120)) and 40 < len(numbers) < 50


def test_a_text_is_found_in_whatever_case_and_script(log: Path) -> None:
    _write(log, _record(1), _record(2, errors=['says "NO"']))
    first, second = Recent().entries()
    assert first.holds("echo") and first.holds("ECHO ä1") and not first.holds("ä2")
    assert second.holds('says "no"') and not first.holds('says "no"')


def test_the_charts_tell_how_often_why_and_how_long(log: Path) -> None:
    rule = {"rule": "r", "verdict": "deny", "outcome": "undecided", "undecided": ["`$X` is not known", "again"]}
    _write(log, _record(0, ms=4), _record(1, ms=8, verdict="deny", rules=[rule]), _record(50, ms=300, verdict="ask"))
    entries = Recent().entries()
    interrupted, waited = charts(entries)
    assert interrupted.text == "2 of 3 calls were interrupted: 66.7 of 100"
    assert waited.text == "half of 3 hooks answered within 8 ms, 95 of 100 within 300 ms"
    assert [bar.height for bar in interrupted.bars] == [36.0, 72.0] and interrupted.bars[-1].x <= 480
    assert interrupted.bars[0].text.endswith("1 of 2 calls") and len(waited.bars) == 2 <= BARS
    assert causes(entries) == [("`$X` is not known", 1), ("again", 1)]
    assert charts([]) == [] and causes([]) == []


def test_a_record_of_any_form_is_shown(log: Path) -> None:
    odd = [
        {"verdict": 7, "rules": ["x", None], "input": [], "time": "now", "ms": True},
        {"verdict": "deny", "input": {"workspace": 3, "tool": "x", "result": {"text": 5}}, "rules": None, "n": None},
    ]
    _write(log, *odd)
    entries = Recent().entries()
    assert [entry.ms for entry in entries] == [None, None] and [entry.workspace for entry in entries] == ["", ""]
    assert len(charts(entries)) == 0
