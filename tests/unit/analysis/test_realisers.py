"""Each line of the table has the effect or attribute that it stands for, as the engine reads it."""

from __future__ import annotations

import pytest

from policy_engine.analysis.realisers import ATTRIBUTE_LINES, EFFECT_LINES
from policy_engine.loading.loader import load_text
from policy_engine.model.effects import EFFECTS
from policy_engine.testing.runner import run, suite

RULE = """language 1
rule r "R" {{
  on before_tool(shell)
  when any c in commands where not c.opaque {{ {condition} }}
  fail open
  deny "No."
  test {{ shell "{line}" => deny }}
}}
"""
ASKED = {
    "runs_foreign": "c.runs_foreign", "rewrites": 'c.rewrites contains "main"', "waits": "c.waits",
    "hosts": 'c.hosts contains "example.com"',
    "via": 'c.via contains "bash"', "piped_from": 'c.piped_from contains "cat"', "background": "c.background",
}  # fmt: skip


def is_met(condition: str, line: str) -> bool:
    loaded = load_text(RULE.format(condition=condition, line=line))
    assert loaded.errors == (), loaded.errors
    return all(outcome.passed for outcome in run(suite(loaded, [loaded.parsed[0].path])))


def test_each_effect_has_a_line() -> None:
    assert set(EFFECT_LINES) == set(EFFECTS)


@pytest.mark.parametrize("effect", EFFECT_LINES)
def test_the_line_has_the_effect(effect: str) -> None:
    assert is_met(f'c.effects contains "{effect}"', EFFECT_LINES[effect])


@pytest.mark.parametrize("attribute", ATTRIBUTE_LINES)
def test_the_line_has_the_attribute(attribute: str) -> None:
    assert is_met(ASKED[attribute], ATTRIBUTE_LINES[attribute])
