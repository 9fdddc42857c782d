"""A session of a hundred thousand events → what an event costs early and late in it, in memory and in a store.

The late session is filled first; then both are asked in turn, event by event of the same kinds, so that a busy machine
is busy for both. `early` sessions begin anew after EARLY events. The size is that of the session's state (in a store:
of its file) at the end. Beside it, what it costs to compare a workspace of FILES files, next to `git status` on it.
"""

from __future__ import annotations

import marshal
import os
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from policy_engine import Engine
from policy_engine.history.snapshot import changes, taken
from policy_engine.history.watch import Watch, watched
from policy_engine.runtime.session import MemorySessions
from policy_engine.runtime.stored_sessions import StoredSessions, open_store

LATE = 100_000
EARLY, FIRST = 500, 100
PAIRS = 4_000
FILES = 100_000
REPEATS = 7
POLICY = """language 1
define source = glob("src/**")
define tests = command("pytest ...")
rule tested "Tests after the last change" {
  on before_completion
  when wrote(source)
  require command_success(tests) since wrote(source)
  deny "{last(wrote(source)).path} changed. Run the tests."
}
rule read-back "What was delivered was looked at" {
  on before_completion
  require every f in changed(glob("docs/**")) { read(f) since wrote(f) }
  deny "Read {f}."
}
rule slow "Not too many at once" {
  on before_tool(shell)
  when count(command_failure(tests), within: 10m) >= 50
  remind "Fifty failures in ten minutes."
}
limit circles "The same call over and over" {
  on after_tool
  repeats (tool.name, tool.args, result.digest) period 4
  at 50 remind "You turn in circles."
}
"""


@dataclass(frozen=True, slots=True)
class Row:
    """p50 in µs of an event early and late in a session, their ratio, and the size of the state in KiB."""

    store: str
    early: float
    late: float
    ratio: float
    size_early: float
    size_late: float

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Compared:
    """Medians in ms: the first snapshot, a comparison in which nothing changed, `git status`, and the ratio."""

    files: int
    first: float
    again: float
    git: float
    ratio: float

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def event(session: str, number: int) -> dict[str, Any]:
    """One of four events in turn: an edit, a proposed command, its failure or success, a read; a second apart."""
    clock = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(1_767_225_600 + number))
    said = {"session": session, "id": f"e{number}", "time": clock, "cwd": "/w", "workspace": "/w"}
    command = {"name": "Bash", "kind": "shell", "args": {"command": f"pytest tests/t{number // 4 % 3000}.py"}}
    result = {"ok": number % 3 != 0, "exit_code": int(number % 3 == 0), "text": f"{number} tests"}
    match number % 4:
        case 0:
            path = f"/w/src/f{number // 4 % 5000}.py"
            tool = {"name": "Edit", "kind": "edit", "args": {"file_path": path}}
            return {"hook": "after_tool", **said, "tool": tool, "result": {"ok": True, "text": ""}}
        case 1:
            return {"hook": "before_tool", **said, "tool": command}
        case 2:
            return {"hook": "after_tool", **said, "tool": command, "result": result}
        case _:
            path = f"/w/docs/d{number // 4 % 2000}.md"
            tool = {"name": "Read", "kind": "read", "args": {"file_path": path}}
            return {"hook": "after_tool", **said, "tool": tool, "result": {"ok": True, "text": "x"}}


def measure(tell: Callable[[str], None], late: int = LATE, pairs: int = PAIRS) -> list[Row]:
    """Both kinds of sessions."""
    with TemporaryDirectory() as folder:
        stored = [StoredSessions(open_store(str(Path(folder, name)))) for name in ("early.db", "late.db")]
        return [
            _row("memory", MemorySessions(), MemorySessions(), late, pairs, tell, _memory_size),
            _row("store", stored[0], stored[1], late, pairs, tell, lambda engine: _file_size(folder, engine)),
        ]


def _row(
    name: str, early: Any, late_sessions: Any, late: int, pairs: int, tell: Callable[[str], None], size: Any
) -> Row:
    young, old = (Engine.from_text(POLICY, sessions=sessions) for sessions in (early, late_sessions))
    tell(f"{late:,} events, {name}")
    for number in range(late):
        old.decide(event("old", number))
    tell(f"early and late in turn, {name}")
    times: tuple[list[int], list[int]] = ([], [])
    for session, number in _early(young, pairs):
        times[0].append(_timed(young, event(session, number)))
        times[1].append(_timed(old, event("old", late + len(times[1]) // 4 * 4 + number % 4)))
    first, last = (median(one) / 1e3 for one in times)
    return Row(name, first, last, last / first, size(young), size(old))


def _early(engine: Engine, pairs: int) -> Iterator[tuple[str, int]]:
    """Events FIRST to EARLY of one session after the other."""
    for round_ in range(-(-pairs // (EARLY - FIRST))):
        session = f"young-{round_}"
        for number in range(FIRST):
            engine.decide(event(session, number))
        yield from ((session, number) for number in range(FIRST, EARLY))


def _timed(engine: Engine, raw: dict[str, Any]) -> int:
    start = time.perf_counter_ns()
    engine.decide(raw)
    return time.perf_counter_ns() - start


def _memory_size(engine: Engine) -> float:
    """Of the session that was used last."""
    live = engine._sessions._live  # type: ignore[attr-defined]
    return len(marshal.dumps(live[next(reversed(live))].history.state)) / 1024


def _file_size(folder: str, engine: Engine) -> float:
    path = Path(engine._sessions._path)  # type: ignore[attr-defined]
    count = -(-PAIRS // (EARLY - FIRST)) if path.name == "early.db" else 1
    return path.stat().st_size / 1024 / count


def compare(tell: Callable[[str], None], files: int = FILES, repeats: int = REPEATS) -> Compared:
    """A workspace under git of so many files, 50 in a folder."""
    tell(f"a workspace of {files:,} files")
    parts = watched([("all", "latest", (("wrote", (("**",), ()), ()),), ())])
    assert parts is not None
    watch = Watch(parts)
    with TemporaryDirectory() as folder:
        root = os.path.realpath(folder)
        _fill(root, files)
        firsts, agains, gits = [], [], []
        git = ["git", "-C", root, "-c", "core.fsmonitor=false", "status", "--porcelain"]
        for _ in range(repeats):
            start = time.perf_counter()
            before = taken(root, watch, None)
            firsts.append(time.perf_counter() - start)
            start = time.perf_counter()
            assert changes(before, taken(root, watch, before), root, watch) == []
            agains.append(time.perf_counter() - start)
            start = time.perf_counter()
            subprocess.run(git, check=True, capture_output=True)
            gits.append(time.perf_counter() - start)
    first, again, status = (median(times) * 1e3 for times in (firsts, agains, gits))
    return Compared(files, first, again, status, median(a / g for a, g in zip(agains, gits, strict=True)))


def _fill(root: str, files: int) -> None:
    for number in range(files):
        if number % 50 == 0:
            place = Path(root, f"p{number // 2500}", f"m{number // 50}")
            place.mkdir(parents=True, exist_ok=True)
        (place / f"f{number}.py").write_text(f"x = {number}\n")
    who = ["-c", "user.name=bench", "-c", "user.email=bench@localhost", "-c", "gc.auto=0"]
    for words in (["init", "-q"], ["add", "."], [*who, "commit", "-qm", "all"]):
        subprocess.run(["git", "-C", root, *words], check=True, capture_output=True)
