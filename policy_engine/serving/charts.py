"""Lay out the charts of the page: how often agents were interrupted, why, and how long they waited for an answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

from policy_engine.serving.recent import Entry, clock

BARS = 48
WIDTH, HEIGHT = 480, 72  # of a chart, in units of its own
CAUSES = 8
CAUSE = 160  # characters of a cause


@dataclass(frozen=True, slots=True)
class Bar:
    """One span of time: where its bar stands, how high it is, and what it says."""

    x: float
    width: float
    height: float
    text: str

    @property
    def y(self) -> float:
        """The upper edge of the bar."""
        return round(HEIGHT - self.height, 1)


@dataclass(frozen=True, slots=True)
class Chart:
    """Bars over time; `text` says all of it in a sentence."""

    title: str
    text: str
    bars: tuple[Bar, ...]


def charts(entries: Sequence[Entry]) -> list[Chart]:
    """Return the charts of some entries, oldest first; none of what nothing is known of."""
    spans = _spans(entries)
    calls = [entry for entry in entries if entry.proposes]
    waited = sorted(entry.ms for entry in entries if entry.ms is not None)
    drawn = []
    if calls:
        refused = sum(entry.refuses for entry in calls)
        text = f"{refused} of {len(calls)} calls were interrupted: {100 * refused / len(calls):.1f} of 100"
        drawn.append(_chart("Interrupted calls of 100", text, spans, _interrupted))
    if waited:
        slow = waited[min(len(waited) - 1, len(waited) * 95 // 100)]
        text = f"half of {len(waited)} hooks answered within {median(waited):.0f} ms, 95 of 100 within {slow} ms"
        drawn.append(_chart("Time until a hook answered", text, spans, _waited))
    return drawn


def causes(entries: Sequence[Entry]) -> list[tuple[str, int]]:
    """Return why rules could not be decided, the most frequent first."""
    counts: Counter[str] = Counter()
    for entry in entries:
        for rule in entry.shown["rules"]:
            counts.update(dict.fromkeys((why[:CAUSE] for why in rule["undecided"]), 1))
    return sorted(counts.items(), key=lambda each: (-each[1], each[0]))[:CAUSES]


def _spans(entries: Sequence[Entry]) -> list[tuple[int, list[Entry]]]:
    """Return the entries by spans of time, which are equally long: when each begins, and what is in it."""
    known = [entry for entry in entries if entry.at]
    if not known:
        return []
    first, last = min(entry.at for entry in known), max(entry.at for entry in known)
    length = max((last - first) // BARS + 1, 1)
    spans: list[tuple[int, list[Entry]]] = [(first + number * length, []) for number in range(BARS)]
    for entry in known:
        spans[(entry.at - first) // length][1].append(entry)
    return spans


def _chart(
    title: str,
    text: str,
    spans: list[tuple[int, list[Entry]]],
    measure: Callable[[list[Entry]], tuple[float, str] | None],
) -> Chart:
    measured = [(at, place, found) for place, (at, span) in enumerate(spans) if (found := measure(span)) is not None]
    most = max((value for _, _, (value, _) in measured), default=0) or 1
    step = WIDTH / BARS
    bars = tuple(
        Bar(round(place * step, 1), step - 2, round(max(value / most * HEIGHT, 1), 1), f"{clock(at)}: {words}")
        for at, place, (value, words) in measured
    )
    return Chart(title, text, bars)


def _interrupted(span: list[Entry]) -> tuple[float, str] | None:
    calls = [entry for entry in span if entry.proposes]
    refused = sum(entry.refuses for entry in calls)
    return (100 * refused / len(calls), f"{refused} of {len(calls)} calls") if calls else None


def _waited(span: list[Entry]) -> tuple[float, str] | None:
    waited = [entry.ms for entry in span if entry.ms is not None]
    return (median(waited), f"{median(waited):.0f} ms, at most {max(waited)} ms") if waited else None
