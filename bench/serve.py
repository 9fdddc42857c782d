"""A resident engine and a payload → what an answer costs by each way to it, in turn, in one run.

`hook` is the registered process without a resident engine, `hook, resident` the same process while one is there,
`socket` one request to it from a process that lives on, `http` one to its HTTP door (a connection each). `at once` is
how many callers ask at the same time. Before timing, a call that must be refused is refused by every way.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from http.client import HTTPConnection
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from bench.hook import SCRIPT, Place, WrongAnswer, place, run
from bench.workload import make_rules, with_parsed_values
from policy_engine.hook_process.resident import ask
from policy_engine.hosts.layers import libraries

ROUNDS = 200
RULES = 1_000
CROWD = 8
ARGV = (sys.executable, "-I", "-S", SCRIPT, "claude-code")
Way = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Row:
    """One way to an answer: ms of the clock."""

    way: str
    at_once: int
    rounds: int
    p50: float
    p99: float

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def measure(tell: Callable[[str], None], rounds: int = ROUNDS, rules: int = RULES) -> list[Row]:
    """Every way, one caller at a time and then many. Raises WrongAnswer before timing."""
    made = with_parsed_values(make_rules(rules))
    refusal = next(rule for rule in make_rules(1_000) if rule.family == "tool-name" and rule.verdict == "deny")
    with place([*made, *([refusal] if refusal not in made else [])]) as here:
        canary = here.payload(refusal.tests[0].value, {"id": "7"}).read_bytes()
        payload = here.payload("Bash", {"command": "git status --short"})
        for _ in range(3):
            run(ARGV, here, payload)
        with resident(here) as (folder, address, token):
            ways = {
                "hook": lambda: _process(here, payload, {"XDG_STATE_HOME": str(here.root / "elsewhere")}),
                "hook, resident": lambda: _process(here, payload, {}),
                "socket": lambda: _socket(here, folder, payload.read_bytes(), False),
            }
            _socket(here, folder, canary, True)
            if address:
                ways["http"] = lambda: _http(address, token, payload.read_bytes(), False)
                _http(address, token, canary, True)
            rows = []
            for at_once in (1, CROWD):
                tell(f"serve, {at_once} at once")
                rows += _timed(ways, at_once, rounds)
            return rows


def _timed(ways: dict[str, Way], at_once: int, rounds: int) -> list[Row]:
    samples: dict[str, list[float]] = {way: [] for way in ways}
    with ThreadPoolExecutor(at_once) as callers:
        for _ in range(max(rounds // at_once, 2)):
            for way, once in ways.items():  # in turn, so that all see the same machine
                samples[way] += [each.result() for each in [callers.submit(once) for _ in range(at_once)]]
    return [
        Row(way, at_once, len(found), median(found), quantiles(found, n=100, method="inclusive")[98])
        for way, found in samples.items()
    ]


@contextmanager
def resident(here: Place) -> Iterator[tuple[str, str, str]]:
    """Its folder, and the address and token of its HTTP door, both empty where the libraries are not installed."""
    try:
        import jinja2  # noqa: F401
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError:
        door = []
    else:
        door = ["--http=0"]
    script = str(Path(SCRIPT).with_name("serve.py"))
    command = [sys.executable, "-I", "-S", script, *door, *libraries()]
    with subprocess.Popen(command, env=here.environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        folder = process.stdout.readline().split()[-1]
        address = process.stdout.readline().split()[2].removeprefix("http://").rstrip("/") if door else ""
        token = (Path(folder) / "token").read_text() if door else ""
        try:
            yield folder, address, token
        finally:
            process.terminate()


def _process(here: Place, payload: Path, more: dict[str, str]) -> float:
    clock, _, code = run(ARGV, Place(here.root, here.workspace, {**here.environment, **more}), payload)
    if code:
        raise WrongAnswer(f"the hook left with {code}")
    return clock


def _socket(here: Place, folder: str, data: bytes, refused: bool) -> float:
    environment = {os.fsencode(name): os.fsencode(value) for name, value in here.environment.items()}
    start = time.perf_counter()
    found = ask(("hook", "claude-code", None, os.fsencode(here.workspace), environment, data), folder)
    clock = time.perf_counter() - start
    if found is None or (found[0] == 2) is not refused:
        raise WrongAnswer(f"the resident engine said {found}")
    return clock * 1e3


def _http(address: str, token: str, data: bytes, refused: bool) -> float:
    start = time.perf_counter()
    connection = HTTPConnection(address, timeout=60)
    connection.request("POST", "/hook/claude-code", data, {"Authorization": f"Bearer {token}"})
    body = connection.getresponse().read()
    connection.close()
    clock = time.perf_counter() - start
    if ("hookSpecificOutput" in json.loads(body)) is not refused:
        raise WrongAnswer(f"the HTTP door said {body[:400]!r}")
    return clock * 1e3
