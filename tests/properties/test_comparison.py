"""Comparing two policies: what is proved equal is decided alike, and every session that is shown tells them apart."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from policy_engine.loading.loader import load_text
from policy_engine.testing.runner import run, suite
from policy_engine.testing.witness import Comparison, compare, session_test
from tests.generated.context import Draw, flip, number, one
from tests.generated.play import decided
from tests.generated.policies import Case, Generated, Item, case
from tests.properties.effort import effort

_EDITS = (
    (r"\bdeny\b", "ask"), (r"\bask\b", "warn"), (r"\bwarn\b", "deny"), (r"\band\b", "or"), (r"\bor\b", "and"),
    (r"\bany\b", "every"), (r"==", "!="), (r"!=", "=="), (r"src/\*\*", "src/*"), (r"<=", "<"), (r">=", ">"),
    (r"since", "since prompted() or"), (r"fail closed", "fail open"), (r"fail open", "fail closed"), (r"not ", ""),
    (r" shadow\n", "\n"), (r"\btrue\b", "false"), (r"within \S+", ""), (r"at 2", "at 3"), (r"\d+ rounds", "1 rounds"),
)  # fmt: skip


def edited(draw: Draw, policy: Generated) -> Generated:
    """The policy with one or two items changed, moved, renamed, left out or added."""
    items = list(policy.items)
    for _ in range(number(draw, 1, 2)):
        rules = [at for at, item in enumerate(items) if item.sort in ("rule", "limit", "mode", "waive")]
        at = one(draw, rules)
        match number(draw, 0, 5):
            case 0:
                items = items[:at] + items[at + 1 :]
            case 1:
                items = items[at:] + items[:at] if items[at].sort == "rule" else items
            case 2 if items[at].sort == "rule" and flip(draw):
                items.append(replace(items[at], name=f"{items[at].name}x"))
            case _:
                items[at] = _changed(draw, items[at])
        if not any(item.sort == "rule" for item in items):
            return policy
    return Generated(tuple(items))


def _changed(draw: Draw, item: Item) -> Item:
    edits = [(old, new) for old, new in _EDITS if re.search(old, item.body)]
    if not edits:
        return item
    old, new = one(draw, edits)
    places = list(re.finditer(old, item.body))
    place = one(draw, places)
    return replace(item, body=item.body[: place.start()] + new + item.body[place.end() :])


@st.composite
def pairs(draw: Any) -> tuple[Generated, Generated, list[list[dict[str, Any]]]]:
    """A policy, the same after an edit, and sessions about what it names."""
    first: Case = case(draw, length=10)
    second = edited(draw, first.policy)
    return first.policy, second, [first.events]


@effort(25)
@given(pairs())
def test_what_is_proved_equal_is_decided_alike(pair: Any) -> None:
    old, new, sessions = pair
    before, after = load_text(old.text), load_text(new.text)
    if before.program is None or after.program is None:
        return
    found = compare(before, after)
    assert_shown(found, old.text, new.text)
    if found.is_equal:
        for events in sessions:
            verdicts = [[one.verdict for one in decided(policy, events)] for policy in (before, after)]
            assert verdicts[0] == verdicts[1]


def assert_shown(found: Comparison, old: str, new: str) -> None:
    """Each session, written as a test, gives the new verdict with the new policy and another with the old one."""
    for difference in found.differences:
        block = session_test(difference, "shown", difference.after.verdict)
        for text, passes in ((new, True), (old, False)):
            whole = load_text(f"{text}\n{block}")
            assert whole.program is not None, [one.message for one in whole.errors] + [block]
            (outcome,) = run(suite(whole, [whole.parsed[0].path]))
            assert outcome.passed is passes, block
