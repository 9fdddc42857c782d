"""What a requirement demands, and whether a rule certainly refuses it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from policy_engine.analysis.conditions import violations
from policy_engine.analysis.cover import Cover
from policy_engine.analysis.demands import demands
from tests.unit.analysis.conditions import policy

SHELL = "on before_tool(shell) when any c in commands"


def _refused(require: str, denial: str) -> list[bool]:
    """Of each deed that the requirement asks for first: whether the denial refuses it."""
    found = policy(
        f'rule a "A" {{ on before_completion require {require} deny "No." }} rule b "B" {{ {denial} deny "No." }}'
    )
    wanted, refusing = found.rules
    assert wanted.require is not None
    cover = Cover([(refusing, violations(found)[refusing.id])])
    deeds = [deed for some in demands(wanted.require)[:1] for deed in some]
    return [bool(cover.of_way(deed.clause, replace(wanted, listens=(deed.listen,)))) for deed in deeds]


@pytest.mark.parametrize(
    ("require", "denial", "expected"),
    [
        ('ran("git push")', f'{SHELL} {{ c.program == "git" }}', [True]),
        ('ran("git push")', f'{SHELL} {{ c.program == "git" and c.background }}', [False]),
        ('ran("git push")', f'{SHELL} {{ c matches "git * ..." }}', [True]),
        ('ran("git ...")', f'{SHELL} {{ c matches "git push ..." }}', [False]),
        ('ran(command("make") except command("make x"))', f'{SHELL} {{ c matches "make" }}', [True]),
        ('ran("make") or ran("ninja")', f'{SHELL} {{ c.program == "make" }}', [True, False]),
        ('ran("make") since prompted()', f'{SHELL} {{ c.program == "make" }}', [True]),
        ('ran("make")', 'on before_tool(write)', [False]),
        ('ran("make")', 'on before_tool when tool.kind == "shell"', [True]),
        ('ran("make")', 'on before_tool when not (tool.kind == "shell")', [False]),
        ('ran("make")', 'on before_tool when every c in commands { c.program == "make" }', [False]),
        ('wrote("a/b.md")', 'on before_tool when any p in paths { p matches "a/**" }', [True]),
        ('wrote("a/b.md")', 'on before_tool when any p in paths { p matches "a/**" and p.access == "read" }', [False]),
        ('wrote("a/**")', 'on before_tool(write) when any p in paths { p matches "a/**" }', [False]),
        ('wrote("a/**")', 'on before_tool(write, edit) when any p in paths { p inside workspace }', [True]),
        ('wrote("a/**")', 'on before_tool when any p in paths { p outside workspace }', [False]),
        ('not ran("make")', f'{SHELL} {{ c.program == "make" }}', []),
        ('git.clean or ran("make")', f'{SHELL} {{ c.program == "make" }}', []),
    ],
)  # fmt: skip
def test_refusals(require: str, denial: str, expected: list[bool]) -> None:
    if "every c in commands" in denial:
        denial = denial.replace("on before_tool when", "on before_tool(shell) when")
    assert _refused(require, denial) == expected
