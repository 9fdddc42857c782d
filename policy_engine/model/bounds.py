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
    """Refuse what is not JSON, over EVENT_DEPTH deep or EVENT_NODES nodes, NaN, infinities, lone surrogates."""
    level: list[Any] = [value]
    nodes = 0
    for _ in range(EVENT_DEPTH):
        below: list[Any] = []
        for node in level:
            kind = type(node)
            if kind is dict:
                for key in node:
                    if type(key) is not str:
                        raise EventError("E-TYPE", "the event has a key that is not a string")
                below.extend(node)
                below.extend(node.values())
            elif kind is list or kind is tuple:
                below.extend(node)
            elif kind is str:
                check_text(node)
            elif kind is float and node - node != 0:
                raise EventError("E-NUMBER", "the event contains a number that is not finite")
            elif kind is not float and kind is not int and kind is not bool and node is not None:
                raise EventError("E-TYPE", f"the event contains a value that JSON does not have ({kind.__name__})")
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
