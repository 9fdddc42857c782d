"""Drop the pasts of sessions that are too old, or too many for the file, and give the room back: a little at a time.

Of a dropped session a row without a state stays, so that one that is taken up again is LOST, never new. Only imported
by the store when a step is due; a step is a transaction of its own, whose failure harms no event.
"""

from __future__ import annotations

from policy_engine.model.limits import (
    PRUNE_ENTRIES,
    PRUNE_PAGES,
    PRUNE_SESSIONS,
    SESSION_DAYS,
    SESSION_MARKERS,
    STORE_BYTES,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    import _sqlite3

DAY = 86_400  # seconds
GONE = -1
"""The epoch of a session of which only the row is left; it is no epoch of any file."""
_EMPTYING = -2  # the same, but entries of it are left
_OLDEST = "SELECT id FROM session WHERE epoch != -1 AND touched < ? ORDER BY touched LIMIT ?"
_EMPTY = "UPDATE session SET state = x'', epoch = ? WHERE id = ?"
_ENTRIES = (
    "DELETE FROM entry WHERE session = ?1 AND (session, shelf, key) IN"
    " (SELECT session, shelf, key FROM entry WHERE session = ?1 LIMIT ?2)"
)
_MARKERS = "DELETE FROM session WHERE id IN (SELECT id FROM session WHERE epoch = -1 ORDER BY touched LIMIT ?)"


def prune(connection: _sqlite3.Connection, now: int) -> None:
    """Take one step in a transaction of its own, and give room back in another. Raises _sqlite3.Error."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        before = now - SESSION_DAYS * DAY
        if _used_bytes(connection) > STORE_BYTES:
            before = now - DAY  # what was touched since may be running
        left = PRUNE_ENTRIES
        for (session,) in connection.execute(_OLDEST, (before, PRUNE_SESSIONS)).fetchall():
            dropped = connection.execute(_ENTRIES, (session, left)).rowcount
            left -= dropped
            connection.execute(_EMPTY, (GONE if left else _EMPTYING, session))
            if not left:
                break
        surplus = connection.execute("SELECT count(*) FROM session WHERE epoch = -1").fetchone()[0] - SESSION_MARKERS
        if surplus > 0:
            connection.execute(_MARKERS, (min(surplus, PRUNE_SESSIONS),))
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    connection.executescript(f"PRAGMA incremental_vacuum({PRUNE_PAGES})")  # `execute` would give back one page


def _used_bytes(connection: _sqlite3.Connection) -> int:
    pages, free, size = (
        int(connection.execute(f"PRAGMA {name}").fetchone()[0])
        for name in ("page_count", "freelist_count", "page_size")
    )
    return (pages - free) * size
