"""The generated Python: plain data, no text of the policy as code, and one twin for each test."""

from __future__ import annotations

import ast

import pytest

from policy_engine.loading.loader import load_text
from tests.unit.compiler.asking import called, event, shell, truth

HOSTILE = r"""language 1
rule r "R" {
  on before_tool
  when tool.name == "\"; import os; \"" or tool.args["');import('os')#"] else "__import__('os')" == "\\"
  deny "{tool.name} \{not code\} ');"
}
"""


def test_texts_of_a_policy_only_ever_become_literals() -> None:
    code = load_text(HOSTILE).require_program().spec(0)[-1]
    for part, source in code.items():
        names = {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}
        assert names <= {"e", "b", "ABSENT", "otherwise", "any_of", "leaf", "printed", "same"}, part


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ('has tool.args["k"]', False),
        ('tool.args["k"] else "d" == "d"', True),
        ('tool.args["k"] else tool.args["x"] else "d" == "d"', False),
        ('(tool.name == "Odd") == true', True),
        ('(tool.args["x"] else "" == "y" and tool.name == "Odd") != false', True),
        ('(git.clean or tool.name == "Odd") == true', True),
        ('(git.clean and tool.name == "Odd") == true', None),
        ("git.clean or not git.clean", None),
        ('git.clean and tool.name == "No"', False),
    ],
)
def test_conditions_in_the_place_of_values_stay_three_valued(condition: str, expected: bool | None) -> None:
    assert truth(condition, called(x="y")) is expected


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ('any c in commands { any p in c.paths { p matches "/etc/**" } }', True),
        ('every c in commands where c.program == "cat" { c.args != [] }', True),
        ('count c in commands { c.program == "rm" } == 1', True),
        ('count c in commands where c.program == "rm" { c.has_flag("-f") } == 1', True),
        ('any c in commands { count a in c.args { a starts_with "-" } > 0 and c.program == "cat" }', False),
    ],
)
def test_quantifiers_nest(condition: str, expected: bool) -> None:
    assert truth(condition, shell("rm -f /etc/passwd && cat README.md")) is expected


def test_a_line_that_is_not_understood_leaves_only_its_own_rules_undecided() -> None:
    assert truth('any c in commands { c.program == "rm" }', shell("$X")) is None
    assert truth('any c in commands { c.program == "rm" } or tool.name == "Bash"', shell("$X")) is True


def test_predicates_look_at_the_world_or_at_the_todos() -> None:
    assert truth('file_exists("src/a.py") or todos_converged()', event(todos=[{"id": "a"}])) is False
    assert truth("todos_converged()", event(todos=[])) is True
