"""Bytes → a JSON value or a refusal; what is taken is what `json` reads, and comes back the same."""

from __future__ import annotations

import json
from typing import Any

from policy_engine.model.errors import EventError
from policy_engine.model.strict_json import read_json, write_json

SEEDS = (
    b'{"a": [1, -2.5e3, true, null, "\\ud83d\\ude00"]}',
    b'{"a":1,"a":2}',
    b"\xef\xbb\xbf1",
    b"[NaN]",
    b'"\\ud800"',
    b"-0",
    b"1e400",
    b"[" * 70,
    b'{"hook":1,"Hook":2}',
    b"0" * 40,
    b'["a\x00"]',
    b"1 2",
)


def target(data: bytes) -> None:
    try:
        value = read_json(data)
    except EventError as error:
        assert error.code.startswith("E-") and len(str(error)) < 1000, error
        return
    assert same(value, json.loads(data)), value
    written = write_json(value)
    assert written.isascii() and same(read_json(written), value), written


def same(one: Any, other: Any) -> bool:
    """Equal, and of the same types all the way down."""
    if type(one) is not type(other):
        return False
    if type(one) is dict:
        return list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    if type(one) is list:
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)
