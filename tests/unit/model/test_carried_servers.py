"""Tools of well-known MCP servers as the commands that they stand for."""

from __future__ import annotations

from typing import Any

import pytest

from policy_engine.model.carried import carried
from policy_engine.model.carried_servers import server_line

CASES: list[tuple[str, dict[str, Any], tuple[str, str] | None]] = [
    ("mcp__git__git_reset", {"repo_path": "a", "mode": "hard"}, ("'git' 'reset' '--hard'", "a")),
    ("mcp__git__git_push", {"remote": "o", "branch": "b", "force": True}, ("'git' 'push' '--force' 'o' 'b'", "")),
    ("mcp__git__git_commit", {"message": "x", "noVerify": True}, ("'git' 'commit' '-m' 'x' '--no-verify'", "")),
    ("mcp__git__git_branch_delete", {"branch": "b"}, ("'git' 'branch' '--delete' 'b'", "")),
    ("mcp__git__git_checkout", {"files": ["a", "b"]}, ("'git' 'checkout' '--' 'a' 'b'", "")),
    (
        "mcp__kubernetes__kubectl_generic",
        {"command": "delete", "resourceType": "pvc"},
        ("'kubectl' 'delete' 'pvc'", ""),
    ),
    ("mcp__kubernetes__kubectl_generic", {"command": "kubectl get pods"}, None),
    ("mcp__heroku__ps_scale", {"app": "a", "web": 0}, ("'heroku' 'ps:scale' 'a' '0'", "")),
    ("mcp__npm__publish", {}, ("'npm' 'publish'", "")),
    ("mcp__docker__remove_volume", {"name": "db"}, ("'docker' 'volume' 'rm' 'db'", "")),
    ("mcp__docker__list_containers", {"all": True}, None),
    ("mcp__digital__git_push", {}, None),
    ("git_push", {"force": True}, None),
]


@pytest.mark.parametrize(("name", "arguments", "line"), CASES)
def test_a_tool_is_the_command_that_it_stands_for(
    name: str, arguments: dict[str, Any], line: tuple[str, str] | None
) -> None:
    assert server_line(name, arguments) == line


@pytest.mark.parametrize(
    ("name", "arguments", "line"),
    [
        ("mcp__kubernetes__kubectl_generic", {"command": "delete", "resourceType": "pvc"}, "'kubectl' 'delete' 'pvc'"),
        ("mcp__mongodb__delete-many", {"collection": "u"}, "'mongosh' '--eval' 'db.documents.deleteMany({})'"),
        ("mcp__mongodb__delete-many", {"collection": "u", "filter": {"a": 1}},
         "'mongosh' '--eval' 'db.documents.deleteMany({\"a\": 1})'"),
        ("mcp__build__run", {"command": "make"}, "make"),
    ],
)  # fmt: skip
def test_a_call_carries_a_command(name: str, arguments: dict[str, Any], line: str) -> None:
    found = carried(name, arguments)
    assert found is not None and found.line == line
