"""Seeds of Hypothesis → sequences of canonical events of one session, as a host would send them, well and badly."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from policy_engine.model.world import Virtual
from tests.generated.context import GOALS, KEYS, LINES, PATHS, TEXTS, TOOLS, WRONG, Draw, flip, one

FILES = {
    "README.md": b"a secret\n", "src/a.py": b"print(1)\n", "conf.json": b'{"a": 1}',
    "conf.toml": b'[x]\ny = "secret"\n',
}  # fmt: skip
RESULTS = (
    {"ok": True, "exit_code": 0, "text": "a secret", "status": "completed"},
    {"ok": True, "exit_code": 0, "text": "a secret", "status": "completed"},
    {"ok": True, "exit_code": 0, "text": "1 passed", "status": "completed", "timed_out": False},
    {"ok": False, "exit_code": 1, "text": "token", "status": "failed", "error_class": "a"},
    {"ok": False, "exit_code": 1, "text": "", "error_class": 3},
    {"exit_code": 1}, {"ok": True}, {"status": "running"}, {"status": "blocked"}, {"status": "unknown", "text": "a"},
    {"status": "timed_out", "text": "x\ny", "exit_code": 124}, {"ok": False, "text": "a", "status": "completed"},
)  # fmt: skip
HOOKS = (
    *("before_tool",) * 7, *("after_tool",) * 9, *("before_completion",) * 4, "prompt", "prompt",
    "after_round", "after_round", "before_permission",
    "subagent_completion", "session_start", "before_stop", "subagent_start", "before_compact",
)  # fmt: skip


def arguments(draw: Draw, kind: str) -> dict[str, Any]:
    args: dict[str, Any] = {}
    if kind == "shell":
        args["command"] = one(draw, LINES)
    elif kind in ("write", "edit", "read"):
        args["file_path"] = one(draw, PATHS)
        if kind != "read":
            args["content" if kind == "write" else "new_string"] = one(draw, TEXTS)
    elif kind == "search" and flip(draw):
        args["path"] = one(draw, PATHS)
    if flip(draw, 3):
        name = one(draw, KEYS)
        if name != "command" or kind != "shell":
            args[name] = one(draw, WRONG)
    if flip(draw, 12) and kind != "shell":
        args.clear()
    return args


def tool(draw: Draw, number: int) -> dict[str, Any]:
    kind = one(draw, ("shell", "shell", "shell", "write", "write", "edit", "read", *TOOLS))
    found = {"name": TOOLS[kind], "kind": kind, "args": arguments(draw, kind)}
    if kind == "mcp" and not flip(draw, 3):
        found["server"] = one(draw, ("git", "a"))
    if flip(draw, 3):
        found["id"] = f"t{draw(st.integers(0, number))}"
    return found


def said(draw: Draw) -> dict[str, Any]:
    """What any event may carry."""
    todos = [
        {"id": one(draw, "abc"), "status": one(draw, ("pending", "completed", "failed", "cancelled"))} for _ in range(2)
    ]
    more = {
        "todos": one(
            draw,
            ([], todos[:1], todos, [{**todos[0], "required": False, "title": "a"}], [{**todos[0], "retries": "a"}]),
        ),
        "goal": one(
            draw, ({"text": one(draw, GOALS)}, {"text": "a", "commands": [one(draw, LINES[:18])]}, {}, {"text": 3})
        ),
        "plan": one(draw, ({"open_steps": 1}, {})),
        "git": one(draw, ({"branch": "main", "clean": True, "ahead": 1}, {"branch": "a"}, {"branch": 3})),
        "diff": one(draw, ({"files": 1, "lines": 3}, {"files": ["a", "b"]}, {})),
        "facts": one(draw, ({"coverage": 1}, {"coverage": True}, {"tests": "green"}, {"coverage": "a secret"})),
        "changes": [{"path": one(draw, PATHS), "kind": one(draw, ("write", "write", "delete", "read"))}],
    }
    return {name: more[name] for name in draw(st.sets(st.sampled_from(sorted(more)), max_size=2))}


def event(draw: Draw, number: int, time: int) -> dict[str, Any]:
    hook = one(draw, HOOKS)
    found: dict[str, Any] = {"hook": hook, "session": "s", "id": f"e{number}", "workspace": "/workspace"}
    seconds = time // 1000
    found["time"] = f"2026-11-20T{10 + seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}Z"
    if not flip(draw, 8):
        found["cwd"] = one(draw, ("/workspace", "/workspace", "/workspace", "/workspace/src", "/"))
    if flip(draw, 4):
        found["agent"] = one(
            draw, ({"kind": "main"}, {"kind": "explore", "name": "a"}, {"kind": "explore", "name": "b"})
        )
    if flip(draw, 3):
        found["host"] = {"name": "generic", "interactive": one(draw, (True, False))}
    if hook in ("before_tool", "after_tool", "before_permission"):
        found["tool"] = tool(draw, number)
    if hook == "after_tool" and not flip(draw, 10):
        result = dict(one(draw, RESULTS))
        if found["tool"]["kind"] != "shell":
            result.pop("exit_code", None)
        found["result"] = result
    if hook in ("prompt", "subagent_start") and not flip(draw, 6):
        found["prompt"] = one(draw, (*TEXTS, *GOALS))
    if hook.endswith("_completion") and not flip(draw, 6):
        found["answer"] = one(draw, TEXTS)
    if hook == "session_start" and flip(draw):
        found["source"] = "resume"
    if flip(draw, 20):
        del found["workspace"]
    if flip(draw, 3):
        found.update(said(draw))
    return found


@st.composite
def sequences(draw: Draw, most: int = 8) -> list[dict[str, Any]]:
    """At most `most` events of one session, in the order of their times."""
    found: list[dict[str, Any]] = []
    time = 0
    for number in range(draw(st.integers(1, most))):
        if found and flip(draw, 4):
            again = dict(one(draw, found))  # the same once more: limits count it, a replay does not
            again["time"] = found[-1]["time"]
            if flip(draw):
                again["id"] = f"e{number}"
            found.append(again)
            continue
        time += 1000 * one(draw, (0, 1, 30, 70, 130))
        found.append(event(draw, number, time))
    return found


class Worlds:
    """Workspace → its world in memory; `happened` brings about what an event reports."""

    def __init__(self) -> None:
        self.made: dict[str | None, Virtual] = {}
        self("/workspace").files.update({f"/workspace/{name}": data for name, data in FILES.items()})

    def __call__(self, workspace: str | None) -> Virtual:
        if workspace not in self.made:
            self.made[workspace] = Virtual(workspace)  # type: ignore[arg-type]
        return self.made[workspace]

    def happened(self, raw: dict[str, Any]) -> None:
        world = self("/workspace")
        kind, args = raw.get("tool", {}).get("kind"), raw.get("tool", {}).get("args", {})
        if raw["hook"] == "after_tool" and kind in ("write", "edit") and isinstance(args.get("file_path"), str):
            self._write(args["file_path"], str(args.get("content", "")))
        if raw["hook"] == "after_tool" and kind == "shell" and args["command"] == "touch src/b.py":
            self._write("src/b.py", "")
        for change in raw.get("changes", ()):
            if change["kind"] == "write":
                self._write(change["path"], "x")
            elif change["kind"] == "delete":
                world.delete(world.resolve(change["path"], "/workspace"))

    def _write(self, path: str, text: str) -> None:
        world = self("/workspace")
        place = world.resolve(path, "/workspace")
        if world.look(place) != ("folder", 0):
            world.write(place, text.encode())
