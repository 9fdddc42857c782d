"""Rename a long log to a part and delete the oldest parts, so that the size of the log is bounded.

A part is named after the log and the number of its last record. The chain goes on in the next file. When a new file
begins, its first record tells up to which number, and to which digest, older parts are dropped; they go after that.
Imported by the hook path only where a file is full, or new.
"""

from __future__ import annotations

import posix

from policy_engine.audit.link import ENDING, link_of
from policy_engine.state.own_file import open_own

PARTS = 8  # files besides the one that is written to
_DIGITS = 12


def parts(log: str) -> list[str]:
    """Return the parts beside a log, oldest first; what was moved away by hand has other names."""
    folder, _, name = log.rpartition("/")
    start = f"{name}."
    try:
        names = posix.listdir(folder or ".")
    except FileNotFoundError:
        return []
    ours = [each for each in names if each.startswith(start) and _number(each[len(start) :])]
    return [f"{folder}/{each}" if folder else each for each in sorted(ours)]


def turn(log: str, count: int) -> None:
    """Make a part of the log, whose last record has this number. Nothing is written over. Raises OSError."""
    name = f"{log}.{count:0{_DIGITS}}"
    while _present(name):
        name += "~"
    try:
        posix.rename(log, name)
    except FileNotFoundError:
        return  # it was moved away by hand


def surplus(log: str) -> tuple[list[str], bytes]:
    """Return the parts that are too many, and what the next record tells of them. Raises OSError."""
    gone = parts(log)[:-PARTS]
    if not gone:
        return [], b""
    number, digest = last(gone[-1])
    return gone, b',"dropped":[%d,"%b"]' % (number, digest.encode("ascii"))


def drop(gone: list[str]) -> None:
    """Remove parts, of which the chain has told. Raises OSError."""
    for part in gone:
        try:
            posix.unlink(part)
        except FileNotFoundError:
            continue


def last(part: str) -> tuple[int, str]:
    """Return the number and the digest of a part's last record; without a digest if only its name says the number."""
    file = open_own(part)
    try:
        end = posix.pread(file, ENDING, max(posix.fstat(file).st_size - ENDING, 0))
    finally:
        posix.close(file)
    link = link_of(end[:-1])
    return (link[0], link[2]) if link is not None else (int(part.rpartition(".")[2].rstrip("~")), "")


def _number(text: str) -> bool:
    digits = text.rstrip("~")
    return len(digits) >= _DIGITS and digits.isascii() and digits.isdigit()


def _present(path: str) -> bool:
    try:
        posix.lstat(path)
    except FileNotFoundError:
        return False
    return True
