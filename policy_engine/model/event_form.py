"""The canonical event as a typed dictionary, so that a type checker sees a key that is misspelt.

What may stand in it is said by `Event.from_dict`, which decides, and by the JSON Schema of schemas.py.
"""

from __future__ import annotations

from typing import Any, Literal, Required, TypedDict

Point = Literal[
    "session_start", "session_end", "prompt", "before_tool", "after_tool", "before_permission", "after_round",
    "before_compact", "after_compact", "before_completion", "before_stop", "before_verification", "after_verification",
    "subagent_start", "subagent_completion",
]  # fmt: skip
Kind = Literal["shell", "write", "edit", "read", "search", "fetch", "mcp", "agent", "todo", "other"]


class ToolForm(TypedDict, total=False):
    """The call of a tool."""

    name: Required[str]
    args: Required[dict[str, Any]]
    kind: Kind
    server: str
    id: str


class ResultForm(TypedDict, total=False):
    """The end of a call."""

    ok: bool
    exit_code: int | None
    text: str
    timed_out: bool
    status: str
    error_class: str


class EventForm(TypedDict, total=False):
    """One event of a session; a literal of it is checked key by key."""

    hook: Required[Point]
    session: Required[str]
    id: str
    time: str
    cwd: str
    workspace: str
    agent: dict[str, Any]
    host: dict[str, Any]
    tool: ToolForm
    result: ResultForm
    prompt: str
    answer: str
    changes: list[dict[str, Any]]
    facts: dict[str, Any]
    todos: list[dict[str, Any]]
    goal: dict[str, Any]
    plan: dict[str, Any]
    usage: dict[str, int]
    diff: dict[str, Any]
    git: dict[str, Any]
