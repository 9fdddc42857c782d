"""The store in memory: one transaction at a time, and only what is committed stays."""

from __future__ import annotations

import pytest

from policy_engine.model.errors import StoreError
from policy_engine.stores.memory import MemoryStore


def test_what_is_committed_is_found_again_and_what_is_rolled_back_is_not() -> None:
    store = MemoryStore()
    assert store.begin("s") is None
    store.commit("s", b"one")
    assert store.begin("s") == b"one"
    store.rollback()
    assert store.begin("other") is None
    store.rollback()
    store.rollback()


def test_transactions_do_not_nest_and_end_once() -> None:
    store = MemoryStore()
    store.begin("s")
    with pytest.raises(StoreError, match=r"^busy:"):
        store.begin("s")
    store.commit("s", b"x")
    with pytest.raises(StoreError, match=r"^failed:"):
        store.commit("s", b"x")
