"""Check a decoded JSON value: EventError where it is too deep or large, not finite, encodable or unequivocal.

One walk, level by level, so that depth costs no recursion. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.errors import EventError
from policy_engine.model.keys import check_keys
from policy_engine.model.limits import EVENT_DEPTH, EVENT_NODES, INTEGER_DIGITS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def check_bounds(value: object) -> None:
    """Refuse what is not JSON, over EVENT_DEPTH deep or EVENT_NODES nodes, numbers that are not finite or negative
    zero, integers over INTEGER_DIGITS digits, lone surrogates, and keys that differ only in how they are spelt.
    """
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
                check_keys(node)
                below.extend(node)
                below.extend(node.values())
            elif kind is list or kind is tuple:
                below.extend(node)
            elif kind is str:
                check_text(node)
            elif kind is float or kind is int:
                check_number(node)
            elif kind is not bool and node is not None:
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


def without_surrogates(value: Any, depth: int = EVENT_DEPTH) -> Any:
    """Return what a host told, with `?` for each half of a character that it cut in two."""
    if type(value) is str:
        return value if value.isascii() else value.encode("utf-8", "replace").decode()
    if not depth or type(value) not in (dict, list):
        return value
    if type(value) is list:
        return [without_surrogates(each, depth - 1) for each in value]
    return {key: without_surrogates(each, depth - 1) for key, each in value.items()}


def check_number(number: float) -> None:
    """Refuse what has no JSON form or no sure value: not finite, negative zero, an integer of too many digits."""
    if type(number) is int:
        if number.bit_length() > _INTEGER_BITS:
            raise EventError("E-NUMBER", f"the event contains an integer of over {INTEGER_DIGITS} digits")
    elif number - number != 0 or (number == 0 and str(number)[0] == "-"):
        raise EventError("E-NUMBER", "the event contains a number that is not finite, or negative zero")


_INTEGER_BITS = INTEGER_DIGITS * 3322 // 1000
