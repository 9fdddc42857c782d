"""A rule may approve a call, where its condition certainly holds and nothing is said that could hold the call back."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.compiler.asking import engine, event, shell

READS = (
    'rule reads "Reads" { on before_tool(shell) when every c in commands { c.read_only } approve "It only reads." }\n'
)


def approved(text: str, at: dict[str, Any]) -> tuple[str, list[str]]:
    """The verdict, and the rules that approve."""
    decision = engine(READS + text).decide(at)
    return decision.verdict, [result.rule for result in decision.approved]


@pytest.mark.parametrize("line", ["ls", "cat a | head", "cd src && ls"])
def test_what_the_condition_proves_is_approved(line: str) -> None:
    assert approved("", shell(line)) == ("allow", ["reads"])


@pytest.mark.parametrize(
    "line", ["rm a", "ls; rm a", "$X", "ls $(rm a)", "ls > a", "> a", "", "if", "/bin/../workspace/ls"]
)
def test_what_it_does_not_prove_is_not(line: str) -> None:
    assert approved("", shell(line)) == ("allow", [])


def test_a_file_that_is_reached_through_a_folder_of_the_system_is_not_the_systems() -> None:
    assert approved("", shell("/bin/ls")) == ("allow", ["reads"])
    assert approved("", shell("/bin/../workspace/ls")) == ("allow", [])


def test_a_tool_that_only_carries_a_command_is_not_approved() -> None:
    tool = {"name": "mcp__x__run", "kind": "mcp", "server": "x", "args": {"command": "ls"}}
    assert approved("", event(tool=tool)) == ("allow", [])


@pytest.mark.parametrize(
    ("more", "verdict"),
    [
        ('rule r { on before_tool deny "No." }', "deny"),
        ('rule r { on before_tool ask "Sure?" }', "ask"),
        ('rule r { on before_tool when git.branch == "a" fail open deny "No." }', "warn"),
        ('rule r { on before_tool when git.branch == "a" warn "Look." }', "warn"),
        ('rule r { on before_tool shadow deny "No." }', "allow"),
        ('rule r { on before_tool deny "No." }\nwaive r "why" { until 9999-12-31 owner "me" }', "allow"),
        ('waive reads "why" { until 9999-12-31 owner "me" }', "allow"),
        ('hook h { on before_tool run ["none"] fail open }', "warn"),
    ],
)
def test_whatever_could_hold_the_call_back_voids_it(more: str, verdict: str) -> None:
    assert approved(more, shell("ls")) == (verdict, [])


@pytest.mark.parametrize("word", ["warn", "remind"])
def test_what_is_only_said_does_not(word: str) -> None:
    assert approved(f'rule r {{ on before_tool {word} "Look." }}', shell("ls")) == (word, ["reads"])


def test_a_rule_in_shadow_approves_nothing() -> None:
    made = engine(READS.replace("approve", "shadow approve"))
    assert made.decide(shell("ls")).approved == ()


def test_any_rule_is_enough_and_its_reason_is_in_the_decision() -> None:
    more = 'rule b "B" { on before_tool(shell) when every c in commands { c.read_only } and git.clean approve "b" }'
    decision = engine(READS + more).decide(shell("ls"))
    (entry,) = decision.to_dict()["approved"]
    assert (entry["rule"], entry["message"], decision.word) == ("reads", "It only reads.", "approve")
    assert entry["because"] == [{"expr": "every c in commands { c.read_only }", "values": {"members": 1}}]
    assert "approved" not in engine("").decide(shell("ls")).to_dict()
