"""Convert a payload of the protocol that Claude Code introduced to the canonical event; what differs by host is data.

Names decide, exactly as the host writes them; what is not known is taken for the most dangerous thing that it can be.
Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.errors import EventError
from policy_engine.protocol import reply
from policy_engine.protocol.answer import CONTINUED
from policy_engine.protocol.payload import mark_plan, needed, optional, variable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy_engine.model.decision import Decision
    from policy_engine.model.event import Event
    from policy_engine.protocol.answer import Answer, Capability
    from policy_engine.protocol.payload import Environment

_MODES = {
    "default": "default", "plan": "plan", "acceptEdits": "accept_edits", "auto_edit": "accept_edits", "auto": "auto",
    "dontAsk": "dont_ask", "bypassPermissions": "bypass", "yolo": "bypass",
}  # fmt: skip
"""Permission modes as hosts call them -> `host.mode`; of another one nothing is said."""


class Dialect:
    """The words of one host: its events, those that are no lifecycle point, tools -> kinds, the variable that names
    the project, the permission modes in which a person can be asked (None: the payload does not tell), and
    arguments that other hosts call otherwise.
    """

    __slots__ = ("name", "capabilities", "ignored", "kinds", "project", "askable", "aliases", "mcp")

    def __init__(
        self,
        name: str,
        capabilities: dict[str, Capability],
        ignored: frozenset[str],
        kinds: dict[str, str],
        project: str = "",
        askable: frozenset[str] | None = None,
        aliases: dict[str, str] | None = None,
        mcp: tuple[str, str] = ("mcp__", "__"),
    ) -> None:
        self.name = name
        self.capabilities = capabilities
        self.ignored = ignored
        self.kinds = kinds
        self.project = project
        self.askable = askable
        self.aliases = aliases or {}
        self.mcp = mcp

    def native(self, payload: Any, event_name: str | None, key: str = "hook_event_name") -> str:
        """The host's name of the event, "" if it is no lifecycle point. Raises EventError if it is not known."""
        if type(payload) is not dict:
            raise EventError("E-TYPE", "the payload is not a JSON object")
        native = optional(payload, key) or event_name or ""
        if event_name and event_name != native:
            raise EventError("E-POINT", f"registered for `{event_name}`, but the payload says `{native[:80]}`")
        if native in self.ignored:
            return ""
        if native not in self.capabilities:
            raise EventError("E-POINT", f"unknown event `{native[:80]}`")
        return native

    def head(self, payload: dict[str, Any], native: str, environment: Environment) -> dict[str, Any]:
        """Return what every event has."""
        cwd = needed(payload, "cwd")
        point = self.capabilities[native].point
        agent_id = needed(payload, "agent_id") if point.startswith("subagent") else optional(payload, "agent_id")
        host: dict[str, Any] = {"name": self.name}
        if self.askable is not None:
            mode = optional(payload, "permission_mode")
            host["interactive"] = mode in self.askable
            if mode in _MODES:
                host["mode"] = _MODES[mode]
        event = {
            "hook": point,
            "session": needed(payload, "session_id"),
            "cwd": cwd,
            "workspace": (variable(environment, self.project) if self.project else "") or cwd,
            "agent": agent(agent_id, optional(payload, "agent_type")),
            "host": host,
        }
        # the mode that the events after a call name may be the one before it
        if host.get("mode") == "plan" and point in ("prompt", "before_tool"):
            mark_plan(event, approved=False)
        return event

    def tool(self, event: dict[str, Any], name: str, arguments: Any, call: str = "", server: str = "") -> str:
        """Put the call into the event; its kind. Raises EventError if the arguments are no object."""
        if type(arguments) is not dict:
            raise EventError("E-TYPE" if arguments is not None else "E-FIELD", "the tool's input is not an object")
        kind = self.kinds.get(name, "other")
        tool: dict[str, Any] = {"name": name, "kind": kind, "args": self.named(arguments)}
        start, between = self.mcp
        if start and name.startswith(start):
            tool["kind"] = kind = "mcp"
            tool["server"] = server or name[len(start) :].partition(between)[0]
        if call:
            tool["id"] = call
            event["id"] = f"{call}.{event['hook']}"
        event["tool"] = tool
        if kind == "shell":
            enter_folder(event, arguments)
        return kind

    def encode(self, decision: Decision, native: str, event: Event | None = None) -> Answer:
        """The host's answer to `native`; only keys that are legal there. Verdicts it cannot enforce are shown."""
        return reply.encode(self.capabilities, decision, native, event, None)

    def failure(self, native: str, code: str, message: str) -> Answer:
        """The answer when the engine itself failed: a gate refuses, any other event only reports it."""
        return reply.failure(self.capabilities, self.ignored, native, code, message)

    def denies(self, native: str, answer: Answer) -> bool:
        """Return whether the host holds back what it asked about."""
        return reply.denies(self.capabilities, native, answer)

    def named(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """The arguments, those that other hosts call otherwise also by the common name."""
        renamed = {self.aliases[key]: value for key, value in arguments.items() if key in self.aliases}
        for key, value in renamed.items():
            if arguments.get(key, value) != value:
                raise EventError("E-DUPKEY", f"two arguments read `{key}`")
        return {**arguments, **renamed} if renamed else arguments


def enter_folder(event: dict[str, Any], arguments: dict[str, Any]) -> None:
    """Make the folder that the arguments of a shell call name the folder of the event; relative to the one it had.

    Raises EventError if two of them name different folders: which one the tool takes is not known.
    """
    keys = [key for key in arguments if any(part in key.lower() for part in ("dir", "cwd", "folder"))]
    if not keys:
        return
    from policy_engine.model.carried import FOLDERS, plain_key

    named = {needed(arguments, key) for key in keys if plain_key(key) in FOLDERS and arguments[key] not in (None, "")}
    if len(named) > 1:
        raise EventError("E-PATH", "two arguments name the folder of the call")
    for folder in named:
        if folder[:1] == "/":
            event["cwd"] = folder
        elif "cwd" in event:
            event["cwd"] = f"{event['cwd'].rstrip('/')}/{folder}"
        else:
            raise EventError("E-PATH", f"which folder `{folder[:80]}` is cannot be known")


def agent(identity: str, name: str) -> dict[str, Any]:
    """Return who acts: the main agent, or the sub-agent with an identity."""
    if not identity:
        return {"kind": "main", "name": name or "main"}
    return {"kind": "subagent", "name": name or "subagent", "id": identity}


def human(text: str) -> bool:
    """Return whether a prompt may come from a person: hosts hand on our own reason for a refused completion as one."""
    return CONTINUED not in text


def waiting(payload: dict[str, Any]) -> bool:
    """Return whether the main agent only pauses: a sub-agent still runs in the background and resumes it."""
    tasks = payload.get("background_tasks")
    return type(tasks) is list and any(
        type(task) is dict and task.get("type") == "subagent" and task.get("status") == "running" for task in tasks
    )


def details(event: dict[str, Any], payload: dict[str, Any]) -> dict[str, Any]:
    """The event with why it happened, where the host says so."""
    for key in ("source", "trigger", "reason"):
        if key in payload:
            event[key] = payload[key]
    return event
