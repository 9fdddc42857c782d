"""The store in memory: one transaction at a time, and only what is committed stays."""

from __future__ import annotations

import pytest

from policy_engine.model.errors import StoreError
from policy_engine.stores.memory import MemoryStore


def test_transactions_do_not_nest_and_end_once() -> None:
    store = MemoryStore()
    store.begin("s")
    with pytest.raises(StoreError, match=r"^busy:"):
        store.begin("s")
    store.commit("s", b"x")
    with pytest.raises(StoreError, match=r"^failed:"):
        store.commit("s", b"x")
