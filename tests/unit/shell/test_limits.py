"""Lines that are too much: all of it is analysed, or the line is undecided; nothing ends in another exception."""

from __future__ import annotations

import shlex

import pytest

from policy_engine.model.undecided import Undecided
from policy_engine.model.world import Virtual
from policy_engine.shell import grammar, origins
from policy_engine.shell.names import CHANGES_SHELL, RESERVED, RUNS_ANOTHER
from policy_engine.shell.parse import parse
from policy_engine.shell.wrappers import RUNNERS, WRAPPERS
from policy_engine.shell.wrapping import _HANDLERS

WORLD = Virtual()


@pytest.mark.parametrize("joint", ["; ", " && ", " || ", "\n", " & "])
def test_five_thousand_commands_are_all_found(joint: str) -> None:
    found = parse(joint.join(["true"] * 5000 + ["rm -rf /x"]), "/workspace", WORLD)
    assert len(found) == 5001
    assert found[-1].argv == ("rm", "-rf", "/x")


@pytest.mark.parametrize(
    "line",
    [
        "$(" * 200 + "x" + ")" * 200, '"$(' * 5000, "(" * 10_000, "{" * 50_000, "`" * 50_001, "a|" * 30_000,
        "eval " * 60 + "x", "sudo " * 60 + "x", "if a; then " * 2000, "${x:-" * 10_000, "$((" * 10_000, "<(" * 5000,
        "echo {a..z}{a..z}{a..z}{a..z}{a..z}{a..z}", "echo {1..100000000}", "echo " + "{" * 3000 + "a,b" + "}" * 3000,
        "a" * 1_000_000, "for i in a b; do " * 12 + "x;" + " done;" * 12,
        "".join(f"v{number}=1; " for number in range(5000)),
        "cat " + " ".join(f"<<E{number}" for number in range(100)), "case x in " * 3000,
    ],
)  # fmt: skip
def test_what_is_too_much_is_undecided(line: str) -> None:
    with pytest.raises(Undecided):
        parse(line, "/workspace", WORLD)


def test_shells_in_shells_are_followed_or_undecided() -> None:
    line = "rm -rf /x"
    for _ in range(5):
        line = f"bash -c {shlex.quote(line)}"
    found = parse(line, "/workspace", WORLD)
    assert [command.program for command in found] == ["bash"] * 5 + ["rm"]
    assert found[-1].via == ("bash",) * 5
    assert parse("bash -c " * 60 + "x", "/workspace", WORLD)[-1].argv == ("bash",)


def test_a_value_that_grows_without_bound_is_not_known() -> None:
    found = parse("x=aa; " + "x=$x$x; " * 40 + "echo " + "$x" * 100, "/workspace", WORLD)
    assert found[-1].dynamic


def test_a_missing_grammar_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grammar, "_parse", None)
    monkeypatch.setattr(grammar, "_load_extension", lambda package: None)
    monkeypatch.setattr(grammar.sys, "modules", {})
    with pytest.raises(Undecided, match="not installed"):
        parse("a | b", "/workspace", WORLD)
    assert parse("a b", "/workspace", WORLD)[0].argv == ("a", "b")


def test_the_short_cut_knows_every_program_that_starts_others() -> None:
    handled = set(_HANDLERS) | set(WRAPPERS)
    assert handled - RUNS_ANOTHER - CHANGES_SHELL - set(RUNNERS) - RESERVED == set()


def test_zsh_is_understood_for_plain_words_only() -> None:
    assert parse("git push -f", "/workspace", WORLD, "zsh")[0].argv == ("git", "push", "-f")
    for line in ("ls *(e:'rm x':)", "a | b", "echo x >! f", "< f"):
        with pytest.raises(Undecided, match="zsh"):
            parse(line, "/workspace", WORLD, "zsh")
    for line in ("echo $'x'", "a &> f"):
        with pytest.raises(Undecided, match="otherwise"):
            parse(line, "/workspace", WORLD, "sh")


@pytest.mark.fault(24)
def test_where_code_comes_from_is_looked_for_once_for_each_pair_of_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    looks, foreign = [], origins._foreign
    monkeypatch.setattr(origins, "_foreign", lambda command: looks.append(command) or foreign(command))
    commands = parse("sh a; " * 60, "/workspace", WORLD)
    for command in commands:
        command.line = commands
    assert not any(command.runs_foreign for command in commands)
    assert len(looks) <= 60 * 60
