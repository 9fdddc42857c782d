"""A test and a client → whether the test can be played, and a fresh world for it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from docs.cells import MARK, cells
from policy_engine.loading.layers import adapter_named
from tests.clients.hosts.base import Client, clients
from tests.clients.packages import Absent, offline
from tests.clients.runs import POLICY, World

Enter = Callable[..., World]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Each client in turn, and where a test asks for it each place of settings that the client's file names."""
    if "scope" in metafunc.fixturenames:
        pairs = [(client, scope) for client in clients() for scope in client.scopes]
        names = [f"{client.host}-{scope}" for client, scope in pairs]
        metafunc.parametrize(("client", "scope"), pairs, ids=names)
    elif "client" in metafunc.fixturenames:
        metafunc.parametrize("client", clients(), ids=lambda client: client.host)


@pytest.fixture
def kept(request: pytest.FixtureRequest, client: Client) -> set[str]:
    """The cells of the test that the client's adapter promises; a test that would play none of its cells is skipped."""
    marked = [str(cell) for mark in request.node.iter_markers(MARK) for cell in mark.args]
    promised = [cell for cell in marked if cell in cells(adapter_named(client.host))]
    found = {cell for cell in promised if cell not in client.cannot}
    if marked and not found:
        why = {client.cannot[cell] for cell in promised} or {f"the adapter does not promise: {', '.join(marked)}"}
        pytest.skip(f"{client.host}: {'; '.join(sorted(why))}")
    return found


@pytest.fixture
def enter(client: Client, kept: set[str], tmp_path: Path) -> Enter:
    """A fresh world with a policy; where the client is missing a failure, or a skip, that says why."""

    def world(policy: str = POLICY) -> World:
        try:
            return World(client, tmp_path, policy)
        except Absent as why:
            (pytest.skip if client.spare or offline() else pytest.fail)(f"{client.host}: {why}")

    return world
