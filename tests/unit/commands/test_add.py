"""`policy add`: the import of a pack in `.policy/main.policy`, in force at once, never a set that does not load."""

from __future__ import annotations

import pytest

from tests.unit.commands.running import GOOD, Shell, event, lines

SUDO = 'import "pack:security/no-sudo"\n'


def test_a_first_pack_makes_the_policy_and_is_in_force(policy: Shell) -> None:
    done = policy("add", "no-sudo")
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith('added import "pack:security/no-sudo"  .policy/main.policy\n  deny/ask ')
    assert (policy.folder / ".policy/main.policy").read_text() == f"language 1\n\n{SUDO}"
    assert policy("eval", stdin=lines(event(1, "sudo ls"))).lines[0]["verdict"] == "deny"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("language 1\n", f"language 1\n\n{SUDO}"),
        (GOOD, GOOD.replace("language 1\n", f"language 1\n\n{SUDO}", 1)),
        (
            f'language 1\n\nimport "pack:loops/repeat-cycle" # why\n\n{GOOD[12:]}',
            f'language 1\n\nimport "pack:loops/repeat-cycle" # why\n{SUDO}\n{GOOD[12:]}',
        ),
        (f"# mine\nlanguage 1\n\n{SUDO}", f"# mine\nlanguage 1\n\n{SUDO}"),
    ],
)
def test_the_import_goes_behind_those_that_are_there(policy: Shell, before: str, after: str) -> None:
    path = policy.write(".policy/main.policy", before)
    assert policy("add", "security/no-sudo").status == 0
    assert path.read_text() == after
    assert policy("check").status == 0 or "advice" in policy("check").out
    assert "is there already" in policy("add", "no-sudo").out and path.read_text() == after


def test_what_would_not_load_is_left_as_it_was(policy: Shell) -> None:
    clash = GOOD.replace("no-rm", "no-sudo")
    path = policy.write(".policy/main.policy", clash)
    done = policy("add", "no-sudo")
    assert (done.status, done.out, path.read_text()) == (3, "", clash)
    assert "no-sudo" in done.err


def test_no_such_pack_is_misuse_and_makes_nothing(policy: Shell) -> None:
    assert policy("add", "nothing-like-it").status == 2
    assert not (policy.folder / ".policy").exists()


def test_a_policy_that_only_imports_tests_green(policy: Shell) -> None:
    policy("add", "no-sudo")
    done = policy("test")
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("nothing of its own to test; imported: 2 rules with ")
    junit = policy("test", "--format", "junit")
    assert (junit.status, "<testsuites" in junit.out) == (0, True)
    assert policy("test", "--filter", "sudo").status == 5


def test_a_rule_of_its_own_without_a_test_is_still_no_test(policy: Shell) -> None:
    untested = 'language 1\n\nimport "pack:security/no-sudo"\n\nrule mine { on before_tool deny "No." }\n'
    policy.write(".policy/main.policy", untested)
    assert policy("test").status == 5


def test_a_rule_of_the_repository_that_requires_the_same_is_named(policy: Shell) -> None:
    for file in ("setup.py", "tests/test_a.py"):
        policy.write(file, "")
    policy("init")
    done = policy("add", "tests-after-change")
    assert "`python-tests-pass` here requires what `python-tests-after-change` does" in done.out
    again = policy("add", "tests-after-change", "--format", "json").json
    assert again["doubled"] == [{"own": "python-tests-pass", "pack": "python-tests-after-change"}]
    assert policy("add", "no-sudo", "--format", "json").json["doubled"] == []
