"""Hooks run by `before` and `after`, then by priority, then by id; a cycle is named once, and its hooks come last."""

from __future__ import annotations

import pytest

from tests.unit.checker.build import checked


def order(text: str) -> tuple[list[str], list[str]]:
    """`b<a c>b/2` → the order of the hooks, and what is said of a cycle: `<` before, `>` after, `/` priority."""
    hooks = []
    for spec in text.split():
        name, clauses = spec[0], ""
        for sign, word in zip(spec[1::2], spec[2::2], strict=True):
            clauses += {"<": " before ", ">": " after ", "/": " priority "}[sign] + word
        hooks.append(f'hook {name} "H" {{ on prompt run ["x"]{clauses} }}')
    policy, found = checked("\n".join(hooks))
    assert [hook.order for hook in policy.hooks] == list(range(len(hooks)))
    return [hook.id for hook in policy.hooks], [f"{one.code} {one.message}: {one.help}" for one in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""), ("c a b", "abc"), ("a b/1 c/2", "cba"), ("a b<a", "ba"), ("a>b b", "ba"), ("a/9>b b", "ba"),
        ("a<b<c b c<b", "acb"), ("a>c>b b>c c", "cba"), ("a>b b>c c>d d", "dcba"), ("a<d b<d c<d d/9", "abcd"),
        ("a/1 b/2>a c/3>a d/4>b", "acbd"), ("a b>a c>a d>b>c", "abcd"), ("z<a a<b b", "zab"), ("a>b<c b c", "bac"),
    ],
)  # fmt: skip
def test_hooks_run_in_the_one_order_that_their_clauses_allow(text: str, expected: str) -> None:
    found, said = order(text)
    assert ("".join(found), said) == (expected, [])


@pytest.mark.parametrize(
    ("text", "last", "path"),
    [
        ("a<b b<a c", "cab", "a b a"), ("a<a", "a", "a a"), ("x<y y<z z<x a b", "abxyz", "x y z x"),
        ("a<b b<a c>a d<c/9", "dabc", "a b a"), ("m<n n<m a<m", "amn", "m n m"), ("p>q q>p b<c c<b", "bcpq", "b c b"),
        ("a>d b<c c<d d<b", "abcd", "d b c d"), ("a<b>b b", "ab", "a b a"),
    ],
)  # fmt: skip
def test_a_cycle_is_named_by_its_hooks_and_they_come_last_by_id(text: str, last: str, path: str) -> None:
    found, said = order(text)
    names = path.split()
    assert "".join(found) == last
    shown = " before ".join(f"`{name}`" for name in names)
    assert said == [f"PE256 the hook `{names[0]}` would run before itself: {shown}"]
