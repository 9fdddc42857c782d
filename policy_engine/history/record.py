"""Build the `Record` that `last(A)` gives a rule from a kept fact. Imported by the hook path."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.undecided import ABSENT, Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.model.undecided import _Absent

    Kept = tuple[str, str, str | None, int | None, int | None, str]


class Record:
    """The latest of something.

    `path` (PathValue), `command` (text) and `exit_code` are ABSENT where the fact has none; `text` is the output or
    prompt that came with it, capped; `event` the id of the event.
    """

    __slots__ = ("path", "command", "exit_code", "text", "event", "_time")

    def __init__(self, kept: Kept, event: str) -> None:
        text, real, command, time, exit_code, output = kept
        self.path: PathValue | _Absent = PathValue(text, real) if real else ABSENT
        self.command: str | _Absent = ABSENT if command is None else command
        self.exit_code: int | _Absent = ABSENT if exit_code is None else exit_code
        self.text = output
        self.event = event
        self._time = time

    @property
    def time(self) -> int:
        """When, in ms since the epoch. Raises Undecided if the host did not say."""
        if self._time is None:
            raise Undecided("the host did not send `time` with that event")
        return self._time

    def __str__(self) -> str:
        for value in (self.path, self.command):
            if value is not ABSENT:
                return str(value)
        return self.text
