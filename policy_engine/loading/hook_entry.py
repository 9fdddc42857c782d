"""One native hook payload on standard input → the host's native answer; the whole of `policy hook HOST`.

With a warm cache nothing but built-in modules is imported. Whatever fails, the answer is the point's failure verdict in
the host's own words, on both channels, with its exit status; nothing is printed twice and nothing is silent.
"""

from __future__ import annotations

import posix
import time

from policy_engine.model.errors import EventError
from policy_engine.model.limits import EVENT_BYTES
from policy_engine.model.strict_json import read_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy_engine.adapters.base import Adapter, Answer
    from policy_engine.loading.live import Live
    from policy_engine.model.decision import Decision
    from policy_engine.model.event import Event

READ_CHUNK = 1 << 16
USAGE = "usage: policy hook HOST [--event NAME]  (one native hook payload on standard input)"


def main(arguments: list[str]) -> int:
    """Answer one event; returns the exit status that the host is to see."""
    host, event_name = _arguments(arguments)
    adapter = find_adapter(host)
    if adapter is None:
        return _say(b"", f"{USAGE}\nunknown host `{host}`\n".encode(), 2)
    native = event_name or ""
    try:
        payload = read_json(_read_input())
        if type(payload) is dict and type(payload.get("hook_event_name")) is str:
            native = event_name or payload["hook_event_name"]
        answer = _answer(adapter, payload, event_name, native)
    except EventError as error:
        answer = adapter.failure(native, error.code, str(error))
    except Exception as fault:
        answer = adapter.failure(native, "E-INTERNAL", f"{type(fault).__name__}: {fault}")
    return _say(answer.stdout, answer.stderr, answer.exit_code)


def _arguments(arguments: list[str]) -> tuple[str, str | None]:
    host, event_name = "", None
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        if word == "--event" and rest:
            event_name = rest.pop(0)
        elif word.startswith("--event="):
            event_name = word[8:]
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
        if getattr(error, "name", "") == f"policy_engine.adapters.{module}":
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


def _answer(adapter: Adapter, payload: Any, event_name: str | None, native: str) -> Answer:
    from policy_engine.adapters.base import CANARY_TOOL
    from policy_engine.model.event import Event

    raw = adapter.decode(payload, event_name, posix.environ)
    if raw is None:
        from policy_engine.adapters.base import Answer as Silence

        return Silence()
    event = Event.from_dict(raw)
    if event.time is None:
        event.time = time.time_ns() // 1_000_000
    if event.tool_name == CANARY_TOOL:
        return adapter.failure(native, "E-CANARY", "the hook is live: this call is always refused")
    from policy_engine.loading.live import live

    decision = _decide(live(event.workspace), event)
    _log(decision, event, adapter.name)
    return adapter.encode(decision, native, event)


def _decide(current: Live | None, event: Event) -> Decision:
    from policy_engine.model.decision import Decision

    if current is None:  # the repository has no policy: nothing was asked of this engine here
        return Decision(event.id, event.hook, event.session, "allow", "")
    from policy_engine.loading.places import home, state_folder
    from policy_engine.runtime.engine import Engine

    program, errors = current.program, current.errors
    sessions = _Sessions(f"{state_folder()}/sessions.sqlite3")
    engine = Engine(lambda: program, sessions, home(), lambda: time.time_ns() // 1_000_000, lambda: errors)
    return engine.decide(event)


class _Sessions:
    """The stored sessions, opened when an event needs the past; most do not."""

    def __init__(self, path: str) -> None:
        self._path = path

    def __getattr__(self, name: str) -> Any:
        from policy_engine.runtime.session import StoredSessions

        stored = StoredSessions(self._path)
        self.open, self.close, self.abandon = stored.open, stored.close, stored.abandon
        return getattr(stored, name)


def _log(decision: Decision, event: Event, host: str) -> None:
    from policy_engine.loading.log import append

    try:
        append(decision, event, host)
    except Exception as error:
        _write(2, f"policy: the decision log cannot be written: {error}\n".encode("utf-8", "backslashreplace"))


def _say(stdout: bytes, stderr: bytes, status: int) -> int:
    """Write both channels; if standard output cannot take its part, the status alone must refuse."""
    if stderr:
        _write(2, stderr)
    if stdout and not _write(1, stdout):
        _write(2, b"policy: standard output cannot be written; the action is refused\n")
        return 2
    return status


def _write(descriptor: int, data: bytes) -> bool:
    try:
        while data:
            data = data[posix.write(descriptor, data) :]
    except OSError:
        return False
    return True
