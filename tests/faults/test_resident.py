"""A resident engine that is stopped, dead, another's or of another version: the hook decides by itself."""

from __future__ import annotations

import json
import marshal
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from policy_engine.hook_process.resident import RESULT, STAMP
from tests.end_to_end.host import COMMAND, HOOK, POLICY, SECONDS, Host
from tests.end_to_end.residence import Resident, serving, short

NOBODY = 65534
HISTORY = (
    POLICY
    + """
rule tested "Tests ran" {
  on before_tool(write)
  require command_success("pytest -*")
  deny "Run the tests."
}
"""
)


@pytest.fixture
def warm(host: Host) -> Host:
    """A host whose policy is compiled."""
    host.write_policy(POLICY)
    host.warm()
    return host


def decides(host: Host) -> str:
    """That a call is refused and another is not; what was said on the way."""
    refused, allowed = host.call(host.shell("rm a")), host.call(host.shell("ls"))
    assert (refused.refused, allowed.status, allowed.out) == (True, 0, b""), (refused, allowed)
    return allowed.err


@contextmanager
def listener(host: Host, answer: Callable[[socket.socket], None]) -> Iterator[None]:
    """A process's socket in the place of the engine's: `answer` speaks to whoever comes."""
    folder = host.state / "serve"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with socket.socket(socket.AF_UNIX) as server:
        with short(folder / "socket") as path:
            server.bind(path)
        server.listen()
        threading.Thread(target=_converse, args=(server, answer), daemon=True).start()
        yield


def _converse(server: socket.socket, answer: Callable[[socket.socket], None]) -> None:
    while True:
        try:
            connection, _ = server.accept()
        except OSError:
            return
        with connection:
            try:
                answer(connection)
            except OSError:
                continue


@pytest.mark.fault(84)
def test_a_stopped_engine_is_not_waited_for(warm: Host) -> None:
    with serving(warm) as resident:
        assert decides(warm) == ""
        os.kill(resident.process.pid, signal.SIGSTOP)
        assert decides(warm) == ""
        os.kill(resident.process.pid, signal.SIGCONT)
        before = resident.answered()
        assert decides(warm) == ""
        assert resident.answered() == before + 1 + 2


@pytest.mark.fault(84)
def test_a_dead_engine_leaves_a_socket_that_deceives_nobody_and_hinders_no_successor(warm: Host) -> None:
    with serving(warm) as resident:
        resident.end(signal.SIGKILL)
        assert resident.socket.is_socket()
        assert decides(warm) == ""
    with serving(warm) as successor:
        assert decides(warm) == ""
        assert successor.answered() == 2


def consent() -> bytes:
    """What an engine says that has no objection."""
    body = marshal.dumps((0, b"", b""))
    return b"y" + RESULT + len(body).to_bytes(4, "little") + body


@pytest.mark.fault(84)
@pytest.mark.parametrize(
    "answer",
    [
        lambda connection: connection.sendall(consent()) or connection.recv(1 << 16),
        lambda connection: (connection.recv(STAMP) and connection.sendall(consent())) or connection.recv(1 << 16),
        lambda connection: connection.recv(STAMP),
        lambda connection: connection.sendall(b"n"),
        lambda connection: connection.recv(1 << 16) and connection.recv(1 << 16),
    ],
    ids=["consents at once", "consents", "hangs up", "declines", "says nothing"],
)
def test_another_process_of_the_user_in_its_place_is_not_asked(
    warm: Host, answer: Callable[[socket.socket], None]
) -> None:
    with listener(warm, answer):
        assert "is not `policy serve`" in decides(warm)


@pytest.mark.fault(84)
@pytest.mark.parametrize(
    "words",
    [
        ["{python}", "-I", "-S", "{copy}/serve.py"],  # the engine's script of another place
        ["{python}", "-I", "-S", "-c", "{program}", "{script}"],
        ["{python}", "-S", "-I", "-c", "{program}"],
        ["{python}", "{link}"],
    ],
)
def test_a_program_that_only_looks_like_the_engine_is_not_asked(
    warm: Host, other_version: Path, words: list[str]
) -> None:
    folder = warm.state / "serve"
    folder.mkdir(mode=0o700)
    program = (
        "import os, socket, sys\n"
        f"folder = os.open({str(folder)!r}, os.O_RDONLY)\n"
        "server = socket.socket(socket.AF_UNIX)\n"
        "server.bind(f'/proc/self/fd/{folder}/socket'); server.listen()\n"
        "print('listens', flush=True)\n"
        "while True:\n"
        f"    try: server.accept()[0].send({consent()!r})\n"
        "    except OSError: pass\n"
    )
    (other_version / "serve.py").write_text(program)
    link = other_version / "link.py"
    link.write_text(program)
    names = {
        "python": sys.executable, "copy": other_version, "program": program, "link": link,
        "script": HOOK.with_name("serve.py"),
    }  # fmt: skip
    with subprocess.Popen([word.format(**names) for word in words], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stdout.readline() == b"listens\n"
        try:
            decides(warm)
        finally:
            process.kill()


def speaking(other_version: Path, said: bytes, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The script of an engine that takes every event and says this, and hooks that ask it."""
    with (other_version / "serving" / "evaluation.py").open("a") as file:
        file.write(
            f"\n\ndef evaluate(connection, *rest):\n    connection.recv(1 << 16)\n    connection.send({said!r})\n"
        )
    monkeypatch.setattr("tests.end_to_end.host.COMMAND", (*COMMAND[:-1], str(other_version / "hook.py")))
    return other_version / "serve.py"


@pytest.mark.fault(84)
@pytest.mark.parametrize("said", [b"", b"R", b"R\xff\xff\xff\xff", b"R\x04\x00\x00\x00abcd", b"Q\x01\x00\x00\x00N"])
def test_an_event_that_was_taken_and_not_answered_is_decided_again_and_said(
    warm: Host, other_version: Path, monkeypatch: pytest.MonkeyPatch, said: bytes
) -> None:
    with serving(warm, script=speaking(other_version, said, monkeypatch)):
        assert "took the event and did not answer" in decides(warm)


@pytest.mark.fault(84)
def test_a_past_in_which_an_event_may_be_twice_is_not_believed(
    host: Host, other_version: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody knows whether the event was recorded before the answer was lost."""
    host.write_policy(HISTORY)
    host.warm()
    write = host.payload("PreToolUse", tool_name="Write", tool_input={"file_path": "a", "content": ""})
    host.call(host.ran("pytest -q", "c1"))
    assert host.call(write).verdict == "allow"
    with serving(host, script=speaking(other_version, b"", monkeypatch)):
        assert "did not answer" in host.call(host.ran("ls", "c2")).err
    assert host.call(write).refused


@pytest.mark.fault(84)
def test_an_engine_that_dies_over_an_event_is_not_consent(warm: Host) -> None:
    with serving(warm) as resident, resident.greet() as caller:
        assert caller.recv(1) == b"y"
        children = Path(f"/proc/{resident.process.pid}/task/{resident.process.pid}/children").read_text().split()
        for child in children:  # one may wait for the next event already
            os.kill(int(child), signal.SIGKILL)
        assert caller.recv(1) == b""
        assert decides(warm) == ""


@pytest.mark.fault(85)
def test_a_folder_that_others_may_use_is_not_believed(warm: Host) -> None:
    with serving(warm) as resident:
        resident.folder.chmod(0o770)
        assert "is open to other users" in decides(warm)
        resident.folder.chmod(0o700)
        assert decides(warm) == ""
        assert resident.answered() == 2
        resident.folder.chmod(0o711)
        assert "open to other users" in Resident(warm).refusal()
        resident.folder.chmod(0o700)


@pytest.mark.fault(85)
def test_a_folder_that_is_a_link_is_not_followed(warm: Host, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir(mode=0o700)
    with listener(warm, lambda connection: connection.sendall(b"y")):
        (warm.state / "serve").rename(other / "serve")
        (warm.state / "serve").symlink_to(other / "serve")
        assert decides(warm) == ""
    assert "cannot listen" in Resident(warm).refusal()


@pytest.mark.fault(85)
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
def test_a_folder_or_process_of_another_user_is_not_believed(warm: Host) -> None:
    with listener(warm, lambda connection: connection.sendall(b"y")):
        os.chown(warm.state / "serve", NOBODY, NOBODY)
        assert "is another user's" in decides(warm)
        assert "another user's" in Resident(warm).refusal()
    shutil.rmtree(warm.state / "serve")
    (warm.state / "serve").mkdir(mode=0o700)
    with socket.socket(socket.AF_UNIX) as server:
        with short(warm.state / "serve" / "socket") as path:
            server.bind(path)
        os.seteuid(NOBODY)
        try:
            server.listen()  # the kernel tells who did this
        finally:
            os.seteuid(0)
        assert "process that listens" in decides(warm)


@pytest.mark.fault(85)
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
def test_a_caller_of_another_user_is_told_no(warm: Host) -> None:
    with serving(warm) as resident:
        status = "import socket, sys, os; s = socket.socket(socket.AF_UNIX); f = os.open(sys.argv[1], os.O_PATH);"
        status += "os.seteuid(65534); s.connect(f'/proc/self/fd/{f}'); print(s.recv(1))"
        resident.socket.chmod(0o777)
        done = subprocess.run([sys.executable, "-c", status, str(resident.socket)], capture_output=True, text=True)
        assert done.stdout == "b'n'\n", done.stderr


@pytest.mark.fault(85)
@pytest.mark.parametrize("kind", ["file", "folder", "link"])
def test_what_is_no_socket_is_left_alone(warm: Host, kind: str) -> None:
    folder = warm.state / "serve"
    folder.mkdir(mode=0o700, parents=True)
    place = folder / "socket"
    if kind == "file":
        place.write_text("x")
    elif kind == "folder":
        place.mkdir()
    else:
        place.symlink_to("/dev/null")
    assert decides(warm) == ""
    assert "is left alone" in Resident(warm).refusal()
    assert os.path.lexists(place)


@pytest.fixture
def other_version(tmp_path: Path) -> Path:
    """The scripts of another installation."""
    root = tmp_path / "other"
    for name in ("policy_engine", "rules", "grammar"):
        shutil.copytree(HOOK.parents[1] / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
    return root / "policy_engine"


@pytest.mark.fault(86)
def test_an_engine_of_another_installation_is_not_asked_whichever_is_the_newer(warm: Host, other_version: Path) -> None:
    with serving(warm, script=other_version / "serve.py") as resident:
        assert decides(warm) == ""
        assert resident.said
    command = [sys.executable, "-I", "-S", str(other_version / "hook.py"), "claude-code"]
    with serving(warm) as resident:
        for line, status in (("rm a", 2), ("ls", 0)):
            data = json.dumps(warm.shell(line)).encode()
            done = subprocess.run(
                command, input=data, capture_output=True, cwd=warm.workspace, env=warm.environment, check=False
            )
            assert done.returncode == status, done.stderr
        assert resident.status()["declined"] == 2


@pytest.mark.fault(86)
def test_an_engine_whose_files_were_replaced_ends_and_is_asked_no_more(warm: Host, other_version: Path) -> None:
    with serving(warm, script=other_version / "serve.py") as resident:
        os.utime(other_version / "runtime" / "engine.py", (1, 1))
        for _ in range(100):
            if resident.process.poll() is not None:
                break
            decides(warm)
        assert resident.process.wait(SECONDS) == 0
        assert "the engine's own files changed" in resident.end()[1]
        assert not resident.socket.exists()
