"""Nothing in, the globals of generated code out: operators, connectives, index look-ups. Imported by the hook path.

A process of one event uses `LazyNames`, which imports an operator's home when generated code first asks for it; a
long-lived one pays that once and wants a plain dictionary, which the interpreter reads faster.
"""

from __future__ import annotations

from policy_engine.model.undecided import ABSENT, Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

LONG_TEXT = 50_000  # characters
_HOMES = {
    "policy_engine.evaluators.operators": (
        "among", "at_or_below", "attribute", "below", "doubted", "elements", "holds", "item", "length_of", "lines_of",
        "matches_glob", "matches_regex", "number", "otherwise",
        "parts_of", "path_of", "place", "placed_among", "present", "same", "same_places", "sure_members", "text",
    ),
    "policy_engine.evaluators.trace": (
        "any_of", "counted", "decided", "every_of", "lasting", "leaf", "leaning", "negated", "printed", "quantified",
        "with_sides",
    ),
    "policy_engine.evaluators.lookup": ("bisect_left", "bisect_right", "folders"),
    "policy_engine.effects.command": ("effect", "signs"),
    "policy_engine.shell.patterns": ("command_matches",),
}  # fmt: skip
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


class LazyNames(dict[str, "Any"]):
    """The globals of generated code, each imported at its first use; `scanner` makes a bucket's text scanner."""

    def __init__(self) -> None:
        super().__init__(ABSENT=ABSENT, Undecided=Undecided, predicate=predicate, scanner=PlainScanner)

    def __missing__(self, name: str) -> Any:
        value = self[name] = getattr(__import__(_HOME_OF[name], fromlist=(name,)), name)
        return value


def names(scanner: Callable[[dict[str, tuple[int, ...]]], Any] | None = None) -> dict[str, Any]:
    """The same as a plain dictionary; `scanner` makes the text scanner of a bucket (default: for short processes)."""
    lazy = LazyNames()
    for name in _HOME_OF:
        lazy[name]
    lazy["scanner"] = scanner or PlainScanner
    return dict(lazy)


def predicate(module: str, function: str) -> Callable[..., Any]:
    """A word of the predicates family, imported when it is first asked for."""
    function_found = _predicates.get((module, function))
    if function_found is None:
        imported = __import__(module, fromlist=(function,))
        function_found = _predicates[module, function] = getattr(imported, function)
    return function_found


_predicates: dict[tuple[str, str], Callable[..., Any]] = {}


class PlainScanner:
    """Finds the literals of a table that occur in a text, by rule number; nothing to build, good for one event.

    Asking for a literal costs 0.1 to 0.4 µs in a text of a few lines; making pieces of all literals costs 8 µs
    each, which only a long text repays.
    """

    __slots__ = ("_table",)

    def __init__(self, table: dict[str, tuple[int, ...]]) -> None:
        self._table = table

    def __call__(self, text: str) -> list[int]:
        if len(text) <= LONG_TEXT:
            return [number for literal, numbers in self._table.items() if literal in text for number in numbers]
        from policy_engine.evaluators import lookup

        return lookup.scan_text(*lookup.grams(self._table), self._table, text)
