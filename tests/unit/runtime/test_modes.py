"""A mode is entered at once, and left when its exit has held long enough; what is undecided changes nothing."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from tests.unit.compiler.asking import engine

SEEN = 'rule seen { on after_round when mode.m warn "on" }\n'


def course(mode: str, rounds: str) -> str:
    """Per round what the mode is: `+` on, `.` off. A round says `git.clean` yes, no or nothing: y, n, ?."""
    made = engine(SEEN + mode)
    found = ""
    for number, letter in enumerate(rounds):
        raw: dict[str, Any] = {"hook": "after_round", "session": "s", "id": f"e{number}"}
        if letter != "?":
            raw["git"] = {"clean": letter == "y"}
        found += "+" if made.decide(raw).verdict == "warn" else "."
    return found


@pytest.mark.parametrize(
    ("clauses", "rounds", "expected"),
    [
        ("enter when git.clean", "ynyn", "+.+."),
        ("enter when git.clean", "y?n?", "++.."),
        ("enter when git.clean lock 2 rounds", "ynnnn", "++..."),
        ("enter when git.clean dwell 2 rounds", "ynnnn", "+++.."),
        ("enter when git.clean dwell 1 rounds", "ynynn", "++++."),
        ("enter when git.clean dwell 1 rounds", "yn?n", "+++."),
        ("enter when git.clean exit when session.rounds >= 4", "ynnnn", "+++.."),
    ],
)
def test_a_mode_has_hysteresis(clauses: str, rounds: str, expected: str) -> None:
    assert course(f"mode m {{ {clauses} }}", rounds) == expected


MODES = ("mode a { enter when git.clean or mode.b }", "mode b { enter when mode.a }")
SEES = "rule a-on { on after_round when mode.a warn }\nrule b-on { on after_round when mode.b warn }\n"


@pytest.mark.parametrize("items", list(itertools.permutations(MODES)))
def test_modes_see_each_other_as_they_were_before_the_event(items: tuple[str, ...]) -> None:
    made = engine(SEES + "\n".join(items))
    found = []
    for clean in (True, False, False):
        raw = {"hook": "after_round", "session": "s", "git": {"clean": clean}}
        found.append(sorted(one.rule for one in made.decide(raw).rules))
    assert found == [["a-on"], ["b-on"], ["a-on"]]


def test_each_agent_has_its_own_state() -> None:
    made = engine(SEEN + "mode m { enter when git.clean }")
    agents = [{"kind": "main"}, {"kind": "explore", "name": "a"}]
    raws = [{"hook": "after_round", "session": "s", "agent": agent} for agent in agents]
    assert made.decide({**raws[0], "git": {"clean": True}}).verdict == "warn"
    assert [made.decide(raw).verdict for raw in raws] == ["warn", "allow"]
