"""`policy new`: what is scaffolded is valid, in layout, passes its own tests, and never replaces anything."""

from __future__ import annotations

import pytest

from policy_engine import Engine
from policy_engine.scaffolding.scaffolds import KINDS, SWITCHES
from tests.unit.commands.running import GOOD, Shell


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "test"])
def test_every_kind_is_valid_and_in_layout(policy: Shell, kind: str) -> None:
    done = policy("new", kind, "my-own")
    assert (done.status, done.err) == (0, "")
    name = ".policy/my-own.policy" + ".draft" * (kind == "verify")
    assert done.out == f"wrote {name}\nnot in force yet: {SWITCHES[kind]}\nnext  policy test {name}\n"
    assert policy("check", name).status == 0, policy("check", name).out
    assert policy("fmt", "--check", name).status == 0
    assert policy("test", name).status == 0, policy("test", name).out


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "test"])
def test_nothing_is_in_force_before_it_is_switched_on(policy: Shell, kind: str) -> None:
    policy("new", kind, "my-own")
    path = policy.folder / ".policy" / ("my-own.policy" + ".draft" * (kind == "verify"))
    text = path.read_text()
    if kind == "verify":
        policy.write(".policy/main.policy", GOOD)
    place = {"cwd": "/w", "workspace": "/w"}
    calls = [("Write", "write", {"file_path": "dist/a.js", "content": "x"}), ("Bash", "shell", {"command": "git push"})]
    engine = Engine.load(policy.folder / ".policy", log=False)
    for name, sort, args in calls * 6:
        tool = {"name": name, "kind": sort, "args": args}
        said = engine.decide({"hook": "before_tool", "session": "s", **place, "tool": tool})
        assert said.verdict in ("allow", "warn"), said
    assert engine.decide({"hook": "before_completion", "session": "s", **place, "answer": "ok"}).verdict == "allow"
    assert "shadow" in text or "observe" in text or kind == "verify"


def test_all_kinds_live_together(policy: Shell) -> None:
    for kind in KINDS:
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
    assert done.json == {
        "written": ["rules/mine/my-own.policy"],
        "kind": "rule",
        "name": "my-own",
        "switch_on": SWITCHES["rule"],
    }
    policy.write("blocked", "")
    assert policy("new", "rule", "my-own", "--folder", "blocked/below").status == 2


def test_the_whole_command(policy: Shell) -> None:
    done = policy.process("new", "rule", "my-own")
    assert (done.status, done.err, (policy.folder / ".policy/my-own.policy").is_file()) == (0, "", True)
