"""Policy folders → ms until an engine is ready: from text, from the cache, and after one file of many changed.

Each figure comes from processes of its own, started with an empty home; the clock runs inside them, from before
`Engine.load` to after it, imports that loading needs included, the interpreter's start excluded.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from bench.rules import policy_text
from bench.workload import make_rules

RULES = 10_000
FILES = 1_000
REPEATS = 5
_CHECKOUT = str(Path(__file__).resolve().parent.parent)

_LOAD = """
import json, resource, sys, time
from policy_engine import Engine
start = time.perf_counter()
engine = Engine.load(sys.argv[1])
ready = time.perf_counter() - start
event = json.loads(sys.argv[2])
verdict = engine.decide(event).verdict
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({"ms": ready * 1e3, "mib": peak, "said": verdict}))
"""

_RELOAD = """
import json, os, resource, sys, time
from policy_engine import Engine
engine = Engine.load(sys.argv[1])
engine.watch()
event = json.loads(sys.argv[2])
engine.decide(event)
path = sys.argv[3]
text = open(path, encoding="utf-8").read().replace("speaks.", "speaks again.")
with open(path + ".new", "w", encoding="utf-8") as file:
    file.write(text)
start = time.perf_counter()
os.replace(path + ".new", path)
while True:
    decision = engine.decide(event)
    if any("speaks again." in result.message for result in decision.rules):
        break
    if time.perf_counter() - start > 30:
        raise SystemExit("the change took no effect in 30 s")
    time.sleep(0.0005)  # lets the watching thread have the interpreter
ready = time.perf_counter() - start
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({"ms": ready * 1e3, "mib": peak, "said": decision.verdict}))
"""


@dataclass(frozen=True, slots=True)
class Row:
    """One figure: median of the repeats in ms, the least and the most, and the peak memory of the process in MiB."""

    what: str
    rules: int
    files: int
    ms: float
    least: float
    most: float
    mib: float

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def measure(rules: int = RULES, files: int = FILES, repeats: int = REPEATS) -> list[Row]:
    """The three figures. Raises RuntimeError if a process fails or the loaded engine gives a wrong answer."""
    with TemporaryDirectory() as folder:
        one, many = Path(folder, "one"), Path(folder, "many")
        _write(one, rules, 1)
        _write(many, rules, files)
        return [
            _row("text to ready", rules, 1, repeats, lambda home: _child(_LOAD, one, home), fresh=True),
            _row("cache to ready", rules, 1, repeats, lambda home: _child(_LOAD, one, home), fresh=False),
            _row("text to ready, many files", rules, files, 1, lambda home: _child(_LOAD, many, home), fresh=True),
            _row(
                "cache to ready, many files", rules, files, repeats, lambda home: _child(_LOAD, many, home), fresh=False
            ),
            _row("one changed file", rules, files, repeats, lambda home: _changed(many, home), fresh=False),
        ]


def _write(folder: Path, rules: int, files: int) -> None:
    """The rules in `files` equal shares below `.policy`."""
    root = folder / ".policy"
    root.mkdir(parents=True)
    made = make_rules(rules)
    share = -(-rules // files)
    for number in range(files):
        text = policy_text(made[number * share : (number + 1) * share])
        (root / f"part-{number:05d}.policy").write_text(text, encoding="utf-8")


def _changed(folder: Path, home: Path) -> dict[str, Any]:
    path = folder / ".policy" / "part-00000.policy"
    before = path.read_text(encoding="utf-8")
    try:
        return _child(_RELOAD, folder, home, str(path))
    finally:
        path.write_text(before, encoding="utf-8")


def _row(what: str, rules: int, files: int, repeats: int, once: Callable[[Path], dict[str, Any]], fresh: bool) -> Row:
    """A fresh home for every repeat, or one home that a first, unmeasured process has warmed."""
    found = []
    with TemporaryDirectory() as warm:
        if not fresh:
            once(Path(warm))
        for _ in range(repeats):
            if fresh:
                with TemporaryDirectory() as cold:
                    found.append(once(Path(cold)))
            else:
                found.append(once(Path(warm)))
    times = [result["ms"] for result in found]
    return Row(what, rules, files, median(times), min(times), max(times), max(result["mib"] for result in found))


def _child(source: str, folder: Path, home: Path, *arguments: str) -> dict[str, Any]:
    environment = {"HOME": str(home), "PATH": os.environ.get("PATH", ""), "PYTHONPATH": _CHECKOUT}
    event = {
        "hook": "before_tool",
        "session": "session-load",
        "cwd": "/workspace",
        "workspace": "/workspace",
        "tool": {"name": "mcp__service_00002__delete", "kind": "mcp", "args": {}},
    }
    argv = [sys.executable, "-c", source, str(folder / ".policy"), json.dumps(event), *arguments]
    done = subprocess.run(argv, env=environment, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"loading failed: {done.stderr[-2000:] or done.stdout}")
    result: dict[str, Any] = json.loads(done.stdout)
    if result["said"] != "warn":
        raise RuntimeError(f"the loaded engine says {result['said']} where warn is due")
    return result
