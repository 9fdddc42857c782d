"""kill -9 at random moments of processes that decide events of one session → what was lost, doubled or wrong: nothing.

The events report in turn that a file was written and that the tests passed; a limit counts them, and a rule holds a
push back until the tests passed after the last write. What was answered for has to be counted, once; what was killed
before its answer may be in the past, wholly, or not at all; and the rule has to fit what is in it.

    python -m tests.faults.kill 10000 [500]      kills of a forked engine, and of hook processes
"""

from __future__ import annotations

import json
import os
import random
import select
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from policy_engine.evaluators.base import Program
from policy_engine.loading.loader import load_text
from policy_engine.model.store_address import SESSIONS_FILE
from policy_engine.runtime.engine import Engine
from policy_engine.runtime.stored_sessions import StoredSessions, open_store, state_of
from policy_engine.stores.base import Store
from tests.end_to_end.host import COMMAND, Host

POLICY = """\
language 1

define source = glob("src/**")

rule tests-pass "Nothing is pushed before the tests passed" {
  severity high
  on before_tool(shell)
  when any c in commands { c.program == "git" }
  require command_success("pytest ...") since wrote(source)
  deny "Run the tests."
}

limit reports "Not too many" {
  on after_tool
  counts result.ok
  at 1000000 remind "That is a lot."
}
"""
STAGES = {
    b"b": "before the commit",
    b"c": "within the commit",
    b"d": "between commit and answer",
    b"a": "between events",
    b"": "before the first event",
}
PER_SESSION = 100  # kills, then the next session
LONGEST = 0.004  # seconds from a mark of the child to its end
_SECONDS = 60


@dataclass
class Found:
    """What came of the kills; everything below `stages` has to stay empty."""

    kills: int = 0
    answered: int = 0
    stages: Counter[str] = field(default_factory=Counter)
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    @property
    def faults(self) -> list[str]:
        return self.lost + self.doubled + self.wrong

    def __str__(self) -> str:
        stages = ", ".join(f"{count} {stage}" for stage, count in self.stages.most_common())
        return (
            f"{self.kills} kills ({stages}), {self.answered} events answered; {len(self.lost)} facts lost,"
            f" {len(self.doubled)} counted twice, {len(self.wrong)} wrong verdicts"
        )


class Oracle:
    """A session, and what it must have seen: `next` is the number of the next event, odd ones report the tests."""

    def __init__(self, name: str, place: str, found: Found, push: Callable[[str], bool]) -> None:
        self.name, self.place, self.found = name, place, found
        self.push = push
        self.next = self.counted = self.latest = 0

    def settle(self, answered: int, at_hand: bool) -> None:
        """After a kill: so many more events were answered, and then one was perhaps begun that was not."""
        self.found.answered += answered
        last = self.next + answered + at_hand
        now = counted(self.place, self.name)
        there = now - self.counted - answered
        if there < 0:
            self.found.lost.append(f"{self.name}: counted {now}, and {self.counted + answered} were answered")
        elif there > at_hand:
            self.found.doubled.append(f"{self.name}: counted {now} of {self.counted + answered + at_hand}")
        if answered or there > 0:
            self.latest = last - 1 if there or not at_hand else last - 2
        if self.push(self.name) != (self.latest % 2 == 1):
            self.found.wrong.append(f"{self.name}: after event {self.latest} of {now} the push was decided otherwise")
        self.counted, self.next = now, last


def counted(place: str, session: str) -> int:
    """How many events the limit counted."""
    store = open_store(place)
    try:
        state = state_of(store, session)
    finally:
        store.close()
    return int(state["rooms"].get("counts", {}).get("reports\0main", 0)) if state is not None else 0


def event(session: str, number: int) -> dict[str, Any]:
    """A report: of a write if the number is even, else of the tests."""
    if number % 2:
        tool = {"name": "Bash", "kind": "shell", "args": {"command": "pytest -q"}}
    else:
        tool = {"name": "Write", "kind": "write", "args": {"file_path": f"/w/src/f{number}", "content": ""}}
    result = {"ok": True, "exit_code": 0, "text": "", "status": "completed"}
    return {**_said(session, "after_tool"), "id": f"e{number}", "tool": tool, "result": result}


def _said(session: str, hook: str) -> dict[str, Any]:
    return {"hook": hook, "session": session, "cwd": "/w", "workspace": "/w", "time": "2026-01-01T00:00:00Z"}


# ---- a forked engine -------------------------------------------------------------------------------------------------


def _marking(place: str, pipe: int) -> Store:
    """Return a store that says when it commits."""
    store = open_store(place)
    commit = store.commit

    def marked(session: str, blob: bytes) -> None:
        os.write(pipe, b"c")
        commit(session, blob)
        os.write(pipe, b"d")

    store.commit = marked  # type: ignore[method-assign]
    return store


def _child(program: Program, place: str, pipe: int, oracle: Oracle) -> None:
    """Decide one event after the other, until the end."""
    own = Engine(lambda: (program, ()), StoredSessions(_marking(place, pipe)), None, lambda: 0)
    number = oracle.next
    while True:
        os.write(pipe, b"b")
        decision = own.decide(event(oracle.name, number))
        if decision.errors or decision.verdict != "allow":
            os.write(pipe, b"!")
        os.write(pipe, b"a")
        number += 1


def _killed(program: Program, place: str, oracle: Oracle, chance: random.Random) -> bytes:
    """The marks of one child up to its end; it is killed a little after one of them."""
    ours, theirs = os.pipe()
    process = os.fork()
    if not process:
        try:
            os.close(ours)
            _child(program, place, theirs, oracle)
        finally:
            os._exit(1)
    os.close(theirs)
    marks = b""
    target = chance.choice(b"bbccda")
    after = chance.randrange(4)
    while not (marks.count(target) > after) and select.select([ours], [], [], _SECONDS)[0]:
        mark = os.read(ours, 1)
        if not mark:
            raise AssertionError("the process ended by itself")
        marks += mark
        if mark == b"!":
            break  # a child that cannot answer may never come to its target
    until = time.perf_counter() + LONGEST * chance.random() ** 3
    while time.perf_counter() < until:
        pass  # a sleep would end too late
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    while more := os.read(ours, 1024):
        marks += more
    os.close(ours)
    return marks


def forked(kills: int, place: str, seed: int = 0) -> Found:
    """So many kills of a process that decides events with the engine, in the store at `place`."""
    chance = random.Random(seed)
    found = Found()
    program = load_text(POLICY).require_program()
    engine = Engine(lambda: (program, ()), StoredSessions(open_store(place)), None, lambda: 0)
    tool = {"name": "Bash", "kind": "shell", "args": {"command": "git push"}}

    def push(session: str) -> bool:
        decision = engine.decide({**_said(session, "before_tool"), "tool": tool})
        if decision.errors or any(rule.outcome == "undecided" for rule in decision.rules):
            found.wrong.append(f"{session}: {decision.errors or decision.rules}")
        return decision.verdict == "allow"

    oracle = Oracle("s-0", place, found, push)
    for number in range(kills):
        if number % PER_SESSION == 0:
            oracle = Oracle(f"s-{number // PER_SESSION}", place, found, push)
        marks = _killed(program, place, oracle, chance)
        found.kills += 1
        found.stages[STAGES[marks[-1:]]] += 1
        if b"!" in marks:
            found.wrong.append(f"{oracle.name}: an event was not answered with allow")
        oracle.settle(marks.count(b"a"), marks[-1:] in (b"b", b"c", b"d"))
    return found


# ---- hook processes --------------------------------------------------------------------------------------------------


def hooked(kills: int, host: Host, seed: int = 0, place: str = "") -> Found:
    """So many hook processes of one session, killed at a random moment, each followed by one that lives."""
    place = place or str(host.state / SESSIONS_FILE)
    chance = random.Random(seed)
    found = Found()
    host.write_policy(POLICY)
    host.warm()
    push = host.shell("git push")
    oracle = Oracle("s-1", place, found, lambda _: host.call(push).verdict == "allow")
    started = time.monotonic()
    for number in range(4):
        assert host.call(_native(host, number)).verdict == "allow"
    usual = (time.monotonic() - started) / 4
    oracle.settle(4, False)
    for _ in range(kills):
        answered = _hook_killed(host, oracle.next, chance.random() * usual * 1.2)
        found.kills += 1
        found.stages["after its answer" if answered else "before its answer"] += 1
        oracle.settle(answered, not answered)
        done = host.call(_native(host, oracle.next))
        if done.verdict != "allow" or done.err:
            found.wrong.append(done.err)
        oracle.settle(1, False)
    return found


def _native(host: Host, number: int) -> dict[str, Any]:
    """As `event`, in the host's words."""
    return host.ran("pytest -q", f"e{number}") if number % 2 else host.wrote(f"src/f{number}", f"e{number}")


def _hook_killed(host: Host, number: int, after: float) -> bool:
    """Whether the process ended by itself before it was killed."""
    host._ask(_native(host, number))  # the call is proposed before it ends
    given = host.home / "payload"
    given.write_text(json.dumps(_native(host, number)))
    files = [(os.POSIX_SPAWN_OPEN, 0, given, os.O_RDONLY, 0)]
    files += [(os.POSIX_SPAWN_OPEN, stream, "/dev/null", os.O_WRONLY, 0) for stream in (1, 2)]
    process = os.posix_spawn(COMMAND[0], [*COMMAND, "claude-code"], host.environment, file_actions=files)
    time.sleep(after)
    os.kill(process, signal.SIGKILL)
    _, status = os.waitpid(process, 0)
    return os.waitstatus_to_exitcode(status) == 0


def main(kills: int, hooks: int) -> int:
    """Both, with their figures; 1 if anything was lost, doubled or wrong."""
    with TemporaryDirectory() as folder:
        all_found = [forked(kills, str(Path(folder, SESSIONS_FILE)))]
        all_found.append(hooked(hooks, Host(Path(folder).resolve())))
    for name, found in zip(("engine", "hook process"), all_found, strict=True):
        sys.stdout.write("\n  ".join((f"{name}: {found}", *found.faults[:10])) + "\n")
    return int(any(found.faults for found in all_found))


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:]] or [1000]
    raise SystemExit(main(given[0], given[1] if len(given) > 1 else given[0] // 20))
