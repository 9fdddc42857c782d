"""What defines put in place is bounded to the node and to the level, in themselves and for each rule."""

from __future__ import annotations

import pytest

from policy_engine.model.limits import DEFINE_EXPANSION, POLICY_DEPTH
from tests.unit.checker.build import checked, messages


def nodes(count: int) -> str:
    """A condition of so many nodes: a comparison, a number, a list and its members."""
    return f"1 in [{', '.join(['1'] * (count - 3))}]"


def levels(count: int, inner: str = "git.clean", own: int = 2) -> str:
    """A condition of so many levels."""
    return "not " * (count - own) + inner


def complaints(*defines: str, when: str = "true") -> list[str]:
    """`line name` of each define that is too large; the rule stands on the line after the defines."""
    named = [f"define d{number} = {text}" for number, text in enumerate(defines)]
    _, found = checked("\n".join([*named, f'rule r "R" {{ on prompt when {when} deny "No." }}']))
    return [f"{line.partition(' ')[0][9:]} {line.split('`')[1]}" for line in messages(found)]


HALF = DEFINE_EXPANSION // 2


@pytest.mark.parametrize(
    ("defines", "when", "expected"),
    [
        ([nodes(DEFINE_EXPANSION)], "d0", []),
        ([nodes(DEFINE_EXPANSION + 1)], "d0", ["2 d0"]),
        ([nodes(HALF), "d0 and d0"], "true", ["3 d1"]),  # the two, and the three nodes that name them
        ([nodes(HALF), nodes(HALF - 3), "d0 and d1"], "d2", []),
        ([nodes(HALF), nodes(HALF - 2), "d0 and d1"], "d2", ["4 d2"]),
        ([nodes(HALF), nodes(HALF), "d0 and d1", "d2 and d2"], "d3", ["4 d2"]),
        ([nodes(HALF)], "d0 and d0", []),
        ([nodes(HALF), "true"], "d0 and d0 and d1", ["4 d1"]),
        ([nodes(HALF), "true"], "d0 and d1 and d0 and d1", ["4 d0"]),
        ([nodes(HALF), nodes(HALF - 1), "d1"], "d0 and d2", []),
        ([nodes(HALF), nodes(HALF), "d1"], "d0 and d2", ["5 d2"]),
        ([nodes(HALF), nodes(HALF), "d1 or any p in todos { d1 }"], "true", ["4 d2"]),
    ],
)
def test_expansion_is_counted_to_the_node(defines: list[str], when: str, expected: list[str]) -> None:
    assert complaints(*defines, when=when) == expected


@pytest.mark.parametrize(
    ("defines", "when", "expected"),
    [
        ([levels(POLICY_DEPTH - 1)], "d0", []),
        ([levels(POLICY_DEPTH)], "true", []),
        ([levels(POLICY_DEPTH)], "d0", ["3 d0"]),
        ([levels(50)], levels(51, "d0", 1), ["3 d0"]),
        ([levels(50)], levels(50, "d0", 1), []),
        ([levels(60), levels(40, "d0", 1)], "true", []),
        ([levels(60), levels(40, "d0", 1)], "d1", ["4 d1"]),
        ([levels(60), levels(41, "d0", 1)], "d1", ["3 d1"]),
        ([levels(60), levels(41, "d0", 1), "not d1"], "d2", ["3 d1"]),
        ([levels(60), levels(39, "d0", 1)], "d1 or d1", ["4 d1"]),
        ([levels(60), levels(38, "d0", 1)], "d1 or d1", []),
    ],
)
def test_depth_is_counted_to_the_level(defines: list[str], when: str, expected: list[str]) -> None:
    assert complaints(*defines, when=when) == expected
