"""Work out what calls give that only make one known value of others: `chr`, `bytes`, `json.loads`, `JSON.parse`.

Imported by the hook path when a line carries such code.
"""

from __future__ import annotations

from policy_engine.inline.values import MOST_TEXT, UNKNOWN, Items, Number, Table, Text
from policy_engine.model.partial import is_known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_MOST_ITEMS = 4096


def worked_out(name: str, arguments: list[Any]) -> Any:
    """Return what a function gives for known arguments; None of a function that is not known, or of other arguments.

    Args:
        name: of the function, as code of Python or JavaScript writes it.
        arguments: the values that it is given.
    """
    function = _FUNCTIONS.get(name)
    if function is None or not arguments:
        return None
    try:
        given = [_plain(one) for one in arguments]
        if sum(len(one) for one in given if isinstance(one, (str, list))) > MOST_TEXT:
            return None
        return _value(function(*given))
    except (ValueError, TypeError, OverflowError, RecursionError, SyntaxError, MemoryError, UnicodeError):
        return None


def _plain(value: Any) -> Any:
    """Return a value as Python's own. Raises ValueError where it is not wholly known."""
    if isinstance(value, Text) and is_known(value.text):
        return value.text
    if isinstance(value, Number):
        return value.value
    if isinstance(value, Items) and value.exact and len(value.items) <= _MOST_ITEMS:
        return [_plain(one) for one in value.items]
    raise ValueError


def _value(made: Any) -> Any:
    """Return what one of Python's own values is to a reader of code."""
    if isinstance(made, (bytes, bytearray)):
        made = made.decode("latin-1")
    if isinstance(made, str):
        return Text(made) if is_known(made) and len(made) <= MOST_TEXT else UNKNOWN
    if made is None or isinstance(made, (bool, int, float)):
        return Number(made)
    if isinstance(made, (list, tuple)):
        return Items([_value(one) for one in made[:_MOST_ITEMS]], len(made) <= _MOST_ITEMS)
    if isinstance(made, dict):
        return Table({str(key): _value(one) for key, one in made.items()})
    return UNKNOWN


def _bytes(value: Any, *_: Any) -> Any:
    return bytes(value) if isinstance(value, list) else value


def _json(text: Any, *_: Any) -> Any:
    from json import loads

    return loads(text)


def _literal(text: Any) -> Any:
    from ast import literal_eval

    return literal_eval(text)


def _dedented(text: Any) -> Any:
    from textwrap import dedent

    return dedent(text)


def _unquoted(text: Any, *_: Any) -> Any:
    from urllib.parse import unquote

    return unquote(text)


def _substituted(pattern: Any, new: Any, text: Any) -> Any:
    """`re.sub` of a pattern without special characters."""
    if not pattern or not new.isprintable() or "\\" in new or not pattern.replace(" ", "").replace("_", "").isalnum():
        raise ValueError
    return text.replace(pattern, new)


def _characters(*codes: Any) -> Any:
    return "".join(map(chr, codes))


def _whole(text: Any, base: Any = 10) -> Any:
    return int(text, base) if isinstance(text, str) and len(text) < 16 else int(text)


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "chr": chr,
    "ord": ord,
    "int": _whole,
    "bytes": _bytes,
    "bytearray": _bytes,
    "json.loads": _json,
    "ast.literal_eval": _literal,
    "textwrap.dedent": _dedented,
    "urllib.parse.unquote": _unquoted,
    "re.sub": _substituted,
    "String.fromCharCode": _characters,
    "String.fromCodePoint": _characters,
    "JSON.parse": _json,
    "decodeURIComponent": _unquoted,
    "decodeURI": _unquoted,
    "unescape": _unquoted,
    "parseInt": _whole,
    "Promise.resolve": lambda value: value,
}
