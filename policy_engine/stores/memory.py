"""`MemoryStore`: blobs in a dictionary, for one process and for tests."""

from __future__ import annotations

from policy_engine.stores.base import LOST, Store, failure


class MemoryStore(Store):
    """Keeps everything until the process ends."""

    def __init__(self) -> None:
        self._blobs: dict[str, bytes] = {}
        self._parts: dict[tuple[str, str], bytes] = {}
        self._waiting: dict[tuple[str, str], bytes] = {}
        self._open = False

    def begin(self, session: str, starts: bool = False) -> bytes | None:
        if self._open:
            raise failure("busy", "a transaction is open already")
        self._open = True
        return self._blobs.get(session)

    def part(self, session: str, name: str) -> bytes | None:
        return self._waiting.get((session, name)) or self._parts.get((session, name))

    def keep(self, session: str, name: str, blob: bytes) -> None:
        if not self._open:
            raise failure("failed", "no transaction is open")
        self._waiting[session, name] = blob

    def commit(self, session: str, blob: bytes) -> None:
        if not self._open:
            raise failure("failed", "no transaction is open")
        self._blobs[session] = blob
        self._parts.update(self._waiting)
        self._waiting.clear()
        self._open = False

    def lose(self, session: str) -> None:
        self._blobs[session] = LOST

    def rollback(self) -> None:
        self._waiting.clear()
        self._open = False
