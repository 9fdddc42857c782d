"""Many hook processes at once: each answers, and the session counts each call once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from policy_engine.adapters.base import Answer
from policy_engine.hook_process import witness
from policy_engine.hook_process.workspace import Beginning
from policy_engine.model.errors import StoreError
from policy_engine.model.event import Event
from policy_engine.state.session_file import BUSY_MS
from policy_engine.stores import sqlite
from policy_engine.stores.sqlite import SqliteStore
from tests.end_to_end.host import Host
from tests.end_to_end.native import Native
from tests.faults.crowd import POLICY, Answered, counting, crowd


def _all_allowed(found: list[Answered]) -> bool:
    """Whether each process had its turn in time; on a machine too busy for it, the others refused and said so."""
    late = [one.done for one in found if one.done.err or one.done.verdict != "allow"]
    assert [done.err for done in late if not done.refused or "E-" not in done.err] == []
    return not late


@pytest.mark.fault(78)
def test_a_crowd_is_counted_exactly(tmp_path: Path) -> None:
    host = Host(tmp_path)
    counting(host, 25)
    if _all_allowed(crowd(host, 24)):
        done = host.call(host.shell("ls"))
        assert done.refused and "That is enough." in done.err  # at the 25th, not before


@pytest.mark.fault(79)
def test_calls_that_come_sixteen_at_a_time_are_counted_exactly(tmp_path: Path) -> None:
    host = Host(tmp_path)
    counting(host, 49)
    if all(_all_allowed(crowd(host, 16)) for _ in range(3)):
        assert host.call(host.shell("ls")).refused


@pytest.mark.fault(88)
def test_who_waits_for_a_store_that_is_held_sleeps_for_a_bounded_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tmp_path.chmod(0o700)
    place = str(tmp_path / "state.db")
    holder = SqliteStore(place)
    holder.begin("s")
    naps: list[float] = []
    monkeypatch.setattr(sqlite.time, "sleep", naps.append)
    with pytest.raises(StoreError, match=r"^busy:"):
        SqliteStore(place).begin("s")
    assert 0.75 < sum(naps) <= BUSY_MS / 1000


@pytest.mark.fault(78)
def test_who_waits_behind_others_that_commit_waits_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tmp_path.chmod(0o700)
    place = str(tmp_path / "state.db")
    holder = SqliteStore(place)
    holder.begin("s")
    naps: list[float] = []

    def nap(seconds: float) -> None:
        """Meanwhile another event is over and the next one begins; the hundredth leaves the store alone."""
        naps.append(seconds)
        holder.commit("s", b"e")
        if len(naps) < 100:
            holder.begin("s")

    monkeypatch.setattr(sqlite.time, "sleep", nap)
    waiting = SqliteStore(place)
    assert waiting.begin("s") == b"e"
    assert len(naps) == 100 and sum(naps) > 1
    waiting.rollback()


@pytest.mark.fault(78)
@pytest.mark.parametrize("when", ["before it asks who knows the session", "before it makes the record", "after that"])
def test_the_first_event_of_a_session_that_another_one_overtakes_loses_no_past(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    host = Native("claude-code", tmp_path, monkeypatch)
    host.write_policy(POLICY.format(most=3))
    host.propose("ls", session_id="another")
    ask, keep = witness.missing_record, Beginning.keep
    overtaken: list[bytes] = []

    def overtake() -> None:
        if not overtaken:
            overtaken.append(b"")
            overtaken.append(host.propose("ls 2").stdout)

    def asking(event: Event, payload: Any, active: str) -> str:
        if when.startswith("before it asks"):
            overtake()
        found = ask(event, payload, active)
        if when.startswith("before it makes"):
            overtake()
        return found

    def keeping(beginning: Beginning) -> tuple[str, bool]:
        found = keep(beginning)
        overtake()
        return found

    monkeypatch.setattr(witness, "missing_record", asking)
    monkeypatch.setattr(Beginning, "keep", keeping)
    answers = [host.propose("ls 1"), host.propose("ls 3")]
    assert len(overtaken) == 2 and not host.adapter.denies("PreToolUse", Answer(stdout=overtaken[1]))
    assert [host.refuses_call(answer) for answer in answers] == [False, True]  # the third is the limit's own
    assert b"That is enough" in answers[1].stdout + answers[1].stderr
