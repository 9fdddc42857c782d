"""The first event that a host sends starts a resident engine; it leaves by itself, and nothing else starts one."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from policy_engine.adapters.base import CANARY_SESSION, CANARY_TOOL
from policy_engine.hook_process.resident import ask, engine_script
from policy_engine.hook_process.starting import IDLE
from policy_engine.hosts.registration import REFUSING
from tests.end_to_end.host import COMMAND, POLICY, SECONDS, Done, Host
from tests.end_to_end.residence import serving

LINE = f"{REFUSING[0]}{' '.join(COMMAND)} claude-code{REFUSING[1]}"


class Registered:
    """A host that starts the registered line, with the resident engine that this started, if any."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.folder = host.state / "serve"

    def call(self, payload: dict[str, Any], line: str = LINE) -> Done:
        done = subprocess.run(
            ["/bin/sh", "-c", line],
            input=json.dumps(payload).encode(),
            capture_output=True,  # ends only when nobody holds these pipes any more
            env=self.host.environment,
            cwd=self.host.workspace,
            timeout=SECONDS,
            check=False,
        )
        return Done(done.returncode, done.stdout, done.stderr.decode())

    def was_started(self) -> bool:
        return (self.folder / "started").exists()

    def process(self) -> int:
        """The number of the engine, as soon as it answers."""
        end = time.monotonic() + SECONDS
        while True:
            found = ask(("status",), str(self.folder)) if self.was_started() else None
            if found is not None:
                return int(found["pid"])
            assert time.monotonic() < end, "no resident engine was started"


@pytest.fixture
def registered(host: Host) -> Iterator[Registered]:
    host.write_policy(POLICY)
    host.warm()
    found = Registered(host)
    yield found
    if found.was_started():
        process = found.process()
        handle = os.pidfd_open(process)
        signal.pidfd_send_signal(handle, signal.SIGTERM)
        os.close(handle)


def test_the_first_event_starts_one_that_answers_the_next_ones(registered: Registered) -> None:
    host = registered.host
    assert registered.call(host.shell("rm a")).refused
    process = registered.process()
    words = Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
    assert words[1:3] == [b"-I", b"-S"] and words[4] == f"--idle={IDLE}".encode()
    before = ask(("status",), str(registered.folder))["answered"]
    assert registered.call(host.shell("rm a")).refused and registered.call(host.shell("ls")).verdict == "allow"
    assert ask(("status",), str(registered.folder))["answered"] >= before + 2


def test_it_has_nothing_of_the_hook_that_started_it(registered: Registered) -> None:
    registered.host.environment["SECRET_OF_THE_HOST"] = "x"
    registered.call(registered.host.shell("ls"))
    place = Path(f"/proc/{registered.process()}")
    names = [entry.partition(b"=")[0] for entry in (place / "environ").read_bytes().split(b"\0") if entry]
    assert names == [b"HOME"]
    assert [os.readlink(place / "fd" / number) for number in "012"] == ["/dev/null"] * 3
    assert os.readlink(place / "cwd") == "/"
    assert os.getsid(int(place.name)) == int(place.name)


@pytest.mark.parametrize(
    "layer", ['[hook]\nresident = "off"\n', "hook.resident = 'off'\n", 'hook = { resident = "x" }\n']
)
def test_none_is_started_where_the_settings_do_not_say_auto(registered: Registered, layer: str) -> None:
    folder = registered.host.home / ".config" / "policy-engine"
    folder.mkdir(parents=True)
    (folder / "policy.toml").write_text(layer)
    registered.call(registered.host.shell("ls"))
    assert not registered.was_started()


def test_the_canary_of_an_installation_starts_none(registered: Registered) -> None:
    payload = {**registered.host.shell("ls"), "session_id": CANARY_SESSION, "tool_name": CANARY_TOOL}
    assert registered.call(payload).refused
    assert registered.call({"hook_event_name": "PreToolUse"}).verdict == "deny"
    assert not registered.was_started()


def test_what_no_host_started_starts_none(registered: Registered) -> None:
    registered.host.call(registered.host.shell("ls"))
    registered.call(registered.host.shell("ls"), f"{' '.join(COMMAND)} claude-code")
    assert not registered.was_started()


def test_one_that_was_killed_is_followed_by_another_and_not_at_every_event(registered: Registered) -> None:
    host, mark = registered.host, registered.folder / "started"
    registered.call(host.shell("ls"))
    first, began = registered.process(), mark.stat().st_mtime_ns
    os.kill(first, signal.SIGKILL)
    while ask(("status",), str(registered.folder)) is not None:
        pass
    assert registered.call(host.shell("rm a")).refused
    assert mark.stat().st_mtime_ns == began
    os.utime(mark, (0, 0))
    assert registered.call(host.shell("rm a")).refused
    assert registered.process() != first


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_only_costs_time(registered: Registered) -> None:
    registered.host.state.chmod(0o500)
    try:
        assert registered.call(registered.host.shell("rm a")).refused
    finally:
        registered.host.state.chmod(0o700)
    assert not registered.was_started()


def test_it_leaves_when_no_event_comes(registered: Registered) -> None:
    with serving(registered.host, "--idle=1") as resident:
        assert resident.process.wait(SECONDS) == 0
        assert "no event came for a while" in resident.end()[1]
        assert not resident.socket.exists()
    assert registered.host.call(registered.host.shell("rm a")).refused


def test_it_leaves_when_its_socket_is_gone_and_one_that_a_person_started_stays(registered: Registered) -> None:
    with serving(registered.host, "--idle=600") as resident:
        resident.socket.unlink()
        os.kill(resident.process.pid, signal.SIGCHLD)  # it looks at once
        assert resident.process.wait(SECONDS) == 0
        assert "nobody finds the way here" in resident.end()[1]
    with serving(registered.host) as resident:
        assert resident.status()["idle"] == 0


def test_a_process_that_has_just_ended_is_nobody_and_no_stranger() -> None:
    with subprocess.Popen(["/bin/true"]) as ended:
        os.waitid(os.P_PID, ended.pid, os.WEXITED | os.WNOWAIT)
        with pytest.raises(OSError):
            engine_script(ended.pid)
    assert engine_script(os.getpid()) is None
