"""Convert one step of a test to canonical events, each decided as it comes.

What a step means, beyond its name:

- Time stands still at START until a `wait`; ids count from `e-1`; the session is `test`; a person can answer.
- `run`, `write`, `edit`, `read`, `delete` are proposed at `before_tool` and, unless asked about, denied or stopped,
  done and reported at `after_tool`; `shell` and `call` are only proposed. Each is one round, closed by `after_round`.
- `write` replaces a file; so does `edit`, whose content is also the new text of the call; without content a file stays
  as it is, or appears empty. `delete` is a patch that deletes. `run` with exit 0 creates (empty) and deletes what its
  commands evidently write and delete. `read` always ends well, with the text of the file if there is one.
- A bare kind in `call` has the tool name of NATIVE; a quoted name has the kind of that name, `mcp` if it begins
  `mcp__`, else `other`, unless `given tool.kind` says more.
- `fact`, `todo` and `answer` travel with the events that follow, a fact with the next one only. A todo is required only
  if a step says so.
- Every proposed call is shown at `before_permission` too, the opening at `session_start` and an accepted end at
  `before_stop` and `session_end`, each if something listens there; their verdicts belong to the step that caused them.
- With `given agent.kind = "subagent"`, `prompt` is `subagent_start` and `finish` is `subagent_completion`.
- `given` and `undecided` hold until another `given` of the same field.
"""

from __future__ import annotations

from typing import Any

from policy_engine.checker.tree import CheckedStep
from policy_engine.model.event import TOOL_KINDS
from policy_engine.testing.probe import StepResult
from policy_engine.testing.stage import Stage

NATIVE = {
    "shell": "Bash", "write": "Write", "edit": "Edit", "read": "Read", "search": "Grep", "fetch": "WebFetch",
    "mcp": "mcp__server__tool", "agent": "Task", "todo": "TodoWrite", "other": "Other",
}  # fmt: skip
"""Tool kind → the tool's name where a test names only the kind."""

_KIND_OF = {
    **{name: kind for kind, name in NATIVE.items()}, "MultiEdit": "edit", "NotebookEdit": "edit", "apply_patch": "edit",
    "Glob": "search", "LS": "search", "WebSearch": "fetch", "Agent": "agent",
}  # fmt: skip

EVENTLESS = frozenset(("file", "todo", "fact", "answer", "wait", "given", "undecided"))
"""Steps that prepare what follows and are no event themselves: nothing can be decided about them."""


def play(step: CheckedStep, stage: Stage) -> tuple[StepResult, ...]:
    """The events of a step, in order, with the answers. Raises Undecided if a path or line in it is not understood."""
    stage.heard = []
    more = dict(step.arguments)
    subject: Any = more.pop("", None)
    if step.kind in EVENTLESS:
        _prepare(step.kind, subject, more, stage)
    else:
        _act(step, subject, more, stage)
    return tuple(stage.heard)


def _prepare(kind: str, subject: Any, more: dict[str, Any], stage: Stage) -> None:
    match kind:
        case "file":
            stage.put(subject, str(more.get("content", "")))
        case "todo":
            known = stage.todos.get(subject, {"id": subject, "required": False})
            required = known["required"] or more.get("required") is True
            stage.todos[subject] = {**known, **more, "required": required}
        case "fact":
            stage.facts = {**stage.facts, subject: more["value"]}
        case "answer":
            stage.answer = subject
        case "wait":
            stage.time += subject
        case "undecided":
            stage.givens.forget(subject)
        case "given" if subject == "time.now":
            stage.givens.reset(subject)
            stage.time = int(more["value"])  # the clock goes on from there
        case "given":
            stage.givens.give(subject, more["value"], stage.filesystem)
        case _:
            raise AssertionError(kind)


def _act(step: CheckedStep, subject: Any, more: dict[str, Any], stage: Stage) -> None:
    content: Any = more.get("content")
    match step.kind:
        case "prompt":
            stage.tell("prompt" if stage.is_main else "subagent_start", prompt=subject)
        case "finish":
            _finish(stage)
        case "shell":
            stage.propose(_tool("shell", command=subject))
            stage.tell("after_round")
        case "call":
            stage.propose(_named_tool(step, str(more.pop("tool")), more))
            stage.tell("after_round")
        case "called":
            tool = _named_tool(step, str(more["tool"]), more.get("args", {}))
            stage.end(tool, {"ok": more["ok"]}, _text(more.get("output")))
        case "run":
            stage.run(_tool("shell", command=subject), int(str(more["exit"])), _text(more.get("output")))
        case "write":
            tool = _tool("write", file_path=subject, content=content or "")
            stage.perform(tool, lambda: stage.put(subject, content))
        case "edit":
            tool = _tool("edit", file_path=subject, old_string="", new_string=content or "")
            stage.perform(tool, lambda: stage.put(subject, content))
        case "read":
            stage.perform(_tool("read", file_path=subject), lambda: stage.text(subject))
        case "delete":
            patch = f"*** Begin Patch\n*** Delete File: {subject}\n*** End Patch"
            stage.perform(
                {"name": "apply_patch", "kind": "edit", "args": {"patch": patch}}, lambda: stage.remove(subject)
            )
        case _:
            raise AssertionError(step.kind)


def _finish(stage: Stage) -> None:
    if not stage.is_main:
        stage.tell("subagent_completion", answer=stage.answer)
    elif not stage.tell("before_completion", answer=stage.answer):
        stage.tell_if_heard("before_stop")
        stage.tell_if_heard("session_end")


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _tool(kind: str, **arguments: Any) -> dict[str, Any]:
    return {"name": NATIVE[kind], "kind": kind, "args": arguments}


def _named_tool(step: CheckedStep, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """The tool of a `call` step; a quoted word is a native name even if a kind is called the same."""
    quoted = step.place.text.removeprefix("call").lstrip().startswith('"')
    if not quoted:
        return _tool(name, **arguments)
    tool: dict[str, Any] = {"name": name, "args": arguments}
    if name.startswith("mcp__"):
        return {**tool, "kind": "mcp", "server": name.split("__")[1]}
    return {**tool, "kind": name if name in TOOL_KINDS else _KIND_OF.get(name, "other")}
