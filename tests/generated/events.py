"""Seeds of Hypothesis → sequences of canonical events of one session, as a host would send them, well and badly."""

from __future__ import annotations

from typing import Any

from policy_engine.filesystem.file_system import Virtual
from policy_engine.model.field_names import PERMISSION_MODES
from tests.generated.context import (
    ARGUMENTS,
    GOALS,
    LINES,
    PATHS,
    STATES,
    TEXTS,
    TOOLS,
    Draw,
    Theme,
    flip,
    number,
    one,
    some,
)

FILES = {
    "README.md": b"a secret\n", "src/a.py": b"print(1)\n", "conf.json": b'{"a": 1}',
    "conf.toml": b'[x]\ny = "secret"\n', "conf.yaml": b"x:\n  y: token\n",
}  # fmt: skip
DOCUMENTS = (
    '{"a": {"path": "src/a.py", "n": 2}, "b": "secret"}', '{"a": {"n": null}}', '["src/a.py"]', "null", "2", '{"a": 1',
    '{"a": 1, "a": 1}',
)  # fmt: skip
GOOD = {"ok": True, "exit_code": 0, "text": "a secret", "status": "completed"}
BAD = {"ok": False, "exit_code": 1, "text": "token", "status": "failed", "error_class": "a"}
RESULTS = (
    *(GOOD,) * 5, *(BAD,) * 3, {"status": "unknown", "text": "a"},
    {"ok": True, "exit_code": 0, "text": "1 passed", "status": "completed", "timed_out": False},
    {"ok": True, "exit_code": 0, "text": "2 passed in 0.1s", "status": "completed"},
    {"ok": True, "text": "1 failed, 2 passed in 0.1s", "status": "completed"},
    {"ok": False, "exit_code": 1, "text": "", "error_class": 3},
    *({"ok": True, "exit_code": 0, "text": text} for text in DOCUMENTS),
    {"exit_code": 1}, {"ok": True}, {"status": "running"}, {"status": "blocked"}, {"status": "unknown", "text": "a"},
    {"status": "timed_out", "text": "x\ny", "exit_code": 124}, {"ok": False, "text": "a", "status": "completed"},
)  # fmt: skip


MAKING = ("after_tool", "after_tool", "prompt", "after_round")  # what makes the past


def arguments(draw: Draw, kind: str) -> dict[str, Any]:
    args: dict[str, Any] = {}
    if kind == "shell":
        args["command"] = one(draw, LINES)
    elif kind in ("write", "edit", "read"):
        args["file_path"] = one(draw, PATHS)
        if kind != "read":
            args["content" if kind == "write" else "new_string"] = one(draw, TEXTS)
        if kind == "edit" and flip(draw):
            args["old_string"] = one(draw, TEXTS)
    elif kind == "search" and flip(draw):
        args["path"] = one(draw, PATHS)
    for name in some(draw, tuple(ARGUMENTS), 0, 3):
        if name not in args or flip(draw, 6):
            args[name] = one(draw, ARGUMENTS[name])
    if flip(draw, 12) and kind != "shell":
        args.clear()
    return args


def tool(draw: Draw, place: int) -> dict[str, Any]:
    kind = one(draw, (*("shell",) * 6, "write", "write", "edit", "read", *TOOLS))
    found = {"name": TOOLS[kind], "kind": kind, "args": arguments(draw, kind)}
    if kind == "mcp" and not flip(draw, 3):
        found["server"] = one(draw, ("git", "a"))
    if flip(draw, 3):
        found["id"] = f"t{number(draw, 0, place)}"
    return found


def said(draw: Draw) -> dict[str, Any]:
    """What any event may carry; most hosts send most of it."""
    todos = [{"id": one(draw, "abc"), "status": one(draw, (*STATES, "cancelled"))} for _ in range(2)]
    odd_todos = (
        [{**todos[0], "required": False, "title": "a"}], [{**todos[0], "retries": "a"}],
        [{**todos[0], "dependencies": ["a"], "revision": 2, "blocked_reason": "person"}],
        [{**todos[0], "supersedes": ["b"], "created": "2026-11-20T09:00:00Z"}], [{**todos[0], "created": "soon"}],
    )  # fmt: skip
    demanded = {"text": "a", "commands": [one(draw, LINES[:18])]}
    git = {"branch": one(draw, ("main", "a")), "clean": one(draw, (True, False)), "ahead": number(draw, 0, 3)}
    often = {
        "git": one(draw, (git, git, git, {"branch": "a"}, {"branch": 3})),
        "diff": one(draw, ({"files": 1, "lines": 3}, {"files": ["a", "b"], "lines": 1}, {})),
        "plan": one(
            draw, ({"open_steps": 1}, {"open_steps": 2, "created": "2026-11-20T10:01:00Z"}, {}, {"created": 3})
        ),
    }
    often["usage"] = one(draw, ({"tokens": 10, "cents": 2}, {"cents": 3}, {"tokens": "a"}))
    seldom = {
        "todos": one(draw, ([], todos[:1], todos, *odd_todos)),
        "goal": one(draw, ({"text": one(draw, GOALS)}, demanded, {}, {"text": 3})),
        "facts": one(draw, ({"coverage": 1}, {"coverage": True}, {"tests": "green"}, {"coverage": "a secret"})),
        "changes": [{"path": one(draw, PATHS), "kind": one(draw, ("write", "write", "delete", "read"))}],
    }
    kept = {name: value for name, value in often.items() if not flip(draw, 5)}
    return kept | {name: value for name, value in seldom.items() if flip(draw, 6)}


def event(draw: Draw, hook: str, place: int) -> dict[str, Any]:
    """One event, without id and time."""
    found: dict[str, Any] = {"hook": hook, "session": "s", "workspace": "/workspace", **said(draw)}
    if not flip(draw, 12):
        found["cwd"] = one(draw, (*("/workspace",) * 6, "/workspace/src", "/workspace/src", "/"))
    if flip(draw, 4):
        found["agent"] = {"kind": "explore", "name": one(draw, "ab")} if flip(draw) else {"kind": "main"}
    if not flip(draw, 4):
        found["host"] = {"name": "generic", "interactive": one(draw, (True, False))}
        if mode := one(draw, (None, *PERMISSION_MODES, "unheard of")):
            found["host"]["mode"] = mode
    if hook in ("before_tool", "after_tool", "before_permission"):
        found["tool"] = tool(draw, place)
    if hook == "after_tool" and not flip(draw, 12):
        result = dict(one(draw, RESULTS))
        if found["tool"]["kind"] != "shell":
            result.pop("exit_code", None)
        found["result"] = result
    if hook in ("prompt", "subagent_start") and not flip(draw, 8):
        found["prompt"] = one(draw, (*TEXTS, *GOALS))
    if hook.endswith("_completion") and not flip(draw, 8):
        found["answer"] = one(draw, ("a", "a secret", "secret", "main", ""))
    if hook == "session_start" and flip(draw):
        found["source"] = "resume"
    if flip(draw, 25):
        del found["workspace"]
    return found


def session(draw: Draw, theme: Theme, most: int) -> list[dict[str, Any]]:
    """At most `most` events in the order of their times, from a palette of a few: what matters happens again.

    A call may be reported twice under one id; that is a replay, which counts once.
    """
    palette = [event(draw, one(draw, theme.points), place) for place in range(number(draw, 2, 4))]
    palette += [event(draw, one(draw, MAKING), 9)]
    found: list[dict[str, Any]] = []
    seconds = 0
    for step in range(number(draw, most // 2, most)):
        place = number(draw, 0, len(palette) - 1)
        again = flip(draw, 5)
        seconds += one(draw, (0, 1, 30, 70, 130))
        clock = f"{10 + seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
        name = f"p{place}" if again else f"e{step}"
        found.append({**palette[place], "id": name, "time": f"2026-11-20T{clock}Z"})
    return found


class Worlds:
    """Workspace → its world in memory; `happened` brings about what an event reports."""

    def __init__(self) -> None:
        self.made: dict[str | None, Virtual] = {}
        self("/workspace").files.update({f"/workspace/{name}": data for name, data in FILES.items()})

    def __call__(self, workspace: str | None) -> Virtual:
        if workspace not in self.made:
            self.made[workspace] = Virtual(workspace)  # type: ignore[arg-type]
            self.made[workspace].files = self.made["/workspace"].files  # one disk, whatever the host says of the event
        return self.made[workspace]

    def happened(self, raw: dict[str, Any]) -> None:
        filesystem = self("/workspace")
        kind, args = raw.get("tool", {}).get("kind"), raw.get("tool", {}).get("args", {})
        if raw["hook"] == "after_tool" and kind in ("write", "edit") and isinstance(args.get("file_path"), str):
            self._write(args["file_path"], str(args.get("content", "")))
        if raw["hook"] == "after_tool" and kind == "shell" and args["command"] == "touch src/b.py":
            self._write("src/b.py", "")
        for change in raw.get("changes", ()):
            if change["kind"] == "write":
                self._write(change["path"], "x")
            elif change["kind"] == "delete":
                filesystem.delete(filesystem.resolve(change["path"], "/workspace"))

    def _write(self, path: str, text: str) -> None:
        filesystem = self("/workspace")
        place = filesystem.resolve(path, "/workspace")
        if filesystem.look(place) != ("folder", 0):
            filesystem.write(place, text.encode())
