"""Adapter of OpenAI Codex CLI: decode its hook payloads, encode its hook answers, and register its hooks.

Measured against 0.169.0 with a scripted model; its own JSON Schemas of the answers are test data. What shaped this:

- An answer with one key more than its schema knows is dropped, and the call runs. Before a tool that goes for `ask`,
  for `allow` without another input, and for `continue: false`: what would ask is refused, what would stop refuses.
- With exit 2 the client reads standard error only, and an empty one is consent. Both channels say the same.
- The result of a shell is its text. Its exit status stands in the file in which the client records the session, which
  is written before the hook is asked (`recorded`); without it nothing is known, and proved.
- `apply_patch` carries the patch as `command`. Every shell tool is called `Bash`, without saying whether it is
  interactive: what is typed into it later is not asked about (pack:security/no-interactive-shell).
- Nothing bounds how often a completion may be refused: our own budget does.
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
from policy_engine.model.errors import EventError
from policy_engine.model.strict_json import read_json
from policy_engine.protocol import call
from policy_engine.protocol.payload import ended, plan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from policy_engine.adapters.base import Environment

NAME = "codex"
CAPABILITIES = {
    "SessionStart": Capability("session_start", False, "warn remind stop", "halts context message"),
    "UserPromptSubmit": Capability("prompt", True, "warn remind deny stop", "block halts context message exit"),
    "PreToolUse": Capability("before_tool", True, "warn remind deny", "permission context message exit"),
    "PermissionRequest": Capability("before_permission", True, "warn ask deny", "behavior approves message exit"),
    "PostToolUse": Capability("after_tool", False, "warn remind", "context message"),
    "Stop": Capability("before_completion", True, "warn deny stop", "block halts message exit"),
    "SubagentStart": Capability("subagent_start", False, "warn remind", "context message"),
    "SubagentStop": Capability("subagent_completion", True, "warn deny stop", "block halts message exit"),
    "PreCompact": Capability("before_compact", True, "warn deny stop", "halts message"),
    "PostCompact": Capability("after_compact", False, "warn", "message"),
    "SessionEnd": Capability("session_end", False, ""),
}
_IGNORED = frozenset(("Interrupt",))
_KINDS = {
    "Bash": "shell", "apply_patch": "edit", "view_image": "read", "update_plan": "todo", "web_search": "fetch",
}  # fmt: skip
_AGENTS = "collaboration"  # the namespace of the tools for sub-agents, glued to their names
_ASKABLE = frozenset(("default", "acceptEdits", "plan"))  # `codex exec` never asks, and says so
DIALECT = call.Dialect(NAME, CAPABILITIES, _IGNORED, _KINDS, askable=_ASKABLE)
_PATCHED = "Exit code: "


def decode(payload: Any, event_name: str | None, environment: Environment) -> dict[str, Any] | None:
    """The canonical event of one hook payload; None if it is no lifecycle point. Raises EventError."""
    native = DIALECT.native(payload, event_name)
    if not native:
        return None
    event = DIALECT.head(payload, native, environment)
    if native in ("PreToolUse", "PermissionRequest", "PostToolUse"):
        return _tool_event(event, payload, native)
    if native == "UserPromptSubmit":
        return {**event, "prompt": needed(payload, "prompt", empty=True)}
    if native in ("Stop", "SubagentStop") and payload.get("last_assistant_message") is not None:
        event["answer"] = optional(payload, "last_assistant_message")
    return call.details(event, payload)


def _tool_event(event: dict[str, Any], payload: dict[str, Any], native: str) -> dict[str, Any]:
    name, arguments = needed(payload, "tool_name"), payload.get("tool_input")
    if name == "apply_patch" and type(arguments) is dict:
        arguments = {**arguments, "patch": needed(arguments, "command")}
    kind = DIALECT.tool(event, name, arguments, optional(payload, "tool_use_id"))
    if kind == "other" and name.startswith(_AGENTS):
        event["tool"]["kind"] = "agent"
    if native == "PostToolUse":
        event["result"] = _result(name, kind, payload.get("tool_response"))
        if name == "update_plan" and type(event["tool"]["args"].get("plan")) is list:
            event["todos"] = plan(event["tool"]["args"]["plan"], "step")
    return event


def _result(name: str, kind: str, response: Any) -> dict[str, Any]:
    text = result_text(response)
    if kind == "shell" or response is None:
        return {"text": text, "status": "unknown"}
    if name == "apply_patch":
        number = text.partition("\n")[0].removeprefix(_PATCHED)
        if not text.startswith(_PATCHED) or not number.isdecimal():
            return {"text": text, "status": "unknown"}  # it says neither: the files may have been written
        done = number == "0"
        return {"ok": done, "text": text, "status": "completed" if done else "failed"}
    failed = type(response) is dict and response.get("isError", False) is not False
    return {"ok": not failed, "text": text, "status": "failed" if failed else "completed"}


def recorded(event: dict[str, Any], tail: Callable[[], bytes]) -> None:
    """Put the exit status of a shell call into its result, if the record's end has exactly one word about it.

    Who could add a line for this call could not take away the client's own; two words are none.
    """
    tool = event.get("tool", {})
    identity, command = tool.get("id", ""), tool.get("args", {}).get("command")
    if event["hook"] != "after_tool" or tool["kind"] != "shell" or not identity or type(command) is not str:
        return
    lines = [line for line in tail().split(b"\n") if identity.encode("utf-8", "surrogatepass") in line]
    items = [item for item in map(_ended_item, lines) if item.get("id") == identity]
    if len(items) == 1 and type(items[0].get("command")) is list and items[0]["command"][-1:] == [command]:
        event["result"] = ended(event["result"]["text"], str(items[0]["exit_code"]))


def _ended_item(line: bytes) -> dict[str, Any]:
    """The command that a line of the record reports as ended; empty for any other line."""
    try:
        item: Any = read_json(line)
    except EventError:
        return {}
    for key in ("payload", "item"):
        item = item.get(key) if type(item) is dict else None
    known = type(item) is dict and item.get("type") == "CommandExecution" and type(item.get("exit_code")) is int
    return item if known else {}


REGISTRATION = Registration(
    home_folder=".codex",
    home_variable="CODEX_HOME",
    user_settings="hooks.json",
    project_settings=".codex/hooks.json",
    events=tuple(
        (name, "*" if name.endswith("ToolUse") or name == "PermissionRequest" else None) for name in CAPABILITIES
    ),
    timeout=60,
    longer={"Stop": 3_600},
    consents="config.toml",
    asked=("codex", "app-server"),
    afterwards="Codex runs no hook that it was not told to trust, and says nothing. Where `policy install codex` cannot"
    " tell it, start `codex`, type /hooks and trust each; after every update of the engine again. Hooks of a project"
    " need a project that is trusted.",
)
ADAPTER = Adapter(
    NAME, decode, DIALECT.encode, DIALECT.failure, CAPABILITIES, REGISTRATION, continuation_cap=0,
    denies=DIALECT.denies,
    lacks={"result.timed_out": "it never comes"},
    recorded=recorded,
    cwd_of_call=True, one_process=True,
    reports=("todos", "plan.open_steps", "plan.status", "host.interactive", "host.mode"),
    evidence="measured, 0.169.0",
    failures={
        "exit 1, missing, killed": "the registered line refuses",
        "time-out, SIGKILL of the line": "open: the call runs",
        "not trusted, changed": "open, silently",
        "exit 2": "refused",
    },
)  # fmt: skip
