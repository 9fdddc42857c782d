"""A shelf in the rows of a store is the dictionary that a session in memory has."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from policy_engine.history.stored_table import StoredTable, retain
from policy_engine.stores.memory import MemoryStore

KEYS = st.sampled_from(["a", "b", "c", "d"])
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("put"), KEYS, st.integers(0, 9)), st.tuples(st.just("pop"), KEYS, st.just(0)),
        st.tuples(st.just("get"), KEYS, st.just(0)), st.tuples(st.just("first"), st.just("a"), st.just(0)),
        st.tuples(st.just("reopen"), st.just("a"), st.just(0)), st.tuples(st.just("retain"), KEYS, st.just(0)),
        st.tuples(st.just("items"), st.just("a"), st.just(0)),
    ),
    max_size=30,
)  # fmt: skip


class Rows:
    """The rows of one shelf of a store."""

    def __init__(self, store: MemoryStore) -> None:
        self.store = store
        self.read: list[str] = []

    def get(self, key: str) -> tuple[int, bytes] | None:
        self.read.append(key)
        return self.store.entry("s", "shelf", key)

    def put(self, key: str, place: int, blob: bytes) -> None:
        self.store.put("s", "shelf", key, place, blob)

    def drop(self, key: str) -> None:
        self.store.drop("s", "shelf", key)

    def ordered(self) -> Iterator[tuple[str, int, bytes]]:
        return self.store.entries("s", "shelf")


@pytest.fixture
def rows() -> Rows:
    store = MemoryStore()
    store.begin("s")
    return Rows(store)


@settings(max_examples=200, derandomize=True, deadline=None)
@given(STEPS)
def test_it_is_a_dictionary(steps: list[tuple[str, str, int]]) -> None:
    store = MemoryStore()
    store.begin("s")
    table, plain = StoredTable(Rows(store)), dict[str, list[int]]()
    for what, key, value in steps:
        if what == "put":
            table[key] = plain[key] = [value]
        elif what == "pop":
            assert table.pop(key) == plain.pop(key, None)
        elif what == "get":
            assert table.get(key, 7) == plain.get(key, 7)
        elif what == "first" and plain:
            assert next(iter(table)) == next(iter(plain))
        elif what == "retain":
            retain(table, {key})
            retain(plain, {key})
        elif what == "reopen":
            table.flush()
            table = StoredTable(Rows(store), table.size, table.next)
        else:
            assert list(table.items()) == list(plain.items())
        assert len(table) == len(plain)


def test_only_what_is_asked_for_is_read(rows: Rows) -> None:
    table = StoredTable(rows)
    for number in range(100):
        table[str(number)] = [number]
    table.flush()
    rows.read.clear()
    again = StoredTable(rows, table.size, table.next)
    assert (again.get("7"), again.get("7"), again.get("x")) == ([7], [7], None)
    assert rows.read == ["7", "x"]


def test_only_what_changed_is_written(rows: Rows) -> None:
    table = StoredTable(rows)
    table["a"], table["b"] = [1], [2]
    table.flush()
    before = rows.get("b")
    table["a"] = [3]
    table.flush()
    assert rows.get("b") is before
    rows.store.rollback()
    assert rows.get("a") is None
