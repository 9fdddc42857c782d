"""Recorded behaviour of other systems → the same situation put to our engine, and whether it answers alike.

    python tools/seed_cases.py FILE...      from the root of the repository; a FILE has one case (JSON) per line

A case is answered by the member of tools/seeds/ that has its area. Prints what failed, every skip with its reason, and
closes with `N passed, M failed, K skipped`; the exit status is 0 only if nothing failed. Cases marked `quirk` or
`pitfall` are defects: there our answer must differ.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tools.seeds.base import Area, Case

ROOT = Path(__file__).resolve().parent.parent
DEFECTS = ("quirk", "pitfall")


def main(names: list[str]) -> int:
    """Run the files; the exit status."""
    sys.path.insert(0, str(ROOT))
    areas = members()
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for case in cases(names):
        outcome, lines = judged(case, areas)
        counts[outcome] += 1
        if lines:
            print(f"{outcome}  {case.id}  {case.area}  {case.name}", *lines, sep="\n    ")
    if not any(counts.values()):
        print("no case was read")
        counts["failed"] = 1
    print(", ".join(f"{count} {outcome}" for outcome, count in counts.items()))
    return 1 if counts["failed"] else 0


def members() -> dict[str, Area]:
    """Every area that a file of a family below tools/seeds answers."""
    found: dict[str, Area] = {}
    for path in sorted((ROOT / "tools/seeds").glob("*/*.py")):
        if path.stem != "__init__":
            module = import_module(f"tools.seeds.{path.parent.name}.{path.stem}")
            found.update(getattr(module, "AREAS", {}))
    return found


def cases(names: list[str]) -> Iterator[Case]:
    """The cases of the files, in their order."""
    from tools.seeds.base import Case

    for name in names:
        for line in Path(name).read_text("utf-8").splitlines():
            if line.strip():
                raw: dict[str, Any] = json.loads(line)
                mark = raw.get("mark", "")
                yield Case(raw["id"], raw["area"], raw["name"], raw["given"], raw["expect"] or {}, mark)


def judged(case: Case, areas: dict[str, Area]) -> tuple[str, list[str]]:
    """How a case ended, and what is to be told of it."""
    from tools.seeds.base import SOUND, Skip, differences

    area = areas.get(case.area)
    if area is None:
        return "failed", [f"nobody answers the area `{case.area}`"]
    if case.mark not in ("", *DEFECTS):
        return "failed", [f"the mark `{case.mark}` is not known"]
    try:
        answer = area(case)
    except Skip as why:
        return "skipped", [str(why)]
    except Exception as problem:
        return "failed", [f"{type(problem).__name__}: {problem}"]
    found = differences(case.expect, answer)
    if case.mark not in DEFECTS:
        return ("failed", found) if found else ("passed", [])
    unanswered = [line for line in found if "gives no answer" in line]
    if unanswered:
        return "failed", unanswered
    if not found or answer.get(SOUND) is not True:
        return "failed", [f"this is a defect, and ours does not do better: {dict(answer)!r}"]
    return "passed", []


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
