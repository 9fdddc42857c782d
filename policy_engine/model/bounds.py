"""A decoded JSON value → nothing, or `EventError` where it is too deep, too large, not finite or not encodable.

One walk, level by level, so that depth costs no recursion. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.errors import EventError
from policy_engine.model.limits import EVENT_DEPTH, EVENT_NODES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def check_bounds(value: object) -> None:
    """Refuse nesting over EVENT_DEPTH, over EVENT_NODES nodes (keys count), NaN and infinities, lone surrogates."""
    level: list[Any] = [value]
    nodes = 0
    for _ in range(EVENT_DEPTH):
        below: list[Any] = []
        for node in level:
            kind = type(node)
            if kind is dict:
                below.extend(node)
                below.extend(node.values())
            elif kind is list or kind is tuple:
                below.extend(node)
            elif kind is str:
                check_text(node)
            elif kind is float and node - node != 0:
                raise EventError("E-NUMBER", "the event contains a number that is not finite")
        nodes += len(below)
        if nodes > EVENT_NODES:
            raise EventError("E-LIMIT", f"the event has more than EVENT_NODES ({EVENT_NODES}) nodes")
        if not below:
            return
        level = below
    raise EventError("E-LIMIT", f"the event is nested deeper than EVENT_DEPTH ({EVENT_DEPTH})")


def check_text(text: str) -> None:
    """Refuse a lone surrogate: it cannot be handed to the system, written to a log or printed."""
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            raise EventError("E-SURROGATE", "the event contains a lone surrogate") from None
