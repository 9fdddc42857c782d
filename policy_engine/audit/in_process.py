"""Write the decisions of a process of many events and threads to the decision log, as a hook does.

What refused, or could not be decided, is in the log before anybody is told. What did not is written in batches, by a
thread that lives while there is something to write: a process that dies loses the last LATER_SECONDS of it at most, and
never more than MOST_RECORDS. A copy of the process (fork) begins with nothing to write.

What cannot be kept is said to the logger `policy_engine`; the decision stays what it is. The lock of the chain is one
of the process (audit/chain.py): it does not keep threads apart, and closing it in one would open it for all.
"""

from __future__ import annotations

import atexit
import logging
import marshal
import os
import threading
import time
from collections import deque
from collections.abc import Callable

from policy_engine.audit.log import append_failure, body_of, record_from, record_of, write_bodies, write_record
from policy_engine.audit.secret_signs import may_hold_secret
from policy_engine.audit.secrets_in_text import finder
from policy_engine.model.decision import Decision
from policy_engine.model.errors import ConfigurationError
from policy_engine.model.event import Event
from policy_engine.state.places import state_folder

LOG = logging.getLogger("policy_engine")
HOST = "python"  # of a decision whose event is not known
PASSES = ("allow", "warn", "remind")
LATER_SECONDS = 0.1  # from a decision that did not refuse to its record
MOST_RECORDS = 256  # that wait; who adds one more writes them
MOST_BYTES = 1 << 22  # of one that waits
_TURN = threading.RLock()  # a signal handler that decides may come while its thread writes
_waiting: deque[tuple[str, Decision, bytes, str]] = deque()  # folder, decision, event (the caller's: a copy), host
_writing = threading.Event()  # set while there is a thread that writes


class Log:
    """The decision log of this user. Raises nothing."""

    def decided(self, decision: Decision, event: Event | None = None, host: str = HOST) -> None:
        """Keep a decision; without `event` it cannot be decided again."""
        if event is not None:
            host = event.host_name
            if event.time is None:
                event.time = time.time_ns() // 1_000_000
        if event is None or decision.verdict not in PASSES or decision.errors or not _later(decision, event, host):
            _keep(lambda: write_record(record_of(decision, event, host), state_folder()))

    def failed(self, host: str, native: str, point: str, code: str, text: str) -> None:
        """Keep that something could not be decided; `native` is what the host calls it."""
        _keep(lambda: append_failure(host, native, point, code, text))

    def flush(self) -> None:
        """Write what waits."""
        flush()


def _later(decision: Decision, event: Event, host: str) -> bool:
    """Put a decision into the next batch; False if it cannot wait."""
    try:
        data = marshal.dumps((event.raw, event.workspace, event.time))
        if len(data) > MOST_BYTES:
            return False
        _waiting.append((state_folder(), decision, data, host))
    except (ValueError, ConfigurationError):  # who writes it at once says what is wrong
        return False
    if len(_waiting) > MOST_RECORDS:
        flush()
    elif not _writing.is_set():
        _writing.set()
        try:
            threading.Thread(target=_write_later, name="policy-log", daemon=True).start()
        except RuntimeError:  # the interpreter ends, or there is no room for a thread
            _writing.clear()
            flush()
    return True


def _write_later() -> None:
    while _waiting:
        time.sleep(LATER_SECONDS)
        flush()
    _writing.clear()
    if _waiting:  # added in between, by one who saw this thread
        flush()


def flush() -> None:
    """Write what waits, in its order."""
    with _TURN:
        _write_waiting()


def _write_waiting() -> None:
    bodies: dict[str, list[bytes]] = {}
    may_hold = _may_hold() if _waiting else may_hold_secret
    while _waiting:
        folder, decision, data, host = _waiting.popleft()
        try:
            record = record_from(decision.to_dict(), marshal.loads(data), host)
            bodies.setdefault(folder, []).append(body_of(record, folder, may_hold))
        except Exception as error:
            _unwritten(error)
    for folder, lines in bodies.items():
        try:
            write_bodies(lines, folder)
        except Exception as error:
            _unwritten(error)


def _may_hold() -> Callable[[bytes], bool]:
    """Return the quicker of the two functions that tell whether a record may hold a secret."""
    try:
        return finder().may_hold
    except ImportError:
        return may_hold_secret


def _keep(write: Callable[[], None]) -> None:
    with _TURN:
        _write_waiting()
        try:
            write()
        except Exception as error:
            _unwritten(error)


def _unwritten(error: Exception) -> None:
    LOG.warning("the decision log cannot be written: %s", error)


def _before_fork() -> None:
    """Have nobody write while a copy is made, which would wait for that thread for ever, and leave it nothing."""
    _TURN.acquire()
    _write_waiting()


def _in_copy() -> None:
    _writing.clear()
    _waiting.clear()
    _TURN.release()


os.register_at_fork(before=_before_fork, after_in_parent=_TURN.release, after_in_child=_in_copy)
atexit.register(flush)
