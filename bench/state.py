"""A hundred hook processes at once → how long each takes, beside as many empty interpreters.

All start together; each process's time runs from its own start to its end, so that it holds the wait for a processor.
Crowds in turn: interpreters that do nothing, hooks whose policy needs no past, hooks that count in the store: of one
session and each of its own, in SQLite and, where a server is installed, in PostgreSQL.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from tests.end_to_end.host import POLICY, Host
from tests.faults.crowd import counting, crowd
from tests.postgres import binaries, keep_in, server

NUMBER = 100
ROUNDS = 3
BARE = (sys.executable, "-I", "-S", "-c", "pass")


@dataclass(frozen=True, slots=True)
class Row:
    """One kind of process: its p50, p99 and longest in s, the rounds' medians.

    `undecided`: how many in all rounds gave another answer than the policy's; `exact`: whether each was counted once.
    """

    kind: str
    processes: int
    p50: float
    p99: float
    longest: float
    undecided: int
    exact: bool

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def measure(tell: Callable[[str], None], number: int = NUMBER, rounds: int = ROUNDS) -> list[Row]:
    """Each kind in turn, round by round."""
    kinds = ["bare", "without a past", "counting", "counting, own sessions"]
    kinds += ["counting, PostgreSQL", "counting, own sessions, PostgreSQL"] if binaries() else []
    found: dict[str, list[tuple[list[float], int, bool]]] = {kind: [] for kind in kinds}
    for round_ in range(rounds):
        for kind, rows in found.items():
            tell(f"{number} processes at once, {kind}, round {round_ + 1}")
            with TemporaryDirectory() as folder:
                rows.append(_crowd(kind, number, Host(Path(folder).resolve())))
    return [_row(kind, number, rows) for kind, rows in found.items()]


def _crowd(kind: str, number: int, host: Host) -> tuple[list[float], int, bool]:
    """The sorted times, how many gave no verdict of the policy's, and whether each call was counted once."""
    own = "own" in kind
    if "PostgreSQL" in kind:
        keep_in(host, server().database())
    if "counting" in kind:
        counting(host, 2 if own else number + 1)
    else:
        host.write_policy(POLICY)
        host.warm()
    answered = crowd(host, number, command=BARE) if kind == "bare" else crowd(host, number, own=own)
    last = host.call(host.shell("ls", session_id=f"s-1-{number // 2}" if own else "s-1")).err
    exact = "counting" not in kind or f"count = {2 if own else number + 1}" in last
    return sorted(one.seconds for one in answered), sum(bool(one.done.err) for one in answered), exact


def _row(kind: str, number: int, rows: list[tuple[list[float], int, bool]]) -> Row:
    middle, last = number // 2, number * 99 // 100
    p50, p99, longest = (median(times[place] for times, _, _ in rows) for place in (middle, last, -1))
    return Row(kind, number, p50, p99, longest, sum(row[1] for row in rows), all(row[2] for row in rows))
