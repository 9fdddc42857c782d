"""Read the records of the decision log, oldest first, and on request every new one as it is written.

A process that died while writing leaves a torn line, and a disk that filled up may leave one in the middle: such
lines are counted, never guessed at, and never hide the others.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

from policy_engine.audit.parts import parts
from policy_engine.model.errors import ConfigurationError

Record = dict[str, Any]


class LogReader:
    """Reads a log and its parts; `torn`: its last line is incomplete; `unreadable`: how many others are no record."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.torn = False
        self.unreadable = 0
        self._file: BinaryIO | None = None
        self._rest = b""
        self._past = False  # whether the parts were read

    def records(self) -> Iterator[Record]:
        """Yield every whole record that the log holds now; none if there is no log. Raises ConfigurationError."""
        if self._file is None:
            self._open()
        if not self._past:
            self._past = True
            yield from self._before()
        if self._file is None:
            return
        for line in self._file:
            whole = self._rest + line
            if not line.endswith(b"\n"):
                self._rest = whole
                break
            self._rest = b""
            record = self._record(whole)
            if record is not None:
                yield record
        self.torn = bool(self._rest)

    def follow(self, wait: Callable[[], None]) -> Iterator[Record]:
        """Yield what the log holds and whatever is added; `wait` is called whenever there is nothing new. Never ends.

        A log that was moved away or emptied is read again from the start of the new one.
        """
        while True:
            yield from self.records()
            wait()
            if self._file is not None and self._replaced():
                yield from self.records()  # what it got before it was moved away
                self.close()

    def close(self) -> None:
        """Let the file go; a later read begins at its start."""
        if self._file is not None:
            self._file.close()
        self._file, self._rest, self.torn = None, b"", False

    def _open(self) -> None:
        self._file = _opened(self.path)

    def _before(self) -> Iterator[Record]:
        """Yield what the parts hold. One that was made of the log after it was opened here is the log."""
        open_now = os.fstat(self._file.fileno()) if self._file is not None else None
        for part in parts(self.path):
            file = _opened(part)
            if file is None:
                continue  # it was dropped just now
            with file:
                if open_now is None or not os.path.samestat(os.fstat(file.fileno()), open_now):
                    yield from (record for line in file if (record := self._record(line)) is not None)

    def _replaced(self) -> bool:
        assert self._file is not None
        mine = os.fstat(self._file.fileno())
        try:
            now = os.stat(self.path)
        except FileNotFoundError:
            return False  # moved away; the next one is not there yet, and the old may still be written to
        except OSError as problem:
            raise ConfigurationError(f"cannot read `{self.path}`: {(problem.strerror or '').lower()}") from None
        return (mine.st_dev, mine.st_ino) != (now.st_dev, now.st_ino) or now.st_size < self._file.tell()

    def _record(self, line: bytes) -> Record | None:
        result = _read(line)
        self.unreadable += result is None and bool(line.strip())
        return result


class LogTail:
    """The last lines of a log and its parts: they are read once, from then on only what was added."""

    def __init__(self, most: int) -> None:
        """Keep up to `most` bytes."""
        self._most = most
        self._place = ("", -1, 0)  # log, inode and the end of what was read

    def read(self, log: str) -> tuple[bool, list[tuple[bytes, Record]]]:
        """Return the lines that are new since the last call, with their records; lines that are no record are left out.

        The first part says whether what was returned before is to be forgotten: the log was moved away, or is another.
        Raises ConfigurationError.
        """
        file = _opened(log)
        if file is None:
            again, self._place = self._place[0] != "", ("", -1, 0)
            return again, []
        with file:
            status = os.fstat(file.fileno())
            name, inode, end = self._place
            again = (name, inode) != (log, status.st_ino) or status.st_size < end
            data = self._end(log, file) if again else _from(file, end)
            whole = data[: data.rfind(b"\n") + 1]
            self._place = log, status.st_ino, file.tell() - len(data) + len(whole)
        lines = [(line, _read(line)) for line in whole.split(b"\n") if line]
        return again, [(line, record) for line, record in lines if record is not None]

    def _end(self, log: str, file: BinaryIO) -> bytes:
        """Return the end of a log, with that of its parts before it; whole lines."""
        data = _from(file, max(file.seek(0, os.SEEK_END) - self._most, 0))
        for part in reversed(parts(log)):
            left = self._most - len(data)
            older = _opened(part) if left > 0 else None
            if older is not None:
                with older:
                    data = _from(older, max(older.seek(0, os.SEEK_END) - left, 0)) + data
        return data[data.find(b"\n") + 1 :] if len(data) >= self._most else data


def _from(file: BinaryIO, place: int) -> bytes:
    file.seek(place)
    return file.read()


def size(log: str) -> int | None:
    """Return the bytes of a log and its parts, None if there is none."""
    sizes = []
    for path in (*parts(log), log):
        try:
            sizes.append(os.stat(path).st_size)
        except OSError:
            continue
    return sum(sizes) if sizes else None


def _read(line: bytes) -> Record | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _opened(path: str) -> BinaryIO | None:
    """Return the file, None if there is none. Raises ConfigurationError."""
    try:
        return open(path, "rb")
    except FileNotFoundError:
        return None
    except OSError as problem:
        raise ConfigurationError(f"cannot read `{path}`: {(problem.strerror or '').lower()}") from None
