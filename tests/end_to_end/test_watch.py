"""An engine that watches its policy follows every change by itself, and says on standard error what is broken."""

from __future__ import annotations

import os
import shutil
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from policy_engine.bootstrap import Engine
from tests.end_to_end.engines import shell, verdict
from tests.end_to_end.host import BROKEN, NO_LS, POLICY

WAIT = 60.0  # seconds; a change that is not seen by then is not seen


def waits_for(condition: Callable[[], bool]) -> bool:
    """Look until it holds; False if it does not within WAIT."""
    deadline = time.monotonic() + WAIT
    while not condition():
        if time.monotonic() > deadline:
            return False
        os.sched_yield()
    return True


@pytest.mark.fault(95, 103)
def test_a_watched_engine_follows_the_files(engine: Engine, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(sys.stderr, "write", said.append)
    engine.watch()
    path = folder / "main.policy"
    for text, command in ((NO_LS, "ls"), (POLICY, "rm a"), (NO_LS, "ls")):
        path.write_text(text)
        assert waits_for(lambda command=command: verdict(engine, command) == "deny")  # type: ignore[misc]
    scratch = folder / "next"
    scratch.write_text(BROKEN)
    scratch.replace(path)  # a file that is cut off first is an empty policy for a moment, and a good one
    assert waits_for(lambda: bool(engine.decide(shell("ls")).errors))
    assert verdict(engine, "ls") == "deny"
    assert waits_for(lambda: any("main.policy:4:6: error[" in line for line in said))
    path.write_text(POLICY)
    assert waits_for(lambda: verdict(engine, "rm a") == "deny" and not engine.decide(shell("rm a")).errors)


@pytest.mark.fault(56, 95)
@pytest.mark.requirement("R7")
def test_a_deleted_and_rebuilt_folder_is_found_again(engine: Engine, folder: Path) -> None:
    engine.watch()
    shutil.rmtree(folder)
    assert waits_for(lambda: bool(engine.decide(shell("ls")).errors))
    folder.mkdir()
    (folder / "main.policy").write_text(NO_LS)
    assert waits_for(lambda: verdict(engine, "ls") == "deny")


@pytest.mark.fault(103)
@pytest.mark.requirement("R7", "R8")
def test_broken_policies_that_come_and_go_never_decide(engine: Engine, folder: Path) -> None:
    """Each file is one of two good policies or neither; what decides is always one of the two."""
    path, scratch = folder / "main.policy", folder / "next"
    refusing_rm = engine.program.digest
    path.write_text(NO_LS)
    engine.reload()
    refusing_ls = engine.program.digest
    engine.watch()
    seen: set[tuple[str, str]] = set()
    stop = threading.Event()

    def decide() -> None:
        while not stop.is_set():
            decision = engine.decide(shell("ls"))
            seen.add((decision.policy, decision.verdict))

    thread = threading.Thread(target=decide)
    thread.start()
    for number in range(60):
        scratch.write_text((POLICY, BROKEN, NO_LS, BROKEN)[number % 4])
        scratch.rename(path)
    path.write_text(POLICY)
    settled = waits_for(lambda: verdict(engine, "rm a") == "deny" and not engine.decide(shell("rm a")).errors)
    stop.set()
    thread.join()
    assert settled
    # a session keeps what the policy that it began with refuses: then both are named
    good = {refusing_rm, refusing_ls}
    assert all({part if part.startswith("sha256:") else f"sha256:{part}" for part in policy.split("+")} <= good
               for policy, _ in seen)  # fmt: skip
    assert {verdict for policy, verdict in seen if policy == refusing_ls} <= {"deny"}
