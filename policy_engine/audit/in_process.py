"""Write the decisions of a process of many events and threads to the decision log, as a hook does.

What cannot be kept is said to the logger `policy_engine`; the decision stays what it is. The lock of the chain is one
of the process (audit/chain.py): it does not keep threads apart, and closing it in one would open it for all.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable

from policy_engine.audit.log import append, append_failure
from policy_engine.model.decision import Decision
from policy_engine.model.event import Event

LOG = logging.getLogger("policy_engine")
HOST = "python"  # of a decision whose event is not known
_TURN = threading.RLock()  # a signal handler that decides may come while its thread writes
# a copy of the process made while another thread wrote would wait for that thread for ever
os.register_at_fork(before=_TURN.acquire, after_in_parent=_TURN.release, after_in_child=_TURN.release)


class Log:
    """The decision log of this user. Raises nothing."""

    def decided(self, decision: Decision, event: Event | None = None, host: str = HOST) -> None:
        """Keep a decision; without `event` it cannot be decided again."""
        if event is not None and event.time is None:
            event.time = time.time_ns() // 1_000_000
        _keep(lambda: append(decision, event, event.host_name if event is not None else host))

    def failed(self, host: str, native: str, point: str, code: str, text: str) -> None:
        """Keep that something could not be decided; `native` is what the host calls it."""
        _keep(lambda: append_failure(host, native, point, code, text))


def _keep(write: Callable[[], None]) -> None:
    try:
        with _TURN:
            write()
    except Exception as error:
        LOG.warning("the decision log cannot be written: %s", error)
