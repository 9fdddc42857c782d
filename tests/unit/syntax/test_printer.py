"""Formatting keeps the tree, the comments and their places, and has nothing to do the second time."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings

from policy_engine.syntax import ast
from policy_engine.syntax.printer import format_file
from tests.unit.syntax import trees
from tests.unit.syntax.reading import read, text_of, tree

QUICK = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


def _formatted(text: str) -> str:
    file, found = read(text)
    assert found == []
    return format_file(file)


@pytest.mark.parametrize("name", ["sample.policy", "forms.policy"])
def test_the_tree_stays_the_same_and_the_second_run_changes_nothing(name: str) -> None:
    text = text_of(name)
    once = _formatted(text)
    assert tree(read(once)[0]) == tree(read(text)[0])
    assert _formatted(once) == once


def test_every_form_has_its_canonical_text() -> None:
    assert _formatted(text_of("forms.policy")) == text_of("forms.policy")


@QUICK
@given(trees.files)
def test_every_tree_survives_printing_and_parsing(file: ast.File) -> None:
    text = format_file(file)
    again, found = read(text)
    assert found == []
    assert tree(again) == tree(file)
    assert format_file(again) == text


MESSY = """\
# licence
language 1   # the language
# about defines


define a=glob( "x" ,"y" )# why
define b = 1
rule r "R"{# opens
# about the point
on prompt   # here

when a # first
  and b # second
  or
  # third
  c
deny "x"
test{
finish=>deny # refuses

prompt "x"  => allow
# last step
}# test ends
# last clause
}
# the end
"""
TIDY = """\
# licence
language 1  # the language

# about defines

define a = glob("x", "y")  # why
define b = 1

rule r "R" {  # opens
  # about the point
  on prompt  # here

  when (a  # first
    and b)  # second
    # third
    or c
  deny "x"

  test {
    finish      => deny  # refuses

    prompt "x"  => allow
    # last step
  }  # test ends
  # last clause
}
# the end
"""


def test_comments_stay_beside_what_they_speak_of() -> None:
    assert _formatted(MESSY) == TIDY
    assert _formatted(TIDY) == TIDY


def test_long_conditions_have_one_operand_per_line() -> None:
    operand = "tool.name == " + '"' + "x" * 40 + '"'
    text = f"language 1\nrule r {{\n  when {operand} and {operand} and {operand}\n  deny\n}}\n"
    assert _formatted(text).splitlines()[3:6] == [f"  when {operand}", f"    and {operand}", f"    and {operand}"]


def test_a_tool_named_in_quotes_keeps_them() -> None:
    text = 'language 1\n\ntest {\n  call "shell" {}\n  call shell {command: "ls"}  => allow\n}\n'
    assert _formatted(text).count('call "shell"') == 1


def test_durations_keep_the_unit_of_the_author() -> None:
    text = "language 1\n\nrule r {\n  timeout 60s..3600s\n  timeout 90m\n}\n"
    assert _formatted(text) == text


def test_an_empty_file_stays_empty() -> None:
    assert format_file(read("")[0]) == ""
