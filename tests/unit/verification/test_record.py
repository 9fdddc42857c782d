"""The record of a stage's run says what rules and agents need of it, and nothing that is not known."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from policy_engine.model import limits
from policy_engine.verification import record
from policy_engine.verification.record import stage_record
from policy_engine.verification.runner import Stage, StageResult


def ran(tmp_path: Path, code: str, pending: int = -1, expect: tuple[str, object] | None = None) -> dict[str, Any]:
    found = stage_record(("s", (sys.executable, "-c", code), 60_000, (), pending, expect), str(tmp_path))
    assert found.pop("seconds") >= 0 and found.pop("command").startswith(sys.executable)
    return found


def test_a_pass_is_brief(tmp_path: Path) -> None:
    assert ran(tmp_path, "print('fine')") == {"stage": "s", "outcome": "passed", "exit_code": 0}


def test_a_failure_says_what_and_where(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = [\n")
    found = ran(tmp_path, "compile(open('a.py').read(), 'a.py', 'exec')")
    assert (found["outcome"], found["exit_code"], found["error_class"]) == ("failed", 1, "syntax")
    assert (found["file"], found["line"]) == ("a.py", 1)
    assert "never closed" in found["summary"] and "a.py" in found["raw_excerpt"]


def test_a_status_may_mean_pending_and_a_value_may_be_expected(tmp_path: Path) -> None:
    assert ran(tmp_path, "raise SystemExit(8)", pending=8)["outcome"] == "pending"
    state = 'print(\'{"state": "OPEN"}\')'
    assert ran(tmp_path, state, expect=("/state", "OPEN"))["outcome"] == "passed"
    assert ran(tmp_path, state, expect=("/state", "MERGED"))["error_class"] == "unexpected"


def test_a_program_that_is_not_there_was_not_started(tmp_path: Path) -> None:
    found = stage_record(("s", ("no-such-program",), 0, (), -1, None), str(tmp_path))
    assert (found["outcome"], found["error_class"]) == ("not_started", "missing_command")
    assert "exit_code" not in found


def test_a_stage_without_a_limit_has_one_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Stage] = []

    def run_stage(stage: Stage, folder: str, progress: object) -> StageResult:
        given.append(stage)
        return StageResult("s", "x", "passed", 0, 0.0, (), "", False)

    monkeypatch.setattr(record, "run_stage", run_stage)
    for timeout in (0, 5000):
        stage_record(("s", ("x",), timeout, (), -1, None), str(tmp_path))
    assert [stage.timeout_ms for stage in given] == [limits.VERIFY_TIMEOUT_MS, 5000]
