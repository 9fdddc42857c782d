"""Mutants of rules: each mistake that tests should notice, told apart from those that are none."""

from __future__ import annotations

from pathlib import Path

import pytest

from policy_engine.loading.loader import load, load_text
from policy_engine.testing import mutation
from policy_engine.testing.mutants import mutants
from policy_engine.testing.mutation import EQUAL, KILLED, SURVIVED, Tried, items_of, score, try_mutants
from policy_engine.testing.runner import run, suite

RULE = """language 1

rule no-force "Nobody rewrites history" {
  on before_tool(shell)
  when any c in commands { c matches "git push ..." and c.has_flag("--force", "--force-with-lease") }
  deny "Do not rewrite history."

  test "both ways" {
    shell "git push --force"  => deny
    shell "git push"          => allow
%s  }
}
"""


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "policy-engine" / "mutants"


def tried(folder: Path, text: str) -> list[Tried]:
    file = folder / "main.policy"
    file.write_text(text)
    loaded = suite(load([file]), [file])
    return try_mutants(loaded, items_of(loaded))


def test_a_mistake_that_no_test_notices_is_told_with_the_test_that_would(tmp_path: Path) -> None:
    found = {one.mutant.what: (one.outcome, one.missing) for one in tried(tmp_path, RULE % "")}
    assert found["`ask` for `deny`"] == (KILLED, "")
    assert found['without \'--force-with-lease\' in `c.has_flag("--force", "--force-with-lease")`'] == (
        SURVIVED,
        'test {\n  shell "git push --force-with-lease"  => deny\n}\n',
    )


def test_the_missing_tests_make_the_score_whole(tmp_path: Path) -> None:
    first = tried(tmp_path, RULE % "")
    steps = [line for one in first for line in one.missing.splitlines() if "=>" in line]
    assert score(first) == 50 and len(steps) == 4
    text = RULE % "".join(f"  {line}\n" for line in steps)
    second = tried(tmp_path, text)
    assert {one.outcome for one in second} == {KILLED} and score(second) == 100
    loaded = load([tmp_path / "main.policy"])
    assert all(outcome.passed for outcome in run(suite(loaded, [tmp_path / "main.policy"])))


def test_a_change_that_says_the_same_is_no_mistake(tmp_path: Path) -> None:
    text = """language 1

rule a "a" {
  on before_completion
  when wrote("src/**") or wrote("src/api/**")
  deny "No."

  test "both" {
    finish              => allow
    write "src/api/x"
    finish              => deny
  }
  test "elsewhere" {
    write "src/x"
    finish              => deny
  }
}
"""
    found = {one.mutant.what: one.outcome for one in tried(tmp_path, text)}
    assert found['without `wrote("src/api/**")`'] == EQUAL
    assert found['without `wrote("src/**")`'] == KILLED


def test_every_clause_has_its_mistakes() -> None:
    loaded = load_text("""language 1

rule a "a" {
  on before_tool(write, edit)
  on prompt
  when not git.clean and diff.files > 3
  unless session.turn in [1, 2]
  require read("a/**") or git.branch == "main"
  deny "No."
}

limit b "b" {
  on before_tool
  repeats (tool.args)
  at 3 deny "No."
}
""")
    assert loaded.policy is not None and not loaded.errors
    whats = [one.what for item in (*loaded.policy.rules, *loaded.policy.limits) for one in mutants(item)]
    assert whats == [
        "without `on before_tool`",
        "without `write` in `on before_tool`",
        "without `edit` in `on before_tool`",
        "without `on prompt`",
        "without `when`",
        "not `and` in `not git.clean and diff.files > 3`",
        "without `not git.clean`",
        "without `diff.files > 3`",
        "without `not` in `not git.clean`",
        "`not` before `git.clean`",
        "`>=` for `>` in `diff.files > 3`",
        "without `unless`",
        "`not in` for `in` in `session.turn in [1, 2]`",
        "without `1` in `[1, 2]`",
        "without `2` in `[1, 2]`",
        "without `require`",
        'not `or` in `read("a/**") or git.branch == "main"`',
        'without `read("a/**")`',
        'without `git.branch == "main"`',
        '`not` before `read("a/**")`',
        '`!=` for `==` in `git.branch == "main"`',
        "`ask` for `deny`",
        "`fail open`",
        "`at 2` for `at 3`",
        "`at 4` for `at 3`",
        "`fail open`",
    ]


def test_a_definition_of_several_rules_is_noticed_by_either(tmp_path: Path) -> None:
    text = """language 1

define kept = glob("a/**", "b/**")

rule writes "w" {
  on before_tool(write)
  when any p in paths { p matches kept }
  deny "No."

  test {
    write "a/x"  => deny
  }
}

rule reads "r" {
  on before_tool(read)
  when any p in paths { p matches kept }
  deny "No."

  test {
    read "b/x"  => deny
  }
}
"""
    found = [(one.mutant.item.id, one.outcome) for one in tried(tmp_path, text) if "without '" in one.mutant.what]
    assert found == [("writes", KILLED), ("reads", KILLED)]


def test_a_named_tool_that_was_called_is_a_session_to_try(tmp_path: Path) -> None:
    text = """language 1

rule verified "v" {
  on before_completion
  when not called("mcp__x__verify")
  deny "Verify."

  test {
    finish  => deny
  }
}
"""
    found = {one.mutant.what: one for one in tried(tmp_path, text)}
    assert found['without `not` in `not called("mcp__x__verify")`'].outcome == KILLED
    assert all(one.outcome != SURVIVED or "call" in one.missing for one in found.values())


def _never(*given: object, **more: object) -> bool:
    raise AssertionError("this is known")


def test_what_did_not_change_is_not_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = tried(tmp_path, RULE % "")
    with monkeypatch.context() as patched:
        patched.setattr(mutation, "is_passed", _never)
        patched.setattr(mutation, "compare_checked", _never)
        again = tried(tmp_path, RULE % "")
    assert [(one.mutant.what, one.outcome, one.missing) for one in again] == [
        (one.mutant.what, one.outcome, one.missing) for one in first
    ]
    changed = tried(tmp_path, RULE % '    shell "git push --force-with-lease"  => deny\n')
    assert sum(one.outcome == KILLED for one in changed) > sum(one.outcome == KILLED for one in first)


def test_a_definition_in_another_file_is_looked_at_again(tmp_path: Path) -> None:
    (tmp_path / "names.policy").write_text('language 1\ndefine names = ["sudo", "doas"]\n')
    text = """language 1

import "./names.policy"

rule root "root" {
  on before_tool(shell)
  when any c in commands { c.program in names }
  deny "No."
  test { shell "sudo x" => deny shell "x" => allow shell "ls && sudo x" => deny }
}
"""
    few = tried(tmp_path, text)
    (tmp_path / "names.policy").write_text('language 1\ndefine names = ["sudo", "doas", "su"]\n')
    assert len(tried(tmp_path, text)) == len(few) + 1


@pytest.mark.parametrize("damage", [b"", b"x" * 100])
def test_an_entry_that_cannot_be_read_is_made_anew(tmp_path: Path, cache: Path, damage: bytes) -> None:
    first = tried(tmp_path, RULE % "")
    (entry,) = cache.iterdir()
    entry.write_bytes(damage)
    assert [one.outcome for one in tried(tmp_path, RULE % "")] == [one.outcome for one in first]


def test_without_a_cache_folder_all_is_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name)
    assert score(tried(tmp_path, RULE % "")) == 50


def test_what_on_command_makes_of_its_words_has_the_mistakes_that_a_person_makes() -> None:
    text = 'rule a "A" { on command pip install, git push when git.clean ask "Sure?" }'
    policy = load_text(f"language 1\n{text}", "a.policy").policy
    assert policy is not None
    assert [mutant.what for mutant in mutants(policy.rules[0])] == [
        "without `on command pip install, git push`",
        "without `git.clean`",
        "without `pip install`",
        "without `git push`",
        "`not` before `git.clean`",
        "`warn` for `ask`",
        "`fail open`",
    ]
