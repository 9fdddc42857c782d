"""Three-valued time: a `Mark` holds the latest sure and the latest possible occurrence, with comparisons of marks.

A mark is a pair of sequence numbers: the latest sure occurrence, and the latest possible one that cannot be ruled out
(a line that is not understood, a past from before the policy was loaded). 0 is never. Imported by the hook path.

- `happened(A)`: true if sure, undecided if only possible, else false.
- `later(A, B)`: true if A's sure mark is after everything that B's can be; false if A never was, or if nothing that
  A's can be is after B's sure mark; else undecided.

Two marks with one number belong to one event and neither is later.
"""

from __future__ import annotations

from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Mark = tuple[int, int]

NEVER = (0, 0)


def happened(mark: Mark, reason: Callable[[], str]) -> bool:
    """Return whether it ever was. Raises Undecided with the reason."""
    sure, possible = mark
    if sure:
        return True
    if possible:
        raise Undecided(reason())
    return False


def later(left: Mark, right: Mark, reason: Callable[[], str]) -> bool:
    """Return whether the latest of left is later than the latest of right; if right never was, whether left was."""
    first, second = max(left), max(right)
    if left[0] > second:
        return True
    if first == 0 or first <= right[0]:
        return False
    raise Undecided(reason())


def either(marks: Iterable[Mark]) -> Mark:
    """Return the mark of `A or B`: the later of both."""
    sure = possible = 0
    for one, other in marks:
        sure, possible = max(sure, one), max(possible, other)
    return sure, possible


def every(marks: Iterable[Mark]) -> Mark:
    """Return the mark of things that count only all together (the commands of one line): the earliest of the latest."""
    known = list(marks)
    if not known:
        return NEVER
    return min(sure for sure, _ in known), min(max(mark) for mark in known)


def standing(success: int, cancel: int, doubt: int) -> Mark:
    """Return the mark of a success that later runs cancel.

    `success` the latest proven one, `cancel` a later run that was none (0 if there is none), `doubt` the latest run
    that may have happened with an end that is not known.
    """
    if cancel:
        return 0, doubt if doubt > cancel else 0
    if doubt > success:
        return 0, doubt
    return success, 0
