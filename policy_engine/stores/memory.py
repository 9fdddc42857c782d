"""`MemoryStore`: blobs in a dictionary, for one process and for tests."""

from __future__ import annotations

from policy_engine.state.own_file import failure
from policy_engine.stores.base import LOST, Store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


class MemoryStore(Store):
    """Keeps everything until the process ends."""

    def __init__(self) -> None:
        self._blobs: dict[str, bytes] = {}
        self._tables: dict[tuple[str, str], dict[str, tuple[int, bytes]]] = {}
        self._before: dict[tuple[str, str], dict[str, tuple[int, bytes]]] = {}
        self._open = False
        self._rests: dict[str, bytes] = {}
        self._missed: dict[str, bytes] = {}

    def begin(self, session: str, starts: bool = False) -> bytes | None:
        if self._open:
            raise failure("busy", "a transaction is open already")
        self._open = True
        self.rest = self._rests.get(session)
        self.missed = self._missed.get(session, b"")
        return self._blobs.get(session)

    def entry(self, session: str, table: str, key: str) -> tuple[int, bytes] | None:
        return self._tables.get((session, table), {}).get(key)

    def entries(self, session: str, table: str) -> Iterator[tuple[str, int, bytes]]:
        entries = self._tables.get((session, table), {})
        return iter([(key, *entries[key]) for key in sorted(entries, key=lambda key: entries[key][0])])

    def put(self, session: str, table: str, key: str, place: int, blob: bytes) -> None:
        self._changing(session, table)[key] = (place, blob)

    def drop(self, session: str, table: str, key: str | None) -> None:
        entries = self._changing(session, table)
        if key is None:
            entries.clear()
        else:
            entries.pop(key, None)

    def _changing(self, session: str, table: str) -> dict[str, tuple[int, bytes]]:
        if not self._open:
            raise failure("failed", "no transaction is open")
        entries = self._tables.setdefault((session, table), {})
        self._before.setdefault((session, table), dict(entries))
        return entries

    def commit(self, session: str, blob: bytes) -> None:
        if not self._open:
            raise failure("failed", "no transaction is open")
        self._blobs[session] = blob
        self._missed.pop(session, None)
        self._before.clear()
        self._open = False

    def lose(self, session: str, kind: bytes) -> None:
        self._missed[session] = self._missed.get(session, b"") + kind
        before = self._blobs.get(session)
        if before != LOST:
            self._rests[session] = before or b""
        self._blobs[session] = LOST

    def rollback(self) -> None:
        self._tables.update(self._before)
        self._before.clear()
        self._open = False
