"""Bytes as the text of a message → a bounded text that cannot change the verdict, or diagnostics."""

from __future__ import annotations

from policy_engine.bootstrap import Engine
from policy_engine.filesystem.file_system import Virtual
from policy_engine.loading.loader import load_text
from policy_engine.loading.reloader import Reloader
from policy_engine.model.limits import MESSAGE_CHARS

SEEDS = (
    b"`{c.text}` deletes {p}.",
    b"{workspace} {home} {cwd} {open_todos}",
    b"{{x}} \\{ \\}",
    b"{last(wrote(source)).path}",
    b"{c.args} {c.paths} {c.env}",
    b"{count(ran(tests))} {git.branch}",
    b"{",
    b"}",
    b"{}",
    b"{c.",
    b"{tool.args}",
    b"{limit.l.count} {mode.m} {time.now}",
    b"{c.text} {c.text} {c.text}",
    b"{any q in paths { true }}",
)
EVENT = {
    "hook": "before_tool",
    "session": "s",
    "id": "e",
    "cwd": "/workspace",
    "workspace": "/workspace",
    "host": {"interactive": True},
    "tool": {"name": "Bash", "kind": "shell", "args": {"command": "rm -rf a $X {b}"}},
}


def target(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    found = load_text(
        'language 1\ndefine source = glob("src/**")\ndefine tests = command("pytest -*")\nlimit l { on before_tool '
        "counts true at 99 warn }\nmode m { enter when prompted() }\nrule r { on before_tool(shell) when any c in "
        f'commands {{ any p in c.paths {{ c.program == "rm" }} }} deny "{text}" }}\n'
    )
    if found.errors:
        assert all(error.message and error.location for error in found.errors)
        return
    made = Engine(Reloader.fixed(found), home="/home/user", filesystem=lambda workspace: Virtual())
    decision = made.decide(EVENT)
    said = [result for result in decision.rules if result.rule == "r"]
    if [rule.id for rule in found.policy.rules] == ["r"]:  # type: ignore[union-attr]
        assert len(said) == 1 and decision.verdict in ("deny", "stop", "ask", "warn", "remind")
    for result in decision.rules:
        assert len(result.message) <= MESSAGE_CHARS and "could not be written" not in result.message, result.message
