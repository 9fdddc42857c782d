"""A record of the decision log gives its event and its decision; one without an event says that it is missing."""

from __future__ import annotations

from typing import Any

from policy_engine.transcripts.base import Recorded
from tests.unit.commands.running import event
from tests.unit.transcripts.sources import read


def _record(**more: Any) -> dict[str, Any]:
    return {"host": "claude-code", "verdict": "allow", "stop_reason": None, "input": event(1), **more}


def test_a_record_gives_its_event_and_its_decision() -> None:
    record = _record()
    assert read(record) == [Recorded(1, event(1), record, True)]
    assert read(_record(altered=["redacted"]))[0].whole is False


def test_a_failure_has_no_decision_to_compare() -> None:
    failed = {"host": "h", "verdict": "deny", "code": "E-DEADLINE", "input": event(1)}
    assert read(failed, {"host": "h", "verdict": "deny", "code": "E-JSON"}) == [
        Recorded(1, event(1), None, True),
        Recorded(2, None),
    ]


def test_what_asked_for_no_decision_is_no_event() -> None:
    assert read(_record(input=None)) == []
