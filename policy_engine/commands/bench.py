"""`policy bench`: measure deciding: per event, to compile, to load from the cache, in memory."""

from __future__ import annotations

import gc
import os
import resource
import sys
import time
import tracemalloc
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, perf_counter_ns
from typing import Any

import click

from policy_engine import bootstrap
from policy_engine.cache.reader import open_program, read_head, unchanged
from policy_engine.cache.writer import write_program
from policy_engine.commands.base import (
    emit,
    emit_json,
    event_stream,
    existing,
    format_option,
    output_style,
    policy_options,
    working,
)
from policy_engine.evaluators.base import Program
from policy_engine.loading.event_lines import event_lines
from policy_engine.loading.loader import Loaded, load
from policy_engine.loading.refresh import watched
from policy_engine.loading.reloader import Reloader
from policy_engine.model.errors import ConfigurationError, EventError
from policy_engine.reports.base import counted, painted
from policy_engine.runtime.engine import Engine
from policy_engine.runtime.names import names
from policy_engine.runtime.session import MemorySessions
from policy_engine.testing.sample import sample_events

DECISIONS = 5_000
WARM_UP = 200  # decisions that are not counted: the first ones of a process make functions and tables
LOADS = 5
_KIB = 1024 if sys.platform != "darwin" else 1  # ru_maxrss is in KiB on Linux, in bytes on macOS


@dataclass(frozen=True, slots=True)
class _Figures:
    """Times in µs per event from a dictionary to a Decision, in ms otherwise; memory in MiB.

    `compile_ms` is the first load from text in this process, the grammar included; `again_ms` a later one; `cache_ms`
    from the files of the cache to the first decision.
    """

    rules: int
    buckets: int
    files: int
    events: int
    decisions: int
    p50_us: float
    p99_us: float
    mean_us: float
    most_us: float
    compile_ms: float
    again_ms: float
    cache_ms: float
    program_mib: float
    peak_mib: float


@click.command(
    short_help="Measure what deciding costs on this machine.",
    epilog="Example: policy bench -p .policy --events session.jsonl --format json",
)
@policy_options
@click.option(
    "--events", metavar="FILE", help="Events as JSON lines, - for standard input [the ones the policy's tests play]."
)
@click.option(
    "-n", "--decisions", type=click.IntRange(min=1), default=DECISIONS, show_default=True, help="How many to time."
)
@format_option("text", "json", "gobench")
def COMMAND(paths: tuple[str, ...], events: str | None, decisions: int, format_name: str) -> None:
    """Measure a policy on this machine: time per event, to compile and to load, and memory.

    The form gobench is read by benchstat. Hooks are not run.
    """
    named = existing(paths)
    with working("measuring"):
        start = perf_counter()
        reloader = Reloader(named, bootstrap.adapt)
        compile_ms = (perf_counter() - start) * 1e3
        reloader.require_program()
        sample, origin = (_read(events), events) if events is not None else sample_events(reloader.loaded, named)
        figures = _measure(reloader, named, sample, decisions, compile_ms)
    match format_name:
        case "json":
            emit_json(asdict(figures))
        case "gobench":
            emit(_gobench(figures))
        case _:
            emit(_text(figures, origin))


def _read(name: str) -> list[dict[str, Any]]:
    with event_stream(name) as stream:
        events = [event for _, event in event_lines(stream)]
    broken = next((event for event in events if isinstance(event, EventError)), None)
    if broken is not None or not events:
        raise ConfigurationError(str(broken) if broken is not None else f"`{name}` holds no event")
    return [event for event in events if isinstance(event, dict)]


def _measure(
    reloader: Reloader, paths: tuple[str, ...], sample: list[dict[str, Any]], decisions: int, compile_ms: float
) -> _Figures:
    program, loaded = reloader.program, reloader.loaded
    times = sorted(_times(bootstrap.Engine(reloader), sample, decisions))
    cache_ms = _from_cache(loaded, next((event for event in sample if _concerns(program, event)), sample[0]))
    again_ms, bytes_used = _again(paths)
    return _Figures(
        rules=program.rules,
        buckets=len({id(bucket) for bucket in program.buckets().values()}),
        files=len(loaded.parsed),
        events=len(sample),
        decisions=decisions,
        p50_us=_microseconds(times[len(times) // 2]),
        p99_us=_microseconds(times[min(len(times) - 1, len(times) * 99 // 100)]),
        mean_us=_microseconds(sum(times) / len(times)),
        most_us=_microseconds(times[-1]),
        compile_ms=round(compile_ms, 3),
        again_ms=round(again_ms, 3),
        cache_ms=round(cache_ms, 3),
        program_mib=round(bytes_used / 2**20, 3),
        peak_mib=round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _KIB / 2**20, 1),
    )


def _concerns(program: Program, event: dict[str, Any]) -> bool:
    """Return whether a rule listens there: what concerns nobody reads nothing from the cache."""
    tool = event.get("tool")
    return program.bucket(str(event.get("hook")), tool.get("kind") if isinstance(tool, dict) else None) is not None


def _times(engine: Engine, sample: list[dict[str, Any]], decisions: int) -> list[int]:
    """Nanoseconds of each decision, after the warm-up; the collector is off, as it is not the policy's doing."""
    decide, taken = engine.decide, []
    for event in islice(_rounds(sample), WARM_UP):
        decide(event)
    gc.collect()
    gc.disable()
    try:
        for event in islice(_rounds(sample), decisions):
            start = perf_counter_ns()
            decide(event)
            taken.append(perf_counter_ns() - start)
    finally:
        gc.enable()
    return taken


def _rounds(sample: list[dict[str, Any]]) -> Iterator[Any]:
    """The sample again and again, every round in sessions of its own."""
    number = 0
    while True:
        number += 1
        yield from ({**event, "session": f"{event.get('session', '')}-{number}"} for event in sample)


def _from_cache(loaded: Loaded, event: Any) -> float:
    """ms from the cache's files to the first decision; the median of a few."""
    program, taken = loaded.require_program(), []
    with TemporaryDirectory(prefix="policy-bench-") as folder:
        head_path = write_program(Path(folder), "bench", program, program.buckets(), watched(loaded), time.time_ns())
        for _ in range(LOADS):
            start = perf_counter()
            head = read_head(str(head_path))
            unchanged(head)
            engine = _engine(open_program(head, names()))
            again: Any = dict(event)
            engine.decide(again)
            taken.append((perf_counter() - start) * 1e3)
    return sorted(taken)[LOADS // 2]


def _engine(program: Program) -> Engine:
    return Engine(lambda: (program, ()), MemorySessions(), os.environ.get("HOME"), bootstrap.now_ms)


def _again(paths: tuple[str, ...]) -> tuple[float, int]:
    """ms of a later load from text, and the bytes that a Program keeps, measured apart: tracing takes time."""
    start = perf_counter()
    load(paths)
    taken = (perf_counter() - start) * 1e3
    tracemalloc.start()
    try:
        program = load(paths).program
        gc.collect()
        used, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    del program
    return taken, used


def _microseconds(nanoseconds: float) -> float:
    return round(nanoseconds / 1e3, 3)


def _text(figures: _Figures, origin: str) -> str:
    size = (counted(figures.rules, "rule"), counted(figures.files, "file"), counted(figures.buckets, "bucket"))
    event = (("p50", figures.p50_us), ("mean", figures.mean_us), ("p99", figures.p99_us), ("most", figures.most_us))
    lines = (
        ("policy", ", ".join(size)),
        ("events", f"{counted(figures.decisions, 'decision')} on {counted(figures.events, 'event')} of {origin}"),
        ("per event", "   ".join(f"{name} {value:.1f} µs" for name, value in event)),
        ("from text", f"{figures.compile_ms:.1f} ms, again {figures.again_ms:.1f} ms"),
        ("from cache", f"{figures.cache_ms:.2f} ms to the first decision"),
        ("memory", f"program {figures.program_mib:.2f} MiB, process at most {figures.peak_mib:.0f} MiB"),
    )
    width = max(len(label) for label, _ in lines)
    segments = [piece for label, value in lines for piece in ((f"{label:{width}}  ", "dim"), (value + "\n", ""))]
    return painted(segments, output_style())


def _gobench(figures: _Figures) -> str:
    rows = (
        ("Decide", figures.decisions, figures.mean_us * 1e3),
        ("DecideP50", figures.decisions, figures.p50_us * 1e3),
        ("DecideP99", figures.decisions, figures.p99_us * 1e3),
        ("Compile", 1, figures.again_ms * 1e6),
        ("LoadFromCache", LOADS, figures.cache_ms * 1e6),
    )
    return "".join(f"Benchmark{name}/rules={figures.rules} {count} {value:.0f} ns/op\n" for name, count, value in rows)
