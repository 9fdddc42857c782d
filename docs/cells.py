"""Adapters, the clients under tests/clients/hosts/ and the marks of tests → what a host keeps, what of it is played.

A cell is a lifecycle point and a word, `before_tool refuses`. An adapter promises cells; a test that carries the mark
`cell` plays them with every real client whose adapter promises them, except those that the client's file takes out.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from policy_engine.adapters.base import Adapter
from policy_engine.model.points import FAILURE_VERDICT
from tests.clients.hosts.base import clients
from tests.faults.marks import proofs

WORDS = {"refuses": "deny", "asks": "ask", "stops": "stop", "tells": "remind"}
"""Word → the verdict that it is about."""
MARK = "cell"


def promised(adapter: Adapter, point: str) -> Iterator[str]:
    """The words that hold at a point, over all events of it that are registered."""
    registered = {event for event, _ in adapter.registration.events}
    found = [known for native, known in adapter.capabilities.items() if known.point == point and native in registered]
    for word, verdict in WORDS.items():
        if any(verdict in known.enforces and (known.gate or word not in ("refuses", "asks")) for known in found):
            yield word


def cells(adapter: Adapter) -> set[str]:
    """Every cell that an adapter promises."""
    return {f"{point} {word}" for point in FAILURE_VERDICT for word in promised(adapter, point)}


@cache
def played() -> dict[str, frozenset[str]]:
    """Host → the cells that a test plays with the real client."""
    marked = {str(cell) for cell in proofs(MARK)}
    return {client.host: frozenset(marked - client.cannot.keys()) for client in clients()}
