"""What is claimed of two globs holds for every path that is tried."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from policy_engine.analysis.glob_language import covers, disjoint, witness
from policy_engine.analysis.regular import TooHard
from policy_engine.checker.tree import GlobPattern
from policy_engine.filesystem.globs import glob_matches

COMPONENTS = st.sampled_from(["**", "*", "a", "b", "a*", "*b", "?", "[ab]", "[!a]", "*.py", "A"])
GLOBS = st.lists(COMPONENTS, min_size=1, max_size=4).map("/".join)
PATTERNS = st.builds(
    GlobPattern,
    st.lists(GLOBS, min_size=1, max_size=2).map(tuple),
    st.lists(GLOBS, max_size=1).map(tuple),
)
PATHS = st.lists(st.sampled_from(["a", "b", "ab", "x.py", "A", ".a", "c\nd"]), min_size=1, max_size=4).map("/".join)


def _matches(pattern: GlobPattern, path: str, recursive: bool = False) -> bool:
    return glob_matches(pattern, path, f"/w/{path}", "/h", recursive)


@given(PATTERNS, PATTERNS, PATHS, st.booleans())
def test_a_wider_glob_matches_what_the_narrower_one_does(
    wide: GlobPattern, narrow: GlobPattern, path: str, recursive: bool
) -> None:
    if covers(wide, narrow) and _matches(narrow, path, recursive):
        assert _matches(wide, path, recursive)


@settings(max_examples=50)
@given(PATTERNS, PATTERNS, PATHS)
def test_disjoint_globs_share_no_path(one: GlobPattern, other: GlobPattern, path: str) -> None:
    if disjoint(one, other):
        assert not (_matches(one, path) and _matches(other, path))


@settings(max_examples=50)
@given(PATTERNS, PATTERNS)
def test_a_witness_is_in_the_one_and_not_in_the_other(one: GlobPattern, other: GlobPattern) -> None:
    try:
        found = witness(((one, True), (other, False)))
    except TooHard:
        return
    if found is not None:
        assert _matches(one, found) and not _matches(other, found)


@pytest.mark.parametrize(
    ("wide", "narrow", "expected"),
    [
        ("src/**", "src/**/*.py", True),
        ("src/**", "src/a", True),
        ("src/**", "src", False),
        ("**", "a/b/c", True),
        ("**/*.py", "src/*.py", True),
        ("src/*", "src/**", False),
        ("src/*/*", "src/**", False),
        ("/etc/**", "/etc/ssh/*", True),
        ("~/.ssh/**", "~/.ssh/id_*", True),
        ("**", "/etc/passwd", False),
        ("src/[a-z]*", "src/b?", True),
    ],
)
def test_inclusion(wide: str, narrow: str, expected: bool) -> None:
    assert covers(GlobPattern((wide,)), GlobPattern((narrow,))) is expected


def test_a_claim_holds_where_case_is_ignored_too() -> None:
    assert not disjoint(GlobPattern(("SRC/**",)), GlobPattern(("src/**",)))
    assert disjoint(GlobPattern(("src/**",)), GlobPattern(("docs/**",)))
