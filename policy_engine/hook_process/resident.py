"""Ask the resident engine (`policy serve`) for the answer to a payload; with None the hook process decides itself.

Asked only if its socket is there, which costs one system call to find out. Nothing is believed that another user could
have put in its place: the folder and the process at the other end must be this user's, and that must run the engine's
own script. The engine there must be the same: interpreter and files. It says that it is ready before it is told what
the event is; until then giving up costs nothing, and nothing waits longer than READY seconds. Imported by the hook
path while an engine is there; imports nothing of the engine but what the hook process has.

What is sent: the kind of the request, the host, the event's name, the working folder, the environment (adapters and
the policy's own commands read it, and the answer must not depend on who works it out) and the payload; standard error
goes along as a descriptor. What comes back: frames of one byte, a length and a marshalled value.
"""

from __future__ import annotations

import marshal
import posix
import sys
from time import monotonic

from policy_engine.hook_process.hook_entry import SOCKET, in_repository

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _socket import socket as Socket  # noqa: N812 -- the C module's name for the type
    from typing import Any

    from policy_engine.hook_process.response_writer import ResponseWriter

READY = 1.0  # seconds until it must have said that it is ready; well within the hook's own deadline
ANSWERED = 2.5  # seconds from then, unless it says that it compiles or runs what the policy names
PATIENCE = 1_000  # ms by which this process waits longer than the one that decides has: that knows what to say
STAMP = 8  # bytes
HEAD = 5  # bytes of a frame before its value: a letter and the length
MOST = 1 << 26  # bytes of a frame
YES, NO = b"y", b"n"
SCRIPT = b"/policy_engine/serve.py"
NAMED, COMPILES, RUNS, RESULT, DECLINED = b"N", b"C", b"E", b"R", b"D"


class Foreign(Exception):
    """Report that what stands in the place of the resident engine is not this user's; the text says why."""


class AnswerLost(Exception):
    """The resident engine took the event and did not answer: nobody knows whether it is in its session's past."""


class Answered:
    """Hold what the resident engine answered: bytes for standard output and standard error, and the exit status."""

    __slots__ = ("exit_code", "stderr", "stdout")

    def __init__(self, exit_code: int, stdout: bytes, stderr: bytes) -> None:
        self.exit_code, self.stdout, self.stderr = exit_code, stdout, stderr


def stamp() -> bytes:
    """Return what the two processes must agree in, as a digest: interpreter, its encoding, files of the engine."""
    import _imp

    root = __file__.rsplit("/", 2)[0]
    status = posix.stat(f"{root}/__init__.py")
    parts = (
        sys.hexversion, sys.implementation.cache_tag, sys.getfilesystemencoding(), root,
        status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns,
    )  # fmt: skip
    return _imp.source_hash(0, repr(parts).encode("utf-8", "surrogateescape"))


def resident(
    folder: str, host: tuple[str, str | None], data: bytes, libraries: list[str], response: ResponseWriter
) -> Answered | None:
    """Return the answer of the resident engine in `folder` to a payload, None if there is none to be had.

    `host` is its name and what the command line calls the event; `libraries` are folders that the path ends with.
    Raises AnswerLost, and Foreign if somebody else's process or folder stands there.
    """
    try:
        here = posix.getcwdb()
    except OSError:
        return None
    answer = ask(("hook", *host, here, dict(posix.environ), data, libraries), folder, response)
    return None if answer is None else Answered(*answer)


def ask(request: tuple[Any, ...], folder: str, response: ResponseWriter | None = None) -> Any:
    """The value that the resident engine gives to a request, None if there is none to be had. Raises as above."""
    until = monotonic() + READY
    try:
        connection = connected(folder, response is not None)
        try:
            if not _ready(connection, until):
                return None
        except BaseException:
            connection.close()
            raise
    except OSError:
        return None
    try:
        _hand_over(connection, marshal.dumps(request))
        return _answer(connection, response)
    except (OSError, ValueError, EOFError, TypeError) as error:
        raise AnswerLost(f"the resident engine took the event and did not answer ({type(error).__name__})") from None
    finally:
        connection.close()


def connected(folder: str, for_event: bool = False) -> Socket:
    """Return a connection whose other end is this user's. Raises Foreign, or OSError if nobody is to be asked.

    `for_event`: nobody is asked in a folder of the repository, where a variable may lead (security R13).
    """
    import _socket

    handle = own_folder(folder)
    try:
        if for_event and in_repository(handle):
            raise OSError  # whoever decides says which variable leads there
        connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
        try:
            connection.settimeout(READY)
            # through the open folder: what was looked at is what is used, and its path may be of any length
            connection.connect(f"/proc/self/fd/{handle}{SOCKET}")
            if peer(connection) != posix.geteuid():
                raise Foreign(f"the process that listens in {folder} is another user's")
            script = engine_script(peer_process(connection))
            if script is None:
                raise Foreign(f"the process that listens in {folder} is not `policy serve`")
            if script != f"{__file__.rsplit('/', 2)[0]}/serve.py".encode("utf-8", "surrogateescape"):
                raise OSError  # of another installation
        except BaseException:
            connection.close()
            raise
    finally:
        posix.close(handle)
    return connection


def own_folder(folder: str) -> int:
    """A descriptor of the folder. Raises Foreign unless it is this user's and closed to others, OSError without one."""
    handle: int = posix.open(folder, posix.O_RDONLY | posix.O_DIRECTORY | posix.O_NOFOLLOW | posix.O_CLOEXEC)
    status = posix.fstat(handle)
    if status.st_uid == posix.geteuid() and not status.st_mode & 0o077:
        return handle
    posix.close(handle)
    whose = "is another user's" if status.st_uid != posix.geteuid() else "is open to other users"
    raise Foreign(f"the folder {folder} {whose}")


def peer(connection: Socket) -> int:
    """The user of the process at the other end, from the kernel."""
    import _socket

    credentials: bytes = connection.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, 12)  # pid, uid, gid
    return int.from_bytes(credentials[4:8], sys.byteorder)


def peer_process(connection: Socket) -> int:
    """The process at the other end, from the kernel; 0 if it has no number here."""
    import _socket

    credentials: bytes = connection.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, 12)
    return int.from_bytes(credentials[:4], sys.byteorder)


def engine_script(process: int) -> bytes | None:
    """Return the script that a process runs in this interpreter, isolated, by the kernel's word; None if it is no
    engine's.

    So a program that listens in the engine's place is not asked, though it is of the same user. Raises OSError of a
    process that is just ending, whose socket may still take a connection.
    """
    try:
        theirs, ours = posix.stat(f"/proc/{process}/exe"), posix.stat("/proc/self/exe")
        file = posix.open(f"/proc/{process}/cmdline", posix.O_RDONLY | posix.O_CLOEXEC)
        try:
            words = posix.read(file, 1 << 12).split(b"\0")
        finally:
            posix.close(file)
    except (FileNotFoundError, ProcessLookupError):
        if process:
            raise
        return None
    except OSError:
        return None
    if words == [b""]:
        raise OSError
    same = (theirs.st_dev, theirs.st_ino) == (ours.st_dev, ours.st_ino)
    return words[3] if same and words[1:3] == [b"-I", b"-S"] and words[3].endswith(SCRIPT) else None


def receive(connection: Socket, size: int) -> bytes:
    """So many bytes. Raises EOFError if the other end says no more, OSError after the time-out."""
    parts = []
    while size:
        part = connection.recv(min(size, 1 << 16))
        if not part:
            raise EOFError
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _ready(connection: Socket, until: float) -> bool:
    connection.sendall(stamp())
    connection.settimeout(max(until - monotonic(), 0.001))
    return connection.recv(1) == YES


def _hand_over(connection: Socket, body: bytes) -> None:
    import _socket

    connection.settimeout(ANSWERED)
    head = len(body).to_bytes(4, "little")
    handshake = (2).to_bytes(4, sys.byteorder)
    connection.sendmsg([head], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, handshake)])
    connection.sendall(body)


def _answer(connection: Socket, response: ResponseWriter | None) -> Any:
    """Return what the last frame says, None if the request was not begun."""
    until = monotonic() + ANSWERED
    while True:
        connection.settimeout(max(until - monotonic(), 0.001) if until else None)
        head = receive(connection, HEAD)
        size = int.from_bytes(head[1:], "little")
        if size > MOST:
            raise ValueError
        value = marshal.loads(receive(connection, size))
        kind = head[:1]
        if kind == RESULT:
            return value
        if kind == DECLINED:
            return None
        if kind != NAMED:
            until = 0.0  # from here on the clock of this process's own answer
        if response is not None:
            told(response, kind, value)


def told(response: ResponseWriter, kind: bytes, value: Any) -> None:
    """Let what the resident engine says of its progress hold for the answer that waits for it."""
    response.patience = PATIENCE
    if kind == NAMED:
        response.native = value
    elif kind == COMPILES:
        response.compiling()
    elif kind == RUNS:
        response.extend(*value)
