"""A home of this process's own, a clock that stands still, and an engine between them."""

from __future__ import annotations

import os
import posix
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from policy_engine.adapters.base import Adapter
from policy_engine.hook_process.response_writer import ResponseWriter
from policy_engine.loading import live
from policy_engine.state.places import OWN_VARIABLES
from tests.unit.hook_process.clockwork import Clockwork, clockwork
from tests.unit.hook_process.desk import Desk
from tests.unit.hook_process.plain import plain


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home folder, which the engine's own folders are looked for in."""
    found = tmp_path / "home"
    found.mkdir(mode=0o700)
    for name in OWN_VARIABLES:
        monkeypatch.delitem(posix.environ, name.encode(), raising=False)
    monkeypatch.setitem(posix.environ, b"HOME", os.fsencode(found))
    return found


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clockwork:
    """Signals, timer, threads and clock of answering.py, turned by hand."""
    monkeypatch.delitem(posix.environ, b"POLICY_DEADLINE_MS", raising=False)
    return clockwork(monkeypatch)


@pytest.fixture
def start(clock: Clockwork) -> Iterator[Callable[..., ResponseWriter]]:
    """Makes an answer whose clock runs."""
    made = []

    def make(adapter: Adapter | None = None, native: str = "Before") -> ResponseWriter:
        found = ResponseWriter(adapter or plain(), native)
        found.start()
        made.append(found)
        return found

    yield make
    for each in made:
        each.stop()


@pytest.fixture
def desk(clock: Clockwork, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """An engine at a desk, with a workspace."""
    work = tmp_path / "work"
    (work / ".policy").mkdir(parents=True)
    found = Desk(home, work)
    monkeypatch.setattr(live, "live", lambda *given: found.look(*given))
    return found
