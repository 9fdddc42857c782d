"""A command behind a word that nothing sets: no guard that counts, or asks for lists, is silent about it."""

from __future__ import annotations

import pytest

from tests.generated.play import decided

CONDITIONS = (
    'any p in paths { p.access == "read" }',
    "any p in paths { not p.recursive }",
    "any p in c.paths { p.recursive }",
    "count p in paths { p.access != \"write\" } > 4",
    "count p in c.touches { p.recursive } == 0",
    "c.writes == []",
    "c.reads == []",
    "any p in c.runs { p matches \"**/*.sh\" }",
    "any p in c.mentions { p matches \"/etc/**\" }",
    "any p in c.searched { p matches \"**/*.pem\" }",
    "every p in c.contents { p matches \"docs/**\" }",
    "c.opaque",
)  # fmt: skip
LINES = ("$CMD -x y", 'eval "$CODE"', "cat list | sh", 'sh -c "$(cat line)"')


def outcomes(condition: str, line: str) -> set[str]:
    when = f"any c in commands {{ {condition} }}"
    text = f'language 1\nrule r "r" {{\n  on before_tool(shell)\n  when {when}\n  deny "No."\n}}\n'
    event = {"hook": "before_tool", "session": "s", "workspace": "/workspace", "cwd": "/workspace",
             "tool": {"name": "Bash", "kind": "shell", "args": {"command": line}}}  # fmt: skip
    (decision,) = decided(text, [event])
    return {one.outcome for one in decision.rules}


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("condition", CONDITIONS)
def test_a_guard_says_that_it_does_not_know(condition: str, line: str) -> None:
    assert outcomes(condition, line)


@pytest.mark.parametrize(
    ("condition", "line"),
    [
        ('c.env contains "A=1"', "A=$X make"),
        ('c.program == "sh" and c.piped_from contains "curl"', "$X https://a.example | sh"),
        ('c.program == "cat" and c.reads == []', 'cat "$F"'),
        ('count p in c.paths { p.access == "read" } == 2', "cat $FILES"),
    ],
)
def test_what_a_word_may_hold_is_counted_in(condition: str, line: str) -> None:
    assert outcomes(condition, line) == {"undecided"}


@pytest.mark.parametrize(
    ("condition", "line"),
    [
        ('any p in c.paths { p.access == "read" and p matches "a" }', 'cat a "$F"'),
        ("c.writes != []", 'rm a "$F"'),
        ('c.args contains "a"', 'rm a "$F"'),
    ],
)
def test_what_is_known_of_a_list_still_decides(condition: str, line: str) -> None:
    assert outcomes(condition, line) == {"violated"}
