"""Read the key of digests that stand for text, from a file of this user only. Imported by the hook path."""

from __future__ import annotations

import posix
from _blake2 import blake2b

from policy_engine.state.own_file import PRIVATE, put_own, read_own

KEY_BYTES = 32


def read_key(path: str) -> bytes:
    """Return the key in the file, made if there is none; whoever comes first makes it for all. Raises OSError."""
    try:
        key = read_own(path, KEY_BYTES + 1, PRIVATE)
    except FileNotFoundError:
        put_own(path, posix.urandom(KEY_BYTES))
        key = read_own(path, KEY_BYTES + 1, PRIVATE)
    if len(key) != KEY_BYTES:
        raise OSError("the key has another length")
    return key


def keyed(key: bytes, text: str) -> str:
    """Return 32 hexadecimal digits that stand for the text, and tell nothing of it to who has not the key."""
    digest: str = blake2b(text.encode("utf-8", "surrogatepass"), key=key, digest_size=16).hexdigest()
    return digest
