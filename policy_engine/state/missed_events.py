"""Mark, in a file beside a store, that a session misses events, so that its past is LOST until the next commit.

It needs no transaction: a store that is busy, full or away can still be told. Imported by the hook path.
"""

from __future__ import annotations

import posix
from _blake2 import blake2b

from policy_engine.state.own_file import exists, open_own, refused, unlink

ANY = b"?"  # a missing event of which nothing is known
MOST = 1024  # missing events of a session that are told apart


class MissedEvents:
    """The marks whose names begin with a path: one file for each session, one byte in it for each event."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._taken = ""

    def add(self, session: str, kind: bytes) -> None:
        """Mark that an event of this kind is missing. Raises StoreError."""
        try:
            mark, fresh = _open_mark(self._mark(session))
        except OSError as error:
            raise refused(error) from None
        try:
            _write_kind(mark, kind, fresh)
        finally:
            posix.close(mark)

    def take(self, session: str) -> bytes | None:
        """Return the kinds of the events that are missing, b"" if they are not known, None if none is.

        The mark is moved aside, so that one made from now on is not taken for it; `done` removes it.
        """
        mark = self._mark(session)
        taken, self._taken = f"{mark}.taken", ""
        left = exists(taken)  # of a process that ended before it had written what it found
        try:
            if left:
                _add_unknown(mark)
            posix.rename(mark, taken)
        except FileNotFoundError:
            if not left:
                return None
        except OSError:
            return b""  # it stays, and is found again by the next event
        self._taken = taken
        return _kinds_in(taken)

    def done(self) -> None:
        """Remove what was taken: the session's state says it now."""
        if self._taken:
            unlink(self._taken)

    def _mark(self, session: str) -> str:
        name = blake2b(session.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
        return f"{self.path}.lost-{name}"


def _open_mark(path: str) -> tuple[int, bool]:
    """Return the mark of a session that missed an event, and whether it was made just now. Raises OSError."""
    flags = posix.O_WRONLY | posix.O_CREAT | posix.O_APPEND
    try:
        return open_own(path, flags | posix.O_EXCL), True
    except FileExistsError:
        return open_own(path, flags), False


def _write_kind(mark: int, kind: bytes, fresh: bool) -> None:
    """Add what is known of a missing event; an empty mark says that nobody knows what is missing."""
    try:
        size = posix.fstat(mark).st_size
        known = fresh or 0 < size < MOST
        if posix.write(mark, kind if known else ANY) == len(ANY):
            return
    except OSError:
        posix.ftruncate(mark, 0)


def _add_unknown(mark: str) -> None:
    """Say of a mark, which is about to replace another, that more is missing. Raises OSError."""
    file = posix.open(mark, posix.O_WRONLY | posix.O_APPEND | posix.O_CLOEXEC | posix.O_NOFOLLOW)
    try:
        posix.ftruncate(file, 0)
    finally:
        posix.close(file)


def _kinds_in(mark: str) -> bytes:
    try:
        file = posix.open(mark, posix.O_RDONLY | posix.O_CLOEXEC | posix.O_NOFOLLOW | posix.O_NONBLOCK)
    except OSError:
        return b""
    try:
        content: bytes = posix.read(file, MOST + 1)
        return content if len(content) <= MOST else b""
    finally:
        posix.close(file)
