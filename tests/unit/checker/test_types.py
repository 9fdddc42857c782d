"""The operator table → which operator takes which types, in both orders."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy_engine.checker.types import described, equal, fits, ordered
from policy_engine.model.records import COMMAND, FOLDER, TODO
from policy_engine.model.types import (
    ACCESS,
    ARGUMENT,
    BOOL,
    COMMAND_PATTERN,
    DURATION,
    ERROR,
    GLOB,
    INT,
    OPAQUE,
    PATH,
    REGEX,
    STRING,
    TIME,
    list_of,
)

SCALARS = [BOOL, INT, DURATION, TIME, STRING, OPAQUE, ARGUMENT, ACCESS, PATH, FOLDER, COMMAND, TODO]
TYPES = st.sampled_from([*SCALARS, GLOB, REGEX, COMMAND_PATTERN, *map(list_of, SCALARS)])


@given(TYPES, TYPES)
def test_equality_and_order_do_not_depend_on_sides(left, right) -> None:
    assert equal(left, right) == equal(right, left)
    assert ordered(left, right) == ordered(right, left)


@given(TYPES, st.sampled_from(["==", "<", "contains", "starts_with", "in", "under"]))
def test_what_was_reported_is_not_reported_again(type_, operator) -> None:
    assert fits(operator, type_, ERROR)
    assert fits(operator, ERROR, type_)


@pytest.mark.parametrize(
    ("operator", "left", "right", "taken"),
    [
        ("==", PATH, FOLDER, True),
        ("==", PATH, STRING, True),
        ("==", ACCESS, STRING, True),
        ("==", ARGUMENT, ARGUMENT, True),
        ("==", ARGUMENT, DURATION, False),
        ("==", ARGUMENT, PATH, False),
        ("==", COMMAND, COMMAND, False),
        ("==", GLOB, GLOB, False),
        ("==", INT, DURATION, False),
        ("<", TIME, TIME, True),
        ("<", TIME, INT, False),
        ("<", ARGUMENT, INT, True),
        ("<", ARGUMENT, ARGUMENT, False),
        ("in", STRING, list_of(STRING), True),
        ("in", PATH, list_of(STRING), True),
        ("in", INT, list_of(STRING), False),
        ("contains", list_of(STRING), STRING, True),
        ("contains", list_of(PATH), INT, False),
        ("contains", PATH, STRING, False),
        ("under", FOLDER, STRING, True),
        ("under", STRING, FOLDER, False),
    ],
)
def test_the_operator_table(operator, left, right, taken) -> None:
    assert fits(operator, left, right) is taken


def test_types_are_named_as_people_read_them() -> None:
    shown = [described(type_) for type_ in (BOOL, INT, PATH, ACCESS, list_of(COMMAND), GLOB, COMMAND_PATTERN, OPAQUE)]
    assert shown == [
        "a Bool",
        "an Int",
        "a Path",
        "an Access",
        "a list of Command",
        "a glob",
        "a command pattern",
        "a digest or record",
    ]
