"""One event and those before it → the fields that rules read, as the event itself says them.

`m` is the reference at the event at hand. A field that was owed and not sent, or is not of its type, raises Undecided.
"""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

from policy_engine.checker.vocabulary import vocabulary
from policy_engine.effects.command import Effects, effects_of
from policy_engine.filesystem.paths import PathValue
from policy_engine.history.demands import Demands, read_demands
from policy_engine.history.digest import signature, text_digest
from policy_engine.history.edited_tests import switched_off_by
from policy_engine.history.facts import Fact
from policy_engine.history.tool_calls import call_content, call_paths, call_replaced
from policy_engine.history.verification import value_of
from policy_engine.model.errors import EventError
from policy_engine.model.field_names import PERMISSION_MODES
from policy_engine.model.instant import parse_time
from policy_engine.model.undecided import ABSENT, Undecided
from policy_engine.shell.command import SimpleCommand
from policy_engine.shell.parse import parse

READ_AS = {
    "recursive": "reaches_below",
    "env": "assignments",
    "piped_from": "feeding_programs",
    "via": "wrappers",
}
"""What rules may know of a record, by the attribute's name, where the record knows more."""
WORDS = vocabulary()
DAY = 86_400_000
WEEKDAYS = ("thursday", "friday", "saturday", "sunday", "monday", "tuesday", "wednesday")


def needed(value: Any, kind: Any = object) -> Any:
    """What the host owed."""
    if value is None or not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise Undecided("not sent, or not of its type")
    return value


def one_of(words: tuple[str, ...], value: Any) -> Any:
    """What the host owed, and can only say in these words."""
    if value not in words:
        raise Undecided("none of the words")
    return value


def plain(value: Any) -> Any:
    """A key part, such that `==` tells true from 1."""
    if isinstance(value, dict):
        return {name: plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    return ("path", value.real) if isinstance(value, PathValue) else (type(value), value)


def todo(raw: dict[str, Any]) -> SimpleNamespace:
    status = {"cancelled": "canceled"}.get(raw.get("status", ""), raw.get("status", "pending"))
    defaults = {"title": raw["id"], "required": True, "owned": True, "retries": 0, "revision": 1, "blocked_reason": "",
                "dependencies": [], "supersedes": []}  # fmt: skip
    for name, value in defaults.items():
        needed(raw.get(name, value), type(value))
    for name in (*raw.get("dependencies", ()), *raw.get("supersedes", ())):
        needed(name, str)
    found = {**defaults, **raw, "status": status, "created": told_time(raw.get("created"))}
    return SimpleNamespace(**{**found, "blocked_reason": found["blocked_reason"] if status == "blocked" else ""})


def with_circles(todos: list[SimpleNamespace]) -> list[SimpleNamespace]:
    """Each with whether a chain of dependencies, as long as the list at most, leads from it to it."""
    last = {one.id: one.dependencies for one in todos}
    for one in todos:
        reached = set(one.dependencies)
        for _ in todos:
            reached |= {name for known in reached for name in last.get(known, ())}
        one.circular = one.id in reached
    return todos


def told_time(value: Any) -> Any:
    if value is None:
        return ABSENT
    try:
        return parse_time(needed(value, str))
    except EventError:
        return needed(None)


def attribute(record: Any, name: str) -> Any:
    """Of a command, path, todo or past fact."""
    if not isinstance(record, Fact):
        if isinstance(record, SimpleCommand) and isinstance(getattr(Effects, name, None), property):
            return getattr(effects_of(record), name)
        return getattr(record, READ_AS.get(name, name) if isinstance(record, PathValue | SimpleCommand) else name)
    if name == "command":
        return record.name if record.kind == "command" else ABSENT
    found = getattr(record, name)
    return ABSENT if found is None and name in ("path", "exit_code") else needed(found)


def ok(m: Any) -> Any:
    result = needed(m.event.result)
    return needed(result.get("ok", result["exit_code"] == 0 if result.get("exit_code") is not None else None))


def age(m: Any) -> Any:
    starts = [past.event for past in m.past if past.event.hook == "session_start"]
    began = [one for one in starts if one.raw.get("source") not in ("resume", "fork", "compact")][:1]
    if not began or needed(m.event.time) < needed(began[0].time):
        raise Undecided("when the session began is not known")
    return m.event.time - began[0].time


def commands(m: Any) -> Any:
    if m.event.tool_kind == "shell":
        line, folder, shell = m.event.tool_args["command"], m.event.cwd or m.filesystem.workspace, None
    elif m.event.carried is not None:
        line, shell = m.event.carried.line, m.event.carried.shell
        folder = m.event.cwd or m.filesystem.workspace
        if m.event.carried.folder:
            folder = m.filesystem.resolve(m.event.carried.folder, folder).real
    else:
        return ABSENT
    found = parse(line, folder, m.filesystem, shell)
    for command in found:
        command.line = found  # what it may ask of its neighbours
    return found


def paths(m: Any) -> Any:
    own = [] if m.event.tool_kind == "shell" else list(call_paths(m.event, m.filesystem))
    if m.event.tool_kind != "shell" and not m.of_shell:
        return own
    lines = m.field("commands")
    return own if lines is ABSENT else own + [path for command in lines for path in effects_of(command).paths]


def texts(value: Any) -> list[str]:
    """Every text within, in order."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [value] if isinstance(value, str) else [text for one in inner for text in texts(one)]


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys differ."""
    return dict(pairs) if len(dict(pairs)) == len(pairs) else needed(None)


def read_as_json(text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=once, parse_constant=lambda _: needed(None))
    except ValueError:
        raise Undecided("no JSON") from None


def open_todos(m: Any) -> list[Any]:
    return [one for one in m.field("todos") if one.required and one.status not in ("completed", "canceled")]


def open_steps(m: Any) -> int:
    """Of a plan that does not count its steps the todos are the steps."""
    plan = m.sent_by_part("plan")
    if "open_steps" in plan:
        return int(needed(plan["open_steps"], int))
    needed(m.sent("todos"))
    return len([one for one in m.field("todos") if one.status not in ("completed", "canceled", "failed")])


def demanded(m: Any) -> Any:
    goal = m.goal()
    return list(goal["commands"]) if "commands" in goal else list(read_demands(m.field("goal.text")).commands)


def read_from_goal(name: str) -> Any:
    def read(m: Any) -> Any:
        found = Demands() if "commands" in m.goal() else read_demands(m.field("goal.text"))
        part = getattr(found, name)
        return list(part) if isinstance(part, tuple) else part

    return read


def files(m: Any) -> Any:
    found = needed(needed(m.event.diff).get("files"))
    return len(found) if isinstance(found, list) else needed(found, int)


def of_call(m: Any) -> Any:
    """Name and arguments; of a line what its commands are, redirections left out."""
    name, args = m.event.tool_name, plain(m.event.tool_args)
    if m.event.tool_kind != "shell" and m.event.carried is None:
        return (name, args)
    try:
        return (name, [(one.argv, one.env, one.cwd.real, one.piped_from) for one in m.field("commands")])
    except Undecided:
        return (name, args)


def of_round(m: Any) -> Any:
    """What was proposed since the last end of a round of this agent, and what came of it."""
    found: list[str] = []
    for past in m.past[:-1]:
        if past.agent == m.agent and past.event.hook == "after_round":
            found = []
        if past.agent == m.agent and past.event.hook == "before_tool":
            found.append(repr((past.event.tool_name, plain(past.event.tool_args))))
        if past.agent == m.agent and past.event.hook == "after_tool":
            result = past.event.result or {}
            text = result.get("text")
            seen = None if text is None else text_digest(text)
            found.append(repr((past.event.tool_name, plain(past.event.tool_args), result.get("ok"), seen)))
    return "\n".join(sorted(found)) if found else ABSENT


def counter(hook: str) -> Any:
    return lambda m: sum(past.event.hook == hook for past in m.past)


def sent_in(record: str, name: str, kind: type) -> Any:
    return lambda m: needed(needed(getattr(m.event, record)).get(name), kind)


def optional(value: Any) -> Any:
    return ABSENT if value is None else needed(value, str)


def of_verification(name: str) -> Any:
    return lambda m: value_of(m.event, name.removeprefix("verification."))


FIELDS: dict[str, Any] = {
    "tool.name": lambda m: m.event.tool_name,
    "tool.kind": lambda m: m.event.tool_kind,
    "tool.args": lambda m: m.event.tool_args,
    "tool.args.texts": lambda m: texts(m.event.tool_args),
    "tool.args.size": lambda m: len(json.dumps(m.event.tool_args, ensure_ascii=False, separators=(",", ":")).encode()),
    "tool.digest": of_call,
    "tool.server": lambda m: needed(m.event.tool_server),
    "tool.scope": lambda m: scope if isinstance(scope := m.event.tool_args.get("path"), str) else ABSENT,
    "commands": commands,
    "paths": paths,
    "content": lambda m: call_content(m.event),
    "replaced": lambda m: call_replaced(m.event),
    "switched_off": lambda m: switched_off_by(m.event, m.filesystem),
    "result.ok": ok,
    "result.exit_code": lambda m: m.result("exit_code", int),
    "result.text": lambda m: m.result("text", str),
    "result.value": lambda m: read_as_json(m.result("text", str)),
    "result.digest": lambda m: text_digest(m.result("text", str)),
    "result.signature": lambda m: signature(m.result("text", str)),
    "result.timed_out": lambda m: bool(
        needed(m.event.result).get(
            "timed_out",
            m.event.result.get("status") == "timed_out"
            or m.event.result.get("error_class") in ("timeout", "timed_out", "deadline_exceeded"),
        )
    ),
    "result.error_class": lambda m: optional((m.event.result or {}).get("error_class")),
    "result.unproven": lambda m: m.unproven(),
    "prompt": lambda m: needed(m.event.prompt),
    "answer": lambda m: needed(m.event.answer),
    "goal.text": lambda m: needed(m.goal().get("text"), str),
    "goal.commands": demanded,
    "goal.steps": read_from_goal("steps"),
    "goal.mentions": read_from_goal("mentions"),
    "goal.tests": read_from_goal("tests"),
    "goal.digest": lambda m: text_digest(
        f"{m.goal().get('text', '')}\0" + "\0".join(one.title for one in m.field("open_todos"))
    ),
    "todos": lambda m: with_circles([todo(raw) for raw in m.sent("todos") or ()]),
    "open_todos": open_todos,
    "agent.kind": lambda m: "main" if m.event.agent_kind == "main" else "subagent",
    "agent.name": lambda m: m.event.agent_name,
    "host.name": lambda m: m.event.host_name,
    "host.interactive": lambda m: needed(m.event.host_interactive),
    "host.mode": lambda m: one_of(PERMISSION_MODES, needed(m.event.host_mode)),
    "workspace": lambda m: m.filesystem.resolve(needed(m.event.workspace), "/"),
    "home": lambda m: m.filesystem.resolve("~", m.filesystem.workspace),
    "cwd": lambda m: m.filesystem.resolve(needed(m.event.cwd), "/"),
    "session.id": lambda m: m.event.session,
    "session.turn": counter("prompt"),
    "session.steps": counter("after_tool"),
    "session.rounds": counter("after_round"),
    "session.age": age,
    "round.digest": of_round,
    "usage.tokens": lambda m: needed(m.sent_by_part("usage").get("tokens"), int),
    "usage.cents": lambda m: needed(m.sent_by_part("usage").get("cents"), int),
    "session.resumed": lambda m: any(past.event.raw.get("source") in ("resume", "fork") for past in m.past),
    "plan.open_steps": open_steps,
    "plan.status": lambda m: optional(m.sent_by_part("plan").get("status")),
    "plan.created": lambda m: told_time(m.sent_by_part("plan").get("created")),
    "diff.files": files,
    "diff.lines": sent_in("diff", "lines", int),
    "git.branch": sent_in("git", "branch", str),
    "git.clean": sent_in("git", "clean", bool),
    "git.ahead": sent_in("git", "ahead", int),
    "time.now": lambda m: needed(m.event.time),
    "time.hour": lambda m: needed(m.event.time) // 3_600_000 % 24,
    "time.weekday": lambda m: WEEKDAYS[needed(m.event.time) // DAY % 7],
    **{name: of_verification(name) for name in vocabulary().fields if name.startswith("verification.")},
}
