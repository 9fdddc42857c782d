"""Answer a connection that was promised an answer, in a process of its own that ends with it.

The process is a copy of the resident one, with all modules at hand; from there on it is a hook process: the caller's
environment and working folder, its own deadline, the same functions. So nothing of one event can reach another, and
none that hangs, exhausts its memory or crashes takes more with it than itself.
"""

from __future__ import annotations

import array
import marshal
import os
import signal
import socket
import sys
import time
from _blake2 import blake2b
from typing import TYPE_CHECKING, Any

from policy_engine.hook_process.hook_entry import find_adapter
from policy_engine.hook_process.native import answered, log_failure
from policy_engine.hook_process.origin import child_of
from policy_engine.hook_process.resident import COMPILES, DECLINED, MOST, NAMED, RESULT, RUNS, peer_process, receive
from policy_engine.hook_process.response_writer import WARM_MS, ResponseWriter
from policy_engine.loading.active import add_site_packages
from policy_engine.loading.settings_source import store_place
from policy_engine.model.ancestors import answer_for
from policy_engine.model.errors import ConfigurationError, StoreError
from policy_engine.model.store_address import is_server

if TYPE_CHECKING:
    from policy_engine.adapters.base import Adapter, Answer


SESSION = 16  # bytes of a session's digest


class Served(ResponseWriter):
    """The one answer of this process goes to the caller, and so does what makes him wait longer."""

    __slots__ = ("_connection",)

    def __init__(self, adapter: Adapter, native: str, connection: socket.socket) -> None:
        super().__init__(adapter, native)
        self._connection = connection

    def named(self, native: str) -> None:
        """From now on the host's name of the event is known, to the caller as well."""
        super().named(native)
        _tell(self._connection, NAMED, native)

    def compiling(self) -> None:
        """From now on the time that a policy may take to be compiled."""
        super().compiling()
        _tell(self._connection, COMPILES, None)

    def extend(self, limit: int, doing: str) -> None:
        """From now on so many ms for what is being done."""
        super().extend(limit, doing)
        _tell(self._connection, RUNS, (limit, doing))

    def _write(self, answer: Answer) -> int:
        _tell(self._connection, RESULT, (answer.exit_code, answer.stdout, answer.stderr))
        return answer.exit_code


def evaluate(connection: socket.socket, status: dict[str, Any], tells: int) -> int:
    """Read the request and answer it; the exit status, which nobody needs. Raises nothing that matters: the caller
    sees that the connection ends. `tells` is a pipe that takes a digest of the session, SESSION bytes."""
    kind, *request = marshal.loads(_received(connection, time.monotonic() + WARM_MS / 1000))
    connection.settimeout(WARM_MS / 1000)
    if kind == "status":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # whoever has his answer may leave
        _tell(connection, RESULT, status)
        return 0
    host, event_name, folder, environment, data, *libraries = request
    for folders in libraries:  # of a hook process, from its own command line
        sys.path += [folder for folder in folders if folder not in sys.path]
    adapter = find_adapter(host)
    try:
        os.chdir(folder)
    except OSError:
        adapter = None
    if adapter is None:
        _tell(connection, DECLINED, None)
        return 0
    os.environb.clear()
    os.environb.update(environment)
    response = Served(adapter, event_name or "", connection)
    response.failed = lambda code, text: log_failure(adapter, response, code, text)
    response.start()
    process = _hook(connection)
    answer_for(process)
    answer = answered(adapter, event_name, data, response, process=process)
    _tell_session(tells, response.raw)
    return response.say(answer)


def _hook(connection: socket.socket) -> int:
    """The hook process at the other end, by the kernel's word; 0 if it is the HTTP door, which asks for the token."""
    process = peer_process(connection)
    return 0 if child_of(process, os.getppid()) else process


def _tell_session(tells: int, raw: dict[str, Any] | None) -> None:
    """So that the status can count the sessions; a pipe that is full is no reason to wait."""
    session = (raw or {}).get("session")
    if type(session) is str:
        try:
            os.write(tells, blake2b(session.encode("utf-8", "surrogatepass"), digest_size=SESSION).digest())
        except OSError:
            return


def _received(connection: socket.socket, until: float) -> bytes:
    """The body of the request; the caller's standard error becomes this process's.

    Raises OSError if it has not arrived by then, however little of it lacks.
    """
    connection.settimeout(max(until - time.monotonic(), 0.001))
    head, ancillary, _, _ = connection.recvmsg(4, socket.CMSG_SPACE(4))
    for level, kind, data in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            for descriptor in array.array("i", data[: len(data) // 4 * 4]):
                os.dup2(descriptor, 2)
                os.close(descriptor)
    head += receive(connection, 4 - len(head))
    size = int.from_bytes(head, "little")
    if size > MOST:
        raise ValueError("a request has too many bytes")
    parts = []
    while size:
        connection.settimeout(max(until - time.monotonic(), 0.001))
        part = connection.recv(min(size, 1 << 16))
        if not part:
            raise EOFError
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _tell(connection: socket.socket, kind: bytes, value: Any) -> None:
    """One frame. A caller who is gone is told nothing more: this process is ended for it (daemon.py)."""
    body = marshal.dumps(value)
    try:
        connection.sendall(kind + len(body).to_bytes(4, "little") + body)
    except OSError:
        return


def preload() -> None:
    """Import what an event may need, so that each process starts with it. What cannot be imported is not needed."""
    root = os.path.dirname(os.path.dirname(__file__))
    for room in _ROOMS:
        for name in sorted(os.listdir(f"{root}/{room}")):
            if name.endswith(".py") and name != "__init__.py" and (room, name) not in _HEAVY:
                _import(f"policy_engine.{room.replace('/', '.')}.{name[:-3]}")
    for name in _ELSEWHERE:
        _import(f"policy_engine.{name}")
    _import_server()
    from policy_engine.model.regexes import extension

    try:
        extension()
    except Exception:  # the event that needs it says so
        return


def _import_server() -> None:
    """Import what reaches the server that keeps the sessions, where one does."""
    try:
        if is_server(store_place()):
            add_site_packages()
            from policy_engine.stores.postgres import libpq

            libpq()
    except (ConfigurationError, StoreError):  # the event that needs it says so
        return


_ROOMS = (
    "model", "state", "filesystem", "shell", "inline", "programs", "programs/handlers", "effects", "predicates",
    "test_runs", "history", "evaluators", "runtime", "adapters",
)  # fmt: skip
_ELSEWHERE = (
    "stores.sqlite", "loading.live", "audit.log", "audit.redaction", "hook_process.pairing", "hook_process.stopped",
    "hook_process.floor", "hook_process.origin", "hook_process.workspace", "hook_process.continuing",
    "hook_process.running",
)  # fmt: skip
_HEAVY = frozenset((("shell", "grammar.py"), ("runtime", "loop.py")))


def _import(name: str) -> None:
    try:
        __import__(name)
    except ImportError:
        sys.modules.pop(name, None)
