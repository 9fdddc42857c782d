"""Find out, for people, whether a resident engine listens in its folder and what it says of itself."""

from __future__ import annotations

import os
from dataclasses import dataclass

from policy_engine.hook_process.resident import AnswerLost, Foreign, ask, connected
from policy_engine.hook_process.starting import is_allowed
from policy_engine.model.errors import ConfigurationError
from policy_engine.state.places import SOCKET, serve_folder

OFF, ON, UNFIT = "not running", "running", "not asked"


@dataclass(frozen=True, slots=True)
class Residence:
    """`state` is running, not running, or not asked: something is there that hooks do not ask, and `problem` says why.

    `http` is the address of its door, empty without one; `sessions` had an event in the last half hour. `idle` are the
    seconds without an event after which it leaves, 0 for one that stays.
    """

    state: str
    folder: str
    pid: int = 0
    seconds: float = 0.0
    http: str = ""
    sessions: int = 0
    answered: int = 0
    problem: str = ""
    idle: float = 0.0

    @property
    def text(self) -> str:
        """All of it in a line."""
        if self.state != ON:
            starts = ", and the next one that a host starts begins one" if self.state == OFF and is_allowed() else ""
            return f"{self.state}; hooks decide by themselves{f': {self.problem}' if self.problem else starts}"
        door = f", door at {self.http}" if self.http else ""
        lately = f"{self.answered} answers, {self.sessions} sessions in the last half hour"
        leaves = f", leaves after {_span(self.idle)} without an event" if self.idle else ""
        return f"{self.state} for {_span(self.seconds)}, pid {self.pid}{door}{leaves}; {lately}"


def _span(seconds: float) -> str:
    for unit, size in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= size:
            return f"{int(seconds // size)} {unit}"
    return f"{int(seconds)} s"


def residence() -> Residence:
    """The resident engine of this user, asked as a hook asks it."""
    try:
        folder = serve_folder()
    except ConfigurationError as error:
        return Residence(OFF, "", problem=str(error))
    if not os.path.lexists(f"{folder}/{SOCKET}"):
        return Residence(OFF, folder)
    try:
        answer = ask(("status",), folder)
    except (Foreign, AnswerLost) as error:
        return Residence(UNFIT, folder, problem=str(error))
    if type(answer) is dict:
        names = ("pid", "seconds", "http", "sessions", "answered", "idle")
        return Residence(ON, folder, **{name: answer[name] for name in names})
    try:
        connected(folder).close()
    except OSError:
        return Residence(OFF, folder, problem="it ended without taking its socket away; the next one does")
    return Residence(UNFIT, folder, problem="it is of another version or interpreter, or too busy: start it again")
