"""Render the page: sessions, decisions and why, policies in force. The only home of jinja2.

Everything that is shown was written by agents, hosts and repositories: the template escapes every value, characters
that a reader would obey are made visible, and the page needs neither script nor address.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import jinja2

from policy_engine import __version__
from policy_engine.adapters.base import visible
from policy_engine.audit.log import log_path
from policy_engine.audit.reader import latest
from policy_engine.cache.reader import read_head, unchanged
from policy_engine.loading.status import read_status
from policy_engine.model.errors import ConfigurationError
from policy_engine.state.places import cache_folder, layer_folders, place_name, program_name
from policy_engine.state.sealed import CacheMiss

TAIL = 1 << 21  # bytes of the log that are looked at
SESSIONS, LATEST, EVENTS, WORKSPACES = 30, 25, 200, 12
SHORT = 400  # characters of a value
Record = dict[str, Any]


def overview(status: str = "", still: bool = False) -> str:
    """The page of everything: sessions, policies, the latest refusals; `still`: it does not load itself again."""
    records = _records()
    sessions: dict[str, list[Record]] = {}
    for record in records:
        sessions.setdefault(str(record.get("session", "")), []).append(record)
    shown = [_session(name, found) for name, found in sessions.items()]
    latest = [
        _event(record) for record in reversed(records) if record.get("verdict") != "allow" or record.get("errors")
    ]
    return _template().render(
        title="policy serve",
        version=__version__,
        sessions=sorted(shown, key=lambda each: -each["at"])[:SESSIONS],
        latest=latest[:LATEST],
        policies=_policies(records),
        events=None,
        status=status,
        still=still,
    )


def session_page(session: str, still: bool = False) -> str:
    """The latest events of one session, newest first; empty if nothing is known of it."""
    records = [record for record in _records() if str(record.get("session", "")) == session]
    if not records:
        return ""
    events = [_event(record) for record in reversed(records[-EVENTS:])]
    return _template().render(title=f"session {session}", version=__version__, events=events, still=still)


def style() -> str:
    """The style sheet."""
    return _file("page.css")


def _records() -> list[Record]:
    """The last records of the log, oldest first."""
    try:
        return latest(log_path(), TAIL)
    except ConfigurationError:
        return []


def _session(name: str, records: list[Record]) -> dict[str, Any]:
    verdicts: dict[str, int] = {}
    for record in records:
        verdict = str(record.get("verdict", ""))
        verdicts[verdict] = verdicts.get(verdict, 0) + 1
    last = records[-1]
    given = last.get("input") if isinstance(last.get("input"), dict) else {}
    return {
        "name": name,
        "host": last.get("host", ""),
        "workspace": next((found for record in reversed(records) if (found := _workspace(record))), ""),
        "at": at if isinstance(at := last.get("time"), int) else 0,
        "time": _clock(last.get("time")),
        "events": len(records),
        "verdicts": sorted(verdicts.items()),
        "last": _doing(last, given or {}),
        "state": _state(last),
    }


def _state(last: Record) -> str:
    """Return what a session's last event made of it."""
    if last.get("verdict") == "stop":
        return f"stopped: {last.get('stop_reason') or 'a person takes over'}"
    return "ended" if last.get("hook") == "session_end" else ""


def _event(record: Record) -> dict[str, Any]:
    given = record.get("input") if isinstance(record.get("input"), dict) else {}
    rules = [rule for rule in record.get("rules") or () if isinstance(rule, dict)]
    return {
        "time": _clock(record.get("time")),
        "session": str(record.get("session", "")),
        "hook": record.get("hook") or record.get("native") or "(not read)",
        "verdict": str(record.get("verdict", "")),
        "stop_reason": str(record.get("stop_reason") or ""),
        "doing": _doing(record, given or {}),
        "rules": [_rule(rule) for rule in rules],
        "errors": [str(error) for error in record.get("errors") or ()],
        "policy": str(record.get("policy", "")),
    }


def _rule(rule: Record) -> dict[str, Any]:
    because = [each for each in rule.get("because") or () if isinstance(each, dict)]
    return {
        "name": rule.get("rule", ""),
        "verdict": str(rule.get("verdict", "")),
        "outcome": rule.get("outcome", ""),
        "message": rule.get("message", ""),
        "at": rule.get("at", ""),
        "because": [
            (each.get("expr", ""), [(name, _short(value)) for name, value in (each.get("values") or {}).items()])
            for each in because
        ],
        "undecided": [str(why) for why in rule.get("undecided") or ()],
    }


def _doing(record: Record, given: Record) -> str:
    """Return what the event was about, in a line."""
    tool = given.get("tool")
    if isinstance(tool, dict):
        args = tool.get("args")
        arguments: Record = args if isinstance(args, dict) else {}
        told = next((arguments[key] for key in ("command", "file_path", "url", "pattern") if key in arguments), "")
        return _short(f"{tool.get('name', '')} {told if isinstance(told, str) else json.dumps(told)}")
    return _short(given.get("prompt") or given.get("answer") or record.get("native", ""))


def _policies(records: list[Record]) -> list[dict[str, Any]]:
    """Return what is in force where something was decided lately, the latest first."""
    places = [place for record in reversed(records) if (place := _workspace(record)).startswith("/")]
    return [_policy(place) for place in list(dict.fromkeys(places))[:WORKSPACES]]


def _policy(workspace: str) -> dict[str, Any]:
    folders = layer_folders(workspace)
    try:
        head = read_head(f"{cache_folder()}/active/{program_name(folders)}")
    except CacheMiss:
        head = None
    record = read_status(place_name(folders))
    state = "in force" if head is not None and unchanged(head) else "changed, or being read for the first time"
    return {
        "workspace": workspace,
        "state": state,
        "digest": head.digest if head is not None else "",
        "layers": record.layers if record is not None else (),
        "errors": (*head.lacking, *head.errors) if head is not None else (),
    }


def _workspace(record: Record) -> str:
    given = record.get("input")
    found = given.get("workspace") if isinstance(given, dict) else None
    return found if isinstance(found, str) else ""


def _short(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= SHORT else f"{text[:SHORT]}…"


def _clock(at: object) -> str:
    try:
        return datetime.fromtimestamp(float(str(at)) / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S")
    except (ValueError, OverflowError, OSError):
        return ""


def _file(name: str) -> str:
    return Path(__file__).with_name(name).read_text("utf-8")


@cache
def _template() -> jinja2.Template:
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        finalize=lambda value: visible(value) if type(value) is str else value,  # what is marked up is ours
    )  # fmt: skip
    return environment.from_string(_file("page.html"))
