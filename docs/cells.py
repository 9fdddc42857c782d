"""Adapters, the clients under tests/clients/hosts/ and the marks of tests → what a host keeps, what of it is played.

A cell is a lifecycle point and a word, `before_tool refuses`, or `exit status`. An adapter promises cells; a test that
carries the mark `cell` plays them with every real client whose adapter promises them, except those that the client's
file takes out.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from policy_engine.adapters.base import Adapter
from policy_engine.model.points import FAILURE_VERDICT
from tests.clients.hosts.base import clients
from tests.faults.marks import Proof, proofs

WORDS = {"refuses": "deny", "asks": "ask", "stops": "stop", "tells": "remind"}
"""Word → the verdict that it is about."""
MARK = "cell"
STATUS = "result.exit_code"


def promised(adapter: Adapter, point: str) -> Iterator[str]:
    """The words that hold at a point, over all events of it that are registered."""
    registered = {event for event, _ in adapter.registration.events}
    found = [known for native, known in adapter.capabilities.items() if known.point == point and native in registered]
    for word, verdict in WORDS.items():
        if any(verdict in known.enforces and (known.gate or word not in ("refuses", "asks")) for known in found):
            yield word


def cells(adapter: Adapter) -> set[str]:
    """Every cell that an adapter promises."""
    found = {f"{point} {word}" for point in FAILURE_VERDICT for word in promised(adapter, point)}
    return found if any(name.startswith(STATUS) for name in adapter.lacks) else {*found, "exit status"}


def marked() -> dict[str, tuple[Proof, ...]]:
    """Cell → the tests that play it."""
    return {str(cell): tests for cell, tests in proofs(MARK).items()}


@cache
def played(host: str) -> frozenset[str]:
    """The cells that a test plays with the real client of a host."""
    found = [client for client in clients() if client.host == host]
    return frozenset(marked().keys() - found[0].cannot.keys()) if found else frozenset()
