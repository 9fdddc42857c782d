"""Read one native hook payload and write the host's native answer: the whole of `policy hook HOST`.

It is answered by the resident engine (`policy serve`) if there is one, else in this process; either way by the same
function. While a resident engine answers, nothing of the engine is imported here but the clock and the client. Whatever
fails, the answer is the point's failure verdict in the host's own words, on both channels, with its exit status;
nothing is printed twice and nothing is silent.
"""

from __future__ import annotations

import posix
import sys

from policy_engine.hook_process.response_writer import ResponseWriter, write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from policy_engine.adapters.base import Adapter

READ_CHUNK = 1 << 16
SERVE, SOCKET = "/policy-engine/serve", "/socket"  # as in state/places.py, which costs an import
USAGE = "usage: policy hook HOST [--event NAME]  (one native hook payload on standard input)"


class LateAdapter:
    """An adapter that is imported when something is asked of it; the answer of a resident engine needs none here."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __getattr__(self, attribute: str) -> Any:
        return getattr(find_adapter(self.name), attribute)


class Refusal:
    """The answer where even the adapter cannot be had."""

    stdout, stderr, exit_code = b"", b"E-DEADLINE: the engine did not answer in time; the action is refused.\n", 2


def import_usually(name: str) -> Any:
    """Import a module of this folder with those above it."""
    full = f"policy_engine.hook_process.{name}"
    __import__(full)
    return sys.modules[full]


def main(arguments: list[str], load: Callable[[str], Any] = import_usually) -> int:
    """Answer one event; returns the exit status that the host is to see. `load` imports a module of this folder."""
    host, event_name, libraries = _arguments(arguments)
    sys.path += libraries  # last, so that they shadow nothing; only a policy that changed needs them
    if load is import_usually:
        libraries += [folder for folder in sys.path if folder.endswith("-packages")]
    folder = serving()
    if folder:
        adapter: Any = LateAdapter(host)
        response = ResponseWriter(adapter, event_name or "", Refusal)  # type: ignore[arg-type]
    else:
        _use_bundle(load)
        adapter = find_adapter(host)
        if adapter is None:
            return _unknown(host)
        response = ResponseWriter(adapter, event_name or "")
    response.failed = lambda code, text: _log_failure(adapter, response, code, text)
    response.start()
    try:
        status, alone = _answered(adapter, event_name, response, (folder, libraries), load)
    finally:
        response.stop()
    if alone and load is not import_usually:
        from policy_engine.hook_process.starting import start_resident

        start_resident()
    return status


def _answered(
    adapter: Any,
    event_name: str | None,
    response: ResponseWriter,
    place: tuple[str, list[str]],
    load: Callable[[str], Any],
) -> tuple[int, bool]:
    """Answer the payload on standard input; return the exit status, and whether this process decided an event of a
    session.

    `place` is the folder of the resident engine if there is one, and what this process needs beside the engine.
    """
    folder, libraries = place
    try:
        data = _read_input()
    except Unreadable as error:
        if folder:
            _use_bundle(load)
        from policy_engine.hook_process.native import failed

        return response.say(failed(response, error.code, str(error))), False
    lost = False
    if folder:
        client = load("resident")
        try:
            answer = client.resident(folder, (adapter.name, event_name), data, libraries, response)
            if answer is not None:
                return response.say(answer), False
        except Exception as fault:
            lost = isinstance(fault, client.AnswerLost)
            write(2, f"policy: decided without `policy serve`: {fault}\n".encode("utf-8", "backslashreplace"))
        _use_bundle(load)
        name, adapter = adapter.name, find_adapter(adapter.name)
        if adapter is None:
            return _unknown(name), False
    from policy_engine.adapters.base import CANARY_SESSION
    from policy_engine.hook_process.native import answered

    status = response.say(answered(adapter, event_name, data, response, lost, posix.getpid()))
    return status, response.raw is not None and response.raw.get("session") != CANARY_SESSION


def _use_bundle(load: Callable[[str], Any]) -> None:
    if load is not import_usually:  # in a process that imports the usual way, most is imported already
        import gc

        gc.disable()  # a process of one event ends before garbage matters
        load("bundled").use_bundle(__file__.rsplit("/", 3)[0])


def _unknown(host: str) -> int:
    write(2, f"{USAGE}\nunknown host `{host}`\n".encode("utf-8", "backslashreplace"))
    return 2


def serving() -> str:
    """Return the folder where a resident engine of this user listens, empty if none does; one system call tells."""
    try:
        base: bytes = posix.environ.get(b"XDG_STATE_HOME", b"")
        if base[:1] != b"/":
            base = posix.environ.get(b"HOME", b"")
            if base[:1] != b"/":
                return ""
            base += b"/.local/state"
        folder = base.decode("utf-8", "surrogateescape") + SERVE
        posix.lstat(folder + SOCKET)
    except OSError:
        return ""
    return folder


def in_repository(folder: int) -> bool:
    """Detect whether an open folder lies in the repository around the working folder, whatever its path looks like.

    What a repository brings along is not run.
    """
    at: bytes = posix.getcwdb()
    around = at
    while at:
        if present(at + b"/.git") or present(at + b"/.policy"):
            around = at
            break
        at = at.rpartition(b"/")[0]
    repository, above, before = posix.stat(around), b".", (0, 0)
    while True:
        status = posix.stat(above, dir_fd=folder)
        here = (status.st_dev, status.st_ino)
        if here == (repository.st_dev, repository.st_ino):
            return True
        if here == before:
            return False  # the root
        above, before = b"../" + above, here


def present(path: bytes) -> bool:
    """Return whether something stands there, as far as can be seen."""
    try:
        posix.lstat(path)
    except OSError:
        return False
    return True


class Unreadable(Exception):
    """Standard input gives no payload; `code` is the stable code of the reason."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


def _log_failure(adapter: Adapter, response: ResponseWriter, code: str, text: str) -> None:
    from policy_engine.hook_process.native import log_failure

    log_failure(adapter, response, code, text)


def _arguments(arguments: list[str]) -> tuple[str, str | None, list[str]]:
    host, event_name = "", None
    libraries: list[str] = []
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        if word == "--event" and rest:
            event_name = rest.pop(0)
        elif word.startswith("--event="):
            event_name = word[8:]
        elif word.startswith("--libraries=/"):
            libraries.append(word[12:])
        elif not host:
            host = word
    return host, event_name, libraries


def find_adapter(host: str) -> Adapter | None:
    """The adapter of a host, by file name; None if there is none."""
    module = host.replace("-", "_")
    if not module.isidentifier() or module.startswith("_") or module == "base":
        return None
    try:
        adapter: Adapter = __import__(f"policy_engine.adapters.{module}", fromlist=("ADAPTER",)).ADAPTER
    except ImportError as error:
        if error.name == f"policy_engine.adapters.{module}":
            return None
        raise
    return adapter


def _read_input() -> bytes:
    """Standard input to its end. Raises Unreadable if it is too long, closed or a terminal."""
    parts: list[bytes] = []
    size = 0
    try:
        if posix.isatty(0):
            raise Unreadable("E-TTY", "standard input is a terminal; a host writes the payload there")
        while part := posix.read(0, READ_CHUNK):
            size += len(part)
            if size > READ_CHUNK:
                _bound(size)
            parts.append(part)
    except OSError as error:
        raise Unreadable("E-INPUT", f"standard input cannot be read: {error.strerror}") from None
    return b"".join(parts)


def _bound(size: int) -> None:
    from policy_engine.model.limits import EVENT_BYTES

    if size > EVENT_BYTES:
        raise Unreadable("E-LIMIT", f"the payload has more than EVENT_BYTES ({EVENT_BYTES}) bytes")
