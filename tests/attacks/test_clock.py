"""A clock that is set while a session runs: limits neither begin anew nor fail as a fault of the engine."""

from __future__ import annotations

import pytest

from policy_engine.bootstrap import Engine
from policy_engine.hook_process import native
from policy_engine.model.errors import EventError
from policy_engine.model.instant import time_text

POLICY = """language 1
limit pushes "Two pushes in an hour" {
  on before_tool(shell)
  counts any c in commands { c matches "git push ..." } within 1h
  at 3 deny "The third push within an hour."
}
"""
HOUR = 3_600_000


def _push(engine: Engine, at: int) -> str:
    tool = {"name": "Bash", "kind": "shell", "args": {"command": "git push origin x"}}
    event = {"hook": "before_tool", "session": "s", "tool": tool, "workspace": "/tmp", "cwd": "/tmp"}
    return str(engine.decide({**event, "time": time_text(at)}).verdict)


@pytest.mark.parametrize("step", [2 * HOUR, 61_000, 400 * 24 * HOUR])
def test_a_clock_that_is_set_back_gives_no_new_pushes(step: int) -> None:
    engine = Engine.from_text(POLICY, log=False)
    start = 1_800_000_000_000
    assert [_push(engine, start), _push(engine, start + 1000)] == ["allow", "allow"]
    assert [_push(engine, start - step + number) for number in range(3)] == ["deny"] * 3


def test_processes_that_decide_at_once_are_no_clock_that_was_set() -> None:
    engine = Engine.from_text(POLICY, log=False)
    start = 1_800_000_000_000
    assert [_push(engine, start), _push(engine, start - 500), _push(engine, start - 800)] == ["allow", "allow", "deny"]


def test_an_hour_later_the_limit_begins_anew() -> None:
    engine = Engine.from_text(POLICY, log=False)
    start = 1_800_000_000_000
    assert [_push(engine, start + step) for step in (0, 1, 2 * HOUR)] == ["allow"] * 3


@pytest.mark.parametrize("now", [253_402_300_800_000_000_000, -1_000_000_000])
def test_a_clock_out_of_all_years_is_named(monkeypatch: pytest.MonkeyPatch, now: int) -> None:
    monkeypatch.setattr(native.time, "time_ns", lambda: now)
    with pytest.raises(EventError, match="1970 to 9999") as error:
        native._now()
    assert error.value.code == "E-TIME"
