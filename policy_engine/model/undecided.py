"""`Undecided`, the third truth value with its reasons, ABSENT, the mark of an absent optional field, and `Between`, a
number of which the bounds are known.

`Undecided` is raised by whatever reads the filesystem; the connectives catch it (evaluators/trace.py). It is never
folded into true, false or "not applicable". Imported by the hook path.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Undecided(Exception):
    """Something needed could not be known; `reasons` is the sorted tuple of all that was missing."""

    def __init__(self, *reasons: str) -> None:
        self.reasons: tuple[str, ...] = reasons if len(reasons) < 2 else tuple(sorted(set(reasons)))


class _Absent:
    """The one value of an optional field that is not there; it equals nothing but itself."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "ABSENT"

    def get(self, name: str, default: object) -> object:
        """An absent record holds nothing: `tool.args["k"]` where there is no tool."""
        return default

    def __bool__(self) -> bool:
        raise TypeError("an absent field has no truth value")


ABSENT = _Absent()


class Between:
    """A whole number of which only the bounds are known; what not all between them settle alike is undecided."""

    __slots__ = ("low", "high", "reasons")

    def __init__(self, low: int, high: int, *reasons: str) -> None:
        self.low = low
        self.high = high
        self.reasons = reasons

    def _agreed(self, one: bool, other: bool) -> bool:
        if one is not other:
            raise Undecided(*self.reasons)
        return one

    def __lt__(self, other: Any) -> bool:
        return self._agreed(self.low < other, self.high < other)

    def __le__(self, other: Any) -> bool:
        return self._agreed(self.low <= other, self.high <= other)

    def __gt__(self, other: Any) -> bool:
        return self._agreed(self.low > other, self.high > other)

    def __ge__(self, other: Any) -> bool:
        return self._agreed(self.low >= other, self.high >= other)

    def __eq__(self, other: object) -> bool:
        if other < self.low or other > self.high:  # type: ignore[operator]
            return False
        raise Undecided(*self.reasons)

    __hash__ = None  # type: ignore[assignment]
