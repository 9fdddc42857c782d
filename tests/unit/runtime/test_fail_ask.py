"""`fail ask`: what cannot be decided is asked about, what is violated keeps its verdict."""

from __future__ import annotations

import pytest

from tests.unit.compiler.asking import engine, shell

RULE = """rule r "R" {
  on before_tool(shell)
  when any c in commands { any p in c.paths where p.access == "delete" { p outside workspace } }
  fail ask
  VERDICT
}
"""


@pytest.mark.parametrize(
    ("verdict", "line", "expected"),
    [
        ("deny", "rm -rf /etc", "deny"),
        ("deny", "rm -Z x", "ask"),
        ("deny", "rm x", "allow"),
        ("warn", "rm -Z x", "warn"),
    ],
)
def test_an_undecided_rule_asks(verdict: str, line: str, expected: str) -> None:
    assert engine(RULE.replace("VERDICT", verdict)).decide(shell(line)).verdict == expected
