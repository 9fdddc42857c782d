"""One decision as a flat row, the same of a replay and of the decision log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from policy_engine.model.action import action_of
from policy_engine.model.errors import EventError
from policy_engine.model.instant import parse_time
from policy_engine.model.ladder import RANK
from policy_engine.model.replayed import path_of, person_of, repository_of

Named = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Row:
    """A decision and what it was about; "" and None stand for what is not recorded.

    `time` is in ms since the epoch, `number` that of the record in the log, `place` `file:line` of a recording. `rule`
    is the strictest that spoke, with its `outcome` and `message`; `cause` why a rule was undecided. `state` and `old`
    are what a replay says beside another policy. `rules` are all that spoke.
    """

    time: int | None
    number: int | None
    place: str
    session: str
    event: str
    host: str
    hook: str
    tool: str
    kind: str
    action: str
    path: str
    repository: str
    person: str
    verdict: str
    refused: bool
    undecided: bool
    rule: str
    outcome: str
    message: str
    cause: str
    policy: str
    state: str
    old: str
    rules: list[Named]


def row_of(record: Mapping[str, Any], event: Named, place: str = "", state: str = "", old: str = "") -> Row:
    """Return the row of a decision in its JSON form, with what the log has beside it, about a canonical event."""
    rules = [each for each in record.get("rules") or () if isinstance(each, dict)]
    given = [each for each in rules if each.get("verdict") == record.get("verdict")] or rules
    first: Named = next((each for each in given if each.get("outcome") != "undecided"), given[0] if given else {})
    reasons = [text for each in rules for text in each.get("undecided") or ()]
    tool, host = event.get("tool"), event.get("host")
    called = tool if isinstance(tool, dict) else {}
    number, verdict = record.get("n"), _text(record.get("verdict"))
    shown = _text(first.get("message")) or "; ".join(map(_text, record.get("errors") or ()))
    return Row(
        time=_time(record, event),
        number=number if type(number) is int else None,
        place=place,
        session=_text(record.get("session")),
        event=_text(record.get("event")),
        host=_text(record.get("host")) or _text(host.get("name") if isinstance(host, dict) else None),
        hook=_text(record.get("hook")),
        tool=_text(called.get("name")),
        kind=_text(called.get("kind")),
        action=action_of(event) if event else "",
        path=path_of(event),
        repository=repository_of(event),
        person=person_of(event),
        verdict=verdict,
        refused=RANK.get(verdict, 0) >= RANK["ask"],
        undecided=bool(reasons),
        rule=_text(first.get("rule")),
        outcome=_text(first.get("outcome")),
        message=" ".join(shown.split()),
        cause=_text(reasons[0]) if reasons else "",
        policy=_text(record.get("policy")),
        state=state,
        old=old,
        rules=[{name: _text(each.get(name)) for name in ("rule", "verdict", "outcome", "at")} for each in rules],
    )


def _time(record: Mapping[str, Any], event: Named) -> int | None:
    at = record.get("time")
    if type(at) is int:
        return at
    time = event.get("time")
    try:
        return parse_time(time) if isinstance(time, str) else None
    except EventError:
        return None


def _text(value: object) -> str:
    """The text, without halves of characters, which no file of text can hold."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else ""
