"""Keep a session's small files beside the store, of records of one length that are only ever added.

Outside the store, because to open that costs more than most decisions, and because what is kept here has to hold where
a store cannot be had. All functions raise OSError. Imported by the hook path.
"""

from __future__ import annotations

import posix
from _blake2 import blake2b

from policy_engine.state.own_file import open_own, put_own, read_own, replace_own
from policy_engine.state.places import make_folder, state_folder

MOST = 1 << 16  # bytes of a file; of a longer one the newer half stays


def path_of(folder: str, session: str) -> str:
    """The session's file in this folder of the state."""
    return f"{state_folder()}/{folder}/{digest(session.encode('utf-8', 'surrogatepass'), 16).hex()}"


def digest(data: bytes, size: int = 8) -> bytes:
    """So many bytes that stand for the data."""
    digest_bytes: bytes = blake2b(data, digest_size=size).digest()
    return digest_bytes


def content(path: str) -> bytes | None:
    """Return what is in a file, None if there is none."""
    try:
        return read_own(path, 2 * MOST)
    except FileNotFoundError:
        return None


def split(data: bytes, size: int) -> list[bytes]:
    """The records of this length."""
    return [data[start : start + size] for start in range(0, len(data) - size + 1, size)]


def add(path: str, record: bytes) -> None:
    """One more record; all records of a file are of its length."""
    file = _open(path)
    try:
        if posix.write(file, record) != len(record):
            raise OSError(0, "no room for a record")
        size = posix.fstat(file).st_size
    finally:
        posix.close(file)
    if size > MOST:
        newer = split(content(path) or b"", len(record))[-(MOST // len(record)) // 2 :]
        replace(path, b"".join(newer))


def replace(path: str, data: bytes) -> None:
    """Nothing but this, at once."""
    try:
        replace_own(path, data)
    except FileNotFoundError:
        make_folder(path.rsplit("/", 1)[0])
        replace_own(path, data)


def put(path: str, data: bytes) -> bool:
    """Make the file with this in it unless there is one; return whether there was none."""
    try:
        return put_own(path, data)
    except FileNotFoundError:
        make_folder(path.rsplit("/", 1)[0])
        return put_own(path, data)


def empty(path: str) -> None:
    """No records any more, if there is a file."""
    try:
        file = open_own(path, posix.O_WRONLY)
    except FileNotFoundError:
        return
    try:
        posix.ftruncate(file, 0)
    finally:
        posix.close(file)


def forget(path: str) -> None:
    """No file any more."""
    try:
        posix.unlink(path)
    except FileNotFoundError:
        return


def _open(path: str) -> int:
    how = posix.O_APPEND | posix.O_WRONLY | posix.O_CREAT
    try:
        return open_own(path, how)
    except FileNotFoundError:
        make_folder(path.rsplit("/", 1)[0])
        return open_own(path, how)
