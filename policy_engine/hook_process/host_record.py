"""Read the file in which a host records its session: what the payload hides stands at its end or its beginning.

The file is written by the host and by nobody else as long as the guards hold, and yet it is no payload: only so much
of it is read, and only if it is a file that no other user could have written. Imported by the hook path.
"""

from __future__ import annotations

import posix

from policy_engine.state.own_file import open_own

HEAD = 1 << 16  # bytes
TAIL = 1 << 20  # bytes; what ended just now is at the end, and a line holds a command's output


def tail(path: object) -> bytes:
    """The last whole lines of the file; nothing of one that is not there or not to be trusted."""
    return _part(path, TAIL, True)


def head(path: object) -> bytes:
    """The first whole lines of the file, as `tail`."""
    return _part(path, HEAD, False)


def _part(path: object, most: int, end: bool) -> bytes:
    if type(path) is not str or path[:1] != "/" or "\0" in path:
        return b""
    try:
        file = open_own(path)
    except (OSError, ValueError):
        return b""
    try:
        start = max(posix.fstat(file).st_size - most, 0) if end else 0
        data: bytes = posix.pread(file, most, start)
    except OSError:
        return b""
    finally:
        posix.close(file)
    if not end:
        return data.rpartition(b"\n")[0]
    return data.partition(b"\n")[2] if start else data
