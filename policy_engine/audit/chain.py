"""Append a record to the decision log as the next link of its chain. Imported by the hook path.

A line ends in `"n"`, its number, `"prev"`, the digest of the record before it, and `"hash"`, the digest of all that
stands before that key. Beside the log lies its head file: how many records there are, the digest of the last and where
it ends, so that a cut tail shows, and so that a writer reads nothing but this, however long the log is. The head file
is also the lock. Who cannot have the lock in time leaves the record in a third file, from which the next writer brings
it into the chain. Bytes after the last link (a writer died, the disk was full) are ended and sealed by the next link.
A log that is long enough is moved away, and the chain goes on in a new one (audit/parts.py).
"""

from __future__ import annotations

import posix
import time
from _blake2 import blake2b

from policy_engine.audit.link import ENDING, digest_of, link_of
from policy_engine.state.own_file import open_own

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

FIRST = "0" * 64  # stands for the record before the first one
PART_BYTES = 1 << 24  # of a file; one that has more is moved away
WAIT_MS = 250  # for the lock; it is held for some 0.1 ms
TAIL_BYTES = 1 << 26  # after the last known link, read at most; a record has far less
LATE_BYTES = 1 << 23  # of records that waited, brought into the chain at once
LATE_KEPT = 1 << 20  # from this size on the file of late records is emptied when all of it is in the chain
LATE_MOST = 1 << 26  # that wait, at most
_RETRY = 0.002  # seconds between two tries for the lock
_HEAD_BYTES = 160
_KEPT = posix.O_RDWR | posix.O_CREAT


class Busy(OSError):
    """The lock was not to be had in time; the record waits beside the log."""


class Head:
    """The content of the head file: `count` records, `digest` of the last, which ends at byte `end` of the log.

    `first` is the number of the log's first record (a log that was moved away has the ones before; 0: not known),
    `late` how many bytes of the file of late records are in the chain.
    """

    __slots__ = ("count", "digest", "end", "first", "late")

    def __init__(self, count: int = 0, digest: str = FIRST, end: int = 0, first: int = 1, late: int = 0) -> None:
        self.count = count
        self.digest = digest
        self.end = end
        self.first = first
        self.late = late

    def to_bytes(self) -> bytes:
        """One line of fixed length, with a check sum."""
        text = f"{self.count} {self.digest} {self.end} {self.first} {self.late}".encode("ascii")
        return text.ljust(_HEAD_BYTES - 18) + b" " + _check(text) + b"\n"


def read_head(data: bytes) -> Head | None:
    """Return the head in these bytes; None if they are not a whole one."""
    text, check = data[: _HEAD_BYTES - 18].rstrip(), data[_HEAD_BYTES - 17 : -1]
    if len(data) != _HEAD_BYTES or check != _check(text):
        return None
    count, digest, end, first, late = text.decode("ascii").split(" ")
    return Head(int(count), digest, int(end), int(first), int(late))


def head_path(log: str) -> str:
    """Return the head file of a log."""
    return f"{log.removesuffix('.jsonl')}.head"


def late_path(log: str) -> str:
    """Return where the records wait whose writers could not have the lock."""
    return f"{log.removesuffix('.jsonl')}.late"


def add(log: str, body: bytes, wait_ms: int = WAIT_MS) -> None:
    """Append a record, one JSON object. Raises Busy if it must wait beside the log, OSError if it cannot be kept."""
    add_all(log, (body,), wait_ms)


def add_all(log: str, bodies: Sequence[bytes], wait_ms: int = WAIT_MS) -> None:
    """Append records in this order. Raises as `add`."""
    lock = open_own(head_path(log), _KEPT, mend=True)
    try:
        if not _locked(lock, wait_ms):
            for body in bodies:
                _wait(late_path(log), body)
            raise Busy("another process holds the lock of the decision log; the record waits beside it")
        file = open_own(log, _KEPT | posix.O_APPEND, mend=True)
        try:
            _Writer(log, file, lock).add(bodies)
        finally:
            posix.close(file)
    finally:
        posix.close(lock)  # and with it the lock


def _check(text: bytes) -> bytes:
    return str(blake2b(text, digest_size=8).hexdigest()).encode("ascii")


def _locked(descriptor: int, wait_ms: int) -> bool:
    """Take the lock of the process; a signal handler that logs while its process holds it gets it again."""
    deadline = time.monotonic_ns() + wait_ms * 1_000_000
    while True:
        try:
            posix.lockf(descriptor, posix.F_TLOCK, 0)
            return True
        except (BlockingIOError, PermissionError):
            if time.monotonic_ns() >= deadline:
                return False
            time.sleep(_RETRY)


def _wait(path: str, body: bytes) -> None:
    """Leave the record for the next writer; the line breaks keep it apart from one that a dying process tore."""
    file = open_own(path, _KEPT | posix.O_APPEND, mend=True)
    try:
        if not _locked(file, WAIT_MS) or posix.fstat(file).st_size > LATE_MOST:
            raise OSError("another process holds its lock, and too many records wait")
        _write(file, b"\n%b %b\n" % (_check(body), body))
    finally:
        posix.close(file)


def _write(file: int, data: bytes) -> None:
    if posix.write(file, data) != len(data):
        raise OSError("there is no room for the whole record")


class _Writer:
    """The holder of the lock."""

    __slots__ = ("_file", "_head", "_lock", "_log", "_seal", "_surplus")

    def __init__(self, log: str, file: int, lock: int) -> None:
        self._log = log
        self._file = file
        self._lock = lock
        self._seal = b""  # what the next link says of the bytes before it
        size = posix.fstat(file).st_size
        head = read_head(posix.pread(lock, _HEAD_BYTES + 1, 0))
        self._head = head if head is not None else self._lost(size)
        if size == 0 or head is None:
            # known before the first line is there, so that a line without a head file is always a loss
            self._head.first, self._head.end = (self._head.count + 1 if size == 0 else 0), size
            self._keep()
        self._surplus: list[str] = []
        if size == 0 and self._head.count:
            from policy_engine.audit.parts import surplus

            self._surplus, dropped = surplus(log)
            self._seal += dropped
        if size != self._head.end:
            self._catch_up(size)

    def add(self, bodies: Sequence[bytes]) -> None:
        """Write the records that waited, then these."""
        try:
            late = posix.stat(late_path(self._log)).st_size
        except FileNotFoundError:
            late = 0
        if late != self._head.late:
            self._bring_in(late)
        self._link([body[:-1] for body in bodies])
        if self._head.end >= PART_BYTES:
            from policy_engine.audit.parts import turn

            turn(self._log, self._head.count)

    def _link(self, bodies: Sequence[bytes]) -> None:
        """Write links, then where the log ends now: who dies in between leaves links that the next writer takes in."""
        head, lines = self._head, []
        count, own = head.count, head.digest
        for body in bodies:
            count += 1
            line = b'%b%b,"n":%d,"prev":"%b"' % (body, self._seal, count, own.encode("ascii"))
            own, self._seal = digest_of(line), b""
            lines.append(line + b',"hash":"%b"}\n' % own.encode("ascii"))
        data = b"".join(lines)
        _write(self._file, data)
        head.count, head.digest, head.end = count, own, head.end + len(data)
        self._keep()
        if self._surplus:
            from policy_engine.audit.parts import drop

            gone, self._surplus = self._surplus, []
            drop(gone)

    def _keep(self) -> None:
        data = self._head.to_bytes()
        if posix.pwrite(self._lock, data, 0) != len(data):
            raise OSError("there is no room for the head of the decision log")

    def _lost(self, size: int) -> Head:
        """Without a head file the last line of the log says where to go on, and the next link says so."""
        if size == 0:
            from policy_engine.audit.parts import last, parts

            before = parts(self._log)
            if not before:
                return Head()
            self._seal = b',"head":"missing"'
            count, digest = last(before[-1])
            return Head(count, digest or FIRST)
        self._seal = b',"head":"missing"'
        end = posix.pread(self._file, ENDING, max(size - ENDING, 0))
        link = link_of(end[:-1])
        return Head(link[0], link[2], size) if link is not None else Head(end=size)

    def _catch_up(self, size: int) -> None:
        """Take in links that a writer did not live to note; end and seal what is none. A log that was cut stays so."""
        head = self._head
        if size < head.end:
            head.end = size
            if size and posix.pread(self._file, 1, size - 1) != b"\n":
                self._end_line()
            return
        tail = posix.pread(self._file, min(size - head.end, TAIL_BYTES), head.end)
        while tail:
            line, end, rest = tail.partition(b"\n")
            link = link_of(line) if end else None
            if link is None or not link[3] or link[:2] != (head.count + 1, head.digest):
                break
            head.count, head.digest, head.end, tail = link[0], link[2], head.end + len(line) + 1, rest
        head.end = size
        if tail:
            if tail[-1:] != b"\n":
                self._end_line()
                tail += b"\n"
            self._seal = b',"torn":[%d,"%b"]' % (len(tail), digest_of(tail).encode("ascii"))

    def _end_line(self) -> None:
        _write(self._file, b"\n")
        self._head.end += 1

    def _bring_in(self, size: int) -> None:
        head = self._head
        if size < head.late:
            head.late = 0  # another file
        file = open_own(late_path(self._log), _KEPT, mend=True)
        try:
            self._link_late(posix.pread(file, LATE_BYTES, head.late) if size > head.late else b"")
            if head.late >= LATE_KEPT and _locked(file, 0) and head.late == posix.fstat(file).st_size:
                # in this order: whoever dies in between leaves records that come twice, and none that never come
                head.late = 0
                self._keep()
                posix.ftruncate(file, 0)
        finally:
            posix.close(file)

    def _link_late(self, waiting: bytes) -> None:
        head = self._head
        for line in waiting.splitlines(keepends=True):
            if line[-1:] != b"\n":
                break  # it is being written
            head.late += len(line)
            check, _, body = line[:-1].partition(b" ")
            if body and check == _check(body):  # else its writer died
                self._link((body[:-1] + b',"late":true',))
