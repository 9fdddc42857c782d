"""Nothing in, the globals of generated code out: operators, connectives, index look-ups. Imported by the hook path."""

from __future__ import annotations

from policy_engine.evaluators import lookup, operators, trace
from policy_engine.model.undecided import ABSENT, Undecided
from policy_engine.shell.patterns import command_matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_OPERATORS = (
    "among", "at_or_below", "attribute", "below", "holds", "matches_glob", "matches_regex", "number", "otherwise", "place",
    "present", "same", "text",
)  # fmt: skip
_CONNECTIVES = ("any_of", "counted", "decided", "every_of", "leaf", "negated", "printed", "quantified")


def names(scanner: Callable[[], Any] | None = None) -> dict[str, Any]:
    """A fresh dictionary; `scanner` makes the text scanner of a bucket (default: the one for short processes)."""
    found: dict[str, Any] = {name: getattr(operators, name) for name in _OPERATORS}
    found.update((name, getattr(trace, name)) for name in _CONNECTIVES)
    found.update(
        ABSENT=ABSENT,
        Undecided=Undecided,
        bisect_left=_bisect_left,
        bisect_right=_bisect_right,
        command_matches=command_matches,
        folders=lookup.folders,
        predicate=predicate,
        scanner=scanner or GramScanner,
    )
    return found


def predicate(module: str, function: str) -> Callable[..., Any]:
    """A word of the predicates family, imported when it is first asked for."""
    found = _predicates.get((module, function))
    if found is None:
        imported = __import__(module, fromlist=(function,))
        found = _predicates[module, function] = getattr(imported, function)
    return found


_predicates: dict[tuple[str, str], Callable[..., Any]] = {}


class GramScanner:
    """Which literals occur in a text, by four-character pieces; nothing to build, good for one event."""

    __slots__ = ("_pieces",)

    def __init__(self) -> None:
        self._pieces: dict[int, tuple[dict[str, list[str]], list[str]]] = {}

    def __call__(self, group: int, table: dict[str, tuple[int, ...]], text: str) -> list[int]:
        made = self._pieces.get(group)
        if made is None:
            made = self._pieces[group] = lookup.grams(table)
        return lookup.scan_text(*made, table, text)


def _bisect_left(values: tuple[Any, ...], value: Any) -> int:
    low, high = 0, len(values)
    while low < high:
        middle = (low + high) // 2
        if values[middle] < value:
            low = middle + 1
        else:
            high = middle
    return low


def _bisect_right(values: tuple[Any, ...], value: Any) -> int:
    low, high = 0, len(values)
    while low < high:
        middle = (low + high) // 2
        if value < values[middle]:
            high = middle
        else:
            low = middle + 1
    return low


try:  # the C versions where the interpreter has them; the ones above say the same
    from _bisect import bisect_left as _bisect_left  # type: ignore[assignment]
    from _bisect import bisect_right as _bisect_right  # type: ignore[assignment]
except ImportError:
    pass
