"""The manual page of each predicate → its two examples, as policies with tests that the checker takes."""

from __future__ import annotations

import re
import textwrap

import pytest

from policy_engine.checker.checker import check
from policy_engine.checker.vocabulary import vocabulary
from policy_engine.model.source import Source
from policy_engine.syntax.parser import parse

WORDS = vocabulary()
EXAMPLE = re.compile(r"^(Holds|Does not hold):\n\n((?:    .*\n?|\n)+)", re.MULTILINE)


def policy_of(steps: str, condition: str, holds: bool) -> str:
    """A policy whose own test says whether the condition holds after the steps."""
    verdict = "allow" if holds else "deny"
    return (
        f'language 1\nrule example "Example" {{\n  on before_completion\n  require {condition}\n'
        '  deny "It does not hold."\n'
        f"  test {{\n{textwrap.indent(steps, '    ')}    finish => {verdict}\n  }}\n}}\n"
    )


def examples(doc: str) -> list[tuple[bool, str]]:
    """Whether it holds, and the policy that says so, for each example of a page."""
    found = []
    for head, block in EXAMPLE.findall(doc):
        *steps, condition = textwrap.dedent(block).strip().split("\n")
        found.append((head == "Holds", policy_of("".join(f"{step}\n" for step in steps), condition, head == "Holds")))
    return found


@pytest.mark.parametrize("name", sorted(WORDS.predicates))
def test_a_page_has_an_example_that_holds_and_one_that_does_not(name: str) -> None:
    found = examples(WORDS.predicates[name].doc)
    assert [holds for holds, _ in found] == [True, False]
    for _, text in found:
        file, syntax = parse(Source(f"{name}.policy", text))
        assert syntax + check([file], WORDS)[1] == []
        assert f"{name}(" in text
