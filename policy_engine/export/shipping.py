"""Send the decision log on, batch by batch: from where it stopped, each record at least once.

A place on disk says up to which record everything arrived, and up to which it was begun. What was begun and not
confirmed may have arrived: it is sent again, marked as such, with the same id. Counts are kept with that place and sent
as totals, so that nothing is counted twice.
"""

from __future__ import annotations

import json
import uuid
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

from policy_engine.audit.reader import LogReader, Record
from policy_engine.export.row import Row, row_of
from policy_engine.model.errors import ConfigurationError
from policy_engine.state.own_file import read_own, replace_own

BATCH = 500  # records of one request
SETS = 2_000  # different attributes of one counter; those of further ones are left empty
DECISIONS, RULES, UNDECIDED = "policy.decisions", "policy.rule.results", "policy.undecided"
COUNTERS = {
    DECISIONS: ("policy.verdict", "policy.hook", "gen_ai.agent.name", "gen_ai.tool.name"),
    RULES: ("policy.rule", "policy.verdict", "policy.outcome"),
    UNDECIDED: ("policy.hook", "gen_ai.agent.name"),
}
"""Name of each counter, with the attributes that it is told apart by."""
Totals = dict[str, Counter[tuple[str, ...]]]


@dataclass(slots=True)
class Place:
    """The extent to which a log was sent to a receiver; `hash` is that of the last record, `since` ms since the epoch.

    `told` says that the receiver has the totals, `instance` names this sender.
    """

    sent: int = 0
    begun: int = 0
    hash: str = ""
    since: int = 0
    told: bool = False
    instance: str = field(default_factory=lambda: str(uuid.uuid4()))
    totals: Totals = field(default_factory=lambda: {name: Counter() for name in COUNTERS})

    def again(self) -> None:
        """Begin with a new log; the totals go on."""
        self.sent = self.begun = 0
        self.hash = ""


@dataclass(frozen=True, slots=True)
class Shipped:
    """One decision on its way: `uid` is the same each time it is sent, `resent` says that it may have arrived."""

    row: Row
    uid: str
    resent: bool


class Receiver(Protocol):
    """A receiver of decisions; False says that they may not have arrived."""

    def logs(self, batch: list[Shipped], place: Place) -> bool: ...

    def metrics(self, place: Place, now: int) -> bool: ...


def read_place(path: str) -> Place:
    """Return where sending stopped, the beginning if nothing was sent. Raises ConfigurationError."""
    try:
        kept = json.loads(read_own(path))
        totals = {name: Counter({tuple(key): count for key, count in kept["totals"][name]}) for name in COUNTERS}
        return Place(kept["sent"], kept["begun"], kept["hash"], kept["since"], kept["told"], kept["instance"], totals)
    except FileNotFoundError:
        return Place()
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise ConfigurationError(f"cannot read `{path}`, which says what was sent: {problem}") from None


def _keep(path: str, place: Place) -> None:
    kept = asdict(place)
    kept["totals"] = {name: [[list(key), count] for key, count in place.totals[name].items()] for name in COUNTERS}
    try:
        replace_own(path, json.dumps(kept).encode(), sync=True)
    except OSError as problem:
        raise ConfigurationError(f"cannot write `{path}`: {(problem.strerror or str(problem)).lower()}") from None


class NotTaken(Exception):
    """The receiver did not confirm a batch; what follows the place on disk is sent again."""


class Shipment:
    """The records on their way from one log to one receiver."""

    def __init__(self, log: str, receiver: Receiver, path: str, clock: Callable[[], int]) -> None:
        """Raises ConfigurationError: the place at `path` cannot be read. `clock` gives ms since the epoch."""
        self._log, self._receiver, self._path, self._clock = log, receiver, path, clock
        self._waiting: list[Record] = []
        self.place = read_place(path)
        self.place.since = self.place.since or clock()
        self.arrived = 0
        if self.place.sent and not _goes_on(log, self.place):
            self.place.again()

    def send(self, wait: Callable[[], None] | None = None) -> None:
        """Send what the log holds; with `wait`, which is called when there is nothing new, without end.

        Raises NotTaken, ConfigurationError.
        """

        def pause() -> None:
            self._finish()
            if wait is not None:
                wait()

        with closing(LogReader(self._log)) as reader:
            for record in reader.records() if wait is None else reader.follow(pause):
                if _number(record) > self.place.sent:
                    self._waiting.append(record)
                    if len(self._waiting) >= BATCH:
                        self._flush()
        self._finish()

    def _finish(self) -> None:
        before = self.arrived
        if self._waiting:
            self._flush()
        if self.arrived != before or (self.place.sent and not self.place.told):
            self.place.told = self._receiver.metrics(self.place, self._clock())
            if not self.place.told:
                raise NotTaken

    def _flush(self) -> None:
        batch, place = self._waiting, self.place
        last = _number(batch[-1])
        given = [Shipped(row_of(each, _input(each)), _uid(each), _number(each) <= place.begun) for each in batch]
        place.begun = max(place.begun, last)
        place.told = False
        _keep(self._path, place)
        if not self._receiver.logs(given, place):
            raise NotTaken
        for each in given:
            _count(place.totals, each.row)
        place.sent, place.hash = last, str(batch[-1].get("hash", ""))
        _keep(self._path, place)
        self.arrived += len(batch)
        self._waiting = []


def _goes_on(log: str, place: Place) -> bool:
    """Return whether the log is the one that was sent: it has the last record, or only later ones."""
    with closing(LogReader(log)) as reader:
        for record in reader.records():
            number = _number(record)
            if number >= place.sent:
                return number > place.sent or str(record.get("hash", "")) == place.hash
    return False


def _count(totals: Totals, row: Row) -> None:
    counted: list[tuple[str, tuple[str, ...]]] = [(DECISIONS, (row.verdict, row.hook, row.host, row.tool))]
    counted += [(RULES, (each["rule"], each["verdict"], each["outcome"])) for each in row.rules]
    counted += [(UNDECIDED, (row.hook, row.host))] if row.undecided else []
    for name, key in counted:
        known = totals[name]
        known[key if key in known or len(known) < SETS else ("",) * len(key)] += 1


def _uid(record: Record) -> str:
    return str(record.get("hash") or f"{record.get('session')}/{record.get('n')}")


def _number(record: Record) -> int:
    number = record.get("n")
    return number if type(number) is int else 0


def _input(record: Record) -> dict[str, Any]:
    given = record.get("input")
    return given if isinstance(given, dict) else {}
