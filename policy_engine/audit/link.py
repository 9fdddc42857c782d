"""Read what links a record of the decision log to the one before. Imported by the hook path."""

from __future__ import annotations

from _blake2 import blake2b

DIGEST_BYTES = 32
ENDING = 192  # bytes at the end of a line that hold its number and digests


def digest_of(data: bytes) -> str:
    """Return the digest that links records."""
    return str(blake2b(data, digest_size=DIGEST_BYTES).hexdigest())


def link_of(line: bytes) -> tuple[int, str, str, bool] | None:
    """Return (number, digest before, own digest, is it the line's) of a line without its end; None without them."""
    start = line.rfind(b',"n":', -ENDING)
    parts = line[start + 5 :].split(b'"')
    if start < 0 or len(parts) != 9 or parts[1] != b"prev" or parts[5] != b"hash" or parts[8] != b"}":
        return None
    number, before, own = parts[0][:-1], parts[3], parts[7]
    if not number.isdigit() or parts[0][-1:] != b"," or not before.isalnum() or not own.isalnum():
        return None
    if parts[2] != b":" or parts[4] != b"," or parts[6] != b":":
        return None
    hashed = line[: -len(b',"hash":""}') - len(own)]
    return int(number), before.decode("ascii"), own.decode("ascii"), digest_of(hashed) == own.decode("ascii")
