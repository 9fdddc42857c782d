"""An engine that watches, in bad weather: storms, lost notifications, files that change together, many decisions."""

from __future__ import annotations

import errno
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from policy_engine.bootstrap import Engine
from policy_engine.loading import debounce, sources, watcher
from policy_engine.loading.loader import Loaded
from tests.end_to_end.engines import shell, verdict
from tests.end_to_end.host import BROKEN, NO_LS, POLICY
from tests.end_to_end.test_watch import waits_for


def _replace(path: Path, text: str) -> None:
    scratch = path.with_suffix(".next")
    scratch.write_text(text)
    scratch.rename(path)


@pytest.mark.fault(96)
@pytest.mark.requirement("R8")
def test_a_storm_of_writes_ends_in_one_activation(
    engine: Engine, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hundred thousand writes of the same bytes: nothing is compiled for them, and the change after them is."""
    looks: list[Loaded] = []
    load = debounce.load

    def counted(*paths: object, **options: object) -> Loaded:
        found = load(*paths, **options)  # type: ignore[arg-type]
        looks.append(found)
        return found

    monkeypatch.setattr(debounce, "load", counted)
    path, good = folder / "main.policy", engine.program
    engine.watch()
    with path.open("r+b", buffering=0) as file:
        for _ in range(100_000):
            os.pwrite(file.fileno(), b"language 1", 0)
    assert engine.program is good
    _replace(path, NO_LS)
    assert waits_for(lambda: verdict(engine, "ls") == "deny")
    assert len({found.digest for found in looks}) == 2


@pytest.mark.fault(96)
@pytest.mark.requirement("R8")
def test_a_storm_that_does_not_end_delays_a_change_by_a_bounded_number_of_looks(
    engine: Engine, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever a storm touches, and however often: two looks that see the same bytes are enough."""
    path, slept = folder / "main.policy", []
    _replace(path, NO_LS)

    def storm(seconds: float) -> None:
        slept.append(seconds)
        os.utime(path)
        (folder / f"{len(slept)}.swp").touch()

    monkeypatch.setattr(debounce.time, "sleep", storm)
    assert engine.reload()
    assert verdict(engine, "ls") == "deny" and len(slept) <= 1
    assert debounce.LOOKS * debounce.RACY_NS <= 1_000_000_000


@pytest.mark.fault(96)
def test_what_is_never_twice_the_same_takes_effect_all_the_same(
    engine: Engine, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each look finds another whole file, put there by a rename; the last of them counts."""
    path, slept = folder / "main.policy", []

    def storm(seconds: float) -> None:
        slept.append(seconds)
        _replace(path, NO_LS + "#" * len(slept))

    storm(0)
    monkeypatch.setattr(debounce.time, "sleep", storm)
    assert engine.reload()
    assert (verdict(engine, "ls"), len(slept)) == ("deny", debounce.LOOKS)


@pytest.mark.fault(97)
@pytest.mark.requirement("R8")
@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EMFILE])
def test_without_notifications_it_polls(
    engine: Engine, folder: Path, monkeypatch: pytest.MonkeyPatch, error: int
) -> None:
    """The kernel's limits hold for the whole machine, so its answer is given instead of it."""
    said: list[str] = []

    def exhausted(*_: object, **__: object) -> None:
        raise OSError(error, os.strerror(error))

    monkeypatch.setattr(sys.stderr, "write", said.append)
    monkeypatch.setattr("watchdog.observers.api.BaseObserver.start", exhausted)
    engine.watch()
    assert any("no notifications" in line for line in said)
    _replace(folder / "main.policy", NO_LS)
    assert waits_for(lambda: verdict(engine, "ls") == "deny")


@pytest.mark.fault(97, 98)
@pytest.mark.requirement("R8")
def test_notifications_that_are_lost_cost_a_second(
    engine: Engine, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full queue drops events, and network file systems send none: the look every second needs neither."""
    monkeypatch.setattr(watcher, "_observe", lambda *_: None)
    engine.watch()
    _replace(folder / "main.policy", NO_LS)
    assert waits_for(lambda: verdict(engine, "ls") == "deny")


@pytest.mark.fault(98, 100)
@pytest.mark.requirement("R8")
def test_a_disk_whose_status_lies_is_read_again_all_the_same(
    engine: Engine, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everything that `stat` tells is as before, as a cache of a network file system may say for a while."""
    path = folder / "main.policy"
    path.write_text(POLICY + "#" * (len(NO_LS) - len(POLICY)))
    engine.reload()
    monkeypatch.setattr(sources, "_unchanged", lambda name, path, seen, found: found.before.get(path))
    path.write_text(NO_LS + "#" * (len(POLICY) - len(NO_LS)))
    assert not engine.reload()
    monkeypatch.setattr(watcher, "THOROUGH", 2)
    engine.watch()
    assert waits_for(lambda: verdict(engine, "ls") == "deny")


@pytest.mark.fault(101)
@pytest.mark.requirement("R7")
def test_two_files_that_change_together_take_effect_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / ".policy"
    folder.mkdir()
    texts = {"a": (POLICY, NO_LS), "b": (POLICY.replace("no-rm", "b-1"), NO_LS.replace("no-ls", "b-2"))}
    for name, (first, _) in texts.items():
        (folder / f"{name}.policy").write_text(first)
    engine = Engine.load(folder, log=False)
    _replace(folder / "a.policy", texts["a"][1])
    pauses: list[float] = []

    def second(seconds: float) -> None:
        if not pauses:
            _replace(folder / "b.policy", texts["b"][1])
        pauses.append(seconds)

    monkeypatch.setattr(debounce, "RACY_NS", 10**13)
    monkeypatch.setattr(debounce.time, "sleep", second)
    assert engine.reload()
    assert [rule.rule for rule in engine.decide(shell("rm a && ls")).rules] == ["b-2", "no-ls"]


@pytest.mark.fault(102, 103)
@pytest.mark.requirement("R7", "R8")
def test_each_of_many_decisions_comes_from_one_set_that_it_names(engine: Engine, folder: Path) -> None:
    path, digests = folder / "main.policy", {engine.program.digest: "no-rm"}
    _replace(path, NO_LS)
    engine.reload()
    digests[engine.program.digest] = "no-ls"
    stop = threading.Event()

    def change() -> None:
        number = 0
        while not stop.is_set():
            _replace(path, (POLICY, BROKEN, NO_LS)[number % 3])
            engine.reload()
            number += 1

    changing = threading.Thread(target=change)
    changing.start()
    try:
        with ThreadPoolExecutor(16) as pool:
            decisions = list(pool.map(lambda one: engine.decide(shell("rm a && ls", session=str(one))), range(600)))
    finally:
        stop.set()
        changing.join()
    for decision in decisions:
        assert [rule.rule for rule in decision.rules] == [digests[decision.policy]]
        assert not decision.errors or decision.policy in decision.errors[0]
    _replace(path, POLICY)
    engine.reload()
    assert (verdict(engine, "rm a"), engine.decide(shell("ls")).errors) == ("deny", ())
