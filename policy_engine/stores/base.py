"""Define a `Store`, which keeps the state of sessions, one transaction per event.

Of each session that is one blob, read at every event, and shelves of entries, of which an event reads its own.

    blob = store.begin("s-1")        # None for a new session, LOST if it had a past that is gone; others now wait
    store.commit("s-1", new_blob)    # or store.rollback()

Many processes use one store at once: between `begin` and `commit` no other gets a blob of the same store. Imported by
the hook path.
"""

from __future__ import annotations

from binascii import crc32

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_MAGIC = b"PE1"
_HEAD = len(_MAGIC) + 8
LOST = b""
"""What `begin` gives for a session whose past was damaged: its history is unknown, which is not the same as empty."""


class Store:
    """A store. Every method raises StoreError; its text starts with a stable word.

    `busy` another process holds it too long · `full` no room · `readonly` it cannot be written · `corrupt` it was not
    readable and has been set aside · `foreign` it is not ours, or of another version · `unsafe` others could change it
    · `failed` anything else.

    `rest` is what is left of the session that `begin` gave as LOST: the latest blob that it had, empty if it
    had none yet, None if that is not known. `missed` is what is known of the events that are missing in it, one byte
    each, b"" if that is not known (history/doubt.py).
    """

    rest: bytes | None = None
    missed: bytes = b""

    def begin(self, session: str, starts: bool = False) -> bytes | None:
        """Start the transaction of one event and give the session's blob: None if it is new, LOST if its past is gone.

        `starts`: the event opens the session, so a session that is not known has no past.
        """
        raise NotImplementedError

    def entry(self, session: str, table: str, key: str) -> tuple[int, bytes] | None:
        """One of the many small blobs beside the session's own, with its place in the order of its table."""
        raise NotImplementedError

    def entries(self, session: str, table: str) -> Iterator[tuple[str, int, bytes]]:
        """Yield all entries of a table (key, place, blob), by their places; read while it is iterated."""
        raise NotImplementedError

    def put(self, session: str, table: str, key: str, place: int, blob: bytes) -> None:
        """Keep an entry with the transaction that is open."""
        raise NotImplementedError

    def drop(self, session: str, table: str, key: str | None) -> None:
        """Forget an entry, or with None all entries of a table, with the transaction that is open."""
        raise NotImplementedError

    def commit(self, session: str, blob: bytes) -> None:
        """Keep the blob and end the transaction."""
        raise NotImplementedError

    def rollback(self) -> None:
        """End the transaction without a change; never raises."""
        raise NotImplementedError

    def lose(self, session: str, kind: bytes) -> None:
        """Mark that an event of this kind could not be recorded: from its next event on the session's past is LOST.

        Raises StoreError. Needs no transaction, so that it works while the store is busy.
        """
        raise NotImplementedError

    def key(self) -> bytes:
        """Return the key of the digests that stand for text in what this store keeps. Raises StoreError."""
        return b""

    def present(self) -> bool:
        """Return whether there is anything to ask, without making it."""
        return True

    def knows(self, session: str) -> bool:
        """Return whether a session is known, as far as that can be told without waiting for it; never raises."""
        raise NotImplementedError

    def latest(self) -> str:
        """Return the session that an event touched last, "" if there is none. Raises StoreError."""
        raise NotImplementedError

    def check(self) -> tuple[int, str]:
        """Write as an event does; return when and why a past was last lost for all, or (0, ""). Raises StoreError."""
        raise NotImplementedError

    def close(self) -> None:
        """Give up the connection; never raises."""


def sealed(blob: bytes) -> bytes:
    """Return a blob with its mark, length and checksum."""
    return _MAGIC + len(blob).to_bytes(4, "big") + crc32(blob).to_bytes(4, "big") + blob


def unsealed(kept: object) -> bytes | None:
    """Return the blob, None if it is not whole."""
    if type(kept) is not bytes or kept[: len(_MAGIC)] != _MAGIC or len(kept) < _HEAD:
        return None
    blob = kept[_HEAD:]
    length, checksum = int.from_bytes(kept[3:7], "big"), int.from_bytes(kept[7:11], "big")
    return blob if (len(blob), crc32(blob)) == (length, checksum) else None
