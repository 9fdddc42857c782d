"""One native hook payload on standard input → the host's native answer; the whole of `policy hook HOST`.

With a warm cache nothing but built-in modules is imported. Whatever fails, the answer is the point's failure verdict in
the host's own words, on both channels, with its exit status; nothing is printed twice and nothing is silent.
"""

from __future__ import annotations

import posix
import sys

from policy_engine.loading.answering import Answering, write
from policy_engine.model.errors import ConfigurationError, EventError
from policy_engine.model.limits import EVENT_BYTES
from policy_engine.model.places import SOCKET, serve_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.adapters.base import Adapter, Answer

READ_CHUNK = 1 << 16
USAGE = "usage: policy hook HOST [--event NAME]  (one native hook payload on standard input)"


def main(arguments: list[str]) -> int:
    """Answer one event; returns the exit status that the host is to see."""
    host, event_name = _arguments(arguments)
    adapter = find_adapter(host)
    if adapter is None:
        write(2, f"{USAGE}\nunknown host `{host}`\n".encode("utf-8", "backslashreplace"))
        return 2
    answering = Answering(adapter, event_name or "")
    answering.failed = lambda code, text: _log_failure(adapter, answering, code, text)
    answering.start()
    try:
        return answering.say(_answered(adapter, event_name, answering))
    finally:
        answering.stop()


def _answered(adapter: Adapter, event_name: str | None, answering: Answering) -> Answer:
    """The answer to the payload on standard input, by the resident engine if there is one; never raises."""
    try:
        data = _read_input()
    except EventError as error:
        from policy_engine.loading.native import failed

        return failed(answering, error.code, str(error))
    folder, lost = _serving(), False
    if folder:
        from policy_engine.loading.resident import AnswerLost, resident

        try:
            found = resident(folder, adapter.name, event_name, data, answering)
            if found is not None:
                return found
        except Exception as fault:
            lost = isinstance(fault, AnswerLost)
            write(2, f"policy: decided without `policy serve`: {fault}\n".encode("utf-8", "backslashreplace"))
    from policy_engine.loading.native import answered

    return answered(adapter, event_name, data, answering, lost, posix.getpid())


def _serving() -> str:
    """The folder where a resident engine of this user listens, empty if none does; one system call finds out."""
    try:
        folder = serve_folder()
        posix.lstat(f"{folder}/{SOCKET}")
    except (OSError, ConfigurationError):
        return ""
    return folder


def _log_failure(adapter: Adapter, answering: Answering, code: str, text: str) -> None:
    from policy_engine.loading.native import log_failure

    log_failure(adapter, answering, code, text)


def _arguments(arguments: list[str]) -> tuple[str, str | None]:
    host, event_name = "", None
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        if word == "--event" and rest:
            event_name = rest.pop(0)
        elif word.startswith("--event="):
            event_name = word[8:]
        elif word.startswith("--libraries=/"):
            sys.path.append(word[12:])  # last, so that it shadows nothing; only a policy that changed needs it
        elif not host:
            host = word
    return host, event_name


def find_adapter(host: str) -> Adapter | None:
    """The adapter of a host, by file name; None if there is none."""
    module = host.replace("-", "_")
    if not module.isidentifier() or module.startswith("_") or module == "base":
        return None
    try:
        found: Adapter = __import__(f"policy_engine.adapters.{module}", fromlist=("ADAPTER",)).ADAPTER
    except ImportError as error:
        if error.name == f"policy_engine.adapters.{module}":
            return None
        raise
    return found


def _read_input() -> bytes:
    """Standard input to its end. Raises EventError if it is too long, closed or a terminal."""
    parts: list[bytes] = []
    size = 0
    try:
        if posix.isatty(0):
            raise EventError("E-TTY", "standard input is a terminal; a host writes the payload there")
        while part := posix.read(0, READ_CHUNK):
            size += len(part)
            if size > EVENT_BYTES:
                raise EventError("E-LIMIT", f"the payload has more than EVENT_BYTES ({EVENT_BYTES}) bytes")
            parts.append(part)
    except OSError as error:
        raise EventError("E-INPUT", f"standard input cannot be read: {error.strerror}") from None
    return b"".join(parts)
