"""What a command perhaps touches counts where it lets a rule speak, and settles nothing where it would silence it."""

from __future__ import annotations

import pytest

from policy_engine.filesystem.file_system import Virtual
from policy_engine.model.undecided import Between, Undecided
from policy_engine.shell.parse import parse
from tests.generated.play import answer, decided, loaded, referred

RM, OF = 'rm "$X" src/a.py', "c in commands"
SPEAKING = (
    (f"when any {OF} {{ any p in c.writes {{ p under workspace }} }}", RM),
    (f"when any {OF} {{ c.writes != [] }}", RM),
    (f"when any {OF} {{ not (c.writes == []) }}", RM),
    (f'when any {OF} {{ c.writes contains "src/a.py" }}', RM),
    (f"when any {OF} {{ (any p in c.writes {{ p under workspace }}) == true }}", RM),
    (f"when any {OF} {{ count p in c.reads {{ true }} > 1 }}", 'head -"$X" a b'),
    ("require every p in paths { p outside workspace }", RM),
    (f'unless every {OF} {{ every p in c.paths {{ p matches "docs/**" }} }}', RM),
    (f'require not (any {OF} {{ "src/a.py" in c.writes }})', RM),
    (f"when any {OF} {{ any p in c.reads {{ true }} }}", '"$X" < src/a.py'),
    (f"require every {OF} {{ c.reads == [] }}", '"$X" < src/a.py'),
)
UNDECIDED = (
    (f'when every {OF} {{ every p in c.reads {{ not (p matches "*.py") }} }}', 'pytest "$X" one.py'),
    (f"when any {OF} {{ c.reads == [] }}", 'pytest "$X" one.py'),
    (f"when not (any {OF} {{ any p in c.writes {{ p under workspace }} }})", RM),
    ("require any p in paths { p.recursive }", 'rm "$X" src'),
    ("require paths != []", 'head -"$X" a b'),
    ("require paths.length > 1", 'head -"$X" a b'),
    (f"require every {OF} {{ count p in c.reads {{ p under workspace }} == 2 }}", 'head -"$X" a b'),
    (f'require any {OF} {{ c.reads contains "a" }}', 'head -"$X" a b'),
    (f"unless any {OF} {{ any p in c.reads where p under workspace {{ true }} }}", 'head -"$X" a b'),
)
SILENT = (
    (f"when any {OF} {{ count p in c.reads {{ true }} > 2 }}", 'head -"$X" a b'),
    ("require paths.length < 4", 'head -"$X" a b'),
    ("require every p in paths { p under workspace }", 'head -"$X" a b'),
    (f'require any {OF} {{ any p in c.reads {{ p == "list" }} }}', 'head -"$X" a < list'),
    ('require any p in paths { p == "a" }', "head -n 5 a b"),
    ('require any p in paths { p == "src/a.py" }', "rm src/a.py *.txt"),
)


def outcomes(clause: str, line: str, verdict: str = "deny") -> list[str]:
    """What comes of a rule with one clause, by the engine and by the reference."""
    found = loaded(f'language 1\n\nrule r "r" {{\n  on before_tool(shell)\n  {clause}\n  {verdict}\n}}\n')
    event = {"hook": "before_tool", "session": "s", "workspace": "/workspace", "cwd": "/workspace",
             "host": {"name": "generic", "interactive": True},
             "tool": {"name": "Bash", "kind": "shell", "args": {"command": line}}}  # fmt: skip
    (decision,) = decided(found, [event])
    assert found.policy is not None
    assert [answer(decision)] == referred(found.policy, [event])
    return [one.outcome for one in (*decision.rules, *decision.approved)]


@pytest.mark.parametrize(("clause", "line"), SPEAKING)
def test_it_lets_a_rule_speak(clause: str, line: str) -> None:
    assert outcomes(clause, line) == ["violated"]


@pytest.mark.parametrize(("clause", "line"), UNDECIDED)
def test_it_silences_no_rule(clause: str, line: str) -> None:
    assert outcomes(clause, line) == ["undecided"]


@pytest.mark.parametrize(("clause", "line"), SILENT)
def test_what_it_cannot_change_is_decided(clause: str, line: str) -> None:
    assert outcomes(clause, line) == []


def test_it_approves_nothing() -> None:
    clause = f'when every {OF} {{ c.read_only and any p in c.reads {{ p matches "a" }} }}'
    assert outcomes(clause, "head -n 5 a", "approve") == ["violated"]
    assert outcomes(clause, 'head -n "$X" a', "approve") == outcomes(clause, 'head "$X" a', "approve") == []


@pytest.mark.parametrize(
    ("line", "unsure"),
    [("rm a", False), ("rm *.py", False), ('rm a/"$X"', False), ('rm --x="$X" a', True), ('"$X"/rm a', True)],
)
def test_a_word_that_may_be_an_option_makes_the_others_unsure(line: str, unsure: bool) -> None:
    (command,) = parse(line, "/workspace", Virtual("/workspace"))
    assert bool(command.unsure) is unsure


def test_a_number_between_bounds_is_compared_where_all_agree() -> None:
    two_or_three = Between(2, 3, "why")
    assert two_or_three > 1 and two_or_three >= 2 and two_or_three < 4 and two_or_three <= 3
    assert two_or_three != 4 and two_or_three != 1
    for compare in (lambda: two_or_three > 2, lambda: two_or_three < 3, lambda: two_or_three == 2):
        with pytest.raises(Undecided, match="why"):
            compare()
