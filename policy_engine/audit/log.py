"""Log decisions, and events that could not be decided. Imported by the hook path.

A record is the decision with the canonical event under `input`, so that it can be replayed. Secrets are replaced and
long texts are cut before anything is written; `altered` says so. `code` is the stable code of a failure. `seen` is
what the engine itself warned of and saw outside of the event, `held` are its own words about the run (stopped before,
refused too often): whoever decides again must be told both.
"""

from __future__ import annotations

import time

from policy_engine.audit.chain import WAIT_MS, add
from policy_engine.audit.secret_signs import may_hold_secret
from policy_engine.model.instant import time_text
from policy_engine.model.points import FAILURE_VERDICT, failure_verdict
from policy_engine.model.strict_json import write_json
from policy_engine.state.places import make_folder, state_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from policy_engine.model.decision import Decision, RuleResult
    from policy_engine.model.event import Event

FILE = "decisions.jsonl"
HELD = ("outcome", "verdict", "message", "reason")  # what a record keeps of each of them
RECORD_BYTES = 1 << 20  # a longer record has its longest texts cut
LAST_WORDS_MS = 50  # for the lock, when a process must end


def log_path() -> str:
    """Return where the log of this user is."""
    return f"{state_folder()}/{FILE}"


def append(decision: Decision, event: Event | None, host: str, seen: str = "", held: Sequence[RuleResult] = ()) -> None:
    """Add a decision; None is an event that asks for none.

    Raises OSError if it cannot be kept, ConfigurationError without a state folder.
    """
    at = event.time if event is not None else time.time_ns() // 1_000_000
    record: dict[str, Any] = {"time": at, "host": host}
    record.update(decision.to_dict())
    code = decision.errors[0].partition(":")[0] if decision.errors else ""
    if code[:2] == "E-":
        record["code"] = code
    if event is not None:
        given = {**event.raw, "workspace": event.workspace}
        if event.time is not None:
            given.setdefault("time", time_text(event.time))
        record["input"] = given
    if seen:
        record["seen"] = seen
    if held:
        record["held"] = [{name: getattr(one, name) for name in HELD} for one in held]
    _add(record, WAIT_MS)


def append_failure(host: str, native: str, point: str, code: str, text: str, raw: dict[str, Any] | None = None) -> None:
    """Add an event that could not be decided; `raw` is the canonical event if it is known. Raises as `append`."""
    known = raw if raw is not None else {}
    record: dict[str, Any] = {
        "time": time.time_ns() // 1_000_000,
        "host": host,
        "event": known.get("id", ""),
        "hook": known.get("hook", point),
        "session": known.get("session", ""),
        "verdict": failure_verdict(known.get("hook", point)),
        "rules": [],
        "errors": [f"{code}: {text}"],
        "code": code,
        "native": native,
    }
    if raw is not None:
        record["input"] = raw
    _add(record, LAST_WORDS_MS)


def _without_point(body: bytes, point: Any) -> bytes:
    """Return the record without the name of its lifecycle point, whose key `hook` is a sign of a secret elsewhere."""
    return (
        body.replace(b'"hook":"%b"' % point.encode(), b"") if type(point) is str and point in FAILURE_VERDICT else body
    )


def _add(record: dict[str, Any], wait_ms: int) -> None:
    body = write_json(record)
    if len(body) > RECORD_BYTES or may_hold_secret(_without_point(body, record["hook"])):
        from policy_engine.audit.redaction import redacted

        body = write_json(redacted(record, f"{state_folder()}/redaction.salt"))
    path = log_path()
    try:
        add(path, body, wait_ms)
    except FileNotFoundError:
        make_folder(path.rsplit("/", 1)[0])
        add(path, body, wait_ms)
