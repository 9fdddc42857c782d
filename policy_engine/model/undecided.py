"""`Undecided`, the third truth value with its reasons, and ABSENT, the mark of an absent optional field.

`Undecided` is raised by whatever reads the filesystem; the connectives catch it (evaluators/trace.py). It is never
folded into true, false or "not applicable". Imported by the hook path.
"""

from __future__ import annotations


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
