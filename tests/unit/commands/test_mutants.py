"""`policy test --mutants`: the share of small mistakes that tests notice, and the tests that are missing."""

from __future__ import annotations

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
    assert policy("test", "--mutants", "--filter", "nothing", "main.policy").status == 5


def test_tests_that_fail_are_told_first(policy: Shell) -> None:
    (policy.folder / "main.policy").write_text(RULE % '    shell "git push --force" => allow\n')
    done = policy("test", "--mutants", "main.policy")
    assert done.status == 5 and "expected allow, got deny" in done.out
