"""Measure how long after a keystroke an editor has its findings, in a set of a thousand rules.

One file of the set is changed at each keystroke: in turn in a comment, in the title of a rule in the middle, in its
name, in a define that most rules use, and so that a rule is broken off. Measured is what the language server does
between the change and its answer: checking the set again and putting the findings into the form of the protocol; as
there, objects are collected when nothing is typed. Processor time is given beside the clock: it does not wait for
others. The lints follow in a thread; they are measured apart, and so are keystrokes while they run.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from threading import Thread
from time import perf_counter, thread_time
from typing import Any

from bench.rules import policy_text
from bench.workload import make_rules

RULES = 1_000
KEYS = 50


@dataclass(frozen=True, slots=True)
class Row:
    """Of so many rules in so many files: median and most of the keystrokes, the most of the processor for one, the most
    while lints run, the lints; ms.
    """

    rules: int
    files: int
    keys: float
    longest: float
    work: float
    beside: float
    lints: float

    def to_dict(self) -> dict[str, Any]:
        """The row as plain data."""
        return asdict(self)


def measure(tell: Callable[[str], None], rules: int = RULES, keys: int = KEYS) -> list[Row]:
    """Measure sets of the same rules in many files, in a few, and in one; and one file of more than 10,000 lines."""
    found = []
    for count, files in ((rules, rules // 10), (rules, rules // 100), (rules, 1), (rules * 9 // 5, 1)):
        tell(f"editor, {count:,} rules in {files} files")
        found.append(_row(count, files, keys))
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
                _with_define(policy_text(made[number * each : (number + 1) * each])), "utf-8"
            )
        path = root / "part-00000.policy"
        text = path.read_text("utf-8")
        project = Project(str(root))
        project.check({str(path): text.encode()})

        def typed(number: int) -> tuple[float, float]:
            start, work = perf_counter(), thread_time()
            project.check({str(path): _edited(text, number).encode()})
            _ = [diagnostic(one) for some in project.findings().values() for one in some]
            return (perf_counter() - start) * 1e3, (thread_time() - work) * 1e3

        gc.disable()
        times, works = zip(*map(typed, range(keys)), strict=True)
        gc.enable()
        project.check({str(path): text.encode()})
        start = perf_counter()
        project.advise()
        lints = (perf_counter() - start) * 1e3
        project.check({str(path): f"{text}\n".encode()})
        thread = Thread(target=project.advise)
        thread.start()
        beside = [typed(0)[0]]
        while thread.is_alive():
            beside.append(typed(len(beside))[0])
        return Row(rules, files, median(times), max(times), max(works), max(beside), lints)


def _with_define(text: str) -> str:
    """Return a policy in which many rules use a define."""
    return text.replace('else ""', "else nothing").replace("language 1\n", 'language 1\ndefine nothing = ""\n')


def _edited(text: str, number: int) -> str:
    """Return a policy with one more key, of the sort that `number` tells."""
    text = text.replace('nothing = "', f'nothing = "{"x" * (number // 5)}', 1)
    middle = text.index("\nrule ", len(text) // 2) + len("\nrule ")
    mark = "x" * (1 + number // 5)
    match number % 5:
        case 1:
            return f"{text}\n# {mark}\n"
        case 2:
            title = text.index('"', middle) + 1
            return f"{text[:title]}{mark}{text[title:]}"
        case 3:
            return f"{text[:middle]}{mark}{text[middle:]}"
        case 4:
            return text[: text.index("{", middle) + 1] + text[text.index("\nrule ", middle) :]
    return text
