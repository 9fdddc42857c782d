"""With 10,000 rules an event still concerns only a few: each kind of literal finds its own rules."""

from __future__ import annotations

from typing import Any

import pytest

from policy_engine.compiler.index import build_index
from policy_engine.evaluators.base import Program
from policy_engine.evaluators.context import EvaluationContext
from policy_engine.filesystem.file_system import Virtual
from policy_engine.loading.loader import load_text
from policy_engine.model.event import Event
from policy_engine.runtime.names import PlainScanner
from policy_engine.runtime.scanner import automaton_scanner

EACH = 1000
KINDS = {
    "equal": 'tool.args["name"] else "" == "name-{0}"',
    "among": 'tool.args["name"] else "" in ["name-{0}", "other-{0}"]',
    "program": 'any c in commands {{ c.program == "program-{0}" }}',
    "prefix": 'tool.args["text"] else "" starts_with "start-{0}-"',
    "literal": 'tool.args["text"] else "" contains "part-{0}-"',
    "regex": r'tool.args["text"] else "" matches /word-{0}-\d+/',
    "folded": 'tool.args["text"] else "" matches /Title-{0}-[a-z]+/i',
    "folder": 'any p in paths {{ p matches "folder-{0}/**" }}',
    "place": 'tool.args["place"] else "" matches "place-{0}/*.py"',
    "above": 'tool.args["number"] else 0 > {0}',
}
POINTS = {"program": "before_tool(shell)"}


@pytest.fixture(scope="module")
def program() -> Program:
    """1,000 rules of each kind."""
    rules = []
    for kind, condition in KINDS.items():
        point = POINTS.get(kind, "before_tool")
        for number in range(EACH):
            rules.append(f"rule {kind}-{number} {{ on {point} when {condition.format(number)} warn }}")
    return load_text("language 1\n" + "\n".join(rules)).require_program()


def candidates(program: Program, tool: dict[str, Any]) -> list[str]:
    event = Event.from_dict(
        {"hook": "before_tool", "session": "s", "workspace": "/workspace", "cwd": "/workspace", "tool": tool}
    )
    bucket = program.bucket("before_tool", tool["kind"])
    assert bucket is not None
    hits = bucket.dispatch(EvaluationContext(event, lambda workspace: Virtual(), None))
    return sorted({program.rule(number).id for number in hits})


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        ({}, []),
        ({"name": "name-7"}, ["among-7", "equal-7"]),
        ({"name": "other-7"}, ["among-7"]),
        ({"text": "start-7-"}, ["prefix-7"]),
        ({"text": "a part-7- and part-8-"}, ["literal-7", "literal-8"]),
        ({"text": "a word-7-1"}, ["regex-7"]),
        ({"text": "THE TITLE-7-X"}, ["folded-7"]),
        ({"path": "folder-7/a/b.py"}, ["folder-7"]),
        ({"place": "place-7/a.py"}, ["place-7"]),
        ({"number": 2}, ["above-0", "above-1"]),
    ],
)
@pytest.mark.parametrize("scanner", [PlainScanner, automaton_scanner])
def test_each_kind_of_literal_finds_its_own_rules_among_ten_thousand(
    program: Program, args: dict[str, Any], expected: list[str], scanner: Any
) -> None:
    assert program.rules == 10 * EACH
    program.names["scanner"] = scanner
    for bucket in program.buckets().values():
        bucket._dispatch = None  # made with the scanner of its first event
    assert candidates(program, {"name": "Odd", "kind": "other", "args": args}) == expected


def test_a_command_finds_the_rules_of_its_program(program: Program) -> None:
    found = candidates(program, {"name": "Bash", "kind": "shell", "args": {"command": "program-7 x && program-9"}})
    assert [rule for rule in found if rule.startswith("program-")] == ["program-7", "program-9"]


def test_what_cannot_be_read_makes_every_rule_of_its_group_a_candidate(program: Program) -> None:
    found = candidates(program, {"name": "Bash", "kind": "shell", "args": {"command": "$X"}})
    assert [rule for rule in found if rule.startswith("program-")] == sorted(f"program-{n}" for n in range(EACH))


def test_a_rule_is_filed_where_the_fewest_others_are() -> None:
    shared, own = ("equal", "e.tool_name"), ("equal", "e.prompt")
    rules: list[Any] = [(n, {shared: (frozenset(("Bash",)),), own: (frozenset((f"p{n}",)),)}) for n in range(9)]
    index = build_index(rules)
    assert list(index.tables["T0"]) == [f"p{n}" for n in range(9)]  # type: ignore[call-overload]
    assert "tool_name" not in index.source


def test_a_range_is_taken_where_there_is_nothing_else() -> None:
    """An event over one bound is over the half of them: even a value that many share brings fewer rules along."""
    equal, range_ = ("equal", "e.tool_name"), (">", "e.session_turn")
    rules: list[Any] = [(n, {range_: (frozenset((n,)),), equal: (frozenset(("Bash",)),)}) for n in range(9)]
    for operator in (">", ">=", "<", "<="):
        turned = [(n, {(operator, "e.session_turn"): keys[range_], equal: keys[equal]}) for n, keys in rules]
        index = build_index(turned)
        assert index.tables == {"T0": {"Bash": tuple(range(9))}, "A0": tuple(range(9))}, operator
    alone = build_index([(n, {range_: keys[range_]}) for n, keys in rules])
    assert alone.tables == {"T0": tuple(range(9)), "R0": tuple(range(9)), "A0": tuple(range(9))}


def test_rules_without_literals_are_always_candidates() -> None:
    names: dict[str, Any] = {}
    exec(build_index([(1, {}), (3, {})]).source, names)
    assert names["dispatch"](None) == [1, 3]


SIGNED = {
    "sends": 'c.effects contains "sends"', "publishes": "not c.opaque and c.effects contains \"publishes\"",
    "deletes": "any p in c.touches where p.access == \"delete\" { p.recursive }",
    "mentions": "any p in c.mentions { p matches \"**\" }",
}  # fmt: skip


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("ls", []),
        ("rm -r build", ["deletes"]),
        ("npm publish && rm -r build", ["deletes", "publishes"]),
        ("frobnicate src/a", ["mentions", "sends"]),  # a program that nothing is known about
        ("$X", ["deletes", "mentions", "publishes", "sends"]),
    ],
)
def test_a_command_finds_the_rules_about_what_it_does(line: str, expected: list[str]) -> None:
    rules = [f"rule {name} {{ on before_tool(shell) when any c in commands {{ {condition} }} warn }}"
             for name, condition in SIGNED.items()]  # fmt: skip
    program = load_text("language 1\n" + "\n".join(rules)).require_program()
    assert candidates(program, {"name": "Bash", "kind": "shell", "args": {"command": line}}) == expected
