"""A canonical event: dictionary in, `Event` out; wrong types are refused here and nowhere else.

Unknown keys are kept in `raw` and otherwise ignored. A field that the host owed but did not send is None here and
undecided for the rule that reads it. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.bounds import check_bounds
from policy_engine.model.errors import EventError
from policy_engine.model.event_parts import changes_of, flag_of, record_of, result_of, short, text_of, todos_of
from policy_engine.model.instant import parse_time
from policy_engine.model.keys import is_odd
from policy_engine.model.limits import COMMAND_BYTES, PATH_BYTES
from policy_engine.model.points import FAILURE_VERDICT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy_engine.model.carried import Carried

POINTS = frozenset(FAILURE_VERDICT)
TOOL_POINTS = frozenset(("before_tool", "before_permission", "after_tool"))
CARRYING = ("mcp", "other")
"""The kinds of tools whose arguments may carry a command; what every other kind does with its own is known."""
TOOL_KINDS = frozenset(("shell", "write", "edit", "read", "search", "fetch", "mcp", "agent", "todo", "other"))


class Event:
    """One lifecycle event. Strings or None unless said otherwise; `time` in ms since the epoch (UTC) or None.

    `carried` is the command or code in the arguments of a tool that is no shell. `past` says that it is told of what
    happened before: what the disk shows came later than the event, or is another machine's.

    Records (`tool_args`, `result`, `facts`, `goal`, `plan`, `usage`, `diff`, `git`) stay the host's dictionaries,
    already checked; `changes` and `todos` are lists of dictionaries or None.
    """

    __slots__ = (
        "hook",
        "id",
        "session",
        "time",
        "past",
        "cwd",
        "workspace",
        "agent_kind",
        "agent_name",
        "host_name",
        "host_interactive",
        "host_os",
        "host_mode",
        "tool_name",
        "tool_kind",
        "tool_args",
        "tool_server",
        "tool_id",
        "carried",
        "result",
        "prompt",
        "answer",
        "changes",
        "facts",
        "todos",
        "goal",
        "plan",
        "usage",
        "diff",
        "git",
        "raw",
    )

    if TYPE_CHECKING:
        hook: str
        id: str
        session: str
        time: int | None
        past: bool
        cwd: str | None
        workspace: str | None
        agent_kind: str
        agent_name: str
        host_name: str
        host_interactive: bool | None
        host_os: str | None
        host_mode: str | None
        tool_name: str | None
        tool_kind: str | None
        tool_args: dict[str, Any] | None
        tool_server: str | None
        tool_id: str | None
        carried: Carried | None
        result: dict[str, Any] | None
        prompt: str | None
        answer: str | None
        changes: list[dict[str, str]] | None
        facts: dict[str, Any] | None
        todos: list[dict[str, Any]] | None
        goal: dict[str, Any] | None
        plan: dict[str, Any] | None
        usage: dict[str, Any] | None
        diff: dict[str, Any] | None
        git: dict[str, Any] | None
        raw: dict[str, Any]

    @classmethod
    def from_dict(cls, raw: object) -> Event:
        """Read a decoded JSON object. Raises EventError with the field's name if a known key has a wrong type."""
        if type(raw) is not dict:
            raise EventError("E-TYPE", "the event is not a JSON object")
        if not _is_small(raw):
            check_bounds(raw)
        self = cls.__new__(cls)
        self.raw = raw
        hook = raw.get("hook")
        if type(hook) is not str or hook not in POINTS:
            raise EventError("E-POINT", f"unknown lifecycle point `{short(hook)}`")
        self.hook = hook
        _read_head(self, raw)
        _read_tool(self, raw)
        if raw.keys() <= _COMMON:
            self.prompt = self.answer = self.result = self.changes = self.facts = None
            self.todos = self.goal = self.plan = self.usage = self.diff = self.git = None
        else:
            _read_rest(self, raw)
            if raw.get("unproven") is True:
                self.disbelieve()
        return self

    @property
    def tool_kinds(self) -> tuple[str, ...]:
        """The kinds at which rules listen for the call: its own, and `shell` if its arguments carry a command."""
        kind = self.tool_kind
        return () if kind is None else (kind,) if self.carried is None else (kind, "shell")

    @property
    def shell_line(self) -> str | None:
        """The line that the call gives to a shell: a shell's own, or the one that its arguments carry."""
        if self.carried is not None:
            return self.carried.line
        return self.tool_args["command"] if self.tool_kind == "shell" and self.tool_args else None

    def disbelieve(self) -> None:
        """Make it an event that proves nothing: that something may have happened is all that is taken from it."""
        self.raw["unproven"] = True
        self.result = self.todos = self.goal = self.plan = self.usage = None

    @property
    def unproven(self) -> bool:
        """Return whether nothing is proved by it (language §11 "Evidence")."""
        return self.raw.get("unproven") is True


_COMMON = frozenset(("hook", "session", "id", "time", "cwd", "workspace", "agent", "host", "tool"))
_FEW = 24
_LARGE = 1 << 64


def _is_small(raw: dict[str, Any], depth: int = 3) -> bool:
    """Return whether a look at each value proves that the bounds hold: few, flat and plain; most events are."""
    if len(raw) > _FEW:
        return False
    for key, value in raw.items():
        kind = type(value)
        if type(key) is not str or not key.isascii() or is_odd(key):
            return False
        if kind is str:
            if not value.isascii():
                return False
        elif kind is dict:
            if not depth or not _is_small(value, depth - 1):
                return False
        elif kind is int:
            if not -_LARGE < value < _LARGE:
                return False
        elif kind is not bool:
            return False
    return True


def _path(raw: dict[str, Any], key: str) -> str | None:
    value = raw.get(key)
    if type(value) is str and value[:1] == "/" and len(value) <= PATH_BYTES and value.isprintable():
        return value if value.isascii() else _odd_path(value, key)
    return None if value is None and key not in raw else _odd_path(value, key)


def longer(text: str, most: int) -> bool:
    """Return whether the text has more than `most` bytes as UTF-8."""
    return len(text) > most or (not text.isascii() and len(text.encode("utf-8", "surrogatepass")) > most)


def _odd_path(value: object, key: str) -> str:
    if type(value) is not str:
        raise EventError("E-TYPE", f"`{key}` is not a string")
    if "\0" in value:
        raise EventError("E-NUL", f"`{key}` contains NUL")
    if "\n" in value or "\r" in value:
        raise EventError("E-PATH", f"`{key}` contains a line end")
    if not value or longer(value, PATH_BYTES):
        raise EventError("E-PATH", f"`{key}` is empty or longer than PATH_BYTES ({PATH_BYTES})")
    if value[0] != "/" and value[1:3] not in (":\\", ":/") and value[:2] != "\\\\":
        raise EventError("E-PATH", f"`{key}` is not an absolute path")
    return value


def _read_head(self: Event, raw: dict[str, Any]) -> None:
    session = raw.get("session")
    if type(session) is not str or not session:
        raise EventError("E-FIELD", "`session` is missing or not a string")
    self.session = session
    self.id = text_of(raw, "id") or ""
    time = text_of(raw, "time")
    self.time = None if time is None else parse_time(time)
    self.past = False
    self.cwd = _path(raw, "cwd")
    self.workspace = _path(raw, "workspace")
    agent = record_of(raw, "agent")
    if agent is None:
        self.agent_kind = self.agent_name = "main"
    else:
        self.agent_kind = text_of(agent, "kind", "agent.") or "main"
        self.agent_name = text_of(agent, "name", "agent.") or self.agent_kind
    host = record_of(raw, "host")
    if host is None:
        self.host_name, self.host_interactive, self.host_os, self.host_mode = "generic", None, None, None
    else:
        self.host_name = text_of(host, "name", "host.") or "generic"
        self.host_interactive = flag_of(host, "interactive", "host")
        self.host_os = text_of(host, "os", "host.")
        self.host_mode = text_of(host, "mode", "host.")


def _read_tool(self: Event, raw: dict[str, Any]) -> None:
    tool = record_of(raw, "tool") if self.hook in TOOL_POINTS else None  # elsewhere it says nothing
    if tool is None:
        if self.hook in TOOL_POINTS:
            raise EventError("E-FIELD", "`tool` is missing")
        self.tool_name = self.tool_kind = self.tool_args = self.tool_server = self.tool_id = self.carried = None
        return
    name = text_of(tool, "name", "tool.")
    if not name:
        raise EventError("E-FIELD", "`tool.name` is missing")
    self.tool_name = name
    kind = text_of(tool, "kind", "tool.") or "other"
    if kind not in TOOL_KINDS:
        raise EventError("E-KIND", f"unknown tool kind `{short(kind)}`")
    self.tool_kind = kind
    args = tool.get("args")
    if type(args) is not dict:
        raise EventError("E-TYPE" if "args" in tool else "E-FIELD", "`tool.args` is missing or not an object")
    self.tool_args = args
    self.tool_server = text_of(tool, "server", "tool.")
    self.tool_id = text_of(tool, "id", "tool.")
    self.carried = carried_by(name, kind, args)
    if kind == "shell":
        _check_command(args.get("command"))


def carried_by(name: str, kind: str, args: dict[str, Any]) -> Carried | None:
    """The command or code among the arguments of a tool that is no shell, None if there is none."""
    if kind not in CARRYING:
        return None
    from policy_engine.model.carried import carried

    return carried(name, args)


def _check_command(command: object) -> None:
    if type(command) is not str:
        raise EventError("E-TYPE", "`tool.args.command` is missing or not a string")
    if "\0" in command:
        raise EventError("E-NUL", "`tool.args.command` contains NUL")
    if longer(command, COMMAND_BYTES):
        raise EventError("E-LIMIT", f"`tool.args.command` is longer than COMMAND_BYTES ({COMMAND_BYTES})")


def _read_rest(self: Event, raw: dict[str, Any]) -> None:
    self.prompt = text_of(raw, "prompt")
    self.answer = text_of(raw, "answer")
    self.result = result_of(raw)
    self.changes = changes_of(raw)
    self.facts = record_of(raw, "facts")
    self.todos = todos_of(raw)
    self.goal = record_of(raw, "goal")
    self.plan = record_of(raw, "plan")
    self.usage = record_of(raw, "usage")
    self.diff = record_of(raw, "diff")
    self.git = record_of(raw, "git")
