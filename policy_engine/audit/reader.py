"""The decision log → its records, oldest first, and on request every new one as it is written.

A process that died while writing leaves a torn line, and a disk that filled up may leave one in the middle: such
lines are counted, never guessed at, and never hide the others.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

from policy_engine.model.errors import ConfigurationError

Record = dict[str, Any]


class LogReader:
    """Reads one log file; `torn`: its last line is incomplete; `unreadable`: how many others are no record."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.torn = False
        self.unreadable = 0
        self._file: BinaryIO | None = None
        self._rest = b""

    def records(self) -> Iterator[Record]:
        """Every whole record that the log holds now; none if there is no log. Raises ConfigurationError."""
        if self._file is None and not self._open():
            return
        assert self._file is not None
        for line in self._file:
            whole = self._rest + line
            if not line.endswith(b"\n"):
                self._rest = whole
                break
            self._rest = b""
            found = self._record(whole)
            if found is not None:
                yield found
        self.torn = bool(self._rest)

    def follow(self, wait: Callable[[], None]) -> Iterator[Record]:
        """What the log holds and whatever is added; `wait` is called whenever there is nothing new. Never ends.

        A log that was moved away or emptied is read again from the start of the new one.
        """
        while True:
            yield from self.records()
            wait()
            if self._file is not None and self._replaced():
                self.close()

    def close(self) -> None:
        """Let the file go; a later read begins at its start."""
        if self._file is not None:
            self._file.close()
        self._file, self._rest, self.torn = None, b"", False

    def _open(self) -> bool:
        try:
            self._file = open(self.path, "rb")  # noqa: SIM115 -- kept open while the log is followed
        except FileNotFoundError:
            return False
        except OSError as problem:
            raise ConfigurationError(f"cannot read `{self.path}`: {(problem.strerror or '').lower()}") from None
        return True

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
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            value = None
        if isinstance(value, dict):
            return value
        self.unreadable += bool(line.strip())
        return None
