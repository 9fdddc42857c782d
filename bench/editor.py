"""Measure how long after a keystroke an editor has its findings, in a set of a thousand rules.

One file of the set is changed at each keystroke; measured is what the language server does between the change and its
answer: checking the set again and putting the findings into the form of the protocol. The lints follow when nothing is
typed; they are measured apart.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from bench.rules import policy_text
from bench.workload import make_rules

RULES = 1_000
KEYS = 50


@dataclass(frozen=True, slots=True)
class Row:
    """Median and most of the keystrokes in ms, and the lints once in ms, for a set of so many files."""

    files: int
    keys: float
    longest: float
    lints: float

    def to_dict(self) -> dict[str, Any]:
        """The row as plain data."""
        return asdict(self)


def measure(tell: Callable[[str], None], rules: int = RULES, keys: int = KEYS) -> list[Row]:
    """Measure sets of the same rules in many files, in a few, and in one."""
    found = []
    for files in (rules // 10, rules // 100, 1):
        tell(f"editor, {rules:,} rules in {files} files")
        found.append(_row(rules, files, keys))
    return found


def _row(rules: int, files: int, keys: int) -> Row:
    from policy_engine.language_server.actions import diagnostic
    from policy_engine.language_server.project import Project

    made = make_rules(rules)
    each = rules // files
    with TemporaryDirectory() as folder:
        root = Path(folder, ".policy")
        root.mkdir()
        for number in range(files):
            (root / f"part-{number:05}.policy").write_text(
                policy_text(made[number * each : (number + 1) * each]), "utf-8"
            )
        path = root / "part-00000.policy"
        text = path.read_text("utf-8")
        project = Project(str(root))
        project.check({str(path): text.encode()})
        times = []
        for number in range(keys):
            typed = f"{text}\n# {'x' * number}\n".encode()
            start = perf_counter()
            project.check({str(path): typed})
            _ = [diagnostic(one) for some in project.findings().values() for one in some]
            times.append((perf_counter() - start) * 1e3)
        start = perf_counter()
        project.advise()
        return Row(files, median(times), max(times), (perf_counter() - start) * 1e3)
