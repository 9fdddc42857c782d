"""The registered command line, run by `sh -c` as hosts do, when what it starts is gone, broken or ended."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from policy_engine.hosts.registration import REFUSING, command_line
from tests.end_to_end.host import HOOK, POLICY, SECONDS, Host


class Installed:
    """An installation of its own: an interpreter in an environment, and a copy of the engine."""

    def __init__(self, folder: Path, host: Host) -> None:
        self.python = folder / "environment" / "bin" / "python"
        self.python.parent.mkdir(parents=True)
        self.python.symlink_to(os.path.realpath(sys.executable))
        self.package = folder / "environment" / "lib" / "policy_engine"
        shutil.copytree(HOOK.parent, self.package, ignore=shutil.ignore_patterns("__pycache__"))
        self.script = self.package / "hook.py"
        self.command = command_line(str(self.python), str(self.script), "claude-code")
        self.host = host

    def start(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            ["/bin/sh", "-c", self.command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=self.host.workspace,
            env=self.host.environment,
            start_new_session=True,
        )

    def status(self, command: str = "ls") -> tuple[int, bytes]:
        process = self.start()
        _, err = process.communicate(json.dumps(self.host.shell(command)).encode(), timeout=SECONDS)
        return process.returncode, err


@pytest.fixture
def installed(tmp_path: Path, host: Host) -> Installed:
    """It works: it allows and refuses."""
    host.write_policy(POLICY)
    host.warm()
    found = Installed(tmp_path, host)
    assert (found.status()[0], found.status("rm a")[0]) == (0, 2)
    return found


def _stand_in(line: str) -> Callable[[Installed], object]:
    def replace(found: Installed) -> None:
        found.python.unlink()
        found.python.write_text(f"#!/bin/sh\n{line}\n")
        found.python.chmod(0o755)

    return replace


def _without_bundle(spoil: Callable[[Installed], object]) -> Callable[[Installed], object]:
    """The bundle stands in for sources that are as they were."""
    return lambda found: (shutil.rmtree(found.host.cache), spoil(found))


GONE: dict[str, Callable[[Installed], object]] = {
    "the environment": lambda found: found.python.parent.parent.rename(found.python.parent.parent.with_name("gone")),
    "the interpreter": lambda found: found.python.unlink(),
    "the interpreter's target": lambda found: (found.python.unlink(), found.python.symlink_to("/nowhere/python")),
    "the right to run it": lambda found: (_stand_in("exit 0")(found), found.python.chmod(0o644)),
    "the script": lambda found: found.script.unlink(),
    "the engine": _without_bundle(lambda found: shutil.rmtree(found.package / "hook_process")),
    "the engine's sense": _without_bundle(
        lambda found: (found.package / "hook_process" / "hook_entry.py").write_text("def main(")
    ),
    "the interpreter's library": _stand_in("echo 'no module named encodings' >&2; exit 1"),
    "memory": _stand_in("kill -SEGV $$"),
    "time": _stand_in("kill -KILL $$"),
}


@pytest.mark.fault(113)
@pytest.mark.requirement("R1", "R6")
@pytest.mark.parametrize("what", GONE)
def test_what_is_gone_refuses(installed: Installed, what: str) -> None:
    GONE[what](installed)
    status, err = installed.status()
    assert (status, bool(err.strip())) == (2, True)


@pytest.mark.fault(113)
@pytest.mark.requirement("R6")
def test_without_the_guard_a_missing_interpreter_would_be_consent(installed: Installed) -> None:
    """What hosts make of it: every status but 2 lets the call run."""
    installed.python.unlink()
    installed.command = installed.command.removeprefix(REFUSING[0]).removesuffix(REFUSING[1])
    assert installed.status()[0] == 127


@pytest.mark.fault(82, 113)
@pytest.mark.requirement("R4", "R6")
@pytest.mark.parametrize("whole", [False, True], ids=["the shell alone", "the shell and the hook"])
def test_a_signal_to_the_registered_command_refuses(installed: Installed, whole: bool) -> None:
    process = installed.start()
    assert process.stdin is not None
    process.stdin.write(b" " * 200_000)  # more than a pipe holds: the hook reads
    process.stdin.flush()
    (os.killpg if whole else os.kill)(process.pid, signal.SIGTERM)
    _, err = process.communicate(json.dumps(installed.host.shell("ls")).encode(), timeout=SECONDS)
    assert process.returncode == 2
    assert not whole or b"signal 15" in err
