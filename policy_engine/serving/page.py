"""Render the page: sessions, decisions and why, policies in force. The only home of jinja2.

Everything that is shown was written by agents, hosts and repositories: the template escapes every value, characters
that a reader would obey are made visible. Its one script only fetches the page again, which works without it, too.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import jinja2

from policy_engine import __version__
from policy_engine.adapters.base import visible
from policy_engine.audit.log import log_path
from policy_engine.audit.reader import latest
from policy_engine.cache.reader import Head, unchanged
from policy_engine.loading.status import read_status
from policy_engine.model.action import action_of
from policy_engine.model.errors import ConfigurationError
from policy_engine.serving.rules import declared, head_of, text_at
from policy_engine.state.places import layer_folders, place_name

TAIL = 1 << 21  # bytes of the log that are looked at
SESSIONS, LATEST, EVENTS, WORKSPACES = 30, 25, 200, 12
RULES = 12  # of which it is told how often they spoke
SHORT = 400  # characters of a value
PAUSE = 1000  # ms between two events that are shown
CHOICES = ("verdict", "rule", "host", "workspace", "text")
VERDICTS = ("allow", "warn", "remind", "ask", "deny", "stop")
Record = dict[str, Any]


def overview(asked: Mapping[str, str], status: str = "") -> str:
    """The page of everything: refusals, which rules spoke, sessions, policies.

    `asked` chooses what is shown: `verdict`, `rule`, `host`, `workspace` and a `text` in it; `page` counts from the
    latest; with `still` it does not follow what is decided.
    """
    records = _records()
    chosen = {name: asked[name] for name in CHOICES if asked.get(name)}
    records_of_session = [_event(record) for record in records if _fits(record, chosen)]
    loud = [
        event for event in records_of_session if chosen.get("verdict") or event["verdict"] != "allow" or event["errors"]
    ]
    spoken = loud[::-1]
    place = min(int(asked.get("page", "0")[:6]) if asked.get("page", "0").isdecimal() else 0, len(spoken) // LATEST)
    sessions: dict[str, list[Record]] = {}
    for record in records:
        sessions.setdefault(str(record.get("session", "")), []).append(record)
    shown = [_session(name, sessions[name]) for name in dict.fromkeys(event["session"] for event in records_of_session)]
    return _template().render(
        title="policy serve",
        version=__version__,
        chosen={name: chosen.get(name, "") for name in CHOICES},
        verdicts=VERDICTS,
        rules=_rules(records_of_session),
        sessions=sorted(shown, key=lambda each: -each["at"])[:SESSIONS],
        latest=_with_texts(spoken[place * LATEST : (place + 1) * LATEST]),
        newer=_address(chosen, place - 1) if place else "",
        older=_address(chosen, place + 1) if len(spoken) > (place + 1) * LATEST else "",
        here=_address(chosen, place),
        policies=_policies(records),
        events=None,
        status=status,
        still="still" in asked,
    )


def session_page(asked: Mapping[str, str]) -> str:
    """The latest events of the `session` that is asked for, oldest first; empty if nothing is known of it."""
    session = asked.get("session", "")
    records = [record for record in _records() if str(record.get("session", "")) == session]
    if not records:
        return ""
    began: dict[Any, int] = {}
    events, before = [], 0
    for record in records:
        event, at = _event(record), at if isinstance(at := record.get("time"), int) else 0
        event["pause"] = _seconds(at - before) if before and at - before >= PAUSE else ""
        call = ((record.get("input") or {}).get("tool") or {}).get("id")
        event["took"] = _seconds(at - began.pop(call)) if call in began and event["result"] else ""
        if call and not event["result"]:
            began[call] = at
        before = at
        events.append(event)
    return _template().render(
        title=f"session {session}",
        version=__version__,
        events=_with_texts(events[-EVENTS:]),
        here=_address({"session": session}),
        still="live" not in asked,
    )


def _fits(record: Record, chosen: Mapping[str, str]) -> bool:
    """Return whether a record is one of those that are asked for."""
    names = [str(rule.get("rule", "")) for rule in record.get("rules") or () if isinstance(rule, dict)]
    has = {"verdict": str(record.get("verdict", "")), "rule": " ".join(names), "host": str(record.get("host", "")),
           "workspace": _workspace(record)}  # fmt: skip
    has["text"] = json.dumps(record, ensure_ascii=False).casefold() if "text" in chosen else ""
    return all((wanted.casefold() if name == "text" else wanted) in has[name] for name, wanted in chosen.items())


def _rules(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return how often each rule spoke, refused and was undecided, the most frequent first."""
    counts: dict[str, dict[str, Any]] = {}
    for event in events:
        for rule in event["rules"]:
            one = counts.setdefault(rule["name"], {"name": rule["name"], "spoke": 0, "refused": 0, "undecided": 0})
            one["spoke"] += 1
            one["refused"] += rule["verdict"] in ("ask", "deny", "stop")
            one["undecided"] += rule["outcome"] == "undecided"
    return sorted(counts.values(), key=lambda one: (-one["spoke"], one["name"]))[:RULES]


def _address(asked: Mapping[str, str], place: int = 0) -> str:
    """Return the address of a page, to which more can be added."""
    given = urlencode({**asked, **({"page": place} if place else {})})
    return f"/?{given}&" if given else "/?"


def _seconds(ms: int) -> str:
    return f"{ms / 1000:.1f} s" if ms < 60_000 else f"{ms // 60_000} min"


def style() -> str:
    """The style sheet."""
    return _file("page.css")


def script() -> str:
    """The script, which follows what is decided."""
    return _file("page.js")


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
        "workspace": next((workspace for record in reversed(records) if (workspace := _workspace(record))), ""),
        "at": at if isinstance(at := last.get("time"), int) else 0,
        "time": _clock(last.get("time")),
        "events": len(records),
        "verdicts": sorted(verdicts.items()),
        "last": action_of(given or last, SHORT),
        "state": _state(last),
    }


def _state(last: Record) -> str:
    """Return what a session's last event made of it."""
    if last.get("verdict") == "stop":
        return f"stopped: {last.get('stop_reason') or 'a person takes over'}"
    return "ended" if last.get("hook") == "session_end" else ""


def _event(record: Record) -> dict[str, Any]:
    given = record.get("input") if isinstance(record.get("input"), dict) else {}
    result = given.get("result") if given else None
    rules = [rule for rule in record.get("rules") or () if isinstance(rule, dict)]
    return {
        "time": _clock(record.get("time")),
        "session": str(record.get("session", "")),
        "hook": record.get("hook") or record.get("native") or "(not read)",
        "verdict": str(record.get("verdict", "")),
        "stop_reason": str(record.get("stop_reason") or ""),
        "id": str(record.get("event") or f"#{record.get('n', '')}"),
        "doing": action_of(given or record, SHORT),
        "pause": "",
        "took": "",
        "result": _ended(result),
        "printed": _short(result.get("text") or "")
        if given and isinstance(result := given.get("result"), dict)
        else "",
        "rules": [_rule(rule) for rule in rules],
        "errors": [str(error) for error in record.get("errors") or ()],
        "policy": str(record.get("policy", "")),
        "workspace": _workspace(record),
    }


def _with_texts(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Give each rule of these events its text, where the program that decided is still the one in force."""
    heads: dict[str, Head | None] = {}
    for event in events:
        place = event["workspace"]
        head = heads[place] if place in heads else heads.setdefault(place, head_of(place))
        for rule in event["rules"]:
            rule["text"] = text_at(head, rule["at"]) if head is not None and head.digest == event["policy"] else ""
    return events


def _rule(rule: Record) -> dict[str, Any]:
    because = [each for each in rule.get("because") or () if isinstance(each, dict)]
    return {
        "name": rule.get("rule", ""),
        "verdict": str(rule.get("verdict", "")),
        "outcome": rule.get("outcome", ""),
        "message": rule.get("message", ""),
        "at": str(rule.get("at", "")),
        "because": [
            (each.get("expr", ""), [(name, _short(value)) for name, value in (each.get("values") or {}).items()])
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


def _policies(records: list[Record]) -> list[dict[str, Any]]:
    """Return what is in force where something was decided lately, the latest first."""
    spoken: dict[str, set[str]] = {}
    for record in reversed(records):
        if (place := _workspace(record)).startswith("/"):
            spoken.setdefault(place, set()).update(_speakers(record))
    return [_policy(place, spoken[place]) for place in list(spoken)[:WORKSPACES]]


def _speakers(record: Record) -> set[str]:
    """Return the rules that said something at an event, enforced or not."""
    said = [*(record.get("rules") or ()), *(record.get("shadow") or ()), *(record.get("waived") or ())]
    return {str(rule.get("rule", "")) for rule in said if isinstance(rule, dict)}


def _policy(workspace: str, spoken: set[str]) -> dict[str, Any]:
    head = head_of(workspace)
    record = read_status(place_name(layer_folders(workspace)))
    state = "in force" if head is not None and unchanged(head) else "changed, or being read for the first time"
    rules = declared(workspace, head) if head is not None else ()
    return {
        "workspace": workspace,
        "state": state,
        "digest": head.digest if head is not None else "",
        "layers": record.layers if record is not None else (),
        "errors": (*head.lacking, *head.errors) if head is not None else (),
        "rules": rules,
        "silent": [rule for rule in rules if rule.name not in spoken],
    }


def _workspace(record: Record) -> str:
    given = record.get("input")
    workspace = given.get("workspace") if isinstance(given, dict) else None
    return workspace if isinstance(workspace, str) else ""


def _short(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= SHORT else f"{text[:SHORT]}…"


def _clock(at: object) -> str:
    try:
        return datetime.fromtimestamp(float(str(at)) / 1000, UTC).astimezone().strftime("%Y-%m-%d %H:%M:%S")
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
