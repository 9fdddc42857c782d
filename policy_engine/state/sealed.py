"""A value ↔ bytes of a file in the cache folder, which are believed only if nobody else could have written them.

Every part carries a checksum, looked at before `marshal` is: damaged bytes can end the interpreter there. Imported by
the hook path.
"""

from __future__ import annotations

import marshal
import posix
import sys
from _blake2 import blake2b

from policy_engine import __version__
from policy_engine.state.own_file import open_own, read_all

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FORMAT = 6
"""Version of everything that is kept; part of the checksum's key, so that another version reads nothing of it."""
CHECK = 8  # bytes of a checksum


class CacheMiss(Exception):
    """There is no usable cache entry; the text says why."""


def open_file(path: str) -> int:
    """A descriptor of a cache file. Raises CacheMiss unless it is a regular file that only this user may write."""
    try:
        return open_own(path)
    except OSError as error:
        raise CacheMiss(f"{path}: {error.strerror}") from None


def read_file(path: str) -> bytes:
    """A cache file's content. Raises CacheMiss."""
    descriptor = open_file(path)
    try:
        return read_all(descriptor)
    except OSError as error:
        raise CacheMiss(f"{path}: {error.strerror}") from None
    finally:
        posix.close(descriptor)


def sealed(value: Any) -> bytes:
    """A value as `opened` takes it."""
    data = marshal.dumps(value)
    return _check(data) + data


def opened(kept: bytes) -> Any:
    """The value. Raises CacheMiss if the bytes are not what was written, or another version wrote them."""
    data = kept[CHECK:]
    if _check(data) != kept[:CHECK]:
        raise CacheMiss("the cache is damaged, or another version wrote it")
    try:
        return marshal.loads(data)
    except (ValueError, EOFError, TypeError) as error:
        raise CacheMiss(str(error)) from None


def _check(data: bytes) -> bytes:
    digest: bytes = blake2b(data, digest_size=CHECK, key=_KEY).digest()
    return digest


_KEY = repr((FORMAT, __version__, sys.implementation.cache_tag)).encode()
