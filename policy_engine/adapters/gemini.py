"""Adapter of Gemini CLI: decode its hook payloads, encode its hook answers, and register its hooks.

Measured against 0.61.0 with a scripted model. What shaped this file:

- A refusal is the top-level `decision: deny`; Claude Code's `permissionDecision` is ignored, and the call runs.
- `ask` in a headless run waits for ever, and the payload does not tell whether a person is there: `ask` refuses.
- `continue: false` ends the run before the tool. After a refused completion our reason comes back as a prompt, so
  that it carries a mark; `stop_hook_active` is false again once the next turn used a tool.
- A result of a shell has the line `Exit Code: N` behind the command's own output, and none if it was 0.
- PreCompress fires before every model call and compresses nothing yet: it is no lifecycle point here.
- Calls have no identity, and a sub-agent's calls do not say whose they are.
"""

from __future__ import annotations

from policy_engine.adapters.base import (
    Adapter,
    Capability,
    Registration,
    needed,
    optional,
    result_text,
)
from policy_engine.protocol import call
from policy_engine.protocol.payload import ended, mark_plan, plan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy_engine.adapters.base import Environment

NAME = "gemini"
CAPABILITIES = {
    "SessionStart": Capability("session_start", False, "warn remind", "context message"),
    "BeforeAgent": Capability("prompt", True, "warn remind deny stop", "deny halts context message exit"),
    "BeforeTool": Capability("before_tool", True, "warn deny stop", "deny halts message exit"),
    "AfterTool": Capability("after_tool", False, "warn remind stop", "halts context message"),
    "AfterAgent": Capability("before_completion", True, "warn deny stop", "deny halts message marks exit"),
    "SessionEnd": Capability("session_end", False, "warn", "message"),
}
_IGNORED = frozenset(("BeforeModel", "AfterModel", "BeforeToolSelection", "PreCompress", "Notification"))
_KINDS = {
    "run_shell_command": "shell", "write_file": "write", "replace": "edit", "read_file": "read",
    "list_directory": "search", "glob": "search", "grep_search": "search", "search_file_content": "search",
    "web_fetch": "fetch", "google_web_search": "fetch", "invoke_agent": "agent", "delegate_to_agent": "agent",
    "write_todos": "todo",
}  # fmt: skip
DIALECT = call.Dialect(
    NAME, CAPABILITIES, _IGNORED, _KINDS, "GEMINI_PROJECT_DIR", aliases={"dir_path": "path"}, mcp=("mcp_", "_")
)
_FRAME = ("<untrusted_context>", "</untrusted_context>")
_BEHIND = ("Signal: ", "Background PIDs: ", "Process Group PGID: ")  # what may follow the line with the exit status


def decode(payload: Any, event_name: str | None, environment: Environment) -> dict[str, Any] | None:
    """The canonical event of one hook payload; None if it is no lifecycle point. Raises EventError."""
    native = DIALECT.native(payload, event_name)
    if not native:
        return None
    event = DIALECT.head(payload, native, environment)
    if native in ("BeforeTool", "AfterTool"):
        return _tool_event(event, payload, native)
    if native == "BeforeAgent":
        text = needed(payload, "prompt", empty=True)
        return {**event, "prompt": text} if call.human(text) else None
    if native == "AfterAgent":
        return {**event, "answer": optional(payload, "prompt_response")}
    return call.details(event, payload)


def _tool_event(event: dict[str, Any], payload: dict[str, Any], native: str) -> dict[str, Any]:
    name, context = needed(payload, "tool_name"), payload.get("mcp_context")
    server = optional(context, "server_name") if type(context) is dict else ""
    kind = DIALECT.tool(event, name, payload.get("tool_input"), server=server)
    if native == "AfterTool":
        event["result"] = _result(kind, event["tool"]["args"], payload.get("tool_response"))
        if name == "write_todos" and type(event["tool"]["args"].get("todos")) is list:
            event["todos"] = plan(event["tool"]["args"]["todos"], "description")
        elif name in ("enter_plan_mode", "exit_plan_mode") and event["result"]["status"] == "completed":
            # a plan that the person rejects is a result as well
            mark_plan(event, event["result"]["text"].startswith("Plan approved.") and name == "exit_plan_mode")
    return event


def _result(kind: str, arguments: dict[str, Any], response: Any) -> dict[str, Any]:
    facts = response if type(response) is dict else {}
    text = result_text(facts.get("llmContent"))
    if kind == "shell":
        return _ran(text, arguments, facts)
    failed = facts.get("error") is not None
    if not facts:
        return {"text": text, "status": "unknown"}
    return {"ok": not failed, "text": text, "status": "failed" if failed else "completed"}


def _ran(text: str, arguments: dict[str, Any], facts: dict[str, Any]) -> dict[str, Any]:
    """The exit status is the last such line, behind the output: a command can print one of its own before it."""
    if arguments.get("is_background", False) is not False:
        return {"text": text, "status": "running"}
    lines = text.removesuffix("\n").removesuffix(_FRAME[1]).removesuffix("\n").split("\n")
    while lines and lines[-1].startswith(_BEHIND):
        if lines.pop().startswith("Signal: "):
            return {"ok": False, "text": text, "status": "failed"}
    code = lines[-1].removeprefix("Exit Code: ") if lines else ""
    if lines and code != lines[-1] and code.isascii() and code.isdigit():
        return ended(text, code)
    begun = text.removeprefix(_FRAME[0]).lstrip("\n").startswith("Output: ")
    if facts.get("error") is not None:
        return {"ok": False, "text": text, "status": "failed"}
    return ended(text, "0") if begun else {"text": text, "status": "unknown"}


REGISTRATION = Registration(
    home_folder=".gemini",
    user_settings="settings.json",
    project_settings=".gemini/settings.json",
    managed_settings=("/etc/gemini-cli/settings.json",),
    events=tuple((name, "*" if name.endswith("Tool") else None) for name in CAPABILITIES),
    timeout=60,
    longer={"AfterAgent": 3_600},
    clock=("timeout", 1_000),
    handler={"type": "command", "name": "policy-engine"},
    switches=(
        ("!hooksConfig.enabled", "switches every hook off"),
        ("hooksConfig.disabled:policy-engine", "switches this hook off"),
        ("hooks.disabled:policy-engine", "switches this hook off"),
    ),
    afterwards="Hooks of a project run only in a folder that Gemini trusts.",
)
ADAPTER = Adapter(
    NAME, decode, DIALECT.encode, DIALECT.failure, CAPABILITIES, REGISTRATION, continuation_cap=0,
    forgets=True, one_process=True, workspace_variable=DIALECT.project,
    denies=DIALECT.denies,
    lacks={"tool.id": "calls have no identity", "result.timed_out": "it never comes"},
    reports=("todos", "plan.open_steps", "plan.status"),
    evidence="measured, 0.61.0",
    failures={
        "exit 1, missing, killed": "the registered line refuses",
        "time-out, SIGKILL of the line": "open: the call runs",
        "exit 2": "refused",
    },
)  # fmt: skip
