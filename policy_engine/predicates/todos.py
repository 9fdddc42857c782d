"""Predicates about the current todo list: whether its work has converged."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

NEEDS = "todos"
_CONVERGED = ("completed", "canceled")


def todos_converged(todos: Sequence[Any]) -> bool:
    """True if every required todo is completed or canceled; a failed one is not converged.

    An empty list has converged, and no list sent means an empty one.

    Holds:

        todo write-tests completed
        todo rewrite canceled
        todos_converged()

    Does not hold:

        todo write-tests in_progress
        todos_converged()
    """
    return all(not todo.required or todo.status in _CONVERGED for todo in todos)
