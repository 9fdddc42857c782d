"""Read a decoded JSON object as an Event, in one pass where it has the plain shape that hosts send nearly always.

The reader of a process that decides many events: the checks of model/event.py in an order that costs a third, without
a helper call per field; what is the same for all events of a session is checked once and compared. Whatever is unusual
(a missing or unknown key, a nested argument, a wrong type, an odd time) takes the long way, which accepts it or names
the mistake. Nothing is accepted here that the long way refuses.
"""

from __future__ import annotations

from typing import Any

from policy_engine.model.errors import EventError
from policy_engine.model.event import CARRYING, POINTS, TOOL_KINDS, TOOL_POINTS, Event, carried_by, longer
from policy_engine.model.event_parts import RESULT_STATES
from policy_engine.model.instant import parse_time
from policy_engine.model.keys import is_odd
from policy_engine.model.limits import COMMAND_BYTES, PATH_BYTES

_COMMON = frozenset(("hook", "session", "id", "time", "cwd", "workspace", "agent", "host", "tool"))
_RECORDS = frozenset(("result", "diff", "git"))
_MAIN = {"kind": "main", "name": "main"}  # the agent where none is named
_FLAT = 24  # entries of one record; more are counted the long way
_LARGE = 1 << 64  # what is larger is looked at the long way
_REMEMBERED = 256  # sessions, and minutes
_SECONDS = {f"{second:02d}Z": second * 1000 for second in range(61)}

_Session = tuple[str, str, dict[str, Any], dict[str, Any], bool, str, str, str, str | None]
_minutes: dict[str, int] = {}
_sessions: dict[str, _Session] = {}


class _Unusual(Exception):
    """The long way has to look at it."""


def read_event(raw: object) -> Event:
    """As `Event.from_dict`. Raises EventError."""
    try:
        return plain_event(raw) or Event.from_dict(raw)
    except (KeyError, TypeError, AttributeError, UnicodeEncodeError, _Unusual):
        return Event.from_dict(raw)


def plain_event(raw: Any) -> Event | None:
    """The event if it is plain, else None or whatever a look at something odd raises."""
    if type(raw) is not dict:
        return None
    self = Event.__new__(Event)
    self.raw, self.past = raw, False
    if not (_head(self, raw) and _tool(self, raw)):
        return None
    self.prompt = self.answer = self.result = self.changes = self.facts = None
    self.todos = self.goal = self.plan = self.usage = self.diff = self.git = None
    return self if raw.keys() <= _COMMON or _rest(self, raw) else None


def _head(self: Event, raw: dict[str, Any]) -> bool:
    hook, session, name, time = raw["hook"], raw["session"], raw.get("id", ""), raw["time"]
    if hook not in POINTS or type(name) is not str or not name.isascii() or type(time) is not str:
        return False
    self.hook, self.session, self.id = hook, session, name
    known = _sessions.get(session)
    host = raw["host"]
    if (
        known is None
        or raw["cwd"] != known[0]
        or raw["workspace"] != known[1]
        or (raw.get("agent", _MAIN)) != known[2]
        or host != known[3]
        or host["interactive"] is not known[4]  # 1 equals True and is not it
    ):
        known = _remember(session, raw)
    self.cwd, self.workspace, _, _, self.host_interactive, self.agent_kind, self.agent_name, self.host_name, mode = (
        known
    )
    self.host_mode = mode
    self.host_os = None
    minute = _minutes.get(time[:17])
    if minute is None:
        minute = _minute(time[:17])
    if time[19:20] == ".":  # ms, as agents keep them in their recordings
        if len(time) != 24 or not (time.isascii() and time[20:23].isdigit()):
            return False
        self.time = minute + _SECONDS[time[17:19] + time[23]] + int(time[20:23])
    else:
        self.time = minute + _SECONDS[time[17:]]
    return True


def _remember(session: Any, raw: dict[str, Any]) -> _Session:
    """Check what is the same for all events of a session, and keep it. Raises _Unusual."""
    cwd, workspace, agent, host = raw["cwd"], raw["workspace"], raw.get("agent", _MAIN), raw["host"]
    if type(agent) is not dict or type(host) is not dict or len(agent) != 2:
        raise _Unusual
    mode = host.get("mode")
    if len(host) != (2 if mode is None else 3) or (mode is not None and type(mode) is not str):
        raise _Unusual
    kind, called, program, interactive = agent["kind"], agent["name"], host["name"], host["interactive"]
    for text in (session, cwd, workspace, kind, called, program):
        if type(text) is not str or not text or not text.isascii():
            raise _Unusual
    for path in (cwd, workspace):
        if path[0] != "/" or not path.isprintable() or len(path) > PATH_BYTES:
            raise _Unusual
    if interactive is not True and interactive is not False:
        raise _Unusual
    if len(_sessions) >= _REMEMBERED:
        _sessions.clear()
    known = (cwd, workspace, dict(agent), dict(host), interactive, kind, called, program, mode)
    _sessions[session] = known
    return known


def _minute(text: str) -> int:
    """Parse `2026-11-20T10:00:` to ms since the epoch, cached, for events share their minutes. Raises _Unusual."""
    try:
        minute = parse_time(text + "00Z")
    except EventError:
        raise _Unusual from None
    if len(_minutes) >= _REMEMBERED:
        _minutes.clear()
    _minutes[text] = minute
    return minute


def _tool(self: Event, raw: dict[str, Any]) -> bool:
    tool = raw.get("tool")
    if tool is None:
        self.tool_name = self.tool_kind = self.tool_args = self.tool_server = self.tool_id = self.carried = None
        return "tool" not in raw and self.hook not in TOOL_POINTS
    if self.hook not in TOOL_POINTS:
        return False
    name, kind, args = tool["name"], tool["kind"], tool["args"]
    if type(tool) is not dict or type(name) is not str or not name or not name.isascii() or kind not in TOOL_KINDS:
        return False
    known, server = tool.get("id"), tool.get("server")
    if (len(tool) != 3 and not _texts(tool, known, server)) or not _flat(args):
        return False
    if kind == "shell":
        command = args["command"]
        if type(command) is not str or "\0" in command or longer(command, COMMAND_BYTES):
            return False
    self.tool_name, self.tool_kind, self.tool_args, self.tool_server, self.tool_id = name, kind, args, server, known
    self.carried = carried_by(name, kind, args) if kind in CARRYING else None
    return True


def _texts(tool: dict[str, Any], known: object, server: object) -> bool:
    """Return whether a tool's further keys are no others than these two, and text."""
    more = [value for value in (known, server) if value is not None]
    return len(tool) == 3 + len(more) and all(type(value) is str and value.isascii() for value in more)


def _flat(record: Any) -> bool:
    """A record of texts, integers, flags and nulls only, all of them sound."""
    if type(record) is not dict or len(record) > _FLAT:
        return False
    for key, value in record.items():
        if not key.isascii() or is_odd(key):
            return False
        kind = type(value)
        if kind is str:
            if not value.isascii():
                value.encode()  # a lone surrogate raises
        elif kind is int:
            if not -_LARGE < value < _LARGE:
                return False
        elif kind is not bool and value is not None:
            return False
    return True


def _rest(self: Event, raw: dict[str, Any]) -> bool:
    for key, value in raw.items():
        if key in _COMMON:
            continue
        if key == "prompt" or key == "answer":
            if type(value) is not str:
                return False
            if not value.isascii():
                value.encode()
        elif key not in _RECORDS or not _flat(value) or (key == "result" and not _sound(value)):
            return False
        setattr(self, key, value)
    return True


def _sound(result: dict[str, Any]) -> bool:
    get = result.get
    ok, late, code = get("ok", True), get("timed_out", False), get("exit_code")
    return (
        (ok is True or ok is False)
        and (late is True or late is False)
        and (code is None or type(code) is int)
        and type(get("text", "")) is str
        and get("status", "completed") in RESULT_STATES
    )
