"""`EvaluationContext`: the fields that generated code reads, each computed once and only if asked for.

A field named `result.exit_code` is the attribute `result_exit_code`. Reading a field that the host owed and did not
send raises Undecided; a field that is absent by nature is ABSENT. Nothing here is remembered between events.
"""

from __future__ import annotations

import sys

from policy_engine.model.field_names import FIELDS, PERMISSION_MODES, slot
from policy_engine.model.strict_json import json_size
from policy_engine.model.todo import Todo, listed, told_time
from policy_engine.model.undecided import ABSENT, Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from policy_engine.evaluators.base import Past
    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.filesystem.paths import PathValue
    from policy_engine.filesystem.repository import Repository
    from policy_engine.history.edited_files import FileChange
    from policy_engine.history.session import History
    from policy_engine.model.event import Event
    from policy_engine.model.undecided import _Absent
    from policy_engine.shell.command import SimpleCommand


class EvaluationContext:
    """One event as the rules see it. `given` replaces fields by name (tests); an Undecided there is raised."""

    __slots__ = (
        "event",
        "make_filesystem",
        "filesystem",
        "session",
        "history",
        "given",
        "own_paths",
        "file_changes",
        "line_commands",
        "repository",
        "run_changes",
        *(slot(field) for field in FIELDS),
    )

    if TYPE_CHECKING:
        event: Event
        filesystem: FileSystem
        session: Past
        given: dict[str, Any] | None
        commands: tuple[SimpleCommand, ...]
        paths: tuple[PathValue, ...]
        own_paths: tuple[PathValue, ...]
        file_changes: tuple[FileChange, ...]
        line_commands: tuple[SimpleCommand, ...]
        repository: Repository
        run_changes: tuple[int, int]
        history: History

    def __init__(
        self,
        event: Event,
        make_filesystem: Callable[[str | None], FileSystem],
        session: Past | None,
        given: dict[str, Any] | None = None,
    ) -> None:
        """`session` is None where nothing of the past can be asked."""
        self.event = event
        self.make_filesystem = make_filesystem
        if session is not None:
            self.join(session)
        self.given = given
        if given is None and event.tool_name is not None:
            self.tool_name = event.tool_name
            self.tool_kind = event.tool_kind
            self.tool_args = event.tool_args

    def join(self, session: Past) -> None:
        """From now on the past of this session can be asked."""
        self.session = session
        self.history = session.history

    def __getattr__(self, name: str) -> Any:
        """Fill a slot at its first use; raises Undecided if the value cannot be known."""
        given = self.given
        if given is not None and name in given:
            value = given[name]
            if isinstance(value, Undecided):
                raise value
        elif (points := _POINTS.get(name)) is not None and self.event.hook not in points:
            value = ABSENT  # nobody owes a field that the point does not have
        else:
            fill = _FILL.get(name)
            if fill is None:
                raise AttributeError(name)
            value = fill(self)
        setattr(self, name, value)
        return value


_TOOLS = ("before_tool", "before_permission", "after_tool")
_GROUPS = {
    "tool": _TOOLS,
    "commands": _TOOLS,
    "paths": _TOOLS,
    "content": _TOOLS,
    "replaced": _TOOLS,
    "switched_off": _TOOLS,
    "result": ("after_tool",),
    "prompt": ("prompt", "subagent_start"),
    "answer": ("before_completion", "subagent_completion"),
    "verification": ("after_verification",),
    "verification.name": ("before_verification", "after_verification"),
}
_POINTS = {
    "own_paths": _TOOLS,
    "file_changes": _TOOLS,
    "line_commands": _TOOLS,
    "repository": None,
    "run_changes": None,
    **{slot(field): _GROUPS.get(field) or _GROUPS.get(field.partition(".")[0]) for field in FIELDS},
}
"""The points that have a field; None: every point."""


def _owed(value: Any, name: str) -> Any:
    if value is None:
        raise Undecided(f"the host did not send `{name}`")
    return value


def _optional(value: Any) -> Any:
    return ABSENT if value is None else value


def _typed(value: Any, name: str, kind: type) -> Any:
    """Return what was owed or is absent, and whose type the event's reader left unchecked."""
    if value is not ABSENT and type(_owed(value, name)) is not kind:
        raise Undecided(f"`{name}` has the wrong type")
    return value


def _argument_texts(m: EvaluationContext) -> tuple[str, ...]:
    """Return every text among the values of the call's arguments, however deep, in their order."""
    texts: list[str] = []
    waiting: list[Any] = [m.tool_args]
    while waiting:
        value = waiting.pop()
        if type(value) is str:
            texts.append(value)
        elif type(value) is dict:
            waiting += reversed(list(value.values()))
        elif type(value) is list:
            waiting += reversed(value)
    return tuple(texts)


def _result_value(m: EvaluationContext) -> Any:
    """Return what the result's text is as JSON, read as strictly and as bounded as an event."""
    from policy_engine.model.errors import EventError
    from policy_engine.model.strict_json import read_json

    try:
        return read_json(m.result_text.encode())
    except EventError as problem:
        raise Undecided(f"`result.text` is not readable as JSON: {problem}") from None


def _commands(m: EvaluationContext) -> tuple[SimpleCommand, ...] | _Absent:
    """Return the commands of the line and, of a call that is proposed, those that code on it starts."""
    if m.event.hook == "after_tool" or m.event.shell_line is None:
        return m.line_commands
    from policy_engine.effects.started import with_started

    return with_started(m.line_commands)


def _line_commands(m: EvaluationContext) -> tuple[SimpleCommand, ...] | _Absent:
    line = m.event.shell_line
    if line is None:
        return ABSENT
    from policy_engine.shell.parse import parse

    cwd = m.filesystem.workspace if m.event.cwd is None else m.event.cwd
    carried = m.event.carried
    if carried is None:
        dialect = (m.event.tool_args or {}).get("shell")
        if dialect is not None and type(dialect) is not str:
            raise Undecided("`tool.args.shell` is not a text")
    else:
        dialect = carried.shell
        cwd = m.filesystem.resolve(carried.folder, cwd).real if carried.folder else cwd
    m.filesystem.permutes = (m.event.host_os or sys.platform) == "linux"
    commands = parse(line, cwd, m.filesystem, dialect)
    if not commands[0].line:
        for command in commands:
            command.line = commands
    return commands


def _own_paths(m: EvaluationContext) -> Any:
    """Return what the call names by itself, without commands in the arguments of a tool that is no shell."""
    if m.event.tool_kind == "shell" or (m.given is not None and "paths" in m.given):
        return m.paths
    from policy_engine.history.tool_calls import call_paths

    return call_paths(m.event, m.filesystem)


def _paths(m: EvaluationContext) -> tuple[PathValue, ...]:
    own: tuple[PathValue, ...] = () if m.event.tool_kind == "shell" else m.own_paths
    if m.event.shell_line is None:
        return own
    from policy_engine.effects.command import effects_of

    return (*own, *(path for command in m.line_commands for path in effects_of(command).paths))


def _content(m: EvaluationContext) -> Any:
    from policy_engine.history.tool_calls import call_content

    return call_content(m.event)


def _replaced(m: EvaluationContext) -> Any:
    from policy_engine.history.tool_calls import call_replaced

    return call_replaced(m.event)


def _file_changes(m: EvaluationContext) -> Any:
    """Return what the call makes of each file that it writes; its text is asked for where a test gives that."""
    if m.content is ABSENT:
        return ABSENT
    from policy_engine.history.edited_files import changes_by

    return tuple(changes_by(m.event, m.filesystem))


def _switched_off(m: EvaluationContext) -> Any:
    if m.event.tool_kind not in ("write", "edit"):
        return ABSENT
    from policy_engine.history.edited_tests import switched_off_by

    return switched_off_by(m.event, m.filesystem)


def _result(key: str) -> Callable[[EvaluationContext], Any]:
    def fill(m: EvaluationContext) -> Any:
        return _owed((m.event.result or {}).get(key), f"result.{key}")

    return fill


def _exit_code(m: EvaluationContext) -> Any:
    code = (m.event.result or {}).get("exit_code")
    return _owed(code, "result.exit_code") if m.event.shell_line is not None else _optional(code)


TIMEOUT_CLASSES = ("timeout", "timed_out", "deadline_exceeded")
"""Classes of errors that say that a call ran out of time."""


def _timed_out(m: EvaluationContext) -> Any:
    result = _owed(m.event.result, "result")
    late = result.get("status") == "timed_out" or result.get("error_class") in TIMEOUT_CLASSES
    return bool(result.get("timed_out", late))


def _ok(m: EvaluationContext) -> Any:
    result = _owed(m.event.result, "result")
    if "ok" in result:
        return result["ok"]
    code = result.get("exit_code")
    return code == 0 if code is not None else _owed(None, "result.ok")


def _error_class(m: EvaluationContext) -> Any:
    return _typed(_optional((m.event.result or {}).get("error_class")), "result.error_class", str)


def _digest(m: EvaluationContext) -> Any:
    from policy_engine.history.digest import text_digest

    return text_digest(_result("text")(m))


def _signature(m: EvaluationContext) -> Any:
    from policy_engine.history.digest import signature

    return signature(_result("text")(m))


def _goal(m: EvaluationContext) -> dict[str, Any]:
    goal = m.event.goal or m.session.goal
    return goal if goal is not None else {}


def _goal_commands(m: EvaluationContext) -> tuple[str, ...]:
    goal = _goal(m)
    if "commands" in goal:
        commands = goal["commands"]
        if "digest" in goal and type(commands) is list:
            from policy_engine.history.session import kept_command

            return tuple(kept_command(command) for command in commands)
        if type(commands) is not list or any(type(command) is not str for command in commands):
            raise Undecided("`goal.commands` is not a list of texts")
        return tuple(commands)
    from policy_engine.history.demands import read_demands

    return read_demands(_goal_text(m)).commands


def _goal_part(name: str) -> Callable[[EvaluationContext], Any]:
    """Return what else is read from the text of a goal; nothing where the host names the commands itself."""

    def fill(m: EvaluationContext) -> Any:
        goal = _goal(m)
        if "digest" in goal and name in goal:
            return goal[name] if name == "tests" else tuple(goal[name])
        if "commands" in goal:
            return False if name == "tests" else ()
        from policy_engine.history.demands import read_demands

        return getattr(read_demands(_goal_text(m)), name)

    return fill


def _goal_text(m: EvaluationContext) -> Any:
    goal = _goal(m)
    if "digest" in goal and "text" not in goal:
        raise Undecided("the text of the goal was not kept, since no rule read it; the next prompt says it")
    return _typed(goal.get("text"), "goal.text", str)


_last_goal: dict[str, str] = {}
"""The digests of the texts by which the goal was known last: a goal holds for many events."""


def _goal_digest(m: EvaluationContext) -> Any:
    from policy_engine.history.digest import text_digest

    goal = _goal(m)
    text = None if "digest" in goal else str(goal.get("text", ""))
    digest = goal["digest"] if text is None else _last_goal.get(text) or text_digest(text)
    whole = digest + "\0" + "\0".join(todo.title for todo in m.open_todos)
    known = _last_goal.get(whole) or text_digest(whole)
    _last_goal.clear()
    _last_goal.update({whole: known} if text is None else {text: digest, whole: known})
    return known


def _todos(m: EvaluationContext) -> tuple[Todo, ...]:
    raw = m.event.todos if m.event.todos is not None else m.session.todos
    return listed(raw or ())


def _open_todos(m: EvaluationContext) -> tuple[Todo, ...]:
    """Required todos that are neither completed nor canceled: failed is not converged (language §11)."""
    return tuple(todo for todo in m.todos if todo.required and todo.status not in ("completed", "canceled"))


def _git(key: str, kind: type, ask: Callable[[Repository], Any]) -> Callable[[EvaluationContext], Any]:
    """Return what the host says of the repository, else what git answers."""

    def fill(m: EvaluationContext) -> Any:
        value = (m.event.git or {}).get(key)
        if value is not None:
            return _typed(value, f"git.{key}", kind)
        return _asked(f"git.{key}", lambda: ask(m.repository))

    return fill


def _asked(name: str, ask: Callable[[], Any]) -> Any:
    try:
        return ask()
    except Undecided as unknown:
        raise Undecided(*(f"`{name}` is not known: {reason}" for reason in unknown.reasons)) from None


def _run_changes(m: EvaluationContext) -> tuple[int, int]:
    from policy_engine.history.run_start import differences

    return differences(m.session.parts, m.session.counter("turn"), m.filesystem.workspace, m.repository)


def _diff(key: str, place: int) -> Callable[[EvaluationContext], Any]:
    """Return what the host says of the run's changes, else what git answers."""

    def fill(m: EvaluationContext) -> Any:
        value = (m.event.diff or {}).get(key)
        if value is None:
            return _asked(f"diff.{key}", lambda: m.run_changes[place])
        return len(value) if type(value) is list else _typed(value, f"diff.{key}", int)

    return fill


def _plan(m: EvaluationContext, key: str) -> Any:
    said = _said(m.event.plan, m.session.plan, key)
    todos = None if said is not None or key != "open_steps" else m.session.todos
    return said if todos is None else sum(Todo(raw).status not in ("completed", "canceled", "failed") for raw in todos)


def _said(now: dict[str, Any] | None, before: dict[str, Any] | None, key: str) -> Any:
    """Return a part of what the host says, or said before."""
    return (now if now and key in now else before or {}).get(key)


def _usage(key: str) -> Callable[[EvaluationContext], Any]:
    def fill(m: EvaluationContext) -> Any:
        return _typed(_said(m.event.usage, m.session.usage, key), f"usage.{key}", int)

    return fill


def _tool_digest(m: EvaluationContext) -> Any:
    from policy_engine.history.turn import call_digest

    if m.event.tool_name is None:
        return ABSENT
    try:
        return call_digest(m.event, m.line_commands if m.event.shell_line is not None else None)
    except Undecided:
        return call_digest(m.event, None)


def _server(m: EvaluationContext) -> Any:
    server = m.event.tool_server
    return _owed(server, "tool.server") if m.event.tool_kind == "mcp" else _optional(server)


def _scope(m: EvaluationContext) -> Any:
    scope = (m.event.tool_args or {}).get("path")
    return scope if type(scope) is str else ABSENT


def _permission_mode(m: EvaluationContext) -> str:
    mode = str(_owed(m.event.host_mode, "host.mode"))
    if mode not in PERMISSION_MODES:
        raise Undecided(f"the permission mode `{mode[:80]}` is not known")
    return mode


def _verification(key: str) -> Callable[[EvaluationContext], Any]:
    def fill(m: EvaluationContext) -> Any:
        from policy_engine.history.verification import value_of

        return value_of(m.event, key)

    return fill


_WEEKDAYS = ("thursday", "friday", "saturday", "sunday", "monday", "tuesday", "wednesday")
_DAY = 86_400_000

_FILL: dict[str, Callable[[EvaluationContext], Any]] = {
    "filesystem": lambda m: m.make_filesystem(m.event.workspace),
    "tool_name": lambda m: m.event.tool_name,
    "tool_kind": lambda m: m.event.tool_kind,
    "tool_args": lambda m: m.event.tool_args,
    "tool_args_texts": _argument_texts,
    "tool_args_size": lambda m: json_size(m.tool_args),
    "tool_digest": _tool_digest,
    "tool_server": _server,
    "tool_scope": _scope,
    "commands": _commands,
    "line_commands": _line_commands,
    "paths": _paths,
    "own_paths": _own_paths,
    "file_changes": _file_changes,
    "repository": lambda m: m.filesystem.repository(),
    "run_changes": _run_changes,
    "content": _content,
    "replaced": _replaced,
    "switched_off": _switched_off,
    "result_ok": _ok,
    "result_exit_code": _exit_code,
    "result_text": _result("text"),
    "result_value": _result_value,
    "result_digest": _digest,
    "result_signature": _signature,
    "result_timed_out": _timed_out,
    "result_error_class": _error_class,
    "result_unproven": lambda m: m.history.unproven_run() or ABSENT,
    "prompt": lambda m: _owed(m.event.prompt, "prompt"),
    "answer": lambda m: _owed(m.event.answer, "answer"),
    "goal_text": _goal_text,
    "goal_commands": _goal_commands,
    "goal_steps": _goal_part("steps"),
    "goal_mentions": _goal_part("mentions"),
    "goal_tests": _goal_part("tests"),
    "goal_digest": _goal_digest,
    "todos": _todos,
    "open_todos": _open_todos,
    "agent_kind": lambda m: "main" if m.event.agent_kind == "main" else "subagent",
    "agent_name": lambda m: m.event.agent_name,
    "host_name": lambda m: m.event.host_name,
    "host_mode": _permission_mode,
    "host_interactive": lambda m: _owed(m.event.host_interactive, "host.interactive"),
    "workspace": lambda m: m.filesystem.project(_owed(m.event.workspace, "workspace")),
    "home": lambda m: m.filesystem.resolve("~", None),
    "cwd": lambda m: m.filesystem.resolve(_owed(m.event.cwd, "cwd"), None),
    "session_id": lambda m: m.event.session,
    "session_turn": lambda m: m.session.counter("turn"),
    "session_steps": lambda m: m.session.counter("steps"),
    "session_rounds": lambda m: m.session.counter("rounds"),
    "session_age": lambda m: m.session.age(m.time_now),
    "session_resumed": lambda m: m.session.resumed,
    "plan_open_steps": lambda m: _typed(_plan(m, "open_steps"), "plan.open_steps", int),
    "plan_status": lambda m: _typed(_optional(_plan(m, "status")), "plan.status", str),
    "plan_created": lambda m: told_time(_optional(_plan(m, "created")), "plan.created"),
    "round_digest": lambda m: m.session.round_digest if m.event.hook == "after_round" else ABSENT,
    "usage_tokens": _usage("tokens"),
    "usage_cents": _usage("cents"),
    "diff_files": _diff("files", 0),
    "diff_lines": _diff("lines", 1),
    "git_branch": _git("branch", str, lambda repository: repository.branch()),
    "git_clean": _git("clean", bool, lambda repository: repository.clean()),
    "git_ahead": _git("ahead", int, lambda repository: repository.ahead()),
    "time_now": lambda m: _owed(m.event.time, "time"),
    "time_hour": lambda m: m.time_now // 3_600_000 % 24,
    "time_weekday": lambda m: _WEEKDAYS[m.time_now // _DAY % 7],
    **{name: _verification(name.partition("_")[2]) for name in map(slot, FIELDS) if name.startswith("verification_")},
}
