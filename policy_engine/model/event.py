"""A canonical event: dictionary in, `Event` out; wrong types are refused here and nowhere else.

Unknown keys are kept in `raw` and otherwise ignored. A field that the host owed but did not send is None here and
undecided for the rule that reads it. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.errors import EventError
from policy_engine.model.limits import COMMAND_BYTES, EVENT_DEPTH, EVENT_NODES, PATH_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

POINTS = frozenset(
    (
        "session_start",
        "prompt",
        "before_tool",
        "before_permission",
        "after_tool",
        "before_verification",
        "after_verification",
        "before_completion",
        "before_stop",
        "subagent_start",
        "subagent_completion",
        "before_compact",
        "after_compact",
        "after_round",
        "session_end",
    )
)
TOOL_POINTS = frozenset(("before_tool", "before_permission", "after_tool"))
TOOL_KINDS = frozenset(("shell", "write", "edit", "read", "search", "fetch", "mcp", "agent", "todo", "other"))
RESULT_STATES = frozenset(("started", "running", "completed", "failed", "blocked", "timed_out", "unknown"))
CHANGE_KINDS = frozenset(("write", "delete", "read"))
TODO_STATES = frozenset(("pending", "in_progress", "blocked", "completed", "failed", "canceled"))


class Event:
    """One lifecycle event. Strings or None unless said otherwise; `time` in ms since the epoch (UTC) or None.

    Records (`tool_args`, `result`, `facts`, `goal`, `plan`, `diff`, `git`) stay the host's dictionaries, already
    checked; `changes` and `todos` are lists of dictionaries or None.
    """

    __slots__ = (
        "hook",
        "id",
        "session",
        "time",
        "cwd",
        "workspace",
        "agent_kind",
        "agent_name",
        "host_name",
        "host_interactive",
        "host_os",
        "tool_name",
        "tool_kind",
        "tool_args",
        "tool_server",
        "tool_id",
        "result",
        "prompt",
        "answer",
        "changes",
        "facts",
        "todos",
        "goal",
        "plan",
        "diff",
        "git",
        "raw",
    )

    if TYPE_CHECKING:
        hook: str
        id: str
        session: str
        time: int | None
        cwd: str | None
        workspace: str | None
        agent_kind: str
        agent_name: str
        host_name: str
        host_interactive: bool | None
        host_os: str | None
        tool_name: str | None
        tool_kind: str | None
        tool_args: dict[str, Any] | None
        tool_server: str | None
        tool_id: str | None
        result: dict[str, Any] | None
        prompt: str | None
        answer: str | None
        changes: list[dict[str, str]] | None
        facts: dict[str, Any] | None
        todos: list[dict[str, Any]] | None
        goal: dict[str, Any] | None
        plan: dict[str, Any] | None
        diff: dict[str, Any] | None
        git: dict[str, Any] | None
        raw: dict[str, Any]

    @classmethod
    def from_dict(cls, raw: object) -> Event:
        """Read a decoded JSON object. Raises EventError with the field's name if a known key has a wrong type."""
        if type(raw) is not dict:
            raise EventError("E-TYPE", "the event is not a JSON object")
        self = cls.__new__(cls)
        self.raw = raw
        hook = raw.get("hook")
        if hook not in POINTS:
            raise EventError("E-POINT", f"unknown lifecycle point `{_short(hook)}`")
        self.hook = hook
        _read_head(self, raw)
        _read_tool(self, raw)
        _read_rest(self, raw)
        return self


def _short(value: object) -> str:
    return str(value)[:80]


def _text(raw: dict[str, Any], key: str, where: str = "") -> str | None:
    value = raw.get(key)
    if value is None:
        if key in raw:
            raise EventError("E-TYPE", f"`{where}{key}` is null, not a string")
        return None
    if type(value) is not str:
        raise EventError("E-TYPE", f"`{where}{key}` is not a string")
    return value


def _path(raw: dict[str, Any], key: str, where: str = "") -> str | None:
    value = _text(raw, key, where)
    if value is None:
        return None
    if "\0" in value:
        raise EventError("E-NUL", f"`{where}{key}` contains NUL")
    if not value or len(value) > PATH_BYTES:
        raise EventError("E-PATH", f"`{where}{key}` is empty or longer than PATH_BYTES ({PATH_BYTES})")
    if value[0] != "/" and value[1:3] not in (":\\", ":/") and value[:2] != "\\\\":
        raise EventError("E-PATH", f"`{where}{key}` is not an absolute path")
    return value


def _record(raw: dict[str, Any], key: str) -> dict[str, Any] | None:
    value = raw.get(key)
    if value is None and key not in raw:
        return None
    if type(value) is not dict:
        raise EventError("E-TYPE", f"`{key}` is not an object")
    return value


def _flag(record: dict[str, Any], key: str, where: str) -> bool | None:
    value = record.get(key)
    if value is None and key not in record:
        return None
    if value is not True and value is not False:
        raise EventError("E-TYPE", f"`{where}.{key}` is not true or false")
    return value


def _read_head(self: Event, raw: dict[str, Any]) -> None:
    session = _text(raw, "session")
    if not session:
        raise EventError("E-FIELD", "`session` is missing")
    self.session = session
    self.id = _text(raw, "id") or ""
    time = _text(raw, "time")
    self.time = None if time is None else parse_time(time)
    self.cwd = _path(raw, "cwd")
    self.workspace = _path(raw, "workspace")
    agent = raw.get("agent")
    if agent is None and "agent" not in raw:
        self.agent_kind = self.agent_name = "main"
    else:
        agent = _record(raw, "agent") or {}
        self.agent_kind = _text(agent, "kind", "agent.") or "main"
        self.agent_name = _text(agent, "name", "agent.") or self.agent_kind
    host = _record(raw, "host")
    if host is None:
        self.host_name, self.host_interactive, self.host_os = "generic", None, None
    else:
        self.host_name = _text(host, "name", "host.") or "generic"
        self.host_interactive = _flag(host, "interactive", "host")
        self.host_os = _text(host, "os", "host.")


def _read_tool(self: Event, raw: dict[str, Any]) -> None:
    if "tool" not in raw:
        if self.hook in TOOL_POINTS:
            raise EventError("E-FIELD", "`tool` is missing")
        self.tool_name = self.tool_kind = self.tool_args = self.tool_server = self.tool_id = None
        return
    tool = _record(raw, "tool") or {}
    name = _text(tool, "name", "tool.")
    if not name:
        raise EventError("E-FIELD", "`tool.name` is missing")
    self.tool_name = name
    kind = _text(tool, "kind", "tool.") or "other"
    if kind not in TOOL_KINDS:
        raise EventError("E-KIND", f"unknown tool kind `{_short(kind)}`")
    self.tool_kind = kind
    args = tool.get("args")
    if type(args) is not dict:
        raise EventError("E-TYPE" if "args" in tool else "E-FIELD", "`tool.args` is missing or not an object")
    self.tool_args = args
    self.tool_server = _text(tool, "server", "tool.")
    self.tool_id = _text(tool, "id", "tool.")
    _check_size(args)
    if kind == "shell":
        command = args.get("command")
        if type(command) is not str:
            raise EventError("E-TYPE", "`tool.args.command` is missing or not a string")
        if "\0" in command:
            raise EventError("E-NUL", "`tool.args.command` contains NUL")
        if len(command) > COMMAND_BYTES:
            raise EventError("E-LIMIT", f"`tool.args.command` is longer than COMMAND_BYTES ({COMMAND_BYTES})")


def _read_rest(self: Event, raw: dict[str, Any]) -> None:
    if len(raw) > 9 or not raw.keys() <= _COMMON:
        self.prompt = _text(raw, "prompt")
        self.answer = _text(raw, "answer")
        self.result = _result(raw)
        self.changes = _changes(raw)
        self.facts = _record(raw, "facts")
        self.todos = _todos(raw)
        self.goal = _record(raw, "goal")
        self.plan = _record(raw, "plan")
        self.diff = _record(raw, "diff")
        self.git = _record(raw, "git")
        _check_size(raw)
        return
    self.prompt = self.answer = self.result = self.changes = self.facts = None
    self.todos = self.goal = self.plan = self.diff = self.git = None


_COMMON = frozenset(("hook", "session", "id", "time", "cwd", "workspace", "agent", "host", "tool"))


def _result(raw: dict[str, Any]) -> dict[str, Any] | None:
    result = _record(raw, "result")
    if result is None:
        return None
    _flag(result, "ok", "result")
    _flag(result, "timed_out", "result")
    _text(result, "text", "result.")
    exit_code = result.get("exit_code")
    if exit_code is not None and type(exit_code) is not int:
        raise EventError("E-TYPE", "`result.exit_code` is not an integer")
    status = _text(result, "status", "result.")
    if status is not None and status not in RESULT_STATES:
        raise EventError("E-ENUM", f"unknown `result.status` `{_short(status)}`")
    return result


def _changes(raw: dict[str, Any]) -> list[dict[str, str]] | None:
    if "changes" not in raw:
        return None
    changes = raw["changes"]
    if type(changes) is not list:
        raise EventError("E-TYPE", "`changes` is not a list")
    for change in changes:
        if type(change) is not dict or type(change.get("path")) is not str or change.get("kind") not in CHANGE_KINDS:
            raise EventError("E-TYPE", "an entry of `changes` is not {path, kind: write|delete|read}")
        if "\0" in change["path"]:
            raise EventError("E-NUL", "`changes.path` contains NUL")
    return changes


def _todos(raw: dict[str, Any]) -> list[dict[str, Any]] | None:
    if "todos" not in raw:
        return None
    todos = raw["todos"]
    if type(todos) is not list:
        raise EventError("E-TYPE", "`todos` is not a list")
    for todo in todos:
        if type(todo) is not dict:
            raise EventError("E-TYPE", "an entry of `todos` is not an object")
        if not _text(todo, "id", "todos."):
            raise EventError("E-FIELD", "`todos.id` is missing")
        _text(todo, "title", "todos.")
        _flag(todo, "required", "todos")
        status = _text(todo, "status", "todos.")
        if status is not None and status != "cancelled" and status not in TODO_STATES:
            raise EventError("E-ENUM", f"unknown `todos.status` `{_short(status)}`")
    return todos


def _check_size(value: object) -> None:
    """Refuse nesting over EVENT_DEPTH, more than EVENT_NODES nodes, non-finite numbers, lone surrogates."""
    level: list[object] = [value]
    nodes = 0
    for _ in range(EVENT_DEPTH):
        below: list[object] = []
        for node in level:
            kind = type(node)
            if kind is dict:
                below.extend(node)  # type: ignore[call-overload]
                below.extend(node.values())  # type: ignore[attr-defined]
            elif kind is list:
                below.extend(node)  # type: ignore[call-overload]
            elif kind is str:
                _check_text(node)  # type: ignore[arg-type]
            elif kind is float and node - node != 0:  # type: ignore[operator]
                raise EventError("E-NUMBER", "the event contains a number that is not finite")
        nodes += len(below)
        if nodes > EVENT_NODES:
            raise EventError("E-LIMIT", f"the event has more than EVENT_NODES ({EVENT_NODES}) nodes")
        if not below:
            return
        level = below
    raise EventError("E-LIMIT", f"the event is nested deeper than EVENT_DEPTH ({EVENT_DEPTH})")


def _check_text(text: str) -> None:
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            raise EventError("E-SURROGATE", "the event contains a lone surrogate") from None


def parse_time(text: str) -> int:
    """RFC 3339 `2026-11-20T10:00:00[.fff](Z|±hh:mm)` → ms since the epoch. Raises EventError `E-TIME`."""
    try:
        if text[4] + text[7] + text[10] + text[13] + text[16] != "--T::" or not text.isascii():
            raise ValueError
        year, month, day = int(text[:4]), int(text[5:7]), int(text[8:10])
        hour, minute, second = int(text[11:13]), int(text[14:16]), int(text[17:19])
        rest, millis = text[19:], 0
        if rest.startswith("."):
            digits = rest[1:].rstrip("Z").split("+")[0].split("-")[0]
            millis = int((digits + "00")[:3])
            rest = rest[1 + len(digits) :]
        offset = _offset(rest)
        if not (1 <= month <= 12 and 1 <= day <= 31 and hour < 24 and minute < 60 and second <= 60):
            raise ValueError
    except (ValueError, IndexError):
        raise EventError("E-TIME", f"`time` `{_short(text)}` is not an RFC 3339 time") from None
    return ((_days(year, month, day) * 24 + hour) * 60 + minute - offset) * 60_000 + second * 1000 + millis


def _offset(rest: str) -> int:
    """Minutes east of UTC."""
    if rest in ("Z", "z"):
        return 0
    if len(rest) != 6 or rest[0] not in "+-" or rest[3] != ":":
        raise ValueError
    minutes = int(rest[1:3]) * 60 + int(rest[4:6])
    return minutes if rest[0] == "+" else -minutes


def _days(year: int, month: int, day: int) -> int:
    """Days since 1970-01-01 in the proleptic Gregorian calendar (Hinnant's days_from_civil)."""
    year -= month <= 2
    era = year // 400
    of_era = year - era * 400
    of_year = (153 * (month + (-3 if month > 2 else 9)) + 2) // 5 + day - 1
    return era * 146097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719468
