"""Canonical events are taken as they are, and what is none of a known form is refused."""

from __future__ import annotations

import pytest

from policy_engine.model.errors import ConfigurationError, EventError
from policy_engine.transcripts.base import Recorded
from tests.unit.commands.running import event
from tests.unit.transcripts.sources import read


def test_each_line_is_an_event() -> None:
    assert read(event(1), event(2)) == [Recorded(1, event(1)), Recorded(2, event(2))]


def test_a_line_that_cannot_be_read_is_counted_wherever_it_stands() -> None:
    bad = EventError("E-JSON", "line 1: no")
    assert [each.event for each in read(bad, event(1), bad)] == [bad, event(1), bad]
    assert read() == []


def test_what_holds_no_event_at_all_is_no_recording() -> None:
    with pytest.raises(ConfigurationError, match="no line of it is an event"):
        read(*(EventError("E-JSON", f"line {number}: no") for number in range(1863)))


def test_another_form_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="`a file` is no recording of a known form: "):
        read({"a": 1})
