"""A hook without processor time, memory, processes or descriptors, and one whose clock jumps: still a verdict."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from policy_engine.bootstrap import Engine
from policy_engine.hosts.registration import command_line
from policy_engine.runtime.session import MemorySessions
from tests.end_to_end.host import HOOK, POLICY, SECONDS, Host

KB, MB = 1 << 10, 1 << 20


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Host:
    """A host whose policy is compiled."""
    found = Host(Path(tmp_path_factory.mktemp("ready")))
    found.write_policy(POLICY)
    found.warm()
    return found


@contextmanager
def _burning(number: int) -> Iterator[None]:
    """Processes that do nothing but take the processor."""
    burners = [subprocess.Popen([sys.executable, "-I", "-S", "-c", "while True: pass"]) for _ in range(number)]
    try:
        yield
    finally:
        for burner in burners:
            burner.kill()
            burner.wait()


@pytest.mark.fault(80)
def test_a_nice_hook_beside_busy_processors_answers(ready: Host) -> None:
    with _burning(2 * (os.cpu_count() or 1)):
        done = ready.call(ready.shell("rm a"), preexec_fn=lambda: os.nice(19))
        assert done.refused
        quick = ready.call(ready.shell("ls"), preexec_fn=lambda: os.nice(19))
        assert quick.verdict == "allow" or "E-DEADLINE" in quick.err


@pytest.mark.fault(80)
def test_a_hook_whose_processor_time_is_over_is_no_consent(ready: Host, tmp_path: Path) -> None:
    """The kernel ends the interpreter, not the shell around it, whose own work takes no time."""
    limited = tmp_path / "python"
    limited.write_text(f'#!/bin/sh\nulimit -St 0\nexec {sys.executable} "$@"\n')
    limited.chmod(0o755)
    assert _registered(ready, None, ready.shell("x" * (7 * MB)), str(limited))[0] == 2


def _registered(
    host: Host, limit: Callable[[], None] | None, payload: dict[str, Any], interpreter: str = sys.executable
) -> tuple[int, bytes]:
    """The exit status and standard output of the command line that hosts run, under a limit."""
    done = subprocess.run(
        ["/bin/sh", "-c", command_line(interpreter, str(HOOK), "claude-code")],
        input=json.dumps(payload).encode(),
        capture_output=True,
        cwd=host.workspace,
        env=host.environment,
        preexec_fn=limit,
        timeout=SECONDS,
        check=False,
    )
    assert b"Traceback" not in done.stdout
    return done.returncode, done.stdout


@pytest.mark.fault(81)
@pytest.mark.requirement("R1")
@pytest.mark.parametrize("megabytes", [16, 32, 64])
def test_little_memory_is_no_permission(ready: Host, megabytes: int) -> None:
    def little() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (megabytes * MB, megabytes * MB))

    for command in ("rm a", "x" * (100 * KB) + "; rm a", "x" * (4 * MB)):
        status, out = _registered(ready, little, ready.shell(command))
        assert status == 2 or b'"ask"' in out, (status, out)


@pytest.mark.fault(81)
def test_a_hook_that_may_not_fork_refuses(ready: Host) -> None:
    """Root may fork all the same: then the hook decides."""
    status, _ = _registered(ready, lambda: resource.setrlimit(resource.RLIMIT_NPROC, (0, 0)), ready.shell("rm a"))
    assert status == 2


@pytest.mark.fault(81)
@pytest.mark.parametrize("descriptors", [4, 5, 6, 8])
def test_few_descriptors_are_no_permission(ready: Host, descriptors: int) -> None:
    def few() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))

    assert _registered(ready, few, ready.shell("rm a"))[0] == 2


WINDOWED = """\
language 1

rule slow "Not too many at once" {
  on before_tool(shell)
  when count(command_success("pytest ..."), within: 10m) >= 2
  deny "Wait."
}

rule fresh "The tests ran lately" {
  on before_tool(write)
  require count(command_success("pytest ..."), within: 10m) >= 1
  deny "Run the tests."
}

rule waived "No fetching" {
  on before_tool(fetch)
  deny "no"
}

waive waived "for the move" {
  until 2026-06-01
  owner "somebody"
}
"""
YEARS = 10 * 365 * 86_400_000
START = 1_767_225_600_000  # 2026-01-01


@pytest.mark.fault(77)
def test_a_clock_that_jumps_makes_windows_and_waivers_refuse() -> None:
    now = START
    engine = Engine.from_text(WINDOWED, sessions=MemorySessions(), clock=lambda: now)

    def verdicts() -> list[tuple[str, bool]]:
        """Of a shell call, a write and a fetch: the verdict, and whether a rule was undecided."""
        found = []
        for kind in ("shell", "write", "fetch"):
            decision = engine.decide(_event("before_tool", kind))
            found.append((decision.verdict, any(rule.outcome == "undecided" for rule in decision.rules)))
        return found

    for _ in range(2):
        engine.decide({**_event("after_tool", "shell"), "result": {"ok": True, "exit_code": 0, "text": ""}})
    assert verdicts() == [("deny", False), ("allow", False), ("allow", False)]
    now = START - 30_000  # another process took its time
    assert verdicts() == [("deny", False), ("allow", False), ("allow", False)]
    now = START - YEARS
    assert verdicts()[:2] == [("deny", True), ("deny", True)]
    now = START + YEARS
    assert verdicts()[1:] == [("deny", False), ("deny", False)]


def _event(hook: str, kind: str) -> dict[str, Any]:
    args = {"command": "pytest -q", "file_path": "/w/a", "content": "", "url": "https://example.org"}
    tool = {"name": kind, "kind": kind, "args": args}
    return {"hook": hook, "session": "s", "cwd": "/w", "workspace": "/w", "tool": tool}


@pytest.mark.fault(77)
@pytest.mark.parametrize("zone", ["", "Nowhere/At_All", ":/dev/zero", "XXX-99:99"])
def test_a_time_zone_changes_no_verdict(ready: Host, zone: str) -> None:
    assert ready.call(ready.shell("rm a"), env={"TZ": zone}).refused
    assert ready.call(ready.shell("ls"), env={"TZ": zone}).verdict == "allow"
