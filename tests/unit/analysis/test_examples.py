"""An example of a clause is written as an event would show it."""

from __future__ import annotations

import pytest

from policy_engine.analysis.examples import example
from policy_engine.analysis.formula import ways
from tests.unit.analysis.conditions import policy


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("diff.lines > 5 and diff.lines < 10", "diff.lines = 6"),
        ("diff.lines < 10", "diff.lines = 9"),
        ('tool.name in ["Bash", "Read"] and tool.name starts_with "R"', 'tool.name = "Read"'),
        ('tool.name starts_with "ab" and tool.name ends_with "yz"', 'tool.name = "abyz"'),
        ("not git.clean", "not (git.clean)"),
        ('any c in commands { c matches "git push -* ..." }', "the command `git push`"),
        ('any p in paths { p matches "src/**/*.py" }', "the path `src/x/x.py`"),
    ],
)
def test_examples(text: str, expected: str) -> None:
    kind = "(shell)" if "commands" in text else ""
    when = policy(f'rule a "A" {{ on before_tool{kind} when {text} warn "No." }}').rules[0].when
    assert when is not None
    assert example(ways(when)[0]) == expected
