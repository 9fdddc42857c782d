"""Sizes → rows of µs per decision for the engine, the limit and the peers, in interleaved rounds of one run.

Before anything is timed every contestant answers its events and is compared with the limit: one different answer
stops the run and is printed with its event. Then rounds: in each, every contestant decides its events one by one.
An event's time is the median of its rounds, so that a neighbour's burst on the machine does not count; p50, mean and
p99 are taken over events, `tail` is the p99 of all single measurements, bursts and collections included.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from time import perf_counter, perf_counter_ns
from typing import Any

from bench.limit import LIMIT
from bench.peers.base import Decider, Peer
from bench.rules import Rule
from bench.workload import Event, make_events, make_rules

EVENTS = 1_000
ROUNDS = 9
SECONDS = 3.0  # aimed at for all rounds of one contestant at one size
FEWEST = 10  # events that even the slowest contestant decides; the stream's first ten hold a match
QUICK = 2e-4  # seconds per event below which a contestant decides all events, even if its first ones were cold
PATIENCE = 10.0  # seconds after which a contestant takes part in no further round, once it has done two


class Disagreement(Exception):
    """A contestant's answer differs from the limit's."""


@dataclass(frozen=True, slots=True)
class Row:
    """One contestant at one size. Times in µs per event, `ready` (rules → decider) in ms."""

    name: str
    version: str
    rules: int
    events: int
    rounds: int
    matching: int
    ready: float
    p50: float
    mean: float
    p99: float
    tail: float

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


class Lane:
    """One contestant, loaded, with its requests and its times."""

    def __init__(self, peer: Peer, rules: list[Rule]) -> None:
        start = perf_counter()
        self.peer = peer
        self.decider: Decider = peer.load(rules)
        self.ready = (perf_counter() - start) * 1e3
        self.requests: list[Any] = []
        self.times: list[list[int]] = []
        self.matching = 0
        self.spent = 0.0

    def agree(self, events: Sequence[Event], limit: Decider, rounds: int, seconds: float) -> None:
        """Compare answers; take as many events as the time allows. Raises Disagreement."""
        spent, budget = 0.0, seconds / (rounds + 1)
        for event in events:
            request = self.decider.prepare(event)
            start = perf_counter()
            outcome = self.decider.decide(request)
            spent += perf_counter() - start
            actual, expected = self.decider.answer(outcome), limit.answer(limit.decide(limit.prepare(event)))
            if actual != expected:
                raise Disagreement(f"{self.peer.name}: {actual} instead of {expected} for {event}")
            self.requests.append(request)
            self.matching += actual[0] != "allow"
            if spent > budget and len(self.requests) >= FEWEST and spent > QUICK * len(self.requests):
                break
        self.times = [[] for _ in self.requests]

    def round(self) -> None:
        """Decide every event once and note its time; a contestant that is out of patience sits the round out."""
        if self.spent > PATIENCE and len(self.times[0]) >= 2:
            return
        began = perf_counter()
        decide: Callable[[Any], Any] = self.decider.decide
        clock = perf_counter_ns
        for request, times in zip(self.requests, self.times, strict=True):
            start = clock()
            decide(request)
            end = clock()
            times.append(end - start)
        self.spent += perf_counter() - began

    def row(self, rules: int) -> Row:
        """The figures of all rounds."""
        typical = sorted(median(times) / 1e3 for times in self.times)
        every = sorted(time / 1e3 for times in self.times for time in times)
        return Row(
            self.peer.name,
            self.peer.version,
            rules,
            len(typical),
            len(self.times[0]),
            self.matching,
            self.ready,
            _quantile(typical, 0.5),
            sum(typical) / len(typical),
            _quantile(typical, 0.99),
            _quantile(every, 0.99),
        )


def _quantile(ordered: Sequence[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def clock_floor() -> float:
    """µs that an empty measurement shows; contained in every figure, never subtracted."""
    times = []
    for _ in range(10_000):
        start = perf_counter_ns()
        end = perf_counter_ns()
        times.append(end - start)
    return median(times) / 1e3


def measure(
    peers: Sequence[Peer],
    size: int,
    events: int = EVENTS,
    rounds: int = ROUNDS,
    seconds: float = SECONDS,
    tell: Callable[[str], None] = lambda line: None,
) -> list[Row]:
    """One size, all contestants. Raises Disagreement before anything is timed."""
    rules = make_rules(size)
    stream = make_events(rules, events)
    reference = LIMIT.load(rules)
    lanes = []
    for peer in peers:
        tell(f"{size:,} rules · {peer.name}: load and compare")
        lane = Lane(peer, rules)
        lane.agree(stream, reference, rounds, seconds)
        lanes.append(lane)
    gc.collect()
    gc.freeze()  # what one contestant has loaded must not make the collector's passes dear for another
    for number in range(rounds):
        tell(f"{size:,} rules · round {number + 1} of {rounds}")
        for lane in lanes:
            lane.round()
    gc.unfreeze()
    return [lane.row(size) for lane in lanes]
