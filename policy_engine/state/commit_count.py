"""The count of commits in a small file beside a store: a store that knows of fewer was set back or replaced.

The file is written in place, 16 bytes at once, after each commit; whoever dies in between leaves it behind the store,
never ahead of it. Imported by the hook path.
"""

from __future__ import annotations

import posix
from binascii import crc32

from policy_engine.state.own_file import failure, open_own, refused

SUFFIX = ".commits"
BROKEN = -1
_MAGIC = b"PEC1"


def read_count(store: str) -> int | None:
    """The count beside the store at this path; None if there is none, BROKEN if it is not whole. Raises StoreError."""
    try:
        file = open_own(store + SUFFIX, mend=True)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise refused(error) from None
    try:
        kept = posix.read(file, 16)
    except OSError as error:
        raise refused(error) from None
    finally:
        posix.close(file)
    if not kept:
        return None  # another process is just making it
    count = kept[4:12]
    sound = kept == _record(count) and count[0] < 0x40  # a count that is too high for the store is none of ours
    return int.from_bytes(count, "big") if sound else BROKEN


def write_count(store: str, count: int) -> None:
    """Keep the count. Raises StoreError."""
    try:
        file = open_own(store + SUFFIX, posix.O_WRONLY | posix.O_CREAT)
    except OSError as error:
        raise refused(error) from None
    try:
        if posix.pwrite(file, _record(count.to_bytes(8, "big")), 0) != 16:
            raise failure("full", "there is no room for the count of commits")
    except OSError as error:
        raise refused(error) from None
    finally:
        posix.close(file)


def hold(store: str) -> int:
    """A descriptor that says, until it is closed, that this process is between the beginning and end of an event."""
    try:
        file = open_own(store + SUFFIX, posix.O_RDWR)
    except OSError:
        return -1
    try:
        posix.lockf(file, posix.F_TLOCK, 0)
    except OSError:
        return file  # it only makes others more patient
    return file


def held(store: str) -> bool:
    """Return whether another process says so."""
    try:
        file = open_own(store + SUFFIX, posix.O_RDWR)
    except OSError:
        return False
    try:
        posix.lockf(file, posix.F_TEST, 0)
    except OSError:
        return True
    finally:
        posix.close(file)
    return False


def _record(count: bytes) -> bytes:
    return _MAGIC + count + crc32(_MAGIC + count).to_bytes(4, "big")
