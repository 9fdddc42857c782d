"""Render the page: sessions, decisions and why, policies in force. The only home of jinja2.

Everything that is shown was written by agents, hosts and repositories: the templates escape every value, characters
that a reader would obey are made visible. Its one script only fetches the page again, which works without it, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import jinja2

from policy_engine import __version__
from policy_engine.adapters.base import visible
from policy_engine.cache.reader import Head, unchanged
from policy_engine.loading.status import read_status
from policy_engine.model.layers import REPOSITORY
from policy_engine.serving.charts import HEIGHT, WIDTH, causes, charts
from policy_engine.serving.questions import Change, coverage_of, derivation_of, sources, tried, waiting
from policy_engine.serving.recent import Entry, Recent, clock, short
from policy_engine.serving.rules import declared, head_of, text_at
from policy_engine.state.places import layer_folders, place_name

SESSIONS, LATEST, EVENTS, WORKSPACES = 30, 25, 200, 12
RULES = 12  # of which it is told how often they spoke
PAUSE = 1000  # ms between two events that are shown
MAIN = "<main>\n"  # ends the head of a page, which is sent while the rest is made
CHOICES = ("verdict", "rule", "host", "workspace", "text", "since", "until")
VERDICTS = ("allow", "warn", "remind", "ask", "deny", "stop")


@dataclass(frozen=True, slots=True)
class Pages:
    """The pages over the end of the decision log; "" is a page of which nothing is known."""

    recent: Recent = field(default_factory=Recent)

    def overview(self, asked: Mapping[str, str], status: str = "", approves: bool = False) -> Iterator[str]:
        """Yield the page of everything: its head, then refusals, which rules spoke, sessions, policies.

        A browser shows the head, and fetches the style, while the rest is made of thousands of decisions.

        Args:
            asked: chooses what is shown: `verdict`, `rule`, `host`, `workspace`, a `text` in it, `since` and `until`
                (ISO 8601, local time); `page` counts from the latest; with `still` it does not follow what is decided.
            status: says how the resident engine does.
            approves: whether a call that waits can be approved on a page.
        """
        chosen = {name: asked[name] for name in CHOICES if asked.get(name)}
        pieces = (
            _templates()
            .get_template("overview.html")
            .generate(
                version=__version__,
                title="policy serve",
                chosen={name: chosen.get(name, "") for name in CHOICES},
                verdicts=VERDICTS,
                status=status,
                here=_address(chosen, int(asked["page"][:6]) if asked.get("page", "").isdecimal() else 0),
                still="still" in asked,
                approves=approves,
                shown=lambda: self._shown(asked, chosen),
            )
        )
        head = [next(pieces)]
        while not head[-1].endswith(MAIN):
            head.append(next(pieces))
        yield "".join(head)
        yield "".join(pieces)

    def _shown(self, asked: Mapping[str, str], chosen: Mapping[str, str]) -> dict[str, Any]:
        """Return what the overview shows of the log."""
        entries = self.recent.entries()
        fitting = [entry for entry in entries if _fits(entry, chosen)] if chosen else entries
        loud = [
            entry.shown for entry in fitting
            if chosen.get("verdict") or entry.shown["verdict"] != "allow" or entry.shown["errors"]
        ][::-1]  # fmt: skip
        number = int(asked["page"][:6]) if asked.get("page", "").isdecimal() else 0
        place = min(number, len(loud) // LATEST)
        return {
            "charts": charts(fitting),
            "size": (WIDTH, HEIGHT),
            "causes": causes(fitting),
            "rules": _rules(fitting),
            "sessions": _sessions(entries, {entry.session for entry in fitting}),
            "latest": _with_texts(loud[place * LATEST : (place + 1) * LATEST]),
            "newer": _address(chosen, place - 1) if place else "",
            "older": _address(chosen, place + 1) if len(loud) > (place + 1) * LATEST else "",
            "policies": _policies(entries),
            "waiting": waiting(),
        }

    def session(self, asked: Mapping[str, str]) -> str:
        """Return the page of the latest events of the `session` that is asked for, oldest first."""
        session = asked.get("session", "")
        entries = [entry for entry in self.recent.entries() if entry.session == session]
        if not entries:
            return ""
        return _render(
            "session.html",
            title=f"session {session}",
            session=session,
            events=_with_texts(_in_time(entries)[-EVENTS:]),
            here=_address({"session": session}),
            still="live" not in asked,
        )

    def why(self, asked: Mapping[str, str]) -> str:
        """Return the page of one decision, the record with the number `n`, with what each rule saw."""
        entry = next((one for one in self.recent.entries() if one.shown["number"] == asked.get("n")), None)
        if entry is None:
            return ""
        [event] = _with_texts([dict(entry.shown)])
        answer = derivation_of(event["number"])
        return _render("why.html", title=f"decision {event['number']}", event=event, answer=answer, still=True)

    def coverage(self, asked: Mapping[str, str]) -> str:
        """Return the page of what the sessions of a `workspace` showed of its repository's rules."""
        workspace = asked.get("workspace", "")
        entries, folder = self._of(workspace)
        if not folder:
            return ""
        answer = coverage_of(folder, [entry.line for entry in entries])
        return _render("coverage.html", title="coverage", workspace=workspace, answer=answer, still=True)

    def change(self, asked: Mapping[str, str], text: str | None = None) -> str:
        """Return the page on which a `file` of a `workspace`'s policies is edited, with what `text` would change."""
        workspace = asked.get("workspace", "")
        entries, folder = self._of(workspace)
        files = sources(folder) if folder else {}
        if not files:
            return ""
        file = asked.get("file", "") if asked.get("file", "") in files else next(iter(files))
        answer: Change | None = None
        if text is not None:
            answer = tried(folder, file, text, [entry.line for entry in entries])
        return _render(
            "change.html",
            title="try a change",
            workspace=workspace,
            file=file,
            files=list(files),
            text=files[file] if text is None else text,
            answer=answer,
            still=True,
        )

    def request(self, name: str, approves: bool, error: str = "") -> str:
        """Return the page of one call that waits for a person, on which it is approved if that is possible."""
        one = next((each for each in waiting() if each["name"] == name), None)
        if one is None:
            return ""
        return _render("approve.html", title="approve a call", one=one, approves=approves, error=error, still=True)

    def _of(self, workspace: str) -> tuple[list[Entry], str]:
        """Return the latest sessions of a workspace, with the folder of its repository's policies if it has any."""
        entries = [entry for entry in self.recent.entries() if entry.workspace == workspace]
        if not entries or not workspace.startswith("/"):
            return [], ""
        latest = list(dict.fromkeys(entry.session for entry in reversed(entries)))[:SESSIONS]
        return [entry for entry in entries if entry.session in latest], dict(layer_folders(workspace)).get(
            REPOSITORY, ""
        )


def style() -> str:
    """The style sheet."""
    return Path(__file__).with_name("page.css").read_text("utf-8")


def script() -> str:
    """The script, which follows what is decided."""
    return Path(__file__).with_name("page.js").read_text("utf-8")


def _fits(entry: Entry, chosen: Mapping[str, str]) -> bool:
    """Return whether an entry is one of those that are asked for."""
    return (
        ("verdict" not in chosen or chosen["verdict"] in entry.shown["verdict"])
        and ("rule" not in chosen or any(chosen["rule"] in str(rule["name"]) for rule in entry.shown["rules"]))
        and ("host" not in chosen or chosen["host"] in entry.host)
        and ("workspace" not in chosen or chosen["workspace"] in entry.workspace)
        and ("since" not in chosen or entry.at >= _moment(chosen["since"], 0))
        and ("until" not in chosen or entry.at <= _moment(chosen["until"], entry.at))
        and ("text" not in chosen or entry.holds(chosen["text"]))
    )


@cache
def _moment(text: str, otherwise: int) -> int:
    """Return a local time in ms since the epoch; `otherwise` for what is none."""
    try:
        return int(datetime.fromisoformat(text).astimezone().timestamp() * 1000)
    except (ValueError, OverflowError, OSError):
        return otherwise


def _in_time(entries: Sequence[Entry]) -> list[dict[str, Any]]:
    """Return what is shown of a session's entries, with the pauses between them and how long each call took."""
    began: dict[str, int] = {}
    events, before = [], 0
    for entry in entries:
        event = dict(entry.shown)
        event["pause"] = _seconds(entry.at - before) if before and entry.at - before >= PAUSE else ""
        event["took"] = _seconds(entry.at - began.pop(entry.call)) if entry.call in began and event["result"] else ""
        if entry.call and not event["result"]:
            began[entry.call] = entry.at
        before = entry.at
        events.append(event)
    return events


def _rules(entries: Sequence[Entry]) -> list[dict[str, Any]]:
    """Return how often each rule spoke, refused and was undecided, the most frequent first."""
    counts: dict[str, dict[str, Any]] = {}
    for entry in entries:
        for rule in entry.shown["rules"]:
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


def _sessions(entries: Sequence[Entry], wanted: set[str]) -> list[dict[str, Any]]:
    """Return the wanted sessions, the one with the latest event first."""
    sessions: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry.session in wanted:
            sessions.setdefault(entry.session, []).append(entry)
    latest = sorted(sessions.items(), key=lambda each: -each[1][-1].at)[:SESSIONS]
    return [_session(name, of_session) for name, of_session in latest]


def _session(name: str, entries: list[Entry]) -> dict[str, Any]:
    verdicts: dict[str, int] = {}
    for entry in entries:
        verdicts[entry.shown["verdict"]] = verdicts.get(entry.shown["verdict"], 0) + 1
    last = entries[-1]
    return {
        "name": name,
        "host": last.host,
        "workspace": next((entry.workspace for entry in reversed(entries) if entry.workspace), ""),
        "time": clock(last.at),
        "events": len(entries),
        "verdicts": sorted(verdicts.items()),
        "last": last.shown["doing"],
        "state": _state(last),
    }


def _state(last: Entry) -> str:
    """Return what a session's last event made of it."""
    if last.shown["verdict"] == "stop":
        return f"stopped: {last.shown['stop_reason'] or 'a person takes over'}"
    return "ended" if last.point == "session_end" else ""


def _with_texts(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Give each rule of these events its text, where the program that decided is still the one in force."""
    heads: dict[str, Head | None] = {}
    for event in events:
        place = event["workspace"]
        head = heads[place] if place in heads else heads.setdefault(place, head_of(place))
        for rule in event["rules"]:
            rule["text"] = text_at(head, rule["at"]) if head is not None and head.digest == event["policy"] else ""
    return events


def _policies(entries: Sequence[Entry]) -> list[dict[str, Any]]:
    """Return what is in force where something was decided lately, the latest first."""
    spoken: dict[str, set[str]] = {}
    for entry in reversed(entries):
        if entry.workspace.startswith("/"):
            spoken.setdefault(entry.workspace, set()).update(entry.speakers)
    return [_policy(place, spoken[place]) for place in list(spoken)[:WORKSPACES]]


def _policy(workspace: str, spoken: set[str]) -> dict[str, Any]:
    head = head_of(workspace)
    record = read_status(place_name(layer_folders(workspace)))
    state = "in force" if head is not None and unchanged(head) else "changed, or being read for the first time"
    rules = declared(workspace, head) if head is not None else ()
    layers = record.layers if record is not None else ()
    return {
        "workspace": workspace,
        "state": state,
        "digest": head.digest if head is not None else "",
        "layers": layers,
        "own": any(layer.name == REPOSITORY and layer.files for layer in layers),
        "errors": (*head.lacking, *head.errors) if head is not None else (),
        "rules": rules,
        "silent": [rule for rule in rules if rule.name not in spoken],
    }


def _render(name: str, **values: Any) -> str:
    return _templates().get_template(name).render(version=__version__, **values)


@cache
def _templates() -> jinja2.Environment:
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).with_name("templates")),
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        finalize=lambda value: visible(value) if type(value) is str else value,  # what is marked up is ours
    )  # fmt: skip
    made.filters["plain"] = short
    return made
