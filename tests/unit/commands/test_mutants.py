"""`policy test --mutants`: the share of small mistakes that tests notice, and the tests that are missing."""

from __future__ import annotations

import subprocess

import pytest

from tests.unit.commands.running import Shell
from tests.unit.testing.test_mutation import RULE


def test_the_command_tells_the_score(policy: Shell) -> None:
    (policy.folder / "main.policy").write_text(RULE % "")
    done = policy("test", "--mutants", "main.policy")
    assert done.status == 0
    assert done.out.splitlines()[0] == "no-force  8 mutants: 4 killed, 4 survived"
    assert done.out.splitlines()[-1] == "mutation score 50 %, 4 of 8 noticed"
    assert '      shell "git push --force-with-lease"  => deny' in done.out.splitlines()
    assert policy("test", "--mutants", "--min", "51", "main.policy").status == 5
    found = policy("test", "--mutants", "--format", "json", "main.policy").json
    assert found["score"] == 50.0 and len(found["mutants"]) == 8
    badge = policy("test", "--mutants", "--format", "badge", "main.policy").json
    assert (badge["label"], badge["message"], badge["color"]) == ("policy mutation score", "50 %", "orange")
    assert policy("test", "--mutants", "--filter", "nothing", "main.policy").status == 5


def test_long_work_is_told_without_a_terminal(policy: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    (policy.folder / "main.policy").write_text(RULE % "")
    assert policy("test", "--mutants", "main.policy").err == ""
    monkeypatch.setattr("policy_engine.commands.base.PROGRESS_SECONDS", 0.0)
    told = policy("test", "--mutants", "main.policy").err.splitlines()
    assert told[0] == "trying mutants: 0 of 1" and told[-1] == "comparing mutants: 7 of 8", told


def test_every_format_of_tests_says_what_is_not_noticed(policy: Shell) -> None:
    (policy.folder / "main.policy").write_text(RULE % "")
    github = policy("test", "--mutants", "--format", "github", "main.policy").out
    assert github.count("::error file=main.policy,line=") == 4
    assert "no test notices it%0Atest {%0A" in github and github.endswith("8 tests, 4 failed\n")
    tap = policy("test", "--mutants", "--format", "tap", "main.policy").out
    assert tap.count("\nnot ok ") == 4 and tap.count("\nok ") == 4


def test_tests_that_fail_are_told_first(policy: Shell) -> None:
    (policy.folder / "main.policy").write_text(RULE % '    shell "git push --force" => allow\n')
    done = policy("test", "--mutants", "main.policy")
    assert done.status == 5 and "expected allow, got deny" in done.out
    badge = policy("test", "--mutants", "--format", "badge", "main.policy").json
    assert (badge["message"], badge["isError"]) == ("1 failed", True)


def test_missing_tests_are_added_to_their_rules(policy: Shell) -> None:
    policy.write("main.policy", RULE % "" + "\n# the end\n")
    done = policy("test", "--mutants", "--write", "main.policy")
    assert (done.status, done.err) == (0, "main.policy: 4 tests added\n")
    text = (policy.folder / "main.policy").read_text()
    assert text.count("what no other test shows") == 1 and text.endswith("# the end\n")
    again = policy("test", "--mutants", "--write", "--min", "100", "main.policy")
    assert (again.status, again.err) == (0, "")
    assert (policy.folder / "main.policy").read_text() == text
    assert policy("fmt", "--check", "main.policy").status == 0


def test_tests_of_rules_that_remember_stand_alone(policy: Shell) -> None:
    rule = """language 1

rule tested "Tested" {
  on before_completion
  when wrote("src/**") or wrote("lib/**")
  require command_success("pytest") since wrote("src/**")
  deny "Test it."
}
"""
    policy.write("main.policy", rule + 'test "t" { write "src/a" finish => deny }\n')
    assert policy("test", "--mutants", "--write", "main.policy").status == 0
    assert (policy.folder / "main.policy").read_text().count("what no other test shows") > 1
    assert policy("test", "main.policy").status == 0


def test_only_changed_rules_are_tried(policy: Shell) -> None:
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "x"]):
        policy.write("main.policy", RULE % "")
        subprocess.run(
            ["git", "-c", "user.name=x", "-c", "user.email=x@example.com", *command], cwd=policy.folder, check=True
        )
    done = policy("test", "--mutants", "--changed", "HEAD", "main.policy")
    assert (done.status, done.out) == (0, "") and "nothing to change" in done.err
    new = (RULE % "").replace("language 1\n", "").replace("no-force", "also").replace("git push", "git pull")
    policy.write("main.policy", RULE % "" + new)
    found = policy("test", "--mutants", "--changed", "HEAD", "--format", "json", "main.policy").json
    assert {one["rule"] for one in found["mutants"]} == {"also"}
    assert policy("test", "--write", "main.policy").status == 2
