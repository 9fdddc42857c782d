"""`python -m tools.mutation map|run|again|report`: how many changes of the decision path the tests notice.

`map` learns which tests run which lines. `run` tries mutants in the order of their digests, equally many of each
group, until the number or the time is used up; the next `run` goes on where it ended, so that what was tried is a
uniform sample of each group. `again` tries the survivors once more with more tests, and with those named by `--also`,
which the map need not know. `report` prints the score.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import time
from collections import Counter, defaultdict
from itertools import chain, zip_longest
from typing import Any

from tools.mutation.mutants import ROOT, Mutant, all_mutants
from tools.mutation.quick import loop
from tools.mutation.running import KILLED, NONE, SURVIVED, TIMEOUT, UNTESTED, Workshop
from tools.mutation.selection import BUDGET, PATIENT, Selection, measure

FOLDER = ROOT / ".mutation"
MAP, RESULTS = FOLDER / "map.json", FOLDER / "results.jsonl"
QUICKLY = "quickly"  # not killed the quick way, and waits for the slower one


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("map", "run", "again", "report"))
    parser.add_argument("--number", type=int, default=1 << 30, help="mutants to try")
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--group", help="only this one")
    parser.add_argument("--also", nargs="*", default=[], help="tests that every mutant is tried with first")
    options = parser.parse_args()
    FOLDER.mkdir(exist_ok=True)
    if options.what == "map":
        return measure(MAP)
    if options.what == "report":
        return report()
    found = [mutant for mutant in shuffled() if options.group in (None, mutant.group)]
    done = results()
    budget = BUDGET
    if options.what == "run":
        waiting = [mutant for mutant in found if mutant.id not in done]
    else:
        budget = PATIENT
        waiting = [mutant for mutant in found if done.get(mutant.id, {}).get("outcome") in (SURVIVED, UNTESTED)]
    attempt(waiting[: options.number], options.seconds, budget, options.also)
    return report()


def shuffled() -> list[Mutant]:
    """Every mutant, the groups in turn, each in the order of its digests, which is one of chance and stays."""
    groups: dict[str, list[Mutant]] = defaultdict(list)
    for mutant in all_mutants():
        groups[mutant.group].append(mutant)
    for group in groups.values():
        group.sort(key=lambda mutant: mutant.id)
    return [mutant for mutant in chain(*zip_longest(*groups.values())) if mutant is not None]


def results() -> dict[str, dict[str, Any]]:
    """Mutant → the last that became of it."""
    lines = RESULTS.read_text("utf-8").splitlines() if RESULTS.exists() else []
    return {entry["id"]: entry for entry in map(json.loads, lines)}


def attempt(waiting: list[Mutant], seconds: float, budget: float, also: list[str]) -> None:
    """Try them, half of the time the quick way, then the slower way those that could not be tried so."""
    selection, workshop = Selection(MAP), Workshop(FOLDER / "copy")
    keep_passing(selection, workshop)
    begun = time.monotonic()
    child = os.fork()
    if child == 0:

        def told(mutant: Mutant, killer: str | None, took: float) -> bool:
            write(mutant, KILLED if killer else SURVIVED, killer or QUICKLY, took)
            return time.monotonic() < begun + seconds / 2

        loop(waiting, lambda mutant: selection.tests(mutant, budget), also, told)
        os._exit(0)
    os.waitpid(child, 0)
    known = results()
    for mutant in waiting:
        if time.monotonic() > begun + seconds:
            break
        if known.get(mutant.id, {}).get("by") == QUICKLY:
            workshop.told.unlink(missing_ok=True)
            outcome, took = _tried(mutant, selection, workshop, budget, also)
            by = workshop.told.read_text("utf-8").strip() if outcome == KILLED and workshop.told.exists() else ""
            write(mutant, outcome, by, took)


def write(mutant: Mutant, outcome: str, by: str, seconds: float) -> None:
    """Add what became of a mutant to the results."""
    entry = {name: getattr(mutant, name) for name in ("id", "group", "file", "line", "change", "wording")}
    with RESULTS.open("a", encoding="utf-8") as file:
        file.write(json.dumps({**entry, "outcome": outcome, "by": by, "seconds": round(seconds, 2)}) + "\n")


def _tried(
    mutant: Mutant, selection: Selection, workshop: Workshop, budget: float, also: list[str]
) -> tuple[str, float]:
    """A few tests first, then the others."""
    tests = selection.tests(mutant, budget)
    first = selection.first(tests)
    rounds = [also, first, [test for test in tests if test not in set(first)]]
    outcome, took = UNTESTED, 0.0
    for some in filter(None, rounds):
        outcome, more = workshop.tried(mutant, some, sum(selection.seconds.get(test, budget) for test in some))
        took += more
        if outcome != SURVIVED:
            break
    return outcome, round(took, 1)


def keep_passing(selection: Selection, workshop: Workshop) -> None:
    """A test that fails without a mutant would kill them all; which pass is found out once for each map."""
    known = FOLDER / "passing.json"
    if not known.exists() or known.stat().st_mtime < MAP.stat().st_mtime:
        known.write_text(json.dumps(sorted(workshop.passing(sorted(selection.seconds)))), "utf-8")
    selection.keep(json.loads(known.read_text("utf-8")))


def report() -> int:
    """Print the score of each group, then the survivors."""
    done = [entry for entry in results().values() if entry["outcome"] != NONE and entry.get("by") != QUICKLY]
    count = Counter((entry["group"], entry["outcome"]) for entry in done)
    sizes = Counter(mutant.group for mutant in all_mutants())
    for group, size in sizes.items():
        dead = count[group, KILLED] + count[group, TIMEOUT]
        tried = dead + count[group, SURVIVED] + count[group, UNTESTED]
        low, high = interval(dead, tried)
        print(f"{group:12} {size:6} mutants, {tried:5} tried, {dead:5} killed: "
              f"{100 * dead / max(tried, 1):.1f} % ({100 * low:.1f}–{100 * high:.1f})")  # fmt: skip
    for entry in sorted(done, key=lambda entry: (entry["file"], entry["line"])):
        if entry["outcome"] in (SURVIVED, UNTESTED):
            print(f"{entry['outcome']} {entry['id']} {entry['file']}:{entry['line']} {entry['change']}")
    return 0


def interval(part: int, whole: int) -> tuple[float, float]:
    """Wilson's interval of a share, at 95 %."""
    if not whole:
        return 0.0, 1.0
    z, share = 1.96, part / whole
    middle = share + z * z / (2 * whole)
    half = z * math.sqrt(share * (1 - share) / whole + z * z / (4 * whole * whole))
    return (middle - half) / (1 + z * z / whole), (middle + half) / (1 + z * z / whole)


if __name__ == "__main__":
    sys.exit(main())
