"""Describe in one line what an event wanted: the command, the path, the claim to be done."""

from __future__ import annotations

from typing import Any

from policy_engine.model.points import COMPLETIONS

CHARS = 200
_SAYING = ("file_path", "notebook_path", "path", "url", "pattern", "query", "subject", "description")


def action_of(event: dict[str, Any], chars: int = CHARS) -> str:
    """Return the action in at most so many characters; paths of the workspace begin in it."""
    tool = event.get("tool")
    hook = event.get("hook")
    if isinstance(tool, dict):
        args = tool.get("args")
        text = _call(str(tool.get("name", "")), args if isinstance(args, dict) else {}, event.get("workspace"))
    elif hook in COMPLETIONS:
        answer = event.get("answer")
        text = "to be done" + (f": {answer}" if isinstance(answer, str) and answer else "")
    elif isinstance(event.get("prompt"), str):
        text = f"prompt: {event['prompt']}"
    else:
        text = str(hook)
    text = " ".join(text.split())
    return text if len(text) <= chars else text[: chars - 1] + "…"


def _call(name: str, args: dict[str, Any], workspace: object) -> str:
    if isinstance(args.get("command"), str):
        return str(args["command"])
    statement = next((str(args[key]) for key in _SAYING if isinstance(args.get(key), str)), "")
    inside = f"{workspace.rstrip('/')}/" if isinstance(workspace, str) and workspace != "/" else ""
    return f"{name} {statement.removeprefix(inside) if inside else statement}".rstrip()
