"""Parameters of packs as other systems have them: each kind, with its default and with a value that an import sets."""

from __future__ import annotations

from typing import Any

import pytest

from policy_engine.loading.loader import load_given
from policy_engine.loading.sources import PolicyFile
from policy_engine.runtime.engine import Engine
from policy_engine.runtime.session import MemorySessions

PACKS = {
    "branches nobody pushes to": (
        'param protected = ["main", "master"]\n'
        'rule r "R" { on command git push when any b in protected { c.args contains b } deny "{b}" }',
        'protected = ["release"]', "git push origin main", "git push origin release",
    ),
    "branches nobody works on": (
        'param protected = ["main"]\nrule r "R" { on before_tool when git.branch in protected deny "{git.branch}" }',
        'protected = ["topic"]', {"git": {"branch": "main"}}, {"git": {"branch": "topic"}},
    ),
    "commands that may be elevated": (
        'param allowed = command("sudo -n true")\n'
        'rule r "R" { on command sudo unless c matches allowed deny "{c.text}" }',
        'allowed = command("sudo apt-get update")', "sudo apt-get update", "sudo -n true",
    ),
    "folders that may be deleted": (
        'param allowed = glob("build/**")\n'
        'rule r "R" { on command rm when any p in c.paths { not (p matches allowed) } deny "{p}" }',
        'allowed = glob("dist/**")', "rm dist/a", "rm build/a",
    ),
    "a word that a secret begins with": (
        "param secret = /sk-[a-z0-9]{8}/\n"
        'rule r "R" { on before_tool(shell) when tool.args["command"] else "" matches secret deny "No." }',
        "secret = /ghp_[a-z0-9]{8}/", "echo sk-aaaaaaaa", "echo ghp_aaaaaaaa",
    ),
    "the size of a file": (
        'param most = 3\nrule r "R" { on before_tool(write) when content.length > most deny "{most}" }',
        "most = 100", {"content": "abcdef"}, None,
    ),
    "calls before a limit speaks": (
        'param most = 1\nlimit r "R" { on before_tool counts tool.name != "" at most deny "{most}" }',
        "most = 50", "ls", None,
    ),
    "the words that a person reads": (
        'param hint = "Ask first."\nrule r "R" { on command git push deny "{hint}" }',
        'hint = "Never."', "git push", "git push",
    ),
    "a switch": (
        'param strict = true\nrule r "R" { on command git commit when strict deny "No." }',
        "strict = false", "git commit -m x", None,
    ),
    "programs of packages": (
        'param managers = ["npm", "yarn"]\n'
        'rule r "R" { on before_tool(shell) when any c in commands { c.program in managers } deny "{c}" }',
        'managers = ["pnpm"]', "npm install", "pnpm install",
    ),
}  # fmt: skip


def _refused(files: dict[str, str], given: str | dict[str, Any]) -> list[str]:
    loaded = load_given(
        PolicyFile.given(f"{name}.policy", f"/p/{name}.policy", f"language 1\n{text}\n".encode())
        for name, text in files.items()
    )
    program = loaded.require_program()
    line = given if isinstance(given, str) else "ls"
    tool: dict[str, Any] = {"name": "Bash", "kind": "shell", "args": {"command": line}}
    extra: dict[str, Any] = given if isinstance(given, dict) else {}
    if "content" in extra:
        tool = {"name": "Write", "kind": "write", "args": {"path": "a", "content": extra["content"]}}
        extra = {}
    where = {"cwd": "/workspace", "workspace": "/workspace"}
    event = {"hook": "before_tool", "session": "s", "tool": tool, **where, **extra}
    decision = Engine(lambda: (program, ()), MemorySessions(), "/home/user", lambda: 1).decide(event)
    return [rule.message for rule in decision.rules if rule.verdict == "deny" and rule.outcome == "violated"]


@pytest.mark.parametrize("name", PACKS)
def test_a_pack_refuses_by_its_default_and_by_what_an_import_sets(name: str) -> None:
    pack, setting, first, second = PACKS[name]
    plain, adjusted = {"pack": pack}, {"pack": pack, "main": f'import "pack.policy" with {{ {setting} }}'}
    assert _refused(plain, first)
    if second is None:
        assert not _refused(adjusted, first)
        return
    assert _refused(adjusted, second)
    assert _refused(plain, first) != _refused(adjusted, first)
