"""`policy log`: print the decisions that a person asks for, as a table or as JSON lines, or verify the log."""

from __future__ import annotations

import json
import re
import time
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from policy_engine.audit.check import Finding, check_log, ordered
from policy_engine.audit.log import log_path
from policy_engine.audit.reader import LogReader, Record
from policy_engine.commands.base import (
    FINDINGS,
    UNDECIDED,
    Cell,
    decision_file,
    emit,
    emit_json,
    format_option,
    note,
    table,
    terminal_width,
)
from policy_engine.export.row import row_of
from policy_engine.model.errors import ConfigurationError, EventError
from policy_engine.model.instant import parse_time
from policy_engine.model.ladder import VERDICTS
from policy_engine.reports.base import VERDICT_STYLES, counted, local_time, shown, without_surrogates

VERIFY = "verify"
CHECK_HEADS = ("WHAT", "WHERE", "TIME", "RECORD")
HEADS = ("TIME", "EVENT", "VERDICT", "POINT", "TOOL", "RULE", "MESSAGE")
ID_CHARS = 16  # of an event's id on a terminal; `policy why` takes the beginning of one
SHOWN = 50  # rows of a table, if nobody asks for another number
FOLLOW_SECONDS = 0.2
FOLLOWED = (19, 12, 7, 17, 10, 24, 0)  # least widths of the columns, for rows that come one by one
_AGO = re.compile(r"(\d{1,6})(s|m|h|d)")
_UNITS_MS = {"s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}


@dataclass(frozen=True, slots=True)
class _Filter:
    """Conditions on a record; an empty text and a `since` of 0 (ms since the epoch) ask for nothing."""

    session: str
    rule: str
    verdict: str
    since: int

    def admits(self, record: Record) -> bool:
        return (
            self.session in ("", record.get("session"))
            and self.verdict in ("", record.get("verdict"))
            and (not self.rule or self.rule in _rules(record))
            and (not self.since or _time(record) >= self.since)
        )


@click.command(
    short_help="Show what was decided, when and why; verify that it is as written.",
    epilog="Example: policy log --verdict deny --since 2h -n 20",
)
@click.argument("task", required=False, type=click.Choice((VERIFY,)), metavar="[verify]")
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option("--session", default="", metavar="ID", help="Only this session.")
@click.option(
    "--rule", default="", metavar="ID", help="Only decisions in which this rule spoke, waived or shadowed too."
)
@click.option("--verdict", default="", type=click.Choice(("", *VERDICTS)), metavar="VERDICT", help="Only this verdict.")
@click.option(
    "--since", default="", metavar="TIME", help="Only from this time on: 2026-11-20T10:00:00Z, 2026-11-20, 30m, 2h, 7d."
)
@click.option(
    "-n", "--last", "last", type=click.IntRange(min=1), metavar="N", help="At most the last N [50 in a table]."
)
@click.option("--out", metavar="FILE", help="Write the decisions into a table instead: FILE.parquet.")
@click.option("-f", "--follow", is_flag=True, help="Go on with whatever is decided from now on, until Ctrl-C.")
@format_option("text", "json")
def COMMAND(
    task: str | None,
    files: tuple[str, ...],
    session: str,
    rule: str,
    verdict: str,
    since: str,
    last: int | None,
    out: str | None,
    follow: bool,
    format_name: str,
) -> int:
    """Show the decision log: what was decided, when, by which rule and why.

    Times are those of the clock here, in UTC in JSON. `policy why EVENT` says more of one of them.

    --out makes a table of them, all if no number is named, for DuckDB and what else reads Parquet (extra `fleet`).

    `policy log verify` tells whether the log is as it was written: its records, their order and its end. It takes the
    files of a log in any order; without FILE it takes the log and what was moved to names that begin like its own.
    Exit status of `verify`: 0 as written, 1 changed, 4 if that cannot be known.
    """
    if task == VERIFY:
        return _verify(files or _log_files(log_path()), format_name)
    wanted = _Filter(session, rule, verdict, since_ms(since, time.time_ns() // 1_000_000) if since else 0)
    with closing(LogReader(log_path())) as reader:
        if out is not None:
            _write(out, reader, wanted, last)
            return 0
        limit = last if last is not None else SHOWN if format_name == "text" else None
        records = deque((record for record in reader.records() if wanted.admits(record)), maxlen=limit)
        if format_name == "json":
            emit("".join(_line(record) for record in records))
        elif records or not follow:
            emit(table(HEADS, [_row(record) for record in records]) if records else "no decisions\n")
        _remark(reader)
        if follow:
            _go_on(reader, wanted, format_name, lambda: time.sleep(FOLLOW_SECONDS))
    return 0


def _write(name: str, reader: LogReader, wanted: _Filter, last: int | None) -> None:
    """Write what is wanted into a table; of all without holding them."""
    records: Iterable[Record] = (record for record in reader.records() if wanted.admits(record))
    with decision_file(name) as out:
        assert out is not None
        out.write(row_of(each, _input(each)) for each in (records if last is None else deque(records, maxlen=last)))
    _remark(reader)


def _input(record: Record) -> dict[str, Any]:
    given = record.get("input")
    return given if isinstance(given, dict) else {}


def _verify(files: tuple[str, ...], format_name: str) -> int:
    """Check the files, oldest first, and tell; the exit status."""
    checked = check_log(ordered(list(files)))
    status = FINDINGS if checked.findings else UNDECIDED if checked.unknown else 0
    if format_name == "json":
        emit_json({"status": ("sound", "changed")[status] if status < UNDECIDED else "unknown", **asdict(checked)})
        return status
    if checked.findings:
        emit(table(CHECK_HEADS, [_found(finding) for finding in checked.findings]))
    for text in (*checked.unknown, *checked.notes):
        emit(f"{'unknown' if text in checked.unknown else 'note'}: {shown(text)}")
    state_text = ("as written", "changed")[status] if status < UNDECIDED else "as written, as far as that can be known"
    emit(f"{counted(checked.records, 'sound record')}, up to number {checked.last}: the log is {state_text}")
    emit(f"head {checked.head}")
    return status


def _log_files(log: str) -> tuple[str, ...]:
    """The log, and the files beside it that it was moved to: `decisions.jsonl.1`, `decisions.jsonl-20261120`."""
    place = Path(log)
    moved = [str(path) for path in sorted(place.parent.glob(f"{place.name}?*")) if path.is_file()]
    return (*moved, log) if place.exists() or not moved else tuple(moved)


def _found(finding: Finding) -> tuple[Cell, ...]:
    where = f"{finding.file}:{finding.line}" if finding.line else f"{finding.file}: end"
    return ((finding.kind, "bold red"), (where, ""), (local_time(finding.time), "dim"), (finding.text, ""))


def since_ms(text: str, now: int) -> int:
    """Return ms since the epoch of `30m` ago, a date here or an RFC 3339 time; `now` is that too.

    Raises ConfigurationError.
    """
    ago = _AGO.fullmatch(text)
    if ago is not None:
        return now - int(ago[1]) * _UNITS_MS[ago[2]]
    try:
        if "T" in text:
            return parse_time(text)
        return int(datetime.strptime(text, "%Y-%m-%d").astimezone().timestamp() * 1000)
    except (EventError, ValueError, OverflowError):
        raise ConfigurationError(
            f"`{text}` is no time; write 2026-11-20T10:00:00Z, 2026-11-20, 30m, 2h or 7d"
        ) from None


def _go_on(reader: LogReader, wanted: _Filter, format_name: str, wait: Callable[[], None]) -> None:
    """A line for each new record; ends with the process."""
    for record in reader.follow(wait):
        if wanted.admits(record):
            emit(_line(record) if format_name == "json" else table(HEADS, [_row(record)], FOLLOWED))


def _remark(reader: LogReader) -> None:
    if reader.torn:
        note("note: the last line of the log is incomplete and was left out")
    if reader.unreadable:
        note(f"note: {counted(reader.unreadable, 'line')} of the log could not be read and were left out")


def _line(record: Record) -> str:
    return json.dumps(without_surrogates(record)) + "\n"


def _row(record: Record) -> tuple[Cell, ...]:
    tool = _input(record).get("tool")
    verdict, spoken = _text(record.get("verdict")), _entries(record, "rules")
    first = spoken[0] if spoken else {}
    more = f" +{len(spoken) - 1}" if len(spoken) > 1 else ""
    message = _text(first.get("message")) or "; ".join(map(_text, _list(record, "errors")))
    return (
        (local_time(_time(record)), "dim"),
        (_event(record), "dim"),
        (verdict, VERDICT_STYLES.get(verdict, "")),
        (_text(record.get("hook")), ""),
        (_text(tool.get("name")) if isinstance(tool, dict) else "", ""),
        (_text(first.get("rule")) + more, "bold"),
        (" ".join(message.split()), ""),
    )


def _event(record: Record) -> str:
    """Return what `policy why` takes: the event's id, its beginning on a terminal, or the record's number."""
    identity = _text(record.get("event"))
    if not identity:
        return f"#{record.get('n', '?')}"
    return identity[:ID_CHARS] if terminal_width() is not None else identity


def _time(record: Record) -> int:
    value = record.get("time")
    return value if type(value) is int else 0


def _rules(record: Record) -> set[str]:
    return {_text(entry.get("rule")) for part in ("rules", "waived", "shadow") for entry in _entries(record, part)}


def _entries(record: Record, part: str) -> list[dict[str, Any]]:
    return [entry for entry in _list(record, part) if isinstance(entry, dict)]


def _list(record: Record, part: str) -> list[Any]:
    value = record.get(part)
    return value if isinstance(value, list) else []


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
