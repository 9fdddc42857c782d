"""Hosts for the tests of the hook as a process."""

from __future__ import annotations

from pathlib import Path

import pytest

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
