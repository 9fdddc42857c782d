"""iceCoder as a host: its tools and its records → canonical events of one session, decided under its compat policy."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import count
from typing import Any

from policy_engine.bootstrap import Engine, adapt
from policy_engine.history.facts import facts_of
from policy_engine.loading.reloader import Reloader
from policy_engine.model.decision import Decision, RuleResult
from policy_engine.model.event import Event
from policy_engine.model.ladder import RANK
from policy_engine.model.undecided import ABSENT, Undecided
from policy_engine.model.world import Virtual
from policy_engine.shell.parse import parse
from tools.seeds.base import Answer, Area, Case, UnknownShape, loaded_from

WORKSPACE = "/workspace"
HOST = {"name": "icecoder", "interactive": False}
KINDS = {
    "run_command": "shell",
    "write_file": "write",
    "edit_file": "edit",
    "delete_file": "edit",
    "read_file": "read",
    "file_info": "read",
    "glob": "search",
    "grep": "search",
    "list_dir": "search",
}
_DRIVE = re.compile(r"([A-Za-z]):[\\/]")
_EXIT = re.compile(r"exit code:?\s*(-?\d+)")
_STATES = {
    "running": "running",
    "completed": "completed",
    "failed": "failed",
    "timeout": "timed_out",
    "killed": "failed",
}
Given = dict[str, Any]


def shaped(given: Given, required: str, optional: str = "") -> Given:
    """The record, if it has the keys it must have and no others. Raises UnknownShape."""
    must, may = set(required.split()), set(optional.split())
    if not must <= given.keys() <= must | may:
        raise UnknownShape(f"keys {sorted(given)}; known are {sorted(must)} and maybe {sorted(may)}")
    return given


class Host:
    """One session; `policy` names a shipped file, `text` is a declaration made of the case."""

    def __init__(self, policy: str = "", text: str = "", **options: Any) -> None:
        loaded = adapt(loaded_from(tuple(one for one in (policy and f"rules/{policy}.policy", text) if one)))
        loaded.require_program()
        self.world = Virtual(WORKSPACE)
        options.setdefault("world", lambda workspace: self.world)
        self.engine = Engine(Reloader.fixed(loaded), clock=lambda: 0, **options)
        self.session = "s"
        self.workspace = WORKSPACE
        self.more: Given = {"plan": {"open_steps": 0}, "diff": {"lines": 0, "files": 0}}
        self._ids = count(1)

    def ask(self, hook: str, **more: Any) -> Decision:
        """One event."""
        place = {"session": self.session, "cwd": self.workspace, "workspace": self.workspace}
        event = {"hook": hook, "id": f"e{next(self._ids)}", **place, "host": HOST, **self.more, **more}
        return self.engine.decide(event)

    def said(self, hook: str, **more: Any) -> dict[str, str]:
        """What the rules said of one event, by rule in their order."""
        return {one.rule: one.message for one in heard(self.ask(hook, **more))}

    def prompt(self, text: str, commands: list[str] | None = None) -> Decision:
        """The user's task; `commands` are those that a host hands in instead of leaving them to the text."""
        goal = {"text": text} if commands is None else {"text": text, "commands": commands}
        return self.ask("prompt", prompt=text, goal=goal)

    def facts(self, **facts: Any) -> dict[str, str]:
        """What the host tells between two rounds."""
        return self.said("after_compact", facts=facts)

    def round(self) -> dict[str, str]:
        """The end of a round."""
        return self.said("after_round")

    def finish(self, answer: str = "done", **more: Any) -> Decision:
        """The model stops."""
        return self.ask("before_completion", answer=answer, **more)

    def propose(self, tool: str, **args: Any) -> dict[str, str]:
        """A call that has not run."""
        return self.said("before_tool", tool=tool_of(tool, args))

    def run(self, command: str, ok: bool = True, **result: Any) -> dict[str, str]:
        """A command in the foreground."""
        return self.result("run_command", {"command": command}, ok, **result)

    def write(self, path: str, tool: str = "write_file") -> dict[str, str]:
        """A file tool that wrote."""
        return self.result(tool, {"path": path}, True)

    def read(self, path: str) -> dict[str, str]:
        """A file that was read."""
        return self.result("read_file", {"path": path}, True)

    def result(self, name: str, args: Given, ok: bool, text: str = "", id: str = "", **more: Any) -> dict[str, str]:
        """The end of a call; what it evidently did to files is done."""
        tool = tool_of(name, with_command(args, text))
        result = {"ok": ok, "text": text, "timed_out": False, "status": "completed" if ok else "failed", **more}
        if tool["kind"] == "shell":
            result = {**result, **reported(args, text, ok), **more}
        self._happen(tool, result)
        return self.said("after_tool", tool=tool, result=result, **({"id": id} if id else {}))

    def _happen(self, tool: Given, result: Given) -> None:
        event = Event.from_dict({"hook": "after_tool", "session": "x", "cwd": self.workspace,
                                 "workspace": self.workspace, "tool": tool, "result": result})  # fmt: skip
        try:
            line = tool["args"].get("command", "")
            commands = tuple(parse(line, self.workspace, self.world)) if tool["kind"] == "shell" else None
        except Undecided:
            return
        for fact in facts_of(event, self.world, commands):
            if fact.path is None or fact.kind not in ("wrote", "deleted"):
                continue
            if fact.kind == "deleted":
                self.world.delete(fact.path)
            elif self.world.look(fact.path) is ABSENT:
                self.world.write(fact.path, b"x")


def heard(decision: Decision) -> tuple[RuleResult, ...]:
    """What was said, first what counts, then what is only reported."""
    return (*decision.rules, *decision.shadow)


def tool_of(name: str, args: Given) -> Given:
    """A call of iceCoder as a canonical tool; the command of a background task is what its answer names."""
    kind = KINDS.get(name, "other")
    named = {"file_path": posix(args["path"])} if "path" in args else {}
    if kind in ("write", "edit") and not named:
        kind = "other"  # a call that names no file wrote none
    rest = {key: value for key, value in args.items() if key != "path"}
    if name == "delete_file" and named:
        patch = f"*** Begin Patch\n*** Delete File: {named['file_path']}\n*** End Patch"
        return {"name": name, "kind": "edit", "args": {"patch": patch}}
    if kind == "shell":
        rest.setdefault("command", "")
    if kind in ("write", "edit") and named:
        named |= {"content": "x"} if kind == "write" else {"old_string": "", "new_string": "x"}
    return {"name": name, "kind": kind, "args": {**rest, **named}}


def with_command(args: Given, text: str) -> Given:
    """The arguments of a look at a background task, with the command that its answer names, or else its label."""
    if not args.get("action") or args.get("command"):
        return args
    answer = answer_in(text) or {}
    return {**args, "command": answer.get("command") or answer.get("label") or ""}


def posix(path: str) -> str:
    """A path of Windows as the engine's workspace has it: `C:\\a` is `/C:/a`."""
    found = _DRIVE.match(path)
    return f"/{found[1]}:/" + path[3:].replace("\\", "/") if found else path


def reported(args: Given, text: str, ok: bool) -> Given:
    """How a command ended, by the words of `run_command`: its JSON, or its text with an exit status in it."""
    answer = answer_in(text)
    if answer is not None and answer.get("mode") in ("background", "escalated"):
        return {"status": "started"}
    if args.get("action") and answer is not None:
        status = _STATES.get(answer.get("status", ""), "unknown")
        if status == "running":
            return {"status": status}
        code = answer.get("exitCode", 0 if status == "completed" else None)
        return {"status": status, "ok": status == "completed" and code == 0, **_code(code)}
    if args.get("action"):
        return {"status": "unknown"}
    found = _EXIT.search(text)
    return _code(0 if ok else int(found[1]) if found else 1)


def answer_in(text: str) -> Given | None:
    """The JSON object that a result is, if it is one."""
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _code(code: Any) -> Given:
    return {"exit_code": code} if isinstance(code, int) else {}


def refused(decision: Decision) -> bool:
    """Whether the model must go on."""
    return RANK["ask"] <= RANK[decision.verdict] < RANK["stop"]


Mapping = Callable[[Given, Given], Given | None]
"""`given` and `expect` of a case → what we say, under the keys of `expect` that the area knows."""


def areas(mappings: dict[str, Mapping]) -> dict[str, Area]:
    """The members of a family, by area."""
    return {name: _area(mapping) for name, mapping in mappings.items()}


def _area(mapping: Mapping) -> Area:
    def answer(case: Case) -> Answer:
        found = mapping(case.given, case.expect) or {}
        if found and not case.expect:
            raise ValueError(f"nothing was expected, and ours says {found!r}")
        return found

    return answer
