"""The order of the verdicts, and the order of the stop reasons.

The decision is the maximum over all rules that spoke, so nothing can un-block (language §2). Imported by the hook
path: plain tuples and dictionaries only.
"""

from __future__ import annotations

VERDICTS = ("allow", "warn", "remind", "ask", "deny", "stop")
RANK = {name: rank for rank, name in enumerate(VERDICTS)}
APPROVE = "approve"
"""What a rule gives a call that the host need not ask about; no verdict, and void where one is given."""
EXPECTED = (APPROVE, *VERDICTS)
"""What a step of a test comes to, the mildest first."""
STRICTNESS = {name: rank for rank, name in enumerate(EXPECTED)}


class Verdict(str):
    """A verdict as users of the engine hold it: text, compared by its place on the ladder and not by its letters."""

    __slots__ = ()

    def __lt__(self, other: str) -> bool:
        return _rank(self) < _rank(other)

    def __le__(self, other: str) -> bool:
        return _rank(self) <= _rank(other)

    def __gt__(self, other: str) -> bool:
        return _rank(self) > _rank(other)

    def __ge__(self, other: str) -> bool:
        return _rank(self) >= _rank(other)


ORDERED = {name: Verdict(name) for name in VERDICTS}


def _rank(verdict: str) -> int:
    rank = RANK.get(verdict)
    if rank is None:
        raise TypeError(f"`{verdict}` is no verdict; they are {', '.join(VERDICTS)}")
    return rank


STOP_REASONS = (
    "user_interrupt",
    "fatal_error",
    "budget_exceeded",
    "repeat_cycle",
    "react_step_exhausted",
    "retry_exhausted",
    "verification_failed",
    "required_todo_failed",
    "todo_not_converged",
    "accept_check_failed",
    "accept_continue_exhausted",
    "empty_response",
    "accepted",
)
_STOP_ORDER = {name: rank for rank, name in enumerate(STOP_REASONS)}


def stop_order(reason: str) -> int:
    """Rank of a stop reason, earliest first; a policy's own reason ranks with `repeat_cycle` (interfaces)."""
    return _STOP_ORDER.get(reason, _STOP_ORDER["repeat_cycle"])


def default_fail(verdict: str) -> str:
    """The fail direction of a rule that declares none: `closed` for `ask` and above, else `open` (language §1)."""
    return "closed" if RANK[verdict] >= RANK["ask"] else "open"
