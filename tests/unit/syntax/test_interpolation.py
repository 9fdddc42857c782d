"""A message splits into its text and its expressions, with places in the file."""

from __future__ import annotations

import pytest

from policy_engine.model.source import Source
from policy_engine.syntax import ast
from policy_engine.syntax.interpolation import parse_interpolation
from policy_engine.syntax.parser import parse
from policy_engine.syntax.print_expressions import format_expression


def _parts(literal: str) -> tuple[list[str], list[str]]:
    """Each part, expressions in `<…>` as their place shows them; and `code:column` of the complaints."""
    source = Source("p", f"language 1\nrule r {{ deny {literal} }}\n")
    file, found = parse(source)
    assert found == []
    rule = file.items[0]
    assert isinstance(rule, ast.Rule)
    message = rule.verdicts[0].message
    assert message is not None
    parts, problems = parse_interpolation(message, source)
    shown = [part if isinstance(part, str) else f"<{source.excerpt(part.span)}>" for part in parts]
    for part in parts:
        if not isinstance(part, str):
            assert format_expression(part)
    return shown, [f"{d.code}:{source.position(d.span.start)[1] - 15}" for d in problems]


@pytest.mark.parametrize(
    ("literal", "parts"),
    [
        ('"plain"', ["plain"]),
        ('""', []),
        ('"{a}"', ["<a>"]),
        ('"x {a.b.c} y"', ["x ", "<a.b.c>", " y"]),
        ('"`{ c.text }` deletes {p}"', ["`", "<c.text>", "` deletes ", "<p>"]),
        ('"{last(wrote(source)).path}\\n"', ["<last(wrote(source)).path>", "\n"]),
        ('"\\"\\t\\\\{a}"', ['"\t\\', "<a>"]),
        ('"\\{a\\} {b}"', ["{a} ", "<b>"]),
        ('"{count p in paths { p.access == x }} paths"', ["<count p in paths { p.access == x }>", " paths"]),
    ],
)
def test_text_and_expressions_alternate(literal: str, parts: list[str]) -> None:
    assert _parts(literal) == (parts, [])


@pytest.mark.parametrize(
    ("literal", "complaint"),
    [
        ('"a {b"', "PE148:3"),
        ('"a } b"', "PE149:3"),
        ('"a {} b"', "PE150:3"),
        ('"a {f(\\"x\\")}"', "PE151:3"),
        ('"a {b c}"', "PE120:6"),
        ('"a {b == }"', "PE128:7"),
        ('"a {b && c}"', "PE113:6"),
    ],
)
def test_mistakes_are_located_in_the_file(literal: str, complaint: str) -> None:
    assert _parts(literal)[1] == [complaint]
