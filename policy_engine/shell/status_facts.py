"""Keep what follows from exit statuses at one place of a script, and join what is known where two ways meet.

Imported when a line ran tests.
"""

from __future__ import annotations

from policy_engine.shell.tree import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Known = frozenset[tuple[int, int]]
    Facts = Known | None
    """None: it cannot be so, and everything follows."""

NONE: Known = frozenset()
FILE = "\0file "
"""Before a file: what stands in the place of a variable with the status that the file holds."""


class UnfollowedError(Exception):
    """Something in the script is not followed."""


class Status(Value):
    """A number that the facts `if_zero` follow from where it is 0, and `if_not` where it is not.

    `name`: a variable that is 0 where this is, or, without `same`, where it is not. `weak`: where another shell reads
    the line, it may be empty.
    """

    if_zero: Facts
    if_not: Facts
    name: str
    same: bool
    weak: bool

    def negated(self) -> Status:
        return Status(self.if_not, self.if_zero, self.name, not self.same, self.weak)

    def named(self, name: str) -> Status:
        return Status(self.if_zero, self.if_not, name, True, self.weak)


ANY = Status(NONE, NONE, "", True, False)
ZERO = Status(NONE, None, "", True, False)
NOT_ZERO = Status(None, NONE, "", True, False)


class State:
    """The state of one place in the script: the commands that succeeded for `sure`, `$?`, and variables.

    `started`: the status of what runs in the background, by the variable with its number, "" for the latest.
    """

    __slots__ = ("sure", "status", "values", "started", "pipe", "errexit", "pipefail")

    def __init__(self) -> None:
        self.sure = NONE
        self.status = ANY
        self.values: dict[str, Status] = {}
        self.started: dict[str, Status] = {}
        self.pipe: Status | None = None  # of the first command of the pipeline right before
        self.errexit = self.pipefail = False

    def ended(self, status: Status) -> State:
        """The state behind a command that changes nothing and ends so."""
        made = State.__new__(State)
        for name in State.__slots__:
            setattr(made, name, getattr(self, name))
        made.values, made.started = dict(self.values), dict(self.started)
        made.status, made.pipe = status, None
        return made

    def forget_files(self) -> None:
        """Something may have written files that hold a status."""
        if any(name.startswith(FILE) for name in self.values):
            self.values = {name: value for name, value in self.values.items() if not name.startswith(FILE)}

    def proved(self) -> Facts:
        """The facts if the shell ends here with status 0."""
        return None if self.status.if_zero is None else self.sure | self.status.if_zero

    def each(self, change: Callable[[Known], Known]) -> State:
        """The state with other facts in the place of those that it has, or follow from it."""

        def changed(one: Status) -> Status:
            zero, other = (None if facts is None else change(self.sure | facts) for facts in (one.if_zero, one.if_not))
            return Status(zero, other, one.name, one.same, one.weak)

        made = self.ended(changed(self.status))
        made.values = {name: changed(value) for name, value in self.values.items()}
        made.sure = change(self.sure)
        made.started = {}  # of which round it would be is not followed
        return made

    def facts(self) -> Any:
        """Return all that differs from another state where more or less is known."""
        values = {name: (one.if_zero, one.if_not) for name, one in (*self.values.items(), ("?", self.status))}
        return self.sure, self.errexit, self.pipefail, values


def joined(one: State | None, other: State | None) -> State | None:
    """Return what is known where the script comes one way or the other; None is a way that nothing takes."""
    if one is None or other is None:
        return other if one is None else one

    def meet(first: Facts, second: Facts) -> Facts:
        if first is None or second is None:
            return (
                None if first is second else other.sure | second if second is not None else one.sure | (first or NONE)
            )
        return (one.sure | first) & (other.sure | second)

    def either(left: Status, right: Status) -> Status:
        name = left.name if (left.name, left.same) == (right.name, right.same) else ""
        facts = meet(left.if_zero, right.if_zero), meet(left.if_not, right.if_not)
        return Status(*facts, name, left.same, left.weak or right.weak)

    if one.errexit != other.errexit:
        raise UnfollowedError
    made = one.ended(either(one.status, other.status))
    made.values = {name: either(one.values[name], other.values[name]) for name in one.values if name in other.values}
    made.started = {name: status for name, status in one.started.items() if other.started.get(name) is status}
    made.sure = one.sure & other.sure
    made.pipefail = one.pipefail and other.pipefail
    return made


def branch(state: State | None, is_zero: bool) -> State | None:
    """The way that is taken if the status at hand is 0, or is not."""
    if state is None:
        return None
    status = state.status
    facts = status.if_zero if is_zero else status.if_not
    if facts is None:
        return None
    made = state.ended(ZERO if is_zero else NOT_ZERO)
    made.sure = state.sure | facts
    made.pipe = state.pipe
    if status.name in made.values:
        made.values[status.name] = ZERO if is_zero == status.same else NOT_ZERO
    return made
