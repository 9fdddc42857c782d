"""A search is approved where it stays; a tool that a person named, where it is that tool and does what it is for."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from policy_engine.adapters.base import Adapter
from policy_engine.checker.approvable import is_of_hosts
from policy_engine.filesystem.file_system import Disk, Virtual
from policy_engine.model import family
from tests.unit.compiler.asking import engine, event

SEARCHES = "rule r { on before_tool(search) when every p in paths { p under workspace } approve }"
DOCS = 'rule r { on before_tool(search) when every p in paths { p under "/tmp/docs" } approve }'
NAMES = (
    "mcp__tracker__get_issue", "mcp__fs__read", "mcp__fs__write_file", "mcp__sh__run", "list_directory", "read_file",
    "Odd", "save_memory", "google_web_search",
)  # fmt: skip
NAMED = "rule r { on before_tool(" + ", ".join(f'"{name}"' for name in NAMES) + ") approve }"


def approves(text: str, name: str, kind: str, disk: Virtual | None = None, **args: Any) -> bool:
    server = {"server": name.split("__")[1]} if kind == "mcp" else {}
    decision = engine(text, disk).decide(event(tool={"name": name, "kind": kind, "args": args, **server}))
    assert decision.errors == ()
    return bool(decision.approved)


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("Glob", {"pattern": "**/*.py"}),
        ("Glob", {"pattern": "/workspace/src/*.py"}),
        ("Glob", {"pattern": "src/{a,b}/*.py", "path": "lib"}),
        ("Glob", {"pattern": "app/(auth)/[id]/*.tsx"}),
        ("Grep", {"pattern": "TODO"}),
        ("Grep", {"pattern": r"/api/v1|\.\./"}),
        ("Grep", {"pattern": "x", "path": "src", "glob": "*.{ts,tsx}", "output_mode": "content", "-n": True}),
        ("search_file_content", {"pattern": "/x", "dir_path": "src", "path": "src", "include": "*.py"}),
        ("list_directory", {"dir_path": "src", "path": "src", "ignore": ["*.pyc"]}),
    ],
)
def test_a_search_of_the_workspace_is_approved(name: str, args: dict[str, Any]) -> None:
    assert approves(SEARCHES, name, "search", **args)


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("Glob", {"pattern": "/etc/**"}),
        ("Glob", {"pattern": "/**"}),
        ("Glob", {"pattern": "../**"}),
        ("Glob", {"pattern": "a/*/../../../x"}),
        ("Glob", {"pattern": "{/etc,src}/**"}),
        ("Glob", {"pattern": "{..,src}/**"}),
        ("Glob", {"pattern": "@(/etc)/**"}),
        ("Glob", {"pattern": "\\/etc/**"}),
        ("Glob", {"pattern": "~/.ssh/*"}),
        ("Glob", {"pattern": "~root/*"}),
        ("Glob", {"pattern": "*", "path": "~"}),
        ("Glob", {"pattern": "*", "path": "src/../.."}),
        ("Glob", {"pattern": ["src/*", "/etc/*"]}),
        ("Grep", {"pattern": "-Oid"}),
        ("Grep", {"pattern": "x", "type": "--pre=./x"}),
        ("Grep", {"pattern": "x", "path": "/etc"}),
        ("Grep", {"pattern": "x", "paths": ["src", "/etc"]}),
        ("Grep", {"pattern": "x", "glob": "/etc/passwd"}),
        ("Grep", {"pattern": "x", "target_directories": ["/etc"]}),
        ("Grep", {"pattern": "x", "options": {"root": "/etc"}}),
        ("find_by_name", {"pattern": "/etc/*"}),
    ],
)
def test_a_search_that_goes_elsewhere_is_not(name: str, args: dict[str, Any]) -> None:
    assert not approves(SEARCHES, name, "search", **args)


def test_a_link_leads_out_of_the_workspace(tmp_path: Path) -> None:
    disk = Disk(str(tmp_path), "/home/user")
    (tmp_path / "src").mkdir()
    (tmp_path / "out").symlink_to("/etc")
    for args, approved in (({"path": "src"}, True), ({"path": "out"}, False), ({"pattern": "out/*"}, False)):
        at = event(tool={"name": "Glob", "kind": "search", "args": {"pattern": "*", **args}}, workspace=str(tmp_path))
        at["cwd"] = str(tmp_path)
        assert bool(engine(SEARCHES, disk).decide(at).approved) == approved  # type: ignore[arg-type]


def test_a_search_stays_below_what_was_proved() -> None:
    assert approves(DOCS, "Glob", "search", path="/tmp/docs", pattern="*.md")
    assert not approves(DOCS, "Glob", "search", path="/tmp/docs", pattern="/workspace/*")
    assert not approves(DOCS, "Glob", "search", path="/tmp", pattern="*.md")
    assert approves(DOCS, "Glob", "search", pattern="/tmp/docs/*")
    assert not approves(DOCS, "Glob", "search", pattern="{/tmp/docs,src}/*")
    assert not approves(DOCS, "Grep", "search", pattern="x", glob="/tmp/docs/*")


@pytest.mark.parametrize(
    ("name", "kind", "args"),
    [
        ("mcp__tracker__get_issue", "mcp", {"key": "A-1"}),
        ("mcp__fs__read", "mcp", {"path": "src/a.py"}),
        ("mcp__fs__write_file", "mcp", {"path": "src/a.py", "content": "x"}),
        ("list_directory", "search", {"path": "src"}),
        ("read_file", "read", {"file_path": "src/a.py"}),
        ("save_memory", "other", {"fact": "x"}),
        ("google_web_search", "fetch", {"query": "lark grammar"}),
    ],
)
def test_a_tool_that_is_named_is_approved(name: str, kind: str, args: dict[str, Any]) -> None:
    assert approves(NAMED, name, kind, **args)


@pytest.mark.parametrize(
    ("name", "kind", "args"),
    [
        # another tool, or the same word for something else
        ("mcp__tracker__Get_Issue", "mcp", {}),
        ("MCP__tracker__get_issue", "mcp", {}),
        ("mcp__tracker__get_issues", "mcp", {}),
        ("mcp__tracker__get__issue", "mcp", {}),
        ("Odd", "shell", {"command": "ls"}),
        ("Odd", "shell", {"command": "npm test"}),
        ("Odd", "write", {"file_path": "src/a.py", "content": ""}),
        ("Odd", "edit", {"file_path": "src/a.py", "old_string": "", "new_string": ""}),
        ("Odd", "fetch", {"url": "https://x.example"}),
        ("Odd", "agent", {"prompt": "x"}),
        ("google_web_search", "fetch", {"query": "https://x.example/?q=secret"}),
        ("google_web_search", "fetch", {"query": "a", "url": "x.example"}),
        # a command or code
        ("mcp__sh__run", "mcp", {"command": "ls"}),
        ("mcp__tracker__get_issue", "mcp", {"key": "A-1", "script": "ls"}),
        # places outside, and those that start something later
        ("mcp__fs__read", "mcp", {"path": "/etc/shadow"}),
        ("mcp__fs__write_file", "mcp", {"path": "~/.bashrc", "content": "x"}),
        ("mcp__fs__write_file", "mcp", {"path": "../x", "content": "x"}),
        ("mcp__fs__write_file", "mcp", {"path": ".git/hooks/pre-commit", "content": "x"}),
        ("list_directory", "search", {"path": "~/.ssh"}),
        ("read_file", "read", {"file_path": "/etc/shadow"}),
        ("read_file", "read", {"unknown": "/etc/shadow"}),
    ],
)
def test_anything_else_is_not(name: str, kind: str, args: dict[str, Any]) -> None:
    assert not approves(NAMED, name, kind, **args)


@pytest.mark.parametrize(
    ("file", "text", "approved"),
    [
        (".mcp.json", '{"mcpServers": {"docs": {"command": "npx"}}}', True),
        (".mcp.json", '{"mcpServers": {"tracker": {"command": "./x"}}}', False),
        (".mcp.json", '{"mcpServers": {"tr acker": {"command": "./x"}}}', False),
        (".mcp.json", '{"mcpServers": {"tr\\u0061cker": {"command": "./x"}}}', False),
        (".mcp.json", "\0", False),
        (".qwen/settings.json", '{"mcpServers": {"Tracker": {"command": "./x"}}}', False),
        (".codex/config.toml", '[mcp_servers.tracker]\ncommand = "./x"\n', False),
        (".codex/config.toml", 'model = "x"\n', True),
    ],
)
def test_a_server_that_the_repository_adds_is_not_the_one_that_is_meant(file: str, text: str, approved: bool) -> None:
    disk = Virtual()
    disk.files = {f"/workspace/{file}": text.encode()}
    assert approves(NAMED, "mcp__tracker__get_issue", "mcp", disk, key="A-1") == approved


def test_a_condition_narrows_it() -> None:
    narrowed = 'rule r { on before_tool("mcp__tracker__get_issue") when (tool.args["key"] else "") == "A-1" approve }'
    for key, approved in (("A-1", True), ("A-2", False)):
        assert approves(narrowed, "mcp__tracker__get_issue", "mcp", key=key) == approved


def test_a_name_proves_nothing_of_what_a_kind_takes() -> None:
    both = 'rule r { on before_tool(read, "Odd") when every p in paths { p inside "docs" } approve }'
    assert approves(both, "Read", "read", file_path="docs/a")
    assert not approves(both, "Read", "read", file_path="src/a")
    assert not approves(both, "Odd", "shell", command="ls")


def test_what_hosts_call_tools_that_change_things_is_no_name_to_approve() -> None:
    for adapter in family.members("policy_engine.adapters", Adapter):
        dialect = getattr(import_module(f"policy_engine.adapters.{adapter.name.replace('-', '_')}"), "_KINDS", {})
        for name, kind in dialect.items():
            words = kind == "fetch" and "search" in name.lower()  # a search of the web takes no address
            assert words or kind in ("read", "search", "todo") or is_of_hosts(name), (adapter.name, name)
            assert is_of_hosts(name.upper()) == is_of_hosts(name)
