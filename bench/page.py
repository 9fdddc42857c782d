"""The page of `policy serve` over thousands of decisions → how long a browser waits for it, and how much it loads.

A real call is decided once; its record is written so many times, in sessions of a hundred, with every tenth refused.
`server` is what the page takes to arrive, `paint` what Chromium says of its first paint, from the start of the
navigation, medians in turn; `bare` is a style sheet shown as text, so what is above it is the page's. `largest` is
the largest part that is loaded. The log is read when the server starts.
"""

from __future__ import annotations

import importlib.util
import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from http.client import HTTPConnection
from statistics import median
from typing import Any

from bench.hook import Place, place
from bench.serve import resident
from bench.workload import make_rules, with_parsed_values
from tests.end_to_end.browser import PROGRAM, Browser

DECISIONS = 10_000
ROUNDS = 9
EACH = 100  # decisions of a session
PARTS = ("/page.js", "/style.css")
PAGES = {
    "bare": "/style.css",
    "overview": "/?still=1",
    "of a verdict": "/?still=1&verdict=deny",
    "of a text": "/?still=1&text=no+such+word",
    "session": "/?session=s-00001",
}
PAINT = "performance.getEntriesByType('paint').find((one) => one.name === 'first-contentful-paint')?.startTime"


@dataclass(frozen=True, slots=True)
class Row:
    """One page: ms until it came and until it was painted, and the KiB of its largest part."""

    page: str
    server: float
    paint: float
    largest: float

    def to_dict(self) -> dict[str, Any]:
        """The row as plain data."""
        return asdict(self)


def can_run() -> bool:
    """Return whether there is a browser, and what the page is served by."""
    return PROGRAM is not None and all(map(importlib.util.find_spec, ("jinja2", "starlette", "uvicorn")))


def measure(tell: Callable[[str], None], decisions: int = DECISIONS, rounds: int = ROUNDS) -> list[Row]:
    """Measure the overview, choices of it, and a session."""
    rules = [rule for rule in make_rules(1_000) if rule.family == "tool-name" and rule.verdict == "deny"][:1]
    with place(with_parsed_values(rules)) as here:
        with resident(here) as (_, address, token):
            _decide(here, address, token, rules[0].tests[0].value, decisions)
        with resident(here) as (_, address, token), Browser(here.root / "browser") as browser:
            _fetched(address, token, PAGES["overview"])  # it waits until the log was read
            served: dict[str, list[float]] = {name: [] for name in PAGES}
            painted: dict[str, list[float]] = {name: [] for name in PAGES}
            for number in range(rounds):
                tell(f"page, {decisions:,} decisions, round {number + 1}")
                for name, path in PAGES.items():
                    served[name].append(_fetched(address, token, path)[0])
                    browser.open("about:blank?")
                    browser.call("Page.navigate", url=f"http://x:{token}@{address}{path}")
                    painted[name].append(float(browser.until(f"document.readyState === 'complete' && ({PAINT})")))
            sizes = {
                name: max(_fetched(address, token, part)[1] for part in (path, *PARTS)) for name, path in PAGES.items()
            }
    return [Row(name, median(served[name]), median(painted[name]), sizes[name] / 1024) for name in PAGES]


def _fetched(address: str, token: str, path: str) -> tuple[float, int]:
    """Return the ms and the bytes of a part of the page."""
    start = time.perf_counter()
    connection = HTTPConnection(address, timeout=60)
    connection.request("GET", path, headers={"Authorization": f"Bearer {token}"})
    body = connection.getresponse().read()
    connection.close()
    return (time.perf_counter() - start) * 1e3, len(body)


def _decide(here: Place, address: str, token: str, refused: str, decisions: int) -> None:
    """Have two calls decided, and write their records until there are so many."""
    for tool in ("Bash", refused):
        payload = here.payload(tool, {"command": "git status --short", "id": "7"}).read_bytes()
        connection = HTTPConnection(address, timeout=60)
        connection.request("POST", "/hook/claude-code", payload, {"Authorization": f"Bearer {token}"})
        connection.getresponse().read()
        connection.close()
    [log] = here.root.rglob("decisions.jsonl")
    made = [json.loads(line) for line in log.read_bytes().splitlines()]
    allowed, denied = (next(one for one in made if one["verdict"] == verdict) for verdict in ("allow", "deny"))
    with log.open("a", encoding="utf-8") as file:
        for number in range(decisions):
            record = denied if number % 10 == 0 else allowed
            more = {"n": 1_000 + number, "session": f"s-{number // EACH:05}", "event": f"e-{number:06}"}
            more["time"] = record["time"] - (decisions - number) * 1_000
            file.write(json.dumps(record | more) + "\n")
