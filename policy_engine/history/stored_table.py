"""A dictionary of a session's history of which an event needs a few entries, kept in the rows of a store.

It behaves as far as the history needs it like the plain dictionary that a session in memory has: entries are read when
they are asked for, iteration goes from the one put longest ago to the latest, and `flush` writes what changed. Values
are marshalled. A value that is changed in place must be put again. Imported by the hook path.
"""

from __future__ import annotations

import marshal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any, Protocol

    class Rows(Protocol):
        """The entries of one table in a store: key -> (place in the order, blob). Every method may raise StoreError."""

        def get(self, key: str) -> tuple[int, bytes] | None: ...

        def put(self, key: str, place: int, blob: bytes) -> None: ...

        def drop(self, key: str) -> None: ...

        def ordered(self) -> Iterator[tuple[str, int, bytes]]: ...


_GONE = object()


class StoredTable:
    """Entries in `rows`. `size` is how many there are, `next` the place of the next one: both are kept by the owner."""

    __slots__ = ("size", "next", "_rows", "_known", "_places", "_changed")

    def __init__(self, rows: Rows, size: int = 0, next_place: int = 0) -> None:
        self.size = size
        self.next = next_place
        self._rows = rows
        self._known: dict[str, Any] = {}
        self._places: dict[str, int] = {}
        self._changed: set[str] = set()

    def __len__(self) -> int:
        return self.size

    def get(self, key: str, default: Any = None) -> Any:
        value = self._known.get(key)
        if value is None:
            row = self._rows.get(key)
            if row is None:
                value = _GONE
            else:
                self._places[key], value = row[0], marshal.loads(row[1])
            self._known[key] = value
        return default if value is _GONE else value

    def pop(self, key: str, default: Any = None) -> Any:
        value = self.get(key, _GONE)
        if value is _GONE:
            return default
        del self[key]
        return value

    def __delitem__(self, key: str) -> None:
        self._known[key] = _GONE
        self._places.pop(key, None)
        self._changed.add(key)
        self.size -= 1

    def __setitem__(self, key: str, value: Any) -> None:
        if self.get(key, _GONE) is _GONE:
            self._places[key] = self.next
            self.next += 1
            self.size += 1
        self._known[key] = value
        self._changed.add(key)

    def __iter__(self) -> Iterator[str]:
        self.flush()
        return (key for key, _, _ in self._rows.ordered())

    def items(self) -> Iterable[tuple[str, Any]]:
        """Return all of them, in their order."""
        self.flush()
        return [(key, self._taken(key, place, blob)) for key, place, blob in self._rows.ordered()]

    def _taken(self, key: str, place: int, blob: bytes) -> Any:
        value = self._known.get(key)
        if value is None:
            self._places[key] = place
            value = self._known[key] = marshal.loads(blob)
        return value

    def flush(self) -> None:
        """Write what changed."""
        for key in sorted(self._changed):
            value = self._known[key]
            if value is _GONE:
                self._rows.drop(key)
            else:
                self._rows.put(key, self._places[key], marshal.dumps(value))
        self._changed.clear()


def retain(table: Any, kept: set[str]) -> None:
    """Drop all entries but these, of a table or a dictionary."""
    for key in [key for key in table if key not in kept]:
        del table[key]
