"""Adapter of Windsurf Cascade: decode its hook payloads, encode decisions as exit status, and register its hooks.

By its documentation; nothing of it could be measured, for the agent is in no package registry. A hook before an action
refuses with exit 2 and a reason on standard error. Nothing that is said reaches the model otherwise, nothing can be
asked, and a completion cannot be refused.
"""

from __future__ import annotations

from policy_engine.adapters.base import (
    CANARY_SESSION,
    CANARY_TOOL,
    FOLDER,
    Adapter,
    Capability,
    Registration,
    needed,
    optional,
)
from policy_engine.model.errors import EventError
from policy_engine.protocol import call, status
from policy_engine.protocol.payload import result_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy_engine.adapters.base import Environment

NAME = "windsurf"
CAPABILITIES = {
    "pre_user_prompt": Capability("prompt", True, "deny"),
    "pre_run_command": Capability("before_tool", True, "deny"),
    "pre_write_code": Capability("before_tool", True, "deny"),
    "pre_read_code": Capability("before_tool", True, "deny"),
    "pre_mcp_tool_use": Capability("before_tool", True, "deny"),
    "post_run_command": Capability("after_tool", False, ""),
    "post_write_code": Capability("after_tool", False, ""),
    "post_read_code": Capability("after_tool", False, ""),
    "post_mcp_tool_use": Capability("after_tool", False, ""),
    "post_cascade_response": Capability("before_completion", False, ""),
}
_IGNORED = frozenset(("post_setup_worktree", "post_cascade_response_with_transcript"))
_TOOLS = {"run_command": "shell", "write_code": "edit", "read_code": "read", "mcp_tool_use": "mcp"}
DIALECT = call.Dialect(
    NAME, CAPABILITIES, _IGNORED, _TOOLS, aliases={"command_line": "command", "mcp_tool_name": "tool"}, mcp=("", "")
)


def decode(payload: Any, event_name: str | None, environment: Environment) -> dict[str, Any] | None:
    """The canonical event of one hook payload; None if it is no lifecycle point. Raises EventError."""
    native = DIALECT.native(payload, event_name, "agent_action_name")
    if not native:
        return None
    about = payload.get("tool_info")
    if type(about) is not dict:
        raise EventError("E-TYPE" if "tool_info" in payload else "E-FIELD", "`tool_info` is missing or not an object")
    event: dict[str, Any] = {
        "hook": CAPABILITIES[native].point,
        "session": needed(payload, "trajectory_id"),
        "agent": call.agent("", ""),
        "host": {"name": NAME},
    }
    folder = optional(about, "cwd") or optional(payload, "cwd")
    if folder:
        event["cwd"] = event["workspace"] = folder
    if native == "pre_user_prompt":
        return {**event, "prompt": needed(about, "user_prompt", empty=True)}
    if native == "post_cascade_response":
        return {**event, "answer": optional(about, "response")}
    return _tool_event(event, payload, about, native)


def _tool_event(event: dict[str, Any], payload: dict[str, Any], about: dict[str, Any], native: str) -> dict[str, Any]:
    action = native.partition("_")[2]
    if action == "mcp_tool_use":
        arguments = about.get("mcp_tool_arguments", {})
        DIALECT.tool(event, needed(about, "mcp_tool_name"), arguments)
        event["tool"].update(kind="mcp", server=optional(about, "mcp_server_name"))
    else:
        DIALECT.tool(event, action, about)
        if action == "run_command":
            needed(about, "command_line", empty=True)
    if native.startswith("post_"):
        given = about.get("mcp_result")
        event["result"] = {"text": result_text(given), "status": "unknown" if action == "run_command" else "completed"}
    return event


REGISTRATION = Registration(
    home_folder=".codeium/windsurf",
    user_settings="hooks.json",
    project_settings=".windsurf/hooks.json",
    managed_settings=("/etc/windsurf/hooks.json",),
    events=tuple((name, None) for name in CAPABILITIES),
    timeout=60,
    form="flat",
    handler={"show_output": True},
    clock=("", 1),
    canary={
        "trajectory_id": CANARY_SESSION,
        "tool_info": {
            "cwd": FOLDER,
            "command_line": "true",
            "file_path": FOLDER,
            "user_prompt": "canary",
            "mcp_server_name": "canary",
            "mcp_tool_name": CANARY_TOOL,
            "mcp_tool_arguments": {},
        },
    },
)
ADAPTER = Adapter(
    NAME, decode, status.encoder(CAPABILITIES), status.failing(CAPABILITIES, _IGNORED), CAPABILITIES, REGISTRATION,
    continuation_cap=0, event_key="agent_action_name", cwd_of_call=True,
    lacks={"result.exit_code": "it never comes", "result.ok": "it never comes", "tool.id": "calls have no identity"},
    evidence="documentation",
    failures={"exit 2": "refused", "anything else": "open, by its documentation"},
)  # fmt: skip
