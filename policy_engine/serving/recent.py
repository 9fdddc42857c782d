"""Keep the end of the decision log in the form that the page shows: each record is read once.

What is kept is bounded by TAIL bytes of the log; of long values only their beginning is shown.
"""

from __future__ import annotations

import json
import threading
import time
from collections import deque
from dataclasses import dataclass
from typing import Any

from policy_engine.audit.log import log_path
from policy_engine.audit.reader import LogTail
from policy_engine.model.action import action_of
from policy_engine.model.errors import ConfigurationError

TAIL = 1 << 24  # bytes of the log that are looked at
SHORT = 400  # characters of a value
Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Entry:
    """A record: its line of the log, what is shown of it, and what it is chosen by; `at` in ms since the epoch."""

    line: bytes
    shown: dict[str, Any]
    at: int
    session: str
    host: str
    workspace: str
    point: str
    call: str
    speakers: frozenset[str]
    ms: int | None

    @property
    def proposes(self) -> bool:
        """Return whether it decided a call before it ran."""
        return self.point == "before_tool"

    @property
    def refuses(self) -> bool:
        """Return whether the agent was kept from what it wanted."""
        return self.shown["verdict"] in ("ask", "deny", "stop")

    def holds(self, text: str) -> bool:
        """Return whether a text stands anywhere in the record, in upper or lower case."""
        if text.isascii():
            return json.dumps(text)[1:-1].lower().encode() in self.line.lower()
        return text.casefold() in json.dumps(json.loads(self.line), ensure_ascii=False).casefold()


class Recent:
    """The entries of the log's end; several threads may ask."""

    def __init__(self, most: int = TAIL) -> None:
        """Keep up to `most` bytes of the log."""
        self._most, self._bytes = most, 0
        self._tail = LogTail(most)
        self._entries: deque[Entry] = deque()
        self._lock = threading.Lock()

    def entries(self) -> list[Entry]:
        """Return what the log has now, oldest first; nothing if it cannot be read."""
        with self._lock:
            try:
                again, lines = self._tail.read(log_path())
            except ConfigurationError:
                again, lines = True, []
            if again:
                self._entries.clear()
                self._bytes = 0
            for line, record in lines:
                self._entries.append(_entry(line, record))
                self._bytes += len(line)
            while self._bytes > self._most:
                self._bytes -= len(self._entries.popleft().line)
            return list(self._entries)


def clock(at: object) -> str:
    """Return a time in ms since the epoch as the clock here shows it, "" for what is none."""
    try:
        return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(float(str(at)) / 1000))
    except (ValueError, OverflowError, OSError):
        return ""


def short(value: object) -> str:
    """Return a value as text, the beginning of a long one."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= SHORT else f"{text[:SHORT]}…"


def _entry(line: bytes, record: Record) -> Entry:
    given: Record = known if isinstance(known := record.get("input"), dict) else {}
    tool, ms, at = given.get("tool"), record.get("ms"), record.get("time")
    workspace = given.get("workspace")
    said = [*(record.get("rules") or ()), *(record.get("shadow") or ()), *(record.get("waived") or ())]
    return Entry(
        line,
        _shown(record, given),
        at if type(at) is int else 0,
        str(record.get("session", "")),
        str(record.get("host", "")),
        workspace if isinstance(workspace, str) else "",
        str(record.get("hook") or record.get("native") or "(not read)"),
        str(tool.get("id") or "") if isinstance(tool, dict) else "",
        frozenset(str(rule.get("rule", "")) for rule in said if isinstance(rule, dict)),
        ms if type(ms) is int else None,
    )


def _shown(record: Record, given: Record) -> dict[str, Any]:
    result = given.get("result")
    printed = result.get("text") if isinstance(result, dict) else ""
    return {
        "time": clock(record.get("time")),
        "session": str(record.get("session", "")),
        "number": str(record.get("n", "")),
        "hook": record.get("hook") or record.get("native") or "(not read)",
        "verdict": str(record.get("verdict", "")),
        "stop_reason": str(record.get("stop_reason") or ""),
        "id": str(record.get("event") or f"#{record.get('n', '')}"),
        "doing": action_of(given or record, SHORT),
        "pause": "",
        "took": "",
        "result": _ended(result),
        "printed": short(printed) if printed else "",
        "rules": [_rule(rule) for rule in record.get("rules") or () if isinstance(rule, dict)],
        "errors": [str(error) for error in record.get("errors") or ()],
        "policy": str(record.get("policy", "")),
        "workspace": given.get("workspace") if isinstance(given.get("workspace"), str) else "",
    }


def _rule(rule: Record) -> dict[str, Any]:
    because = [each for each in rule.get("because") or () if isinstance(each, dict)]
    return {
        "name": rule.get("rule", ""),
        "verdict": str(rule.get("verdict", "")),
        "outcome": rule.get("outcome", ""),
        "message": rule.get("message", ""),
        "at": str(rule.get("at", "")),
        "text": "",
        "because": [
            (each.get("expr", ""), [(name, short(value)) for name, value in (each.get("values") or {}).items()])
            for each in because
        ],
        "undecided": [str(why) for why in rule.get("undecided") or ()],
        "evidence": list(dict.fromkeys(str(event) for event in rule.get("evidence") or ())),
    }


def _ended(result: object) -> str:
    """Return how a call ended, as its host says."""
    if not isinstance(result, dict):
        return ""
    code = result.get("exit_code")
    return f"exit {code}" if type(code) is int else str(result.get("status") or "ended")
