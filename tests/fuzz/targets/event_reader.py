"""Bytes as a host's payload → the host's answer; whatever failed is refused, and both channels say the same."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from policy_engine.adapters.base import Answer
from policy_engine.adapters.claude_code import ADAPTER, CAPABILITIES
from policy_engine.bootstrap import Engine
from policy_engine.filesystem.file_system import Virtual
from policy_engine.model.errors import ConfigurationError, EventError
from policy_engine.model.event import Event
from policy_engine.model.ladder import RANK
from policy_engine.model.points import failure_verdict
from policy_engine.model.strict_json import read_json

POLICY = """language 1
rule no-rm { on before_tool(shell) when any c in commands { c.program == "rm" } deny "`{c.text}`" }
rule no-env { on before_tool(write, edit, read) when any p in paths { p matches "**/.env" } ask "{p}" }
rule read-first { on before_tool(write) when not read("README.md") deny "Read README.md." }
rule no-token { on before_tool(write, edit) when content matches /tok(en)?/i deny "{content}" }
rule tests { on before_completion when wrote("**") require command_success("pytest -*") since wrote("**") deny "Test." }
rule todos { on before_completion require todos_converged() deny "{open_todos}" }
limit same { on after_tool repeats (tool.name, tool.args, result.digest) at 3 remind "Again." at 5 stop repeat_cycle }
rule prompts { on prompt when prompt contains "secret" warn "{prompt}" }
"""
SESSION = {"session_id": "s", "cwd": "/workspace", "transcript_path": "/t"}


def _payload(native: str, **fields: Any) -> bytes:
    return json.dumps({"hook_event_name": native, **SESSION, **fields}).encode()


SEEDS = (
    _payload("PreToolUse", tool_name="Bash", tool_input={"command": "cd /tmp && rm -rf x"}, permission_mode="default"),
    _payload("PreToolUse", tool_name="Write", tool_input={"file_path": "a/.env", "content": "TOKEN=1"}),
    _payload("PreToolUse", tool_name="mcp__git__log", tool_input={"n": [1, {"x": None}]}, tool_use_id="t"),
    _payload(
        "PostToolUse", tool_name="Bash", tool_input={"command": "pytest -q"}, tool_response={"stdout": "1 passed"}
    ),
    _payload("PostToolUse", tool_name="TodoWrite", tool_input={"todos": [{"content": "a", "status": "pending"}]}),
    _payload("PostToolUse", tool_name="Edit", tool_input={"file_path": "a", "new_string": "b", "old_string": "c"}),
    _payload("UserPromptSubmit", prompt="keep the secret"),
    _payload("Stop", last_assistant_message="done"),
    _payload("SubagentStop", last_assistant_message="done", agent_type="explore"),
    _payload("SessionStart", source="x"),
    _payload("PreCompact", trigger="auto"),
    _payload("SessionEnd", reason="x"),
    _payload("Notification", message="x"),
    _payload("PermissionRequest", tool_name="Bash", tool_input={"command": "rm a"}),
    _payload("Unheard"),
    b'{"hook": "before_tool", "session": "s", "tool": {"name": "Bash", "kind": "shell", "args": {"command": "rm a"}}}',
    b'{"hook": "after_tool", "session": "s", "workspace": "/workspace", "changes": [{"path": "a", "kind": "write"}]}',
)


@cache
def engine() -> Engine:
    return Engine.from_text(POLICY, home="/home/user", filesystem=lambda workspace: Virtual())


def target(data: bytes) -> None:
    native = ""
    try:
        payload = read_json(data)
        if type(payload) is dict and type(payload.get("hook_event_name")) is str:
            native = payload["hook_event_name"]
        canonical(payload)
        raw = ADAPTER.decode(payload, None, {})
        if raw is None:
            assert (
                native not in CAPABILITIES
                or not CAPABILITIES[native].gate
                or native in ("Stop", "SubagentStop", "UserPromptSubmit", "ConfigChange")
            ), native
            return
        event = Event.from_dict(raw)
    except (EventError, ConfigurationError) as error:
        answered(ADAPTER.failure(native, getattr(error, "code", "E-CONFIGURATION"), str(error)), native, "deny")
        return
    decision = engine().decide(event)
    answered(ADAPTER.encode(decision, native, event), native, decision.verdict)


def canonical(payload: Any) -> None:
    """The same as a canonical event: always a verdict, and the failure verdict of the point for what is refused."""
    decision = engine().decide(payload)
    assert decision.verdict in RANK
    if decision.errors:
        hook = payload.get("hook") if type(payload) is dict else None
        assert RANK[decision.verdict] >= RANK[failure_verdict(hook)], decision.to_dict()
        assert not any("E-INTERNAL" in error for error in decision.errors), decision.errors


def answered(answer: Answer, native: str, verdict: str) -> None:
    """Status, standard output and standard error agree, and a gate never lets pass what is refused."""
    assert answer.exit_code in (0, 2)
    output = json.loads(answer.stdout) if answer.stdout else {}
    assert type(output) is dict and answer.stdout.isascii()
    answer.stderr.decode("utf-8")
    assert not any(char in answer.stderr for char in (b"\x1b", b"\x00", b"\r")), answer.stderr
    specific = output.get("hookSpecificOutput", {})
    said = (specific.get("permissionDecision"), specific.get("decision", {}).get("behavior"), output.get("decision"))
    assert "allow" not in said and "approve" not in said
    gate = native not in CAPABILITIES or CAPABILITIES[native].gate
    if verdict in ("deny", "stop", "ask") and gate and native and native != "PermissionRequest":
        held = answer.exit_code == 2 or "ask" in said or output.get("continue") is False
        assert held or native not in CAPABILITIES, (native, verdict, output)
    if answer.exit_code == 2:
        assert answer.stderr.strip()
