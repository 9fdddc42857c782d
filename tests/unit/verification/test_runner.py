"""A stage, whatever its program does, has an outcome; what did not run is neither passed nor failed."""

from __future__ import annotations

import json
import shlex
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from policy_engine.model import process
from policy_engine.model.limits import VERIFY_HEAD_BYTES, VERIFY_OUTPUT_CHARS
from policy_engine.verification.failure import Failure
from policy_engine.verification.runner import KEPT, OUTCOMES, SET, Stage, StageResult, environment, run_stage


def run(folder: Path, program: str, **more: Any) -> StageResult:
    """A stage that runs this Python program."""
    return run_stage(Stage("check", (sys.executable, "-c", program), 60_000, **more), str(folder))


def first(result: StageResult) -> Failure:
    """Its first failure."""
    assert result.outcome in OUTCOMES
    return result.failures[0]


def test_exit_status_0_passes(tmp_path: Path) -> None:
    result = run(tmp_path, "print('all green')")
    assert (result.stage, result.outcome, result.exit_code, result.failures) == ("check", "passed", 0, ())
    assert (result.output_excerpt, result.truncated) == ("all green", False)
    assert result.command == shlex.join([sys.executable, "-c", "print('all green')"])


def test_words_of_failure_in_a_passed_run_are_no_failures(tmp_path: Path) -> None:
    assert run(tmp_path, "print('FAILED a.py::test_b - no')").failures == ()


def test_a_failing_program_says_what_failed_where(tmp_path: Path) -> None:
    (tmp_path / "check.py").write_text("def f():\n    raise ValueError('odd')\n\n\nf()\n")
    result = run_stage(Stage("check", (sys.executable, str(tmp_path / "check.py"))), str(tmp_path))
    assert (result.outcome, result.exit_code) == ("failed", 1)
    found = first(result)
    assert (found.error_class, found.file, found.line, found.summary) == ("crash", "check.py", 2, "ValueError: odd")


def test_a_program_that_fails_in_silence_has_a_failure_too(tmp_path: Path) -> None:
    found = first(run(tmp_path, "raise SystemExit(3)"))
    assert found.error_class == "unknown"
    assert found.summary == f"`{sys.executable}` ended with exit status 3 and does not say why"


def test_a_program_that_is_not_there_did_not_fail(tmp_path: Path) -> None:
    result = run_stage(Stage("lint", ("no-such-program-here",)), str(tmp_path))
    assert (result.outcome, result.exit_code) == ("not_started", None)
    assert first(result).error_class == "missing_command"


def test_a_program_that_may_not_run_did_not_fail(tmp_path: Path) -> None:
    (tmp_path / "check.sh").write_text("#!/bin/sh\n")
    result = run_stage(Stage("lint", ("./check.sh",)), str(tmp_path))
    assert (result.outcome, first(result).error_class) == ("not_started", "permission_denied")


def test_a_folder_that_is_not_there_is_no_missing_program(tmp_path: Path) -> None:
    result = run_stage(Stage("lint", (sys.executable,)), str(tmp_path / "gone"))
    assert (result.outcome, first(result).error_class) == ("not_started", "unknown")


@pytest.mark.parametrize(("status", "expected"), [(126, "permission_denied"), (127, "missing_command")])
def test_a_shell_says_by_its_status_that_nothing_ran(tmp_path: Path, status: int, expected: str) -> None:
    assert first(run(tmp_path, f"raise SystemExit({status})")).error_class == expected
    assert first(run(tmp_path, f"print('odd'); raise SystemExit({status})")).error_class == expected


def test_the_time_limit_is_an_outcome_of_its_own(tmp_path: Path) -> None:
    program = "import sys, time; print('x.py:3:1: odd', flush=True); time.sleep(60)"
    result = run_stage(Stage("slow", (sys.executable, "-c", program), 1000), str(tmp_path))
    assert (result.outcome, result.exit_code) == ("timed_out", None)
    assert [one.error_class for one in result.failures] == ["timeout"]
    assert first(result).summary == f"`{sys.executable}` did not end within 1 s"
    assert first(result).excerpt == "x.py:3:1: odd"


def test_a_signal_is_a_crash(tmp_path: Path) -> None:
    result = run(tmp_path, "import os; os.kill(os.getpid(), 11)")
    assert (result.outcome, result.exit_code) == ("failed", None)
    assert (first(result).error_class, first(result).summary) == ("crash", f"`{sys.executable}` was ended by SIGSEGV")


def test_a_crash_that_the_output_locates_is_said_once(tmp_path: Path) -> None:
    program = "import faulthandler, os; faulthandler.enable(); os.kill(os.getpid(), 11)"
    result = run_stage(
        Stage("test", ("/bin/sh", "-c", f"exec {shlex.join([sys.executable, '-c', program])}")), str(tmp_path)
    )
    assert [one.error_class for one in result.failures] == ["crash"]


def test_a_status_that_nobody_was_told_does_not_pass(tmp_path: Path) -> None:
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        result = run(tmp_path, "")
    finally:
        signal.signal(signal.SIGCHLD, before)
    assert (result.outcome, result.exit_code, first(result).error_class) == ("failed", None, "unknown")


def test_somebody_may_cancel(tmp_path: Path) -> None:
    stage = Stage("check", (sys.executable, "-c", "import time; time.sleep(60)"))
    result = run_stage(stage, str(tmp_path), cancelled=lambda: True)
    assert (result.outcome, result.exit_code, result.failures) == ("cancelled", None, ())


def test_progress_is_told_in_seconds_and_last_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "WATCH_SECONDS", 0.0)
    said: list[str] = []
    stage = Stage("check", (sys.executable, "-c", "import time; print('\\x1b[1mhalf\\x1b[0m'); time.sleep(60)"))
    run_stage(stage, str(tmp_path), lambda seconds, line: said.append(line), lambda: "half" in said)
    assert said[-1] == "half"


def test_an_exit_status_may_mean_that_it_goes_on(tmp_path: Path) -> None:
    assert run(tmp_path, "raise SystemExit(8)", pending_exit=8).outcome == "pending"
    assert run(tmp_path, "raise SystemExit(1)", pending_exit=8).outcome == "failed"
    assert run(tmp_path, "", pending_exit=8).outcome == "passed"


@pytest.mark.parametrize(
    ("written", "pointer", "value", "outcome"),
    [
        ({"state": "OPEN"}, "/state", "OPEN", "passed"),
        ({"state": "CLOSED"}, "/state", "OPEN", "failed"),
        ({"other": 1}, "/state", "OPEN", "failed"),
        ({"a": [{"b/c": True}]}, "/a/0/b~1c", True, "passed"),
        ({"n": 1}, "/n", True, "failed"),
        ({"n": 1}, "/n", 1, "passed"),
        (3, "", 3, "passed"),
    ],
)
def test_json_on_standard_output_must_be_as_expected(
    tmp_path: Path, written: object, pointer: str, value: object, outcome: str
) -> None:
    program = f"import sys; print({json.dumps(written)!r}); print('noise', file=sys.stderr)"
    result = run(tmp_path, program, expect=(pointer, value))
    assert (result.outcome, result.exit_code) == (outcome, 0)
    assert [one.error_class for one in result.failures] == ["unexpected"] * (outcome == "failed")


@pytest.mark.parametrize("program", ["print('no json')", "", "print('{} {}')", "print('[' * 300)"])
def test_what_is_no_json_does_not_pass(tmp_path: Path, program: str) -> None:
    result = run(tmp_path, program, expect=("/state", "OPEN"))
    assert (result.outcome, first(result).error_class) == ("failed", "unexpected")


def test_more_than_can_be_kept_does_not_pass_as_json(tmp_path: Path) -> None:
    result = run(tmp_path, "print('[' + '1,' * 800000 + '1]')", expect=("/0", 1))
    assert (result.outcome, result.truncated) == ("failed", True)


def test_a_flood_of_output_is_kept_in_part(tmp_path: Path) -> None:
    program = "import os\nfor _ in range(1600): os.write(1, b'x' * 65535 + b'\\n')\nraise SystemExit('the end: error')"
    result = run(tmp_path, program)
    assert (result.outcome, result.truncated) == ("failed", True)
    assert len(result.output_excerpt) <= VERIFY_OUTPUT_CHARS
    assert result.output_excerpt.endswith("the end: error")
    assert VERIFY_HEAD_BYTES < 65536 * 1600


@pytest.mark.parametrize(
    "program",
    [
        "import os; os.write(1, bytes(range(256)) * 100); os._exit(1)",
        "import os; os.write(1, b'error: no line end'); os._exit(1)",
        "import os; os.write(1, '\\ud800'.encode('utf-8', 'surrogatepass')); os._exit(1)",
    ],
)
def test_any_bytes_are_read(tmp_path: Path, program: str) -> None:
    result = run(tmp_path, program)
    assert (result.outcome, result.exit_code) == ("failed", 1)
    assert json.loads(json.dumps([result.output_excerpt, first(result).summary]))


def test_a_stage_sees_a_cleaned_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SECRET_TOKEN", "PYTHONPATH", "LD_PRELOAD_X", "NODE_OPTIONS", "CLAUDE_PROJECT_DIR", "POLICY_DEBUG"):
        monkeypatch.setenv(name, "x")
    result = run(tmp_path, "import os; print(*sorted(os.environ))", env=("MINE=1", "CI="))
    names = set(result.output_excerpt.split())
    assert names - {"LC_CTYPE", "__CF_USER_TEXT_ENCODING"} <= {*KEPT, *SET, "MINE"}
    assert {"MINE", "CI", "PATH"} <= names


def test_the_stage_has_the_last_word_on_its_environment() -> None:
    made = environment(("CI=", "A=b=c", "PYTHONPATH=src"))
    assert (made["CI"], made["A"], made["PYTHONPATH"], made["NO_COLOR"]) == ("", "b=c", "src", "1")
