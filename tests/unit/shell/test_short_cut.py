"""The short cut answers as the grammar does: on every short line, on every short list of words, and on generated lines.

`policy_engine/shell/plain.py` tells characters apart by what it does with them; each of those classes has a member in
`EVERY`, and each that stands for more than itself one in `TELLING`. `POLICY_FUZZ` makes the lines longer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

import pytest
from hypothesis import given, settings

from policy_engine.model.undecided import Undecided
from policy_engine.model.world import Virtual
from policy_engine.shell.command import SimpleCommand
from policy_engine.shell.parse import grammar_commands
from policy_engine.shell.plain import _PLAIN, _WORD
from policy_engine.shell.short_cut import plain_commands
from tests.properties.effort import FACTOR
from tests.unit.shell.scripts import PLAIN

WORLD = Virtual("/workspace", "/home/user")
TELLING = "a =~#'\"&/^ü"
EVERY = "aX1_-./:=,@+ %]^~#'\"&\t\nü$`\\!*?[{}();|<>\x01\u00a0"
WORDS = (
    "a,X=1,PATH=x,X+=1,1=a,cd,..,~,~/a,~a,a=~,-,--,-r,'a b',\"~\",'',if,'if',env,a/if,./x,/,a/,=a,#,a#,&&,"
    "find,-exec,uv,run,set,%1,^a,],a:~,CDPATH=a,ü,echo,1,',\"~/a\",~'/a',X='1','X'=1,\t,\n"
).split(",")


def shown(command: SimpleCommand) -> tuple[object, ...]:
    try:
        cwd: object = command.cwd.real
    except Undecided:
        cwd = command.unknown
    names = "argv text env via zero_proves nonzero_proves dynamic background in_function piped_from redirects sources"
    return (*(getattr(command, name) for name in names.split()), cwd)


def differences(lines: Iterable[str], cwd: str | None = "/workspace") -> tuple[int, list[str]]:
    """How many lines the short cut took, and those that the grammar reads otherwise."""
    taken, wrong = 0, []
    for line in lines:
        try:
            short = plain_commands(line, cwd, WORLD)
        except Undecided:
            continue
        taken += 1
        try:
            whole = [shown(command) for command in grammar_commands(line, cwd, WORLD)]
        except Undecided:
            whole = []
        if [shown(command) for command in short] != whole:
            wrong.append(line)
    return taken, wrong


def of_characters(alphabet: str, most: int, before: str = "") -> Iterator[str]:
    return (before + "".join(chars) for length in range(most + 1) for chars in product(alphabet, repeat=length))


def of_words(most: int, joint: str) -> Iterator[str]:
    return (joint.join(words) for length in range(2, most + 1) for words in product(WORDS, repeat=length))


def test_the_alphabets_have_a_member_of_each_class() -> None:
    outside = "'\"&\t\nü"
    for alphabet in (EVERY, TELLING):
        accepted = {char for char in alphabet if char in _PLAIN or char in _WORD or char in outside}
        assert alphabet is EVERY or accepted == set(alphabet)
    # letters but `a` and `X`, and digits but `1`, are told apart nowhere but in the names of programs
    rest = (_PLAIN | _WORD) - set(EVERY)
    assert all(char.isalnum() for char in rest)


@pytest.mark.parametrize(
    ("alphabet", "most", "before"),
    [(EVERY, 4 if FACTOR else 3, ""), (TELLING, 6 if FACTOR else 5, ""), (TELLING, 6 if FACTOR else 4, "a ")],
    ids=["every", "telling", "argument"],
)
def test_every_short_line_means_the_same(alphabet: str, most: int, before: str) -> None:
    taken, wrong = differences(of_characters(alphabet, most, before))
    assert wrong == []
    assert taken > 1000


@pytest.mark.parametrize("joint", [" ", "", " && ", "&&"])
@pytest.mark.parametrize("cwd", ["/workspace", None])
def test_every_short_list_of_words_means_the_same(joint: str, cwd: str | None) -> None:
    taken, wrong = differences(of_words(3 if FACTOR else 2, joint), cwd)
    assert wrong == []
    assert taken > 200


@settings(max_examples=200 * (FACTOR or 1), derandomize=not FACTOR, deadline=None)
@given(PLAIN)
def test_generated_lines_mean_the_same(line: str) -> None:
    assert differences([line])[1] == []


def test_a_long_line_means_the_same() -> None:
    assert differences([" && ".join(["a 'b c' ~/d"] * 1500), "a " * 5_000, "a" * 60_000]) == (3, [])
