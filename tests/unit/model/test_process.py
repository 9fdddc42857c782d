"""A process, whatever it does, ends with all that it started, and says how; real processes, injected faults."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from policy_engine.model import process
from policy_engine.model.process import (
    CANCELLED,
    EXITED,
    LOST,
    NOT_STARTED,
    SIGNALLED,
    TIMED_OUT,
    Ended,
    Task,
    kept_environment,
    run_process,
)

LONG = 60.0  # seconds that nobody waits for


def run(program: str, folder: Path, **more: Any) -> Ended:
    """A Python program to its end."""
    given: dict[str, Any] = {"environment": kept_environment(("PATH", "HOME")), "timeout": LONG, "grace": 0.2, **more}
    return run_process(Task((sys.executable, "-c", program), str(folder), **given))


def alive(pid: int) -> bool:
    """Whether a process still runs; one that only waits to be reaped does not."""
    try:
        return (
            "(python" in (stat := Path(f"/proc/{pid}/stat").read_text()) and stat.rpartition(")")[2].split()[0] != "Z"
        )
    except OSError:
        return False


def wait_for(holds: Callable[[], bool]) -> bool:
    """Whether it holds soon."""
    for _ in range(500):
        if holds():
            return True
        time.sleep(0.01)
    return False


def test_output_and_status_are_those_of_the_program(tmp_path: Path) -> None:
    ended = run("import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)", tmp_path)
    assert (ended.how, ended.status, ended.output.data(), ended.errors.size) == (EXITED, 3, b"out\n", 0)


def test_standard_error_may_be_merged_or_apart(tmp_path: Path) -> None:
    program = "import sys; print('out', flush=True); print('err', file=sys.stderr)"
    assert run(program, tmp_path, errors="merged").output.data() == b"out\nerr\n"
    apart = run(program, tmp_path, errors="apart")
    assert (apart.output.data(), apart.errors.data()) == (b"out\n", b"err\n")


def test_standard_input_is_what_is_given_and_else_nothing(tmp_path: Path) -> None:
    program = "import sys; data = sys.stdin.buffer.read(); print(len(data), data[-1:])"
    assert run(program, tmp_path).output.data() == b"0 b''\n"
    assert run(program, tmp_path, given=b"x" * 300_000 + b"y").output.data() == b"300001 b'y'\n"


def test_input_that_nobody_reads_does_not_hold_anybody(tmp_path: Path) -> None:
    assert run("print('done')", tmp_path, given=b"x" * 5_000_000).output.data() == b"done\n"


def test_descriptors_of_the_engine_are_not_inherited(tmp_path: Path) -> None:
    with (tmp_path / "secret").open("w") as secret:
        os.set_inheritable(secret.fileno(), True)
        program = f"import os\ntry: os.fstat({secret.fileno()})\nexcept OSError: print('closed')"
        ended = run(program, tmp_path)
    assert ended.output.data() == b"closed\n"


def test_a_signal_is_no_exit_status(tmp_path: Path) -> None:
    ended = run("import os; os.kill(os.getpid(), 11)", tmp_path)
    assert (ended.how, ended.status) == (SIGNALLED, 11)


def test_a_status_that_nobody_was_told_is_not_0(tmp_path: Path) -> None:
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        ended = run("print('out')", tmp_path)
    finally:
        signal.signal(signal.SIGCHLD, before)
    assert (ended.how, ended.problem) == (LOST, "ended, and its exit status is not known")
    assert ended.output.data() == b"out\n"


def test_a_background_process_does_not_hold_the_answer_and_does_not_outlive_it(tmp_path: Path) -> None:
    program = (
        "import subprocess, sys; child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']);"
        "print(child.pid)"
    )
    ended = run(program, tmp_path)
    assert ended.how == EXITED
    assert wait_for(lambda: not alive(int(ended.output.data())))


def test_the_time_limit_ends_grandchildren_too(tmp_path: Path) -> None:
    program = (
        "import subprocess, sys, time; child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']);"
        "print(child.pid, flush=True); time.sleep(60)"
    )
    ended = run(program, tmp_path, timeout=1.0)
    assert ended.how == TIMED_OUT
    assert wait_for(lambda: not alive(int(ended.output.data())))


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="only /proc tells who holds a pipe")
def test_the_time_limit_ends_who_left_the_session_and_holds_the_pipe(tmp_path: Path) -> None:
    program = (
        "import subprocess, sys, time;"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'], start_new_session=True);"
        "print(child.pid, flush=True); time.sleep(60)"
    )
    ended = run(program, tmp_path, timeout=1.0)
    assert ended.how == TIMED_OUT
    assert wait_for(lambda: not alive(int(ended.output.data())))


def test_a_daemon_that_holds_the_pipe_after_a_good_end_is_not_waited_for(tmp_path: Path) -> None:
    program = (
        "import subprocess, sys;"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'], start_new_session=True);"
        "print(child.pid)"
    )
    ended = run(program, tmp_path)
    os.kill(int(ended.output.data()), 9)
    assert ended.how == EXITED


def test_who_ignores_sigterm_is_killed(tmp_path: Path) -> None:
    program = "import signal, time; signal.signal(15, signal.SIG_IGN); print('deaf', flush=True); time.sleep(60)"
    ended = run(program, tmp_path, timeout=1.0)
    assert (ended.how, ended.output.data()) == (TIMED_OUT, b"deaf\n")


def test_last_words_after_sigterm_are_kept(tmp_path: Path) -> None:
    program = (
        "import signal, sys, time; signal.signal(15, lambda *_: (print('bye'), sys.exit(0)));"
        "print('on', flush=True); time.sleep(60)"
    )
    ended = run(program, tmp_path, timeout=1.0, grace=LONG)
    assert (ended.how, ended.output.data()) == (TIMED_OUT, b"on\nbye\n")


def test_output_is_read_to_its_end_and_kept_in_part(tmp_path: Path) -> None:
    program = "import os\nfor _ in range(1600): os.write(1, b'x' * 65535 + b'\\n')"
    ended = run(program, tmp_path, head=1000, tail=1000)
    assert (ended.how, ended.output.size) == (EXITED, 1600 * 65536)
    assert len(ended.output.data()) < 3000


def test_output_that_is_closed_early_does_not_end_the_program(tmp_path: Path) -> None:
    program = "import os, time; os.write(1, b'gone'); os.close(1); os.close(2); time.sleep(0.2); os._exit(7)"
    ended = run(program, tmp_path, errors="merged")
    assert (ended.how, ended.status, ended.output.data()) == (EXITED, 7, b"gone")


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (("no-such-program-here",), "could not start: No such file or directory"),
        (("./plain.txt",), "could not start: Permission denied"),
        ((".",), "could not start: Permission denied"),
        (("a\0b",), "could not start: embedded null byte"),
        ((), "could not start: list index out of range"),
    ],
)
def test_what_cannot_be_started_says_why(tmp_path: Path, argv: tuple[str, ...], said: str) -> None:
    (tmp_path / "plain.txt").write_text("text")
    ended = run_process(Task(argv, str(tmp_path), kept_environment(("PATH",))))
    assert (ended.how, ended.problem) == (NOT_STARTED, said)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    ended = run_process(Task((sys.executable,), str(tmp_path / "gone"), {}))
    assert ended.how == NOT_STARTED
    assert ended.problem == f"could not start in `{tmp_path / 'gone'}`: No such file or directory"


def test_somebody_may_cancel(tmp_path: Path) -> None:
    event = threading.Event()
    program = "import time; print('on', flush=True); open('started', 'w').close(); time.sleep(60)"

    def cancelled() -> bool:
        if (tmp_path / "started").exists():
            event.set()
        return event.is_set()

    assert run(program, tmp_path, cancelled=cancelled).how == CANCELLED


def test_who_watches_is_told_the_last_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "WATCH_SECONDS", 0.0)
    seen: list[bytes] = []
    program = "import time; print('first'); print('second', flush=True); time.sleep(60)"

    def watch(seconds: float, output: Any) -> None:
        seen.append(output.last_line())

    ended = run(program, tmp_path, watch=watch, cancelled=lambda: b"second" in seen)
    assert (ended.how, seen[-1]) == (CANCELLED, b"second")


def test_a_watcher_that_raises_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "WATCH_SECONDS", 0.0)

    def watch(seconds: float, output: Any) -> None:
        if output.size:
            raise KeyboardInterrupt(output.last_line().decode())

    with pytest.raises(KeyboardInterrupt) as interrupted:
        run("import os, time; print(os.getpid(), flush=True); time.sleep(60)", tmp_path, watch=watch)
    assert wait_for(lambda: not alive(int(str(interrupted.value))))


def test_the_environment_is_only_what_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:bin::./tools:/bin")
    monkeypatch.setenv("SECRET_TOKEN", "x")
    monkeypatch.delenv("LANG", raising=False)
    assert kept_environment(("PATH", "LANG")) == {"PATH": "/usr/bin:/bin"}


def test_a_path_of_relative_folders_names_no_program_of_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "odd-program").write_text("#!/bin/sh\necho odd\n")
    (tmp_path / "odd-program").chmod(0o755)
    monkeypatch.setenv("PATH", ".::bin")
    ended = run_process(Task(("odd-program",), str(tmp_path), kept_environment(("PATH",))))
    assert ended.how == NOT_STARTED
