"""A test and a client → whether the test can be played, and a fresh world for it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from docs.cells import MARK, cells
from policy_engine.hosts.layers import adapter_named
from tests.clients.hosts.base import Client, clients
from tests.clients.packages import Absent, offline
from tests.clients.runs import POLICY, FileSystem

Enter = Callable[..., FileSystem]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Each client in turn, and where a test asks for it each place of settings that the client's file names."""
    if "scope" in metafunc.fixturenames:
        pairs = [(client, scope) for client in clients() for scope in client.scopes]
        names = [f"{client.host}-{scope}" for client, scope in pairs]
        metafunc.parametrize(("client", "scope"), pairs, ids=names)
    elif "client" in metafunc.fixturenames:
        metafunc.parametrize("client", clients(), ids=lambda client: client.host)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what a client's adapter promises nothing of: there is nothing to play."""
    idle = [item for item in items if _marked(item) and not _promised(item)]
    config.hook.pytest_deselected(items=idle)
    items[:] = [item for item in items if item not in idle]


def _marked(item: pytest.Item) -> list[str]:
    return [str(cell) for mark in item.iter_markers(MARK) for cell in mark.args]


def _promised(item: Any) -> set[str]:
    promised = cells(adapter_named(item.callspec.params["client"].host))
    return {cell for cell in _marked(item) if cell in promised}


@pytest.fixture
def kept(request: pytest.FixtureRequest, client: Client) -> set[str]:
    """The cells of the test that the client is to keep; a test that it cannot show any of is skipped."""
    promised = _promised(request.node)
    found = promised - client.cannot.keys()
    if promised and not found:
        pytest.skip(f"{client.host}: {'; '.join({client.cannot[cell] for cell in promised})}")
    return found


@pytest.fixture
def enter(client: Client, kept: set[str], tmp_path: Path) -> Enter:
    """A fresh world with a policy; where the client is missing a failure, or a skip, that says why."""

    def filesystem(policy: str = POLICY) -> FileSystem:
        try:
            return FileSystem(client, tmp_path, policy)
        except Absent as why:
            (pytest.skip if client.spare or offline() else pytest.fail)(f"{client.host}: {why}")

    return filesystem
