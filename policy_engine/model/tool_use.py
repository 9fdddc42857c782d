"""A tool call within a process: what the tool is, and what it is given and gives back as JSON, as rules read it."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from policy_engine.model.event import TOOL_KINDS
from policy_engine.model.limits import EVENT_DEPTH


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool of the user's: its kind, and which of its arguments are the ones that rules know.

    `Tool("shell", {"command": "cmd"})`: the argument `cmd` is the command. `exit_code` reads the exit status out of
    what the tool returns; without it `exit_code` and `returncode` are looked for, and a shell's result that has
    neither proves nothing. `server` is that of an MCP tool.
    """

    kind: str
    arguments: Mapping[str, str] = field(default_factory=dict)
    exit_code: Callable[[Any], int | None] | None = None
    server: str = ""

    def __post_init__(self) -> None:
        if self.kind not in TOOL_KINDS:
            raise ValueError(f"unknown tool kind `{self.kind}`; there are {', '.join(sorted(TOOL_KINDS))}")


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call; `server` of an MCP tool."""

    name: str
    args: Any
    id: str = ""
    server: str = ""


def guessed(call: Call) -> Tool:
    """Return what a tool is that nobody named: one of an MCP server, a shell if it is given a command, else unknown."""
    if call.server:
        return Tool("mcp")
    command = call.args.get("command") if isinstance(call.args, Mapping) else None
    return Tool("shell" if isinstance(command, str) else "other")


def plain(value: Any, depth: int = EVENT_DEPTH) -> Any:
    """The JSON form of any value; deeper than an event may be it is left as text.

    What has a plain form of its own (models, dataclasses, paths, mappings, sequences) keeps it; anything else is its
    text. Nothing is left out: a rule must not overlook what a tool will see.

    >>> plain({"path": Path("a"), 1: (b"x", {2})})
    {'path': 'a', '1': ['x', [2]]}
    """
    if value is None or type(value) in (bool, int, float, str):
        return value
    if depth <= 0:
        return str(value)
    if isinstance(value, Mapping):
        return {str(key): plain(each, depth - 1) for key, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(each, depth - 1) for each in value]
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    if isinstance(value, Enum):
        return plain(value.value, depth - 1)
    if isinstance(value, str):
        return str(value)
    if isinstance(value, os.PathLike):
        return plain(os.fspath(value), depth - 1)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = dataclasses.fields(value)
        return {each.name: plain(getattr(value, each.name), depth - 1) for each in fields}
    dump = getattr(value, "model_dump", None)
    return plain(dump(mode="json"), depth - 1) if callable(dump) else str(value)
