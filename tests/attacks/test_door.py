"""The HTTP door and the socket of `policy serve` under load of others, with real sockets against the real process."""

from __future__ import annotations

import json
import resource
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from policy_engine.hook_process.resident import YES
from policy_engine.model.limits import EVENT_BYTES
from tests.end_to_end.host import SECONDS, STATEFUL, Host
from tests.end_to_end.residence import Resident

starlette = pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("jinja2")
LIBRARIES = Path(starlette.__file__).parent.parent
IDLE = 1_400


class Door:
    """A resident engine with its door."""

    def __init__(self, folder: Path) -> None:
        self.open = ExitStack()
        self.host = Host(folder)
        self.host.write_policy(STATEFUL)
        self.host.warm()
        self.resident = Resident(self.host, "--http=0", f"--libraries={LIBRARIES}")
        assert self.resident.process.stdout is not None
        address = self.resident.process.stdout.readline().decode().split()[2]
        self.port = int(address.rstrip("/").rpartition(":")[2])
        self.token = (self.resident.folder / "token").read_text()
        children = Path(f"/proc/{self.resident.process.pid}/task/{self.resident.process.pid}/children").read_text()
        self.process = next(pid for pid in children.split() if "--door=" in Path(f"/proc/{pid}/cmdline").read_text())

    def connect(self) -> socket.socket:
        """A connection, closed when the test ends at the latest."""
        return self.open.enter_context(socket.create_connection(("127.0.0.1", self.port), timeout=SECONDS))

    def head(self, size: int, token: str | None = None) -> bytes:
        shown = self.token if token is None else token
        return (
            f"POST /hook/claude-code HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {shown}\r\n"
            f"Content-Length: {size}\r\n\r\n"
        ).encode()

    def verdict(self, command: str) -> str:
        """Of a hook's call, as a host reads it."""
        body = json.dumps(self.host.shell(command)).encode()
        with self.connect() as connection:
            connection.sendall(self.head(len(body)) + body)
            found = received(connection)
        return str(found.get("hookSpecificOutput", {}).get("permissionDecision", "allow"))

    def memory(self) -> int:
        """Resident bytes of the door."""
        return int(Path(f"/proc/{self.process}/statm").read_text().split()[1]) * resource.getpagesize()


def received(connection: socket.socket) -> dict[str, Any]:
    """The body of the answer."""
    data = b""
    while b"\r\n\r\n" not in data:
        part = connection.recv(1 << 16)
        assert part, "the connection ended without an answer"
        data += part
    head, _, body = data.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200 "), head
    size = next(int(line.split()[1]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length"))
    while len(body) < size:
        body += connection.recv(1 << 16)
    found: dict[str, Any] = json.loads(body)
    return found


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Door]:
    found = Door(tmp_path)
    try:
        yield found
    finally:
        found.open.close()
        found.resident.end()


@pytest.fixture
def many() -> Iterator[None]:
    """This process may open as many sockets as the attack needs."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < IDLE + 200:
        pytest.skip("the system gives too few descriptors")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, IDLE + 200), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.usefixtures("many")
@pytest.mark.parametrize("sent", [b"POST /hook/claude-code HTTP/1.1\r\nHost: loc", b""])
def test_connections_of_anybody_that_stay_do_not_silence_hooks(door: Door, sent: bytes) -> None:
    for _ in range(IDLE):
        door.connect().sendall(sent)
    assert door.verdict("rm a") == "deny"
    assert door.verdict("ls") == "allow"
    descriptors = len(list(Path(f"/proc/{door.process}/fd").iterdir()))
    assert descriptors < 700
    door.open.close()
    _, said = door.resident.end()
    assert len(said) < 4_096, said[:2_000]


def test_what_is_no_http_fills_no_log(door: Door) -> None:
    for _ in range(300):
        with door.connect() as connection:
            connection.sendall(b"\x16\x03\x01 nonsense\r\n\r\n")
            connection.recv(1 << 16)
    assert door.verdict("rm a") == "deny"
    _, said = door.resident.end()
    assert len(said.splitlines()) < 40, said[:2_000]


def test_without_the_token_nothing_of_a_body_is_read(door: Door) -> None:
    """The answer comes before any byte of the body was sent, and what is sent then is not kept."""
    before = door.memory()
    for _ in range(40):
        connection = door.connect()
        connection.sendall(door.head(EVENT_BYTES, "x"))
        refused = received(connection)
        assert refused["continue"] is False and "E-TOKEN" in refused["reason"]
        connection.settimeout(0.2)
        try:
            connection.sendall(b" " * (EVENT_BYTES - 1))
        except OSError:
            pass  # it takes no more
    assert door.memory() - before < 64 << 20
    door.open.close()
    assert door.verdict("rm a") == "deny"


def test_bodies_together_take_no_more_than_their_room(door: Door) -> None:
    """Of the user himself: all but the few that there is room for are refused, and the door goes on."""
    before = door.memory()
    for _ in range(16):
        door.connect().sendall(door.head(EVENT_BYTES) + b" " * (EVENT_BYTES // 2))
    assert door.memory() - before < 128 << 20
    door.open.close()
    assert door.verdict("rm a") == "deny"


def test_a_request_that_never_ends_is_ended(door: Door) -> None:
    with door.connect() as half, door.connect() as slow, door.connect() as empty:
        half.sendall(b"POST /hook/claude-code HTTP/1.1\r\nHost: loc")
        slow.sendall(door.head(100) + b"{")
        assert "E-DEADLINE" in received(slow)["reason"]
        assert half.recv(1) == b"" and empty.recv(1) == b""


def test_a_size_that_is_too_large_is_refused_whoever_sends_it(door: Door) -> None:
    with door.connect() as connection:
        connection.sendall(door.head(1 << 40) + b" " * (EVENT_BYTES + 1))
        assert "E-LIMIT" in received(connection)["reason"]


def test_a_header_without_end_is_not_kept(door: Door) -> None:
    with door.connect() as connection:
        try:
            for _ in range(64):
                connection.sendall(b"A: " + b"x" * 65_536)
        except OSError:
            pass
        connection.settimeout(SECONDS)
        try:
            ended = connection.recv(1 << 16)
        except ConnectionError:
            ended = b""
    assert not ended.startswith(b"HTTP/1.1 200")
    assert door.verdict("rm a") == "deny"


def test_callers_who_say_nothing_do_not_hold_the_socket(door: Door) -> None:
    """Of the same user: each place is given free again, and hooks decide by themselves meanwhile."""
    held = [door.open.enter_context(door.resident.greet()) for _ in range(40)]
    started = [connection for connection in held if connection.recv(1) == YES]
    assert started
    assert door.host.call(door.host.shell("rm a")).refused
    for connection in started:
        assert not connection.recv(1), "a request that never came is still waited for"
    assert door.host.call(door.host.shell("ls")).verdict == "allow"
