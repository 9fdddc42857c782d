"""Each step from a rule's conditions to its word, with conditions made by hand: all combinations, all limits."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from policy_engine.evaluators.trace import Seen
from policy_engine.model.decision import RuleResult
from policy_engine.model.ladder import VERDICTS
from policy_engine.model.limits import MESSAGE_CHARS
from policy_engine.model.points import FAILURE_VERDICT
from policy_engine.model.undecided import Undecided
from policy_engine.runtime.rule_results import (
    Outcome,
    evaluate_rule,
    outcome_of,
    passes,
    result_of,
    said,
    strictness,
    undecided_verdict,
    waived,
)
from tests.unit.runtime.handmade import context, raising, rule, seen

TRUTHS = ("absent", True, False, None)
NAMED = (None, True, False)


def conjunction(*truths: bool | None) -> bool | None:
    return False if False in truths else None if None in truths else True


def opposite(truth: bool | None) -> bool | None:
    return None if truth is None else not truth


def expected(when: Any, unless: Any, require: Any, named: bool | None) -> str:
    """Language §11, word by word."""
    if named is False:
        return "not_applicable"
    scope = conjunction(True if when == "absent" else when, True if unless == "absent" else opposite(unless))
    whole = scope if require == "absent" else conjunction(scope, opposite(require))
    if whole is not False:
        return "violated" if whole else "undecided"
    return "satisfied" if scope is True else "not_applicable"


@pytest.mark.parametrize("named", NAMED)
def test_a_rule_is_violated_where_when_holds_and_neither_unless_nor_require(named: bool | None) -> None:
    for truths in itertools.product(TRUTHS, repeat=3):
        parts = dict(zip(("w", "un", "req"), truths, strict=True))
        conditions = [None if truth == "absent" else seen(truth, name) for name, truth in parts.items()]
        asked = None if named is None else lambda: named
        found = outcome_of(rule({"trace": lambda _, given=(*conditions, asked): given}), context())
        assert found.outcome == expected(*truths, named), parts
        if found.outcome == "undecided":
            unknown = {f"no {name}" for name, truth in parts.items() if truth is None}
            assert found.seen.reasons and set(found.seen.reasons) <= unknown, parts


def texts(found: Seen) -> tuple[Any, ...]:
    """The tree that an explanation shows."""
    return (found.text, *map(texts, found.parts))


W, UN, REQ = seen(True, "w"), seen(False, "un"), seen(False, "req")


@pytest.mark.parametrize(
    ("conditions", "tree"),
    [
        ((None, None, None, None), ("",)),
        ((W, None, None, None), ("w",)),
        ((None, UN, None, None), ("", ("un",))),
        ((W, UN, None, None), ("", ("w",), ("", ("un",)))),
        ((None, None, REQ, None), ("", ("",), ("", ("req",)))),
        ((W, None, REQ, None), ("", ("w",), ("", ("req",)))),
        ((W, UN, REQ, None), ("", ("", ("w",), ("", ("un",))), ("", ("req",)))),
        ((W, None, seen(True, "req"), None), ("", ("w",), ("", ("req",)))),
        ((W, None, seen(None, "req"), None), ("", ("w",), ("", ("req",)))),
        ((W, UN, REQ, lambda: False), ("",)),
    ],
)
def test_what_was_seen_is_a_tree_of_the_conditions(conditions: tuple[Any, ...], tree: tuple[Any, ...]) -> None:
    assert texts(outcome_of(rule({"trace": lambda _: conditions}), context()).seen) == tree


def test_the_witnesses_of_both_halves_are_kept_and_the_requirement_is_blamed_alone() -> None:
    conditions = (seen(True, "w"), seen(False, "un"), seen(False, "req"), None)
    found = outcome_of(rule({"trace": lambda _: conditions}), context())
    assert (found.seen.bound, found.seen.because) == ({1: "w", 2: "un", 3: "req"}, (("req", {"is": False}),))
    assert (found.seen.truth, found.seen.reasons, found.seen.evidence) == (True, (), ("e-req",))
    scope, failing = found.seen.parts
    assert ([part.text for part in scope.parts], failing.parts[0].text) == (["w", ""], "req")


@pytest.mark.parametrize(
    ("fault", "reasons"),
    [
        (Undecided("b", "a"), ("a", "b")),
        (RuntimeError("broken"), ("internal error: RuntimeError: broken",)),
        (KeyError("k"), ("internal error: KeyError: 'k'",)),
    ],
)
def test_a_condition_that_cannot_be_worked_out_is_undecided_and_says_why(
    fault: Exception, reasons: tuple[str, ...]
) -> None:
    broken = rule({"test": raising(fault), "trace": raising(fault)})
    found = outcome_of(broken, context())
    assert (found.outcome, found.seen.truth, found.seen.reasons, found.seen.text) == ("undecided", None, reasons, "")
    assert passes(broken, context()) is False
    spoken = evaluate_rule(broken, context())
    assert spoken is not None and spoken.undecided == reasons


@pytest.mark.parametrize(("truth", "passed"), [(True, False), (False, True), (0, True), (3, False)])
def test_a_rule_passes_whose_plain_test_fails(truth: object, passed: bool) -> None:
    assert passes(rule({"test": lambda _: truth}), context()) is passed


@pytest.mark.parametrize(
    ("when", "require", "outcome"),
    [(True, False, "violated"), (None, False, "undecided"), (True, True, None), (False, False, None)],
)
def test_only_what_is_violated_or_undecided_speaks(when: Any, require: Any, outcome: str | None) -> None:
    found = evaluate_rule(rule({"trace": lambda _: (seen(when, "w"), None, seen(require, "req"), None)}), context())
    assert (found.outcome if found is not None else None) == outcome


VERDICT_OF = {
    "open": dict.fromkeys(("", *VERDICTS), "warn"),
    "ask": {**dict.fromkeys(("", *VERDICTS), "warn"), "ask": "ask", "deny": "ask", "stop": "ask"},
    "closed": {"": "warn", **{word: word for word in VERDICTS if word != "stop"}},
}


@pytest.mark.parametrize(
    ("fail", "verdict", "expected"),
    [(fail, verdict, word) for fail, table in VERDICT_OF.items() for verdict, word in table.items()],
)
def test_an_undecided_rule_fails_as_it_declares(fail: str, verdict: str, expected: str) -> None:
    assert undecided_verdict(fail, verdict, "before_tool") == expected


@pytest.mark.parametrize("point", FAILURE_VERDICT)
def test_an_undecided_stop_is_the_points_own_failure(point: str) -> None:
    assert undecided_verdict("closed", "stop", point) == FAILURE_VERDICT[point]


@pytest.mark.parametrize(
    ("parts", "title", "text"),
    [
        ({"message": lambda m, bound: f"no {m.event.id} {bound[1]}"}, "Title", "no e w"),
        ({}, "Title", "Title"),
        ({}, "", "r"),
        ({"message": lambda m, bound: ""}, "Title", "Title"),
        ({"message": raising(KeyError("k"))}, "Title", "Title (the message could not be written: KeyError)"),
        ({"message": raising(KeyError("k"))}, "", "r (the message could not be written: KeyError)"),
        ({"message": lambda m, bound: "x" * (MESSAGE_CHARS + 1)}, "Title", "x" * MESSAGE_CHARS),
    ],
)
def test_a_rule_says_its_message_its_title_or_its_name(parts: dict[str, Any], title: str, text: str) -> None:
    result = result_of(rule(parts, title=title), context(), Outcome("violated", seen(True, "w")()))
    assert result.message == text


def test_a_part_that_a_rule_does_not_have_says_nothing() -> None:
    assert said(rule({"message": lambda m, bound: 7}), "message2", context(), {}) == ""
    assert said(rule({"message2": lambda m, bound: 7}), "message2", context(), {}) == "7"


def test_an_undecided_rule_says_what_is_missing_before_its_own_words() -> None:
    found = Outcome("undecided", Seen("", None, ("no a", "no b")))
    result = result_of(rule(verdict="stop", reason="own", satisfy=("do it",)), context(), found)
    assert result.message == "Could not be decided: no a; no b. Perhaps: Title"
    assert (result.outcome, result.verdict, result.reason) == ("undecided", "deny", "")
    assert (result.undecided, result.because, result.evidence) == (("no a", "no b"), (), ("e",))
    assert (result.rule, result.at, result.satisfy) == ("r", "p.policy:1:1", ("do it",))
    long = Outcome("undecided", Seen("", None, ("x" * MESSAGE_CHARS,)))
    assert len(result_of(rule(), context(), long).message) == MESSAGE_CHARS


@pytest.mark.parametrize(("verdict", "reason"), [("stop", "own"), ("deny", ""), ("warn", "")])
def test_only_a_stop_gives_its_reason(verdict: str, reason: str) -> None:
    violated = Outcome("violated", seen(True, "w")())
    result = result_of(rule(verdict=verdict, reason="own"), context(), violated)
    assert (result.verdict, result.reason, result.undecided) == (verdict, reason, ())
    assert (result.evidence, result.because) == (("e-w",), (("w", {"is": True}),))


def test_what_is_to_blame_is_told_once_in_its_order_and_without_evidence_the_event_is_it() -> None:
    leaves = (("b", {"is": 1}), ("a", {}), ("b", {"is": 1}), ("b", {"is": 2}))
    found = Outcome("violated", Seen("", True, (), leaves))
    result = result_of(rule(), context(), found)
    assert (result.because, result.evidence) == ((("b", {"is": 1}), ("a", {}), ("b", {"is": 2})), ("e",))
    assert result_of(rule(), context(id=""), found).evidence == ()


NO, YES, UNKNOWN = "no", "yes", "unknown"
COVERS = {NO: lambda _: False, YES: lambda _: True, UNKNOWN: raising(Undecided("x"))}


@pytest.mark.parametrize(
    ("waivers", "time", "covered"),
    [
        ((), "1970-01-01T00:00:01Z", False),
        (((2000, ""),), "1970-01-01T00:00:01Z", True),
        (((1001, ""),), "1970-01-01T00:00:01Z", True),
        (((1000, ""),), "1970-01-01T00:00:01Z", False),
        (((2000, ""),), None, False),
        (((2000, NO),), "1970-01-01T00:00:01Z", False),
        (((2000, YES),), "1970-01-01T00:00:01Z", True),
        (((2000, UNKNOWN),), "1970-01-01T00:00:01Z", False),
        (((2000, UNKNOWN), (2000, YES)), "1970-01-01T00:00:01Z", True),
        (((500, ""), (2000, YES)), "1970-01-01T00:00:01Z", True),
        (((2000, NO), (2000, "")), "1970-01-01T00:00:01Z", True),
        (((2000, NO), (500, YES)), "1970-01-01T00:00:01Z", False),
    ],
)
def test_one_waiver_in_force_is_enough(waivers: Any, time: str | None, covered: bool) -> None:
    at = context() if time is None else context(time=time)
    assert waived(rule(COVERS, waivers=waivers), at) is covered


def test_the_strictest_come_first_then_the_names_in_their_order() -> None:
    spoken = [RuleResult(name, "violated", verdict) for name in "ba" for verdict in VERDICTS]
    found = [(one.verdict, one.rule) for one in sorted(spoken, key=strictness)]
    assert found == [(verdict, name) for verdict in VERDICTS[::-1] for name in "ab"]
