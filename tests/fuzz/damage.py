"""Bytes as damage to other bytes: three at a time say where, and what stands there now."""

from __future__ import annotations


def damaged(sound: bytes, data: bytes) -> bytes:
    """The sound bytes with the damage; an odd last byte cuts off the end."""
    found = bytearray(sound)
    for place in range(0, len(data) - 2, 3):
        at = int.from_bytes(data[place : place + 2], "big") % max(len(found), 1)
        if found:
            found[at] = data[place + 2]
    if len(data) % 3 and found:
        del found[data[-1] * len(found) // 256 :]
    return bytes(found)


SEEDS = (b"", b"\x00\x00\x00", b"\x00\x10\xff", b"\x40", b"\x80\x01\x00\x02\x05\x41", bytes(range(30)))
"""Damage to begin with."""
