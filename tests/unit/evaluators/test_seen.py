"""What an explanation holds, part by part: text, truth, reasons, blame, witnesses, evidence and operands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from policy_engine.evaluators.trace import (
    UNKNOWN,
    Seen,
    any_of,
    counted,
    every_of,
    leaf,
    negated,
    printed,
    quantified,
    shown,
)
from policy_engine.filesystem.paths import PathValue
from policy_engine.model.undecided import ABSENT, Undecided
from tests.unit.evaluators.test_trace import value


def known(truth: bool | None, name: str, **more: Any) -> Callable[[], Seen]:
    """A part with something in every place."""
    reasons = (f"why {name}",) if truth is None else ()
    return lambda: Seen(name, truth, reasons, ((name, {}),), more.get("bound"), more.get("evidence", ()))


def told(seen: Seen) -> tuple[Any, ...]:
    """Everything but the parts."""
    return seen.text, seen.truth, seen.reasons, [text for text, _ in seen.because], seen.bound, seen.evidence


def test_a_part_that_says_nothing_holds_nothing() -> None:
    assert told(Seen("t", True)) == ("t", True, (), [], {}, ())
    assert Seen("t", True).parts == () and Seen("t", True).bound is not Seen("t", True).bound


def test_a_leaf_holds_its_text_its_values_and_its_events() -> None:
    operands = (("x", lambda: 2), ("y", value(None)))
    assert told(leaf("x == 2", value(True))) == ("x == 2", True, (), ["x == 2"], {}, ())
    unknown = leaf("x", value(None, "why"), operands, (lambda: "e1", value(None), lambda: "", lambda: "e2"))
    assert told(unknown) == ("x", None, ("why",), ["x"], {}, ("e1", "e2"))
    assert (unknown.because, unknown.parts) == ((("x", {"x": 2, "y": "?"}),), ())


@pytest.mark.parametrize(
    ("connective", "guilty", "other"), [(every_of, False, True), (any_of, True, False), (every_of, None, True)]
)
def test_a_connective_takes_everything_from_the_guilty_parts_and_the_first_witness_stands(
    connective: Callable[..., Seen], guilty: bool | None, other: bool
) -> None:
    found = connective(
        "all",
        known(other, "no", bound={9: "no"}, evidence=("e0",)),
        known(guilty, "b", bound={1: "one", 2: "two"}, evidence=("e2", "e1")),
        known(guilty, "a", bound={2: "second", 3: "three"}, evidence=("e1", "e3")),
    )
    reasons = ("why a", "why b") if guilty is None else ()
    bound = {1: "one", 2: "two", 3: "three"}
    assert told(found) == ("all", guilty, reasons, ["b", "a"], bound, ("e2", "e1", "e3"))
    assert [part.text for part in found.parts] == ["no", "b", "a"]


@pytest.mark.parametrize(("connective", "all_of", "empty"), [(every_of, True, True), (any_of, False, False)])
def test_parts_that_agree_are_blamed_together(connective: Callable[..., Seen], all_of: bool, empty: bool) -> None:
    found = connective("t", known(all_of, "a"), known(all_of, "b"))
    assert told(found) == ("t", all_of, (), ["a", "b"], {}, ())
    assert told(connective("t")) == ("t", empty, (), [], {}, ())


@pytest.mark.parametrize(("truth", "denied"), [(True, False), (False, True), (None, None)])
def test_what_is_denied_keeps_everything_but_its_truth(truth: bool | None, denied: bool | None) -> None:
    found = negated("not a", known(truth, "a", bound={1: "x"}, evidence=("e",)))
    reasons = ("why a",) if truth is None else ()
    assert told(found) == ("not a", denied, reasons, ["a"], {1: "x"}, ("e",))
    assert [part.text for part in found.parts] == ["a"]


def member(one: str) -> Seen:
    """Members say their truth by their first letter: `t`, `f`, `u`."""
    truth = {"t": True, "f": False, "u": None}[one[0]]
    return known(truth, one, bound={5: one}, evidence=(f"e-{one}",))()


@pytest.mark.parametrize(
    ("kind", "members", "expected"),
    [
        ("any", "f1 t1 t2", (True, (), ["t1"], {5: "t1", 7: "t1"}, ("e-t1",), ["t1"])),
        ("any", "u1 t1", (True, (), ["t1"], {5: "t1", 7: "t1"}, ("e-t1",), ["t1"])),
        ("any", "f1 u1 u2", (None, ("why u1",), ["u1"], {5: "u1", 7: "u1"}, ("e-u1",), ["u1"])),
        ("any", "f1 f2", (False, (), ["q"], {}, (), [])),
        ("every", "t1 f1 f2", (False, (), ["f1"], {5: "f1", 7: "f1"}, ("e-f1",), ["f1"])),
        ("every", "t1 u1 u2", (None, ("why u1",), ["u1"], {5: "u1", 7: "u1"}, ("e-u1",), ["u1"])),
        ("every", "t1 t2 t3", (True, (), ["q"], {}, (), [])),
    ],
)
def test_a_quantifier_takes_everything_from_the_member_that_settles_it(
    kind: str, members: str, expected: tuple[Any, ...]
) -> None:
    found = quantified("q", kind, 7, lambda: members.split(), None, member)
    assert (*told(found)[1:], [part.text for part in found.parts]) == expected
    assert found.text == "q"


@pytest.mark.parametrize(("kind", "truth"), [("any", False), ("every", True)])
def test_a_quantifier_that_no_member_settles_says_how_many_there_were(kind: str, truth: bool) -> None:
    none = "f1 f2 f3" if kind == "any" else "t1 t2 t3"
    assert quantified("q", kind, 7, lambda: none.split(), None, member).because == (("q", {"members": 3}),)
    assert quantified("q", kind, 7, list, None, member).because == (("q", {"members": 0}),)


@pytest.mark.parametrize(
    ("kind", "members", "truth", "reasons"),
    [
        ("any", "f1", None, ("more",)), ("any", "f1 t1", True, ()), ("any", "u1", None, ("why u1",)),
        ("every", "t1", None, ("more",)), ("every", "f1", False, ()), ("every", "", None, ("more",)),
    ],
)  # fmt: skip
def test_a_list_that_may_go_on_is_settled_by_what_is_known_of_it(
    kind: str, members: str, truth: bool | None, reasons: tuple[str, ...]
) -> None:
    def opened() -> Any:
        yield from members.split()
        raise Undecided("more")

    found = quantified("q", kind, 7, opened, None, member)
    assert (found.truth, found.reasons) == (truth, reasons)
    if reasons == ("more",):
        assert (found.because, found.bound, [part.text for part in found.parts]) == ((("q", {}),), {}, ["q"])


WHERE = [  # where, body → any, every, counts as one
    ("t", "t", True, True, True), ("t", "f", False, False, False), ("t", "u", None, None, None),
    ("f", "t", False, True, False), ("f", "f", False, True, False), ("f", "u", False, True, False),
    ("u", "t", None, True, None), ("u", "f", False, None, False), ("u", "u", None, None, None),
]  # fmt: skip


@pytest.mark.parametrize(("where", "body", "some", "every", "one"), WHERE)
def test_where_says_which_members_count(
    where: str, body: str, some: bool | None, every: bool | None, one: bool | None
) -> None:
    def asked(letter: str, name: str) -> Callable[[Any], Seen]:
        return lambda member: known({"t": True, "f": False, "u": None}[letter], f"{name} {member}")()

    parts = asked(where, "where"), asked(body, "body")
    found = [quantified("q", kind, 1, lambda: ["m"], *parts) for kind in ("any", "every")]
    assert [one.truth for one in found] == [some, every]
    asked_for = {"q", "where m", "body m"}
    assert {part.text for one in found for part in below(one)} - asked_for <= {""}, "what joins them is in no policy"
    if one is None:
        with pytest.raises(Undecided, match="why") as unknown:
            counted(lambda: ["m"], *parts)
        open_parts = [name for letter, name in ((where, "where"), (body, "body")) if letter == "u"]
        assert unknown.value.reasons == tuple(sorted(f"why {name} m" for name in open_parts))
    else:
        assert counted(lambda: ["m", "m"], *parts) == 2 * one


def below(seen: Seen) -> list[Seen]:
    """A part with all of its parts."""
    return [seen, *(one for part in seen.parts for one in below(part))]


def test_a_count_gives_the_reasons_of_all_members() -> None:
    with pytest.raises(Undecided) as unknown:
        counted(lambda: ["u2", "t1", "u1"], None, member)
    assert unknown.value.reasons == ("why u1", "why u2")


@pytest.mark.parametrize(
    ("found", "plain", "text"),
    [
        (None, None, "None"), (True, True, "true"), (False, False, "false"), (3, 3, "3"), (0.5, 0.5, "0.5"),
        ("", "", ""), ("a" * 200, "a" * 200, "a" * 200), ("a" * 201, "a" * 199 + "…", "a" * 199 + "…"),
        (ABSENT, "?", UNKNOWN), (PathValue("p", "/p"), "p", "p"), ([], [], "none"), ((), [], "none"),
        ([True, (1, "a")], [True, [1, "a"]], "True, [1, 'a']"), (range(21), "range(0, 21)", "range(0, 21)"),
        (list(range(20)), list(range(20)), ", ".join(map(str, range(20)))),
        (tuple(range(21)), list(range(20)), ", ".join(map(str, range(20)))), ({"a": 1}, "{'a': 1}", "{'a': 1}"),
    ],
)  # fmt: skip
def test_values_are_shown_short_and_plain_and_printed_as_text(found: Any, plain: Any, text: str) -> None:
    assert shown(lambda: found) == plain and type(shown(lambda: found)) is type(plain)
    assert printed(lambda: found) == text
