"""SWE-agent's trajectories, `*.traj`: each step is a line for its shell, and what came of it; no exit status is kept.

Its own tools are functions of that shell. Those whose effect on files is known are told as tools; what the others do is
unknown. The place of an event is the number of its step.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from policy_engine.model.errors import EventError
from policy_engine.transcripts.base import Line, Object, Recorded, Transcript, damaged, unknown

_TOOLS = {
    "open": "read", "goto": "read", "scroll_up": "read", "scroll_down": "read", "create": "write", "edit": "edit",
    "insert": "edit", "str_replace_editor": "edit", "search_dir": "search", "search_file": "search",
    "find_file": "search", "filemap": "read", "view_image": "read", "undo_edit": "edit",
}  # fmt: skip
"""The agent's own tools -> what they do with the file that they name, or that is open."""
_FINISHED = frozenset(("submit", "exit", "exit_forfeit", "exit_cost", "exit_context", "exit_format", "exit_error"))
_OF_THE_OPEN = frozenset(("goto", "scroll_up", "scroll_down", "edit", "insert", "undo_edit"))


def _knows(value: Object) -> bool:
    return isinstance(value.get("trajectory"), list) and ("history" in value or "info" in value)


def _events(lines: Iterable[Line], path: str) -> Iterator[Recorded]:
    for number, value in lines:
        if isinstance(value, EventError):
            yield damaged(number, value)
        elif _knows(value):
            yield from _trajectory(value, Path(path).stem if path else "trajectory")
        else:
            yield unknown(number, value.get("type"))


def _trajectory(value: Object, name: str) -> Iterator[Recorded]:
    steps = [each for each in value["trajectory"] if isinstance(each, dict)]
    states = [_state(step) for step in steps]
    folder = next((state["working_dir"] for state in states if state.get("working_dir")), "")
    head = {"session": name, "agent": {"kind": "main", "name": "main"}, "host": {"name": "swe-agent"}}
    if folder:
        head["workspace"] = folder
    yield Recorded(1, {"hook": "session_start", **head, **({"cwd": folder} if folder else {})})
    asked = next((str(each.get("content")) for each in value.get("history") or () if _is_task(each)), "")
    if asked:
        yield Recorded(1, {"hook": "prompt", "prompt": asked, **head, **({"cwd": folder} if folder else {})})
    before: Object = {"working_dir": folder, "open_file": ""}
    for number, (step, state) in enumerate(zip(steps, states, strict=True), 1):
        here = {**head, **({"cwd": before["working_dir"]} if before.get("working_dir") else {})}
        yield from _step(number, step, here, before)
        before = {**before, **{key: entry for key, entry in state.items() if isinstance(entry, str) and entry}}


def _is_task(message: Any) -> bool:
    return isinstance(message, dict) and message.get("role") == "user" and not message.get("is_demo")


def _state(step: Object) -> Object:
    given = step.get("state")
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except ValueError:
            given = {}
    return given if isinstance(given, dict) else {}


def _step(number: int, step: Object, head: Object, state: Object) -> Iterator[Recorded]:
    action = step.get("action")
    if not isinstance(action, str) or not action.strip():
        return
    first = action.split(None, 1)[0]
    if first in _FINISHED:
        answer = str(step.get("thought") or step.get("response") or "")
        yield Recorded(number, {"hook": "before_completion", "answer": answer, **head})
        return
    identity = f"step-{number}"
    tool = {**_tool(first, action, state), "id": identity}
    yield Recorded(number, {"hook": "before_tool", "id": f"{identity}.before_tool", "tool": tool, **head})
    result = {"text": str(step.get("observation") or ""), "status": "unknown"}
    yield Recorded(
        number, {"hook": "after_tool", "id": f"{identity}.after_tool", "tool": tool, "result": result, **head}
    )


def _tool(first: str, action: str, state: Object) -> Object:
    kind = _TOOLS.get(first)
    if kind is None:
        return {"name": "bash", "kind": "shell", "args": {"command": action.rstrip("\n")}}
    try:
        words = shlex.split(action.partition("\n")[0])
    except ValueError:
        words = action.split()
    path = words[1] if len(words) > 1 else ""
    if first == "str_replace_editor":
        path = words[2] if len(words) > 2 else ""
        kind = {"view": "read", "create": "write"}.get(words[1] if len(words) > 1 else "", kind)
    elif first in _OF_THE_OPEN:
        path = str(state.get("open_file") or "").replace("n/a", "")
    elif kind == "search":
        return {"name": first, "kind": kind, "args": {"pattern": path}}
    return {
        "name": first,
        "kind": kind,
        "args": {"file_path": path, "content": action} if path else {"content": action},
    }


TRANSCRIPT = Transcript("SWE-agent", _knows, _events)
