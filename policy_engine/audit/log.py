"""Log decisions, and events that could not be decided. Imported by the hook path.

A record is the decision with the canonical event under `input`, so that it can be replayed. Secrets are replaced and
long texts are cut before anything is written; `altered` says so. `code` is the stable code of a failure. `seen` is
what the engine itself warned of and saw outside of the event, `held` are its own words about the run (stopped before,
refused too often): whoever decides again must be told both. `ms` is how long a host waited for its hook.
"""

from __future__ import annotations

import time

from policy_engine.audit.chain import WAIT_MS, add_all
from policy_engine.audit.secret_signs import may_hold_secret
from policy_engine.model.instant import time_text
from policy_engine.model.points import FAILURE_VERDICT, failure_verdict
from policy_engine.model.strict_json import write_json
from policy_engine.state.places import make_folder, state_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
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


def append(
    decision: Decision,
    event: Event | None,
    host: str,
    seen: str = "",
    held: Sequence[RuleResult] = (),
    ms: int | None = None,
) -> None:
    """Add a decision; None is an event that asks for none. `ms` is how long it took, if somebody waited for it.

    Raises OSError if it cannot be kept, ConfigurationError without a state folder.
    """
    record = record_of(decision, event, host, seen, held)
    if ms is not None:
        record["ms"] = ms
    write_record(record, state_folder())


def record_of(
    decision: Decision, event: Event | None, host: str, seen: str = "", held: Sequence[RuleResult] = ()
) -> dict[str, Any]:
    """Return what is kept of a decision, before anything secret is taken out; it has parts of the event itself."""
    if event is None:
        return record_from(decision.to_dict(), (None, None, None), host, seen, held)
    return record_from(decision.to_dict(), (event.raw, event.workspace, event.time), host, seen, held)


def record_from(
    settings_of_event: dict[str, Any],
    given: tuple[Any, ...],
    host: str,
    seen: str = "",
    held: Sequence[RuleResult] = (),
) -> dict[str, Any]:
    """Return the same from the decision's own form, and from the event, its workspace and its time."""
    raw, workspace, at = given
    record: dict[str, Any] = {"time": at if raw is not None else time.time_ns() // 1_000_000, "host": host}
    record.update(settings_of_event)
    code = settings_of_event["errors"][0].partition(":")[0] if settings_of_event["errors"] else ""
    if code[:2] == "E-":
        record["code"] = code
    if raw is not None:
        kept = {**raw, "workspace": workspace}
        if at is not None:
            kept.setdefault("time", time_text(at))
        record["input"] = kept
    if seen:
        record["seen"] = seen
    if held:
        record["held"] = [{name: getattr(one, name) for name in HELD} for one in held]
    return record


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
    write_record(record, state_folder(), LAST_WORDS_MS)


def _without_point(body: bytes, point: Any) -> bytes:
    """Return the record without the name of its lifecycle point, whose key `hook` is a sign of a secret elsewhere."""
    return (
        body.replace(b'"hook":"%b"' % point.encode(), b"") if type(point) is str and point in FAILURE_VERDICT else body
    )


def write_record(record: dict[str, Any], folder: str, wait_ms: int = WAIT_MS) -> None:
    """Add a record to the log in a state folder. Raises OSError if it cannot be kept."""
    write_bodies([body_of(record, folder)], folder, wait_ms)


def write_bodies(bodies: Sequence[bytes], folder: str, wait_ms: int = WAIT_MS) -> None:
    """Add what `body_of` made of records, in this order. Raises OSError if they cannot be kept."""
    path = f"{folder}/{FILE}"
    try:
        add_all(path, bodies, wait_ms)
    except FileNotFoundError:
        make_folder(folder)
        add_all(path, bodies, wait_ms)


def body_of(record: dict[str, Any], folder: str, may_hold: Callable[[bytes], bool] = may_hold_secret) -> bytes:
    """Return a record as it is kept in the log of a state folder: without secrets, and not too long."""
    body = write_json(record)
    if len(body) > RECORD_BYTES or may_hold(_without_point(body, record["hook"])):
        from policy_engine.audit.redaction import redacted

        body = write_json(redacted(record, f"{folder}/redaction.salt"))
    return body
