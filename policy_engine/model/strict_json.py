"""Read one JSON value strictly, and write it: the only reader of what a host or a stranger sends.

CPython's C scanner without the `json` package around it (`_json` costs 0.3 ms to import, `json` 6 ms) and without its
leniency: the package takes duplicate keys, NaN, UTF-16 and lone surrogates (RFC 8259 leaves them open, hosts differ).
Imported by the hook path.

Codes: E-EMPTY, E-BOM, E-UTF8, E-JSON, E-TRAILING, E-DUPKEY, E-NUMBER, E-SURROGATE, E-LIMIT.
"""

from __future__ import annotations

import _json
import sys

from policy_engine.model.bounds import check_bounds, without_surrogates
from policy_engine.model.errors import EventError
from policy_engine.model.keys import check_keys
from policy_engine.model.limits import EVENT_BYTES, EVENT_DEPTH, EVENT_NODES, INTEGER_DIGITS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def read_json(data: bytes, told: tuple[str, ...] = ()) -> Any:
    """Decode exactly one JSON value. Raises EventError with one of the codes above, and nothing else.

    In what stands below the keys `told` of an object a lone surrogate becomes `?`: hosts cut such texts anywhere.
    """
    if len(data) > EVENT_BYTES:
        raise EventError("E-LIMIT", f"the input is longer than EVENT_BYTES ({EVENT_BYTES})")
    if data.startswith(b"\xef\xbb\xbf"):
        raise EventError("E-BOM", "the input starts with a byte order mark")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as problem:
        raise EventError("E-UTF8", f"the input is not UTF-8 at byte {problem.start}") from None
    start = len(text) - len(text.lstrip(" \t\n\r"))
    if start == len(text):
        raise EventError("E-EMPTY", "the input is empty")
    # Cheap signs that a bound may be broken; what they suspect is walked, what they pass cannot break one.
    opened = data.count(b"{") + data.count(b"[")
    if opened > _LEVELS:
        _refuse_depth(data)
    value, end = _scan(text, start)
    if text[end:].strip(" \t\n\r"):
        raise EventError("E-TRAILING", f"something follows the first JSON value, at character {end}")
    deep = opened >= EVENT_DEPTH
    wide = data.count(b",") + data.count(b":") >= EVENT_NODES
    halves = "\\ud" in text or "\\uD" in text
    if halves and type(value) is dict:
        value.update({key: without_surrogates(value[key]) for key in told if key in value})
    if deep or wide or halves:
        check_bounds(value)
    return value


def write_json(value: object) -> bytes:
    """Compact ASCII JSON, keys in the order given: same value, same bytes.

    Raises ValueError (cycle, NaN or infinity) and TypeError (no JSON type, key that is no string).
    """
    return "".join(_encoder({}, _json.encode_basestring_ascii)(value, 0)).encode("ascii")


def json_size(value: object) -> int:
    """Return the bytes of compact JSON in UTF-8, where no character is written as an escape that need not be.

    Raises ValueError and TypeError as `write_json` does.
    """
    return sum(len(part.encode()) for part in _encoder({}, _json.encode_basestring)(value, 0))


def _refuse_depth(data: bytes) -> None:
    """Raise EventError before the scanner recurses into what no event may be.

    Since CPython 3.12 a count of C calls stops it, and what 3.13 counts to needs over 1 MB of stack: where a thread has
    less, the process ends. Up to the first mistake, where the scanner stops, strings are told apart as it does.
    """
    plain = data.replace(b"\\\\", b"").replace(b'\\"', b"")
    most = 2 * EVENT_NODES + 2  # two quotes for each string, two brackets for each object and list
    if plain.count(b'"') <= most:
        between = b"".join(plain.split(b'"')[::2])
        signs = between.translate(bytes.maketrans(b"{}", b"[]"), bytes(set(range(256)) - set(b"{}[]")))
    if plain.count(b'"') > most or len(signs) > most:
        raise EventError("E-LIMIT", f"the input has more than EVENT_NODES ({EVENT_NODES}) nodes")
    depth = 0
    for sign in signs:
        depth += 92 - sign  # `[` is 91 and `]` is 93
        if depth > EVENT_DEPTH:
            raise EventError("E-LIMIT", f"the input is nested deeper than EVENT_DEPTH ({EVENT_DEPTH})")


def _scan(text: str, start: int) -> tuple[Any, int]:
    try:
        value, end = _scanner(text, start)
    except EventError:
        raise
    except RecursionError:
        raise EventError("E-LIMIT", f"the input is nested deeper than EVENT_DEPTH ({EVENT_DEPTH})") from None
    except (StopIteration, ValueError, SystemError):
        raise EventError("E-JSON", _problem(text, start)) from None
    return value, end


def _problem(text: str, start: int) -> str:
    """Return what the scanner disliked and where; only `json.decoder` knows, so this path pays for it."""
    import json.decoder  # rare path: 6 ms

    try:
        _scanner(text, start)
    except StopIteration as problem:
        return f"the input is not JSON: no value at character {problem.value}"
    except json.decoder.JSONDecodeError as problem:
        return f"the input is not JSON: {problem.msg[:1].lower()}{problem.msg[1:]} at character {problem.pos}"
    except ValueError:
        pass
    return "the input is not JSON"


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise EventError("E-DUPKEY", f"the key `{_repeated(pairs)}` stands twice in one object")
    if len(fields) > EVENT_NODES:
        raise EventError("E-LIMIT", f"the input has more than EVENT_NODES ({EVENT_NODES}) nodes")
    check_keys(fields)
    return fields


def _repeated(pairs: list[tuple[str, Any]]) -> str:
    seen = set()
    for key, _ in pairs:
        if key in seen:
            return ascii(key)[1:-1][:80]
        seen.add(key)
    return ""


def _integer(text: str) -> int:
    if text == "-0" or len(text) > INTEGER_DIGITS:
        raise EventError("E-NUMBER", f"the number `{text[:40]}` is negative zero or has over {INTEGER_DIGITS} digits")
    try:
        return int(text)
    except ValueError:  # the interpreter's own limit may be set lower
        raise EventError("E-NUMBER", f"the number `{text[:40]}` has too many digits") from None


def _decimal(text: str) -> float:
    value = float(text)
    if value - value != 0 or (value == 0 and text[0] == "-"):
        raise EventError("E-NUMBER", f"the number `{text[:40]}` is negative zero or not finite")
    return value


def _constant(text: str) -> None:
    raise EventError("E-NUMBER", f"`{text}` is not a JSON number")


_LEVELS = 512  # that the scanner may recurse into: 128 kB of stack, and less than Python's own limit


class _Context:
    """The settings that the C scanner reads."""

    strict = True
    object_hook = None
    object_pairs_hook = staticmethod(_object)
    array_hook = None  # asked for since CPython 3.15
    parse_float = staticmethod(_decimal)
    parse_int = staticmethod(_integer)
    parse_constant = staticmethod(_constant)


def _unknown(value: object) -> None:
    raise TypeError(f"a value of type {type(value).__name__} has no JSON form")


def _encoder(markers: dict[int, Any], quoted: Callable[[str], str]) -> Any:
    # default, string encoder, indent, key and item separator, sort_keys, skipkeys, allow_nan
    return _json.make_encoder(markers, _unknown, quoted, None, ":", ",", False, False, False)


_settings: Any = _Context()
_scanner: Any = _json.make_scanner(_settings)
if hasattr(sys, "gettotalrefcount"):
    # A debug build aborts where the scanner fails to find this module for its error; other builds raise SystemError.
    import json.decoder  # noqa: F401
