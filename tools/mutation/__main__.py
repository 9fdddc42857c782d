"""`python -m tools.mutation map|run|again|report`: how many changes of the decision path the tests notice.

`map` learns which tests run which lines. `run` tries mutants in an order that a seed shuffles, equally many of each
group, until the number or the time is used up; the next `run` goes on where it ended, so that what was tried is a
uniform sample of each group. `again` tries the survivors once more, after tests were added. `report` prints the score.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections import Counter, defaultdict
from itertools import chain, zip_longest
from random import Random
from typing import Any

from tools.mutation.mutants import ROOT, Mutant, all_mutants
from tools.mutation.running import KILLED, NONE, SURVIVED, TIMEOUT, UNTESTED, Workshop
from tools.mutation.selection import Selection, measure

FOLDER = ROOT / ".mutation"
MAP, RESULTS = FOLDER / "map.json", FOLDER / "results.jsonl"
SEED = 20261121


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("map", "run", "again", "report"))
    parser.add_argument("--number", type=int, default=1 << 30, help="mutants to try")
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--group", help="only this one")
    options = parser.parse_args()
    FOLDER.mkdir(exist_ok=True)
    if options.what == "map":
        return measure(MAP)
    if options.what == "report":
        return report()
    found = [mutant for mutant in shuffled() if options.group in (None, mutant.group)]
    done = results()
    if options.what == "run":
        waiting = [mutant for mutant in found if mutant.id not in done]
    else:
        waiting = [mutant for mutant in found if done.get(mutant.id, {}).get("outcome") in (SURVIVED, UNTESTED)]
    attempt(waiting[: options.number], options.seconds)
    return report()


def shuffled() -> list[Mutant]:
    """Every mutant, in an order that only the seed knows, the groups in turn."""
    groups: dict[str, list[Mutant]] = defaultdict(list)
    for mutant in all_mutants():
        groups[mutant.group].append(mutant)
    for group in groups.values():
        group.sort(key=lambda mutant: mutant.id)
        Random(SEED).shuffle(group)
    return [mutant for mutant in chain(*zip_longest(*groups.values())) if mutant is not None]


def results() -> dict[str, dict[str, Any]]:
    """Mutant → the last that became of it."""
    lines = RESULTS.read_text("utf-8").splitlines() if RESULTS.exists() else []
    return {entry["id"]: entry for entry in map(json.loads, lines)}


def attempt(waiting: list[Mutant], seconds: float) -> None:
    """Try them, writing down each result at once."""
    selection, workshop = Selection(MAP), Workshop(FOLDER / "copy")
    leave_out_failing(selection, workshop, waiting)
    end = time.monotonic() + seconds
    with RESULTS.open("a", encoding="utf-8") as file:
        for mutant in waiting:
            if time.monotonic() > end:
                break
            tests = selection.tests(mutant)
            outcome, took = workshop.tried(mutant, tests, sum(selection.seconds[test] for test in tests))
            entry = {name: getattr(mutant, name) for name in ("id", "group", "file", "line", "change", "wording")}
            file.write(json.dumps({**entry, "outcome": outcome, "seconds": took}) + "\n")
            file.flush()


def leave_out_failing(selection: Selection, workshop: Workshop, waiting: list[Mutant]) -> None:
    """A test that fails without a mutant would kill them all; which do is found once for each map."""
    known = FOLDER / "failing.json"
    if not known.exists() or known.stat().st_mtime < MAP.stat().st_mtime:
        tests = sorted({test for mutant in waiting for test in selection.tests(mutant)})
        known.write_text(json.dumps(workshop.failing(tests)), "utf-8")
    selection.leave_out(json.loads(known.read_text("utf-8")))


def report() -> int:
    """Print the score of each group, then the survivors."""
    done = [entry for entry in results().values() if entry["outcome"] != NONE]
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
