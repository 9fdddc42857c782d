"""Refused steps are played again in other spellings; what gets through is listed."""

from __future__ import annotations

from policy_engine.filesystem.file_system import Virtual
from policy_engine.testing.respell import respell
from policy_engine.testing.spellings import spellings
from tests.unit.testing.playing import suite_of

RULE = """
rule guard "Guarded" {{
  on before_tool(shell)
  when {condition}
  {fail}
  deny "no"
  test {{ {steps} }}
}}
"""


def _leaks(condition: str, steps: str, fail: str = "") -> list[str]:
    """The names of the spellings that leak."""
    outcomes = respell(suite_of(RULE.format(condition=condition, steps=steps, fail=fail)))
    lines = [line for outcome in outcomes for line in outcome.message.splitlines()]
    return [line.split(": ")[0].split("  ", 2)[2] for line in lines if line.startswith("  ") and ": " in line]


def test_a_line_has_some_twenty_spellings() -> None:
    found = list(spellings("git push --force", Virtual("/workspace")))
    assert len(found) >= 20
    assert len({one.line for one in found}) == len(found)
    names = {one.name for one in found}
    assert {"bash -c", "sudo", "quotes", "variable", "-C .", "--no-pager", "absolute path", "unknown command"} <= names


def test_a_command_within_quotes_or_within_another_is_not_respelled() -> None:
    found = {one.name for one in spellings("echo 'git push'", Virtual("/workspace"))}
    assert "-C ." not in found
    assert not any("$X push" in one.line for one in spellings("bash -c 'git push'", Virtual("/workspace")))


def test_the_words_of_the_language_leak_nothing() -> None:
    condition = 'any c in commands { c matches "git push ..." and c.has_flag("--force") }'
    assert _leaks(condition, 'shell "git push --force" => deny') == []


def test_text_search_leaks_and_is_listed_with_its_spelling() -> None:
    found = _leaks("any c in commands { c.text matches /^git push/ }", 'shell "git push" => deny')
    assert {"quotes", "-C .", "absolute path"} <= set(found)


def test_a_spelling_with_an_unknown_word_may_be_undecided() -> None:
    condition = 'any c in commands { c.program == "rm" }'
    for fail in ("fail ask", "fail open"):
        assert _leaks(condition, 'shell "rm x" => deny', fail) == []


def test_equal_lines_of_a_test_are_respelled_alike() -> None:
    limit = """limit loop "No loops" {
      on after_tool
      repeats (tool.name, tool.args) period 1
      at 3 stop loop "Stopped."
      test { run "make" exit 1 run "make" exit 1 run "make" exit 1 => stop }
    }"""
    assert [outcome.passed for outcome in respell(suite_of(limit))] == [True]


def test_a_test_that_refuses_nothing_has_no_outcome() -> None:
    assert respell(suite_of(RULE.format(condition='tool.name == "x"', steps='shell "ls" => allow', fail=""))) == ()
