"""What the tables of hosts mark as played is what tests play with the real clients, and nothing else is marked."""

from __future__ import annotations

from docs.cells import MARK, cells, marked
from docs.chapters.hosts import adapters
from tests.clients.hosts.base import clients
from tests.faults.marks import stray

ADAPTERS = {adapter.name: adapter for adapter in adapters()}


def test_every_mark_is_on_a_test_of_clients_and_names_a_cell_that_one_of_them_promises() -> None:
    assert stray(MARK) == []
    played = set().union(*(cells(ADAPTERS[client.host]) - client.cannot.keys() for client in clients()))
    assert marked().keys() - played == set()
    assert {path.parts[:2] for tests in marked().values() for path, _ in tests} == {("tests", "clients")}


def test_what_a_client_cannot_show_is_promised_and_has_a_reason() -> None:
    for client in clients():
        assert client.cannot.keys() - cells(ADAPTERS[client.host]) == set()
        assert all(client.cannot.values())


def test_a_client_is_played_in_the_version_that_its_adapter_names() -> None:
    named = {client.host: ADAPTERS[client.host].evidence for client in clients()}
    assert named == {client.host: f"measured, {client.version}" for client in clients()}


def test_an_adapter_that_names_a_version_is_played() -> None:
    measured = {adapter.name for adapter in ADAPTERS.values() if adapter.evidence.startswith("measured")}
    assert measured == {client.host for client in clients()}
