"""Decisions → lines of the decision log, one JSON object each, appended; and back. Imported by the hook path.

A line is written with one `write` to a file opened for appending, so that lines of many processes never mix.
"""

from __future__ import annotations

import posix

from policy_engine.loading.places import make_folder, state_folder
from policy_engine.model.strict_json import write_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.model.decision import Decision
    from policy_engine.model.event import Event

FILE = "decisions.jsonl"


def log_path() -> str:
    """Where the log of this user is."""
    return f"{state_folder()}/{FILE}"


def append(decision: Decision, event: Event | None, host: str) -> None:
    """Add one line. Raises OSError if it cannot be written whole."""
    record: dict[str, object] = {"time": event.time if event is not None else None, "host": host}
    record.update(decision.to_dict())
    if event is not None:
        record["tool"] = {"name": event.tool_name, "kind": event.tool_kind, "args": event.tool_args}
        record["workspace"] = event.workspace
    line = write_json(record) + b"\n"
    descriptor = _open(log_path())
    try:
        if posix.write(descriptor, line) != len(line):
            raise OSError("the decision log was not written whole")
    finally:
        posix.close(descriptor)


def _open(path: str) -> int:
    flags = posix.O_WRONLY | posix.O_APPEND | posix.O_CREAT | posix.O_CLOEXEC | posix.O_NOFOLLOW
    try:
        return posix.open(path, flags, 0o600)
    except FileNotFoundError:
        make_folder(path.rsplit("/", 1)[0])
        return posix.open(path, flags, 0o600)
