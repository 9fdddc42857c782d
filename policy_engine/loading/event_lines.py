"""Read events from a stream of JSON lines, one by one, each with its line number; a bad line is an EventError.

What is wrong with a line concerns that line alone: the next one is read. Nothing is read ahead, so that whoever writes
a line may wait for its answer before writing the next.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from typing import BinaryIO

from policy_engine.model.errors import ConfigurationError, EventError
from policy_engine.model.limits import EVENT_BYTES
from policy_engine.model.strict_json import read_json

Line = tuple[int, "dict[str, object] | EventError"]


def event_lines(stream: BinaryIO, begun: bytes = b"") -> Iterator[Line]:
    """Yield (line number from 1, event or what is wrong with it); blank lines are left out.

    `begun` is what was read of the stream already; its last line may be incomplete.
    """
    number = 0
    ahead = begun.splitlines(keepends=True)
    if ahead and not ahead[-1].endswith(b"\n"):
        ahead[-1] += stream.readline(EVENT_BYTES + 2)
    while line := ahead.pop(0) if ahead else stream.readline(EVENT_BYTES + 2):
        number += 1
        if len(line) > EVENT_BYTES and not line.endswith(b"\n"):
            _skip(stream)
            yield number, EventError("E-LIMIT", f"line {number} has more than EVENT_BYTES ({EVENT_BYTES}) bytes")
        elif line.strip():
            yield number, _event(line, number)


def open_events(name: str) -> BinaryIO:
    """The file called `name`, for reading. Raises ConfigurationError if it cannot be opened or is a folder."""
    try:
        descriptor = os.open(name, os.O_RDONLY | os.O_CLOEXEC)
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or str(problem)
        raise ConfigurationError(f"cannot read `{name}`: {reason.lower()}") from None
    if stat.S_ISDIR(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise ConfigurationError(f"cannot read `{name}`: it is a folder")
    return os.fdopen(descriptor, "rb")


def _event(line: bytes, number: int) -> dict[str, object] | EventError:
    try:
        value = read_json(line)
    except EventError as error:
        return EventError(error.code, f"line {number}: {error}")
    if type(value) is not dict:
        return EventError("E-TYPE", f"line {number}: the event is not a JSON object")
    return value


def _skip(stream: BinaryIO) -> None:
    """Read to the end of the line."""
    while (part := stream.readline(1 << 16)) and not part.endswith(b"\n"):
        pass
