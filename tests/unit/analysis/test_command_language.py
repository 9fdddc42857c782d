"""What is claimed of two command patterns holds for every command that is tried."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy_engine.analysis.command_language import covers, disjoint, example
from policy_engine.checker.tree import CommandPattern, GlobPattern
from policy_engine.shell.patterns import argv_matches

TOKENS = st.sampled_from(["git", "push", "-f", "--force", "-*", "...", "*", "p*", "-f*", "*sh"])
LINES = st.lists(TOKENS, min_size=1, max_size=4).map(tuple)
COMMANDS = st.builds(
    CommandPattern, st.lists(LINES, min_size=1, max_size=2).map(tuple), st.lists(LINES, max_size=1).map(tuple)
)
ARGV = st.lists(st.sampled_from(["git", "push", "-f", "--force", "p", "-fx", "x"]), min_size=1, max_size=4).map(tuple)


def _matches(pattern: CommandPattern, argv: tuple[str, ...]) -> bool:
    included = any(argv_matches(tokens, argv) for tokens in pattern.include)
    return included and not any(argv_matches(tokens, argv) for tokens in pattern.exclude)


@given(COMMANDS, COMMANDS, ARGV)
def test_a_wider_pattern_matches_what_the_narrower_one_does(
    wide: CommandPattern, narrow: CommandPattern, argv: tuple[str, ...]
) -> None:
    if covers(wide, narrow) and _matches(narrow, argv):
        assert _matches(wide, argv)


@given(COMMANDS, COMMANDS, ARGV)
def test_disjoint_patterns_share_no_command(one: CommandPattern, other: CommandPattern, argv: tuple[str, ...]) -> None:
    if disjoint(one, other):
        assert not (_matches(one, argv) and _matches(other, argv))


@given(LINES, st.lists(LINES, max_size=1).map(tuple))
def test_an_example_is_one(tokens: tuple[str, ...], left_out: tuple[tuple[str, ...], ...]) -> None:
    line = example(tokens, left_out)
    if line:
        assert _matches(CommandPattern((tokens,), left_out), tuple(line.split(" ")))


@pytest.mark.parametrize(
    ("wide", "narrow", "expected"),
    [
        ("git ...", "git push --force ...", True),
        ("git push ...", "git ...", False),
        ("pytest -*", "pytest -q -x", True),
        ("pytest -*", "pytest tests", False),
        ("npm * ...", "npm test -*", True),
        ("npm -* test", "npm test", True),
        ("* ...", "git push", True),
        ("py* -*", "pytest -q", True),
    ],
)
def test_inclusion(wide: str, narrow: str, expected: bool) -> None:
    pair = [CommandPattern((tuple(line.split(" ")),)) for line in (wide, narrow)]
    assert covers(pair[0], pair[1]) is expected


def test_a_folder_that_is_asked_for_is_part_of_the_pattern() -> None:
    here, plain = CommandPattern((("make",),), (), GlobPattern(("web",))), CommandPattern((("make",),))
    assert not covers(here, plain)
    assert covers(plain, here)
    assert covers(here, here)
