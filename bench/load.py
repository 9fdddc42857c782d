"""Policy folders → ms until an engine is ready: from text, from the cache, and after one file of many changed.

Each figure comes from processes of its own; the clock runs inside them, imports included, the interpreter's start
excluded. The cache is the hook's; since it is read piece by piece, its figure goes on to the first decision.
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

from bench.rules import Rule, policy_text, short_text, told_text
from bench.workload import make_rules, with_parsed_values

RULES = 10_000
FILES = 1_000
REPEATS = 5
_CHECKOUT = str(Path(__file__).resolve().parent.parent)

_LOAD = """
import time
start, busy = time.perf_counter(), time.process_time()
from policy_engine.bootstrap import Engine
engine = Engine.load(f"{workspace}/.policy", log=False)
ready, busy = time.perf_counter() - start, time.process_time() - busy
decision = engine.decide(event)
"""

_CACHE = """
import time
start, busy = time.perf_counter(), time.process_time()
from policy_engine.loading.live import live
from policy_engine.runtime.engine import Engine
from policy_engine.runtime.session import MemorySessions
program = live(workspace).program
engine = Engine(lambda: (program, ()), MemorySessions(), home, lambda: 0)
decision = engine.decide(event)
ready, busy = time.perf_counter() - start, time.process_time() - busy
"""

_RELOAD = """
import time
from policy_engine.bootstrap import Engine
engine = Engine.load(f"{workspace}/.policy", log=False)
engine.decide(event)
path = f"{workspace}/.policy/part-00000.policy"
text = open(path, encoding="utf-8").read()
again = "speaks again." if "speaks." in text else "speaks."
with open(path, "w", encoding="utf-8") as file:
    file.write(text.replace("speaks.", again).replace("speaks again.", again))
start, busy = time.perf_counter(), time.process_time()
engine.reload()
decision = engine.decide(event)
ready, busy = time.perf_counter() - start, time.process_time() - busy
assert again in decision.rules[0].message, decision.rules[0].message
"""

_FRAME = """
import json, sys
workspace, home, event = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
{measured}
peak = 0.0  # the kernel's own mark: what getrusage says is inherited from the parent
if sys.platform == "linux":
    lines = open("/proc/self/status").read().splitlines()
    peak = next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024
print(json.dumps({{"ms": ready * 1e3, "cpu": busy * 1e3, "mib": peak, "said": decision.verdict}}))
"""


@dataclass(frozen=True, slots=True)
class Row:
    """One figure: median of the repeats in ms, the least and the most, the median of the processor's time in ms, and
    the peak memory of the process in MiB (0 where the kernel does not tell)."""

    what: str
    rules: int
    files: int
    ms: float
    least: float
    most: float
    cpu: float
    mib: float

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def measure(rules: int = RULES, files: int = FILES, repeats: int = REPEATS) -> list[Row]:
    """All figures. Raises RuntimeError if a process fails or the loaded engine gives a wrong answer."""
    with TemporaryDirectory() as folder:
        one, many = Path(folder, "one"), Path(folder, "many")
        made = make_rules(rules)
        _write(one, made, 1)
        _write(many, made, files)
        rows = []
        for folder_of, count in ((one, 1), (many, files)):
            rows.append(_row("text to ready", rules, count, repeats, _LOAD, folder_of, fresh=True))
            rows.append(_row("cache to first decision", rules, count, repeats, _CACHE, folder_of, fresh=False))
        rows.append(_row("one changed file", rules, files, repeats, _RELOAD, many, fresh=False))
        for name, text_of in (("commands", policy_text), ("short", short_text), ("told", told_text)):
            _write(Path(folder, name), with_parsed_values(made), 1, text_of)
            for what, source in (("text to ready", _LOAD), ("cache to first decision", _CACHE)):
                fresh = source is _LOAD
                rows.append(_row(f"{what}, {name}", rules, 1, repeats, source, Path(folder, name), fresh))
        return rows


def _write(folder: Path, made: list[Rule], files: int, text_of: Callable[[list[Rule]], str] = policy_text) -> None:
    """The rules in `files` equal shares below `.policy`."""
    root = folder / ".policy"
    root.mkdir(parents=True)
    share = -(-len(made) // files)
    for number in range(files):
        text = text_of(made[number * share : (number + 1) * share])
        (root / f"part-{number:05d}.policy").write_text(text, encoding="utf-8")


def _row(what: str, rules: int, files: int, repeats: int, source: str, folder: Path, fresh: bool) -> Row:
    """A fresh home for every repeat, or one home that a first, unmeasured process has warmed."""
    found = []
    with TemporaryDirectory() as warm:
        if not fresh:
            _child(source, folder, Path(warm))
        for _ in range(repeats):
            with TemporaryDirectory() as cold:
                found.append(_child(source, folder, Path(cold if fresh else warm)))
    times = [result["ms"] for result in found]
    cpu, peak = median(result["cpu"] for result in found), max(result["mib"] for result in found)
    return Row(what, rules, files, median(times), min(times), max(times), cpu, peak)


def _child(source: str, folder: Path, home: Path) -> dict[str, Any]:
    environment = {"HOME": str(home), "PATH": os.environ.get("PATH", ""), "PYTHONPATH": _CHECKOUT}
    event = {
        "hook": "before_tool",
        "session": "session-load",
        "cwd": "/workspace",
        "workspace": "/workspace",
        "tool": {"name": "mcp__service_00002__delete", "kind": "mcp", "args": {}},
    }
    argv = [sys.executable, "-c", _FRAME.format(measured=source), str(folder), str(home), json.dumps(event)]
    done = subprocess.run(argv, env=environment, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"loading failed: {done.stderr[-2000:] or done.stdout}")
    result: dict[str, Any] = json.loads(done.stdout)
    if result["said"] != "warn":
        raise RuntimeError(f"the loaded engine says {result['said']} where warn is due")
    return result
