"""Hosts for the tests of the hook as a process, and engines whose policy changes under them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from policy_engine.bootstrap import Engine
from tests.end_to_end import trusting
from tests.end_to_end.host import POLICY, Host


@pytest.fixture
def host(tmp_path: Path) -> Host:
    """A host with an empty home and a workspace without a policy."""
    return Host(tmp_path)


@pytest.fixture(scope="session")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Host:
    """A host whose policy is compiled; tests leave it as it is."""
    found = Host(tmp_path_factory.mktemp("ready"))
    found.write_policy(POLICY)
    found.warm()
    return found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A policy folder with one rule."""
    found = tmp_path / "work" / ".policy"
    found.mkdir(parents=True)
    (found / "main.policy").write_text(POLICY)
    return found


@pytest.fixture
def engine(folder: Path) -> Iterator[Engine]:
    """An engine that loaded it."""
    found = Engine.load(folder, log=False)
    yield found
    found.close()


@pytest.fixture
def repository(host: Host) -> Host:
    """A host whose workspace has commands that nobody trusts yet."""
    host.write_policy(trusting.POLICY)
    trusting.put(host, "tools/guard.sh", trusting.GUARD)
    trusting.put(host, "tools/check.sh", trusting.CHECK)
    return host
