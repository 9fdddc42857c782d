"""`policy new`: what is scaffolded is valid, in layout, passes its own tests, and never replaces anything."""

from __future__ import annotations

import pytest

from policy_engine.loading.scaffolds import SCAFFOLDS
from tests.unit.commands.running import GOOD, Shell


@pytest.mark.parametrize("kind", [kind for kind in SCAFFOLDS if kind != "test"])
def test_every_kind_is_valid_and_in_layout(policy: Shell, kind: str) -> None:
    done = policy("new", kind, "my-own")
    assert (done.status, done.err) == (0, "")
    assert done.out == "wrote .policy/my-own.policy\nnext  policy test .policy/my-own.policy\n"
    assert policy("check").status == 0, policy("check").out
    assert policy("fmt", "--check").status == 0
    if kind != "verify":  # its stages are programs, which a test does not run
        assert policy("test").status == 0, policy("test").out


def test_all_kinds_live_together(policy: Shell) -> None:
    for kind in SCAFFOLDS:
        assert policy("new", kind, f"my-{kind}").status == 0
    assert policy("check").status == 0
    assert policy("test").status == 0, policy("test").out
    assert policy("fmt", "--check").status == 0


def test_a_test_needs_something_to_test(policy: Shell) -> None:
    done = policy("new", "test", "whole-day")
    assert (done.status, "begin with `policy init`" in done.err) == (2, True)


def test_nothing_is_overwritten(policy: Shell) -> None:
    path = policy.write(".policy/mine.policy", GOOD)
    done = policy("new", "rule", "mine")
    assert (done.status, done.out, path.read_text()) == (2, "", GOOD)


def test_an_id_that_is_taken_elsewhere_is_refused(policy: Shell) -> None:
    policy.write(".policy/main.policy", GOOD)
    done = policy("new", "rule", "no-rm")
    assert done.status == 2
    assert done.err.startswith("error: the id `no-rm` is taken, at .policy/main.policy:3:")


@pytest.mark.parametrize(
    ("name", "tame"),
    [
        ("No Sudo!", "no-sudo"),
        ("../escape", "escape"),
        ("a--b", "a-b"),
        ("9", "my-rule"),
        ("", "my-rule"),
        ("é", "my-rule"),
    ],
)
def test_a_name_that_is_none_is_refused_with_a_better_one(policy: Shell, name: str, tame: str) -> None:
    done = policy("new", "rule", name)
    assert (done.status, f"such as `{tame}`" in done.err) == (2, True)


@pytest.mark.parametrize("word", ["inside", "and", "true"])
def test_a_word_of_the_language_is_refused(policy: Shell, word: str) -> None:
    done = policy("new", "rule", word)
    assert (done.status, f"`{word}` cannot be a name here" in done.err) == (2, True)
    assert not (policy.folder / ".policy").exists()


def test_an_unknown_kind_is_a_usage_error(policy: Shell) -> None:
    done = policy("new", "predicate", "x")
    assert (done.status, done.out) == (2, "")


def test_the_folder_and_json(policy: Shell) -> None:
    done = policy("new", "rule", "my-own", "--folder", "rules/mine", "--format", "json")
    assert done.json == {"written": ["rules/mine/my-own.policy"], "kind": "rule", "name": "my-own"}
    policy.write("blocked", "")
    assert policy("new", "rule", "my-own", "--folder", "blocked/below").status == 2


def test_the_whole_command(policy: Shell) -> None:
    done = policy.process("new", "rule", "my-own")
    assert (done.status, done.err, (policy.folder / ".policy/my-own.policy").is_file()) == (0, "", True)
