"""The strict reader takes what JSON says and nothing more; the writer gives the same bytes for the same value."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from policy_engine.model import strict_json
from policy_engine.model.errors import EventError
from policy_engine.model.keys import GUARDED_KEYS
from policy_engine.model.limits import EVENT_BYTES, EVENT_DEPTH, EVENT_NODES, INTEGER_DIGITS
from policy_engine.model.strict_json import read_json, write_json

TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=12)
NUMBER = st.floats(allow_nan=False, allow_infinity=False).filter(lambda number: str(number) != "-0.0")
LEAF = st.none() | st.booleans() | st.integers() | NUMBER | TEXT
KEY = TEXT.map(lambda key: "k" + key)  # never two spellings of a guarded key
VALUE = st.recursive(LEAF, lambda below: st.lists(below, max_size=4) | st.dictionaries(KEY, below, max_size=4))


REFUSED = object()


def read(data: bytes) -> object:
    """The value, or the EventError; any other exception fails the test."""
    try:
        return read_json(data)
    except EventError as refused:
        return refused


def loads(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return REFUSED


def refusal(data: bytes) -> str:
    with pytest.raises(EventError) as caught:
        read_json(data)
    return caught.value.code


@settings(max_examples=150)
@given(VALUE, st.sampled_from((None, 0, 2)), st.booleans())
def test_what_cpython_writes_is_read_back(value: object, indent: int | None, ascii_only: bool) -> None:
    assert read_json(json.dumps(value, indent=indent, ensure_ascii=ascii_only).encode()) == value


@settings(max_examples=150)
@given(VALUE)
def test_the_writer_says_what_cpython_says_compactly(value: object) -> None:
    assert write_json(value) == json.dumps(value, separators=(",", ":")).encode()


@settings(max_examples=300)
@given(st.text('{}[]",:0123456789.eE+-truefalsn \\u\n\x00', max_size=14))
def test_the_reader_never_takes_what_cpython_refuses(text: str) -> None:
    ours, theirs = read(text.encode()), loads(text)
    if theirs is REFUSED:
        assert isinstance(ours, EventError)
    else:
        assert ours == theirs or (isinstance(ours, EventError) and ours.code in ("E-DUPKEY", "E-NUMBER"))


@settings(max_examples=200)
@given(st.binary(max_size=40))
def test_arbitrary_bytes_raise_nothing_but_an_event_error(data: bytes) -> None:
    value = read(data)
    assert isinstance(value, EventError) or value == json.loads(data)


@pytest.mark.fault(5)
def test_every_prefix_of_an_event_is_refused() -> None:
    data = b'{"hook":"before_tool","session":"s","n":[1,2.5,true,null,"\\u00e9\xc3\xa9"]}'
    for length in range(len(data)):
        assert refusal(data[:length]) in ("E-EMPTY", "E-JSON", "E-UTF8")
    assert read_json(data)["n"][-1] == "éé"


MUST_REFUSE = {
    "E-EMPTY": [b"", b" ", b"\n\t\r "],
    "E-BOM": [b"\xef\xbb\xbf{}", b"\xef\xbb\xbf"],
    "E-UTF8": [
        b'["\xff"]',
        b'["\xc0\xaf"]',
        b'["\xed\xa0\x80"]',
        b'["\xe2\x82"]',
        b'["\xf4\x90\x80\x80"]',
        '{"a":1}'.encode("utf-16"),
        b'["\x80"]',
    ],
    "E-TRAILING": [
        b"{} {}", b"{}\n{}", b"1 2", b"[1]]", b"01", b"1.", b"{}\x00", b"{}#", b'"a"b', b"[] \xc2\xa0", b"0x1",
    ],
    "E-DUPKEY": [
        b'{"a":1,"a":1}',
        b'[{"tool":{"b":1,"c":2,"b":1}}]',
        b'{"a":1,"\\u0061":2}',
        b'{"command":"a","Command":"b"}',
        b'{"COMMAND":"a","command":"b"}',
        b'{"toolName":"a","ToolName":"b"}',
        '{"command":"a","comm\u200band":"b"}'.encode(),
        '{"ｃommand":"a","command":"b"}'.encode(),
        '{"toolName":"a","toolNam\uff45":"b"}'.encode(),
        '{"hoo\u212a":"a","hook":"b"}'.encode(),
        b'{"command ":"a","command":"b"}',
    ],
    "E-NUMBER": [
        b"NaN",
        b"[Infinity]",
        b"-Infinity",
        b"1e400",
        b"[-1e400]",
        b"-0",
        b"[-0.0]",
        b"-0e5",
        b"1" * (INTEGER_DIGITS + 1),
        b"-" + b"9" * 10**6,
        b"1" + b"0" * 400 + b".0",
    ],
    "E-SURROGATE": [
        b'"\\ud800"', b'["\\udc00\\ud800"]', b'{"\\uD800":1}', b'"\\ud800\\u0041"', b'{"a":{"b":["\\uDBFF"]}}',
    ],
    "E-LIMIT": [
        b"[" * 100_000,
        b'{"a":' * 5_000,
        b"[" * (EVENT_DEPTH + 1) + b"]" * (EVENT_DEPTH + 1),
        b"[" + b"0," * EVENT_NODES + b"0]",
        b'"' + b"a" * EVENT_BYTES + b'"',
    ],
    "E-JSON": [
        b"nul", b"tru", b"True", b"none", b"undefined", b"'a'", b"{'a':1}", b"{a:1}", b"[1,]", b"[,1]", b"[1,,2]",
        b"{,}", b'{"a":1,}', b'{"a"}', b'{"a":}', b'{"a" 1}', b"{1:1}", b"{null:1}", b"[1 2]", b"[", b"]", b"{", b"}",
        b"-", b"+1", b".5", b"[1.]", b"[-.5]", b"[01]", b"[1e]", b"[1e+]", b"[0x1]", b"[1_000]", b"[- 1]", b'"', b'"a',
        b'["\t"]', b'["a\nb"]', b'["\x00"]', b'["\\x41"]', b'["\\u00g0"]', b'["\\u12"]', b'["\\"]', b"/* c */ 1",
        b"//\n1", b"\x00", b"\x0c1", b"\xc2\xa01", b"-NaN", b"+Infinity", b"<html>", b"[1}", b'{"a":1]', b"[1//c\n]",
        b'["a",\n4\n,1,', b"[\xc2\xa01]",
    ],
}  # fmt: skip


@pytest.mark.fault(1, 6, 7, 8, 9, 10, 11, 12, 15, 16, 17, 18, 19, 20, 21)
@pytest.mark.parametrize(
    ("code", "data"), [(code, data) for code, many in MUST_REFUSE.items() for data in many], ids=lambda v: repr(v)[:40]
)
def test_malformed_input_is_refused_under_its_code(code: str, data: bytes) -> None:
    assert refusal(data) == code


@pytest.mark.parametrize(
    "data", [b"1", b' {"a" : [ ] }\r\n', b'"\\ud83d\\ude00"', b'"\\u0000"', b"1e5", b"-1", b"0.0", b'"\x7f"', b'{"":0}']
)
def test_unusual_but_valid_input_is_taken(data: bytes) -> None:
    assert read_json(data) == json.loads(data)


def test_the_deepest_and_the_widest_value_within_the_limits_are_taken() -> None:
    assert read_json(b"[" * EVENT_DEPTH + b"]" * EVENT_DEPTH) is not None
    assert len(read_json(b"[" + b"0," * (EVENT_NODES - 1) + b"0]")) == EVENT_NODES
    assert read_json(b'"' + b"[,:{" * EVENT_NODES + b'"') == "[,:{" * EVENT_NODES


@settings(max_examples=150)
@given(st.lists(st.text('[]{}"\\\\é', max_size=8), max_size=8), st.integers(0, EVENT_DEPTH + 8))
def test_brackets_in_strings_are_no_depth(texts: list[str], depth: int) -> None:
    """So many that the depth is counted before anything is read."""
    value: object = ["[" * 1_000, *texts, {f"k{number}{text}": text for number, text in enumerate(texts)}]
    for level in range(depth):
        value = [*texts, value] if level % 2 else {"]": value}
    data = json.dumps(value).encode()
    if depth < EVENT_DEPTH - 2:
        assert read_json(data) == value
    else:
        assert refusal(data) == "E-LIMIT"


@pytest.mark.fault(19)
def test_depth_needs_no_stack() -> None:
    """In a process of its own, which would end."""
    reading = (
        "import sys, threading; sys.path.append(sys.argv[1]); threading.stack_size(1 << 18)\n"
        "from policy_engine.model.strict_json import read_json\n"
        "def read(data):\n"
        "    try: read_json(data)\n"
        "    except Exception as refused: print(refused.code)\n"
        "for data in (b'[' * 9_000, b'{\"a\":' * 900 + b'1' + b'}' * 900):\n"
        "    thread = threading.Thread(target=read, args=(data,)); thread.start(); thread.join()\n"
    )
    root = str(Path(strict_json.__file__).parents[2])
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", reading, root], capture_output=True, text=True, check=False
    )
    assert (done.stdout.split(), done.returncode) == (["E-LIMIT"] * 2, 0), done.stderr


def test_twins_of_keys_that_decide_nothing_are_taken() -> None:
    assert read_json(b'{"Path2":1,"path2":2,"X":1,"x":2}') == {"Path2": 1, "path2": 2, "X": 1, "x": 2}
    assert all(key == key.casefold().strip() for key in GUARDED_KEYS)


def test_a_syntax_error_names_its_place() -> None:
    with pytest.raises(EventError, match="expecting ',' delimiter at character 6"):
        read_json(b'["ab" 1]')


@pytest.mark.parametrize("value", [float("nan"), float("inf"), [float("-inf")]])
def test_the_writer_refuses_numbers_that_json_does_not_have(value: object) -> None:
    with pytest.raises(ValueError):
        write_json(value)


def test_the_writer_refuses_cycles_and_foreign_types() -> None:
    loop: list[object] = []
    loop.append(loop)
    with pytest.raises(ValueError):
        write_json(loop)
    with pytest.raises(TypeError):
        write_json({"a": object()})
    with pytest.raises(TypeError):
        write_json({b"a": 1})


def test_the_writer_keeps_the_order_and_escapes_what_is_not_ascii() -> None:
    assert (
        write_json({"b": 1, "a": ["é\u2028\ud800", None, True]}) == b'{"b":1,"a":["\\u00e9\\u2028\\ud800",null,true]}'
    )
