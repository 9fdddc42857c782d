"""The public suite of JSON cases: what must be refused is, what must be taken is, but for our documented exceptions.

Where the standard leaves the choice (`i_…`), the choice is held here: what hosts could read differently is refused.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from policy_engine import Engine
from policy_engine.model.errors import EventError
from policy_engine.model.strict_json import read_json
from policy_engine.runtime.engine import failure
from tests.end_to_end.host import POLICY, Host

SUITE = Path(__file__).resolve().parents[1] / "data" / "json" / "suite.jsonl"
STRICTER = {
    "y_number_minus_zero": "E-NUMBER",  # zero and negative zero are one number to some readers and two to others
    "y_number_negative_zero": "E-NUMBER",
    "y_object_duplicated_key": "E-DUPKEY",  # the first or the last, as the reader likes
    "y_object_duplicated_key_and_value": "E-DUPKEY",
}
TAKEN = {
    "i_number_double_huge_neg_exp",  # too small for a float is nearly zero
    "i_number_real_underflow",
    "i_number_too_big_neg_int",  # an integer has up to INTEGER_DIGITS digits
    "i_number_too_big_pos_int",
    "i_number_very_big_negative_int",
}


def _cases() -> dict[str, bytes]:
    found = {}
    for line in SUITE.read_text().splitlines():
        case: dict[str, Any] = json.loads(line)
        text = case.get("repeat", "") * case.get("times", 0) + case.get("text", "")
        found[case["name"]] = bytes.fromhex(case["hex"]) if "hex" in case else text.encode()
    return found


CASES = _cases()
EVENT = json.dumps(
    {
        "hook": "before_tool",
        "session": "s",
        "id": "e",
        "cwd": "/",
        "workspace": "/",
        "tool": {"name": "Bash", "kind": "shell", "args": {"command": "ls"}},
    }
).encode()


def code(data: bytes) -> str:
    """Why the bytes are refused; empty if they are taken."""
    try:
        read_json(data)
    except EventError as error:
        return error.code
    return ""


def is_taken(name: str) -> bool:
    return (name[0] == "y" and name not in STRICTER) or name in TAKEN


def test_the_suite_is_whole() -> None:
    assert [sum(name[0] == kind for name in CASES) for kind in "yni"] == [95, 188, 35]
    assert set(CASES) >= {*STRICTER, *TAKEN}


@pytest.mark.fault(1, 5, 6, 7, 8, 9, 10, 11, 12, 15, 17, 19)
@pytest.mark.parametrize("name", CASES)
def test_every_case_is_taken_or_refused_as_it_must(name: str) -> None:
    assert (code(CASES[name]) == "") is is_taken(name)
    if name in STRICTER:
        assert code(CASES[name]) == STRICTER[name]
        assert json.loads(CASES[name]) is not None  # valid, and refused all the same


def test_what_the_standard_leaves_open_is_refused_under_the_code_of_its_reason() -> None:
    free = {name: code(data) for name, data in CASES.items() if name[0] == "i" and name not in TAKEN}
    assert set(free.values()) == {"E-SURROGATE", "E-UTF8", "E-NUMBER", "E-LIMIT", "E-BOM"}


@pytest.fixture(scope="module")
def judge() -> Engine:
    return Engine.from_text(POLICY)


@pytest.mark.fault(5, 6, 7, 9, 10, 11, 12, 15, 17, 19)
@pytest.mark.requirement("R1")
@pytest.mark.parametrize("name", CASES)
def test_as_a_part_of_an_event_no_case_is_allowed_that_must_be_refused(judge: Engine, name: str) -> None:
    data = EVENT[:-1] + b', "x": ' + CASES[name] + b"}"
    try:
        decision = judge.decide(read_json(data))
    except EventError as error:
        decision = failure({}, error.code, str(error), "")
    assert decision.verdict == ("allow" if is_taken(name) else "deny")


SAMPLE = [name for name in CASES if name[0] == "n" and len(CASES[name]) < 1000][::17]


@pytest.mark.fault(5, 6, 7)
@pytest.mark.requirement("R1", "R2")
@pytest.mark.parametrize("name", SAMPLE)
def test_as_a_part_of_a_payload_it_is_refused(ready: Host, name: str) -> None:
    data = json.dumps(ready.shell("ls")).encode()[:-1] + b', "x": ' + CASES[name] + b"}"
    assert ready.call(data).verdict == "deny"
