"""Migrated rules beside their originals: none of the cases is weaker, and one that is made so is found."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from policy_engine.conversion.claude_calls import speaks_of
from policy_engine.conversion.permissions import read_permission
from policy_engine.migrations.base import migrate
from policy_engine.testing.migrated import EQUAL, STRICTER, WEAKER, Compared, compare_with_source

CASES = Path(__file__).resolve().parents[2] / "cases" / "migrations"
SOURCES = [*sorted(CASES.glob("claude_settings/*.in")), *sorted(CASES.glob("hookify/*.in"))]
HOOKIFY = "---\nname: a\nevent: {}\npattern: {}\naction: block\n---\nNo.\n"


def compared(format_name: str, text: str) -> dict[str, Compared]:
    return {one.original.rule: one for one in compare_with_source(migrate(format_name, text))}


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_no_rule_is_weaker_than_its_source(source: Path) -> None:
    made = compared(source.parent.name.replace("_", "-"), source.read_text("utf-8"))
    assert [one for one in made.values() if one.state == WEAKER] == []


def test_each_state_has_its_call() -> None:
    made = compared(
        "claude-settings", '{"permissions": {"deny": ["Bash(curl:*)", "WebFetch(domain:a.com)", "mcp__x"]}}'
    )
    assert {name: one.state for name, one in made.items()} == {
        "deny-bash-curl": STRICTER, "deny-webfetch-domain-a-com": EQUAL, "deny-mcp-x": EQUAL,
    }  # fmt: skip
    stricter = made["deny-bash-curl"]
    assert (stricter.verdict, stricter.witness.startswith("shell ")) == ("deny", True)
    assert all(one.tried for one in made.values())


@pytest.mark.parametrize(("event", "pattern"), [("bash", r"rm\s+-rf"), ("prompt", "secret")])
def test_a_hookify_rule_is_equal(event: str, pattern: str) -> None:
    assert {one.state for one in compared("hookify", HOOKIFY.format(event, pattern)).values()} == {EQUAL}


def test_a_weaker_rule_is_found() -> None:
    made = migrate("claude-settings", '{"permissions": {"deny": ["Bash(git push:*)"]}}')
    weak = replace(made, policy_text=made.policy_text.replace("git push ...", "git push origin ..."))
    (one,) = compare_with_source(weak)
    assert (one.state, one.verdict, one.witness.startswith('shell "git push')) == (WEAKER, "allow", True)


@pytest.mark.parametrize(
    ("permission", "line", "speaks"),
    [
        ("Bash(git push:*)", "git push", True),
        ("Bash(git push:*)", "ls && git push -f; ls", True),
        ("Bash(git push:*)", "git pushed", False),
        ("Bash(git push:*)", "echo 'x && git push'", False),
        ("Bash(git push:*)", 'echo "a \\" && git push"', False),
        ("Bash(git push:*)", "git -C . push", False),
        ("Bash(npm * --force)", "npm i x --force", True),
        ("Bash(npm publish)", "npm publish --tag a", False),
        ("Bash", "ls", True),
        ("Read(./.env)", "cat .env", False),
    ],
)
def test_commands_are_read_as_claude_code_reads_them(permission: str, line: str, speaks: bool) -> None:
    event = {"hook": "before_tool", "tool": {"name": "Bash", "kind": "shell", "args": {"command": line}}}
    assert speaks_of(read_permission(permission), event) is speaks
