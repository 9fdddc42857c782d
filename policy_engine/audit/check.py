"""Verify the files of a decision log against its head file: what was done to them, as far as that can be known.

Each line is held against its own digest and against the record before it. What cannot be a link is told apart: a torn
line, which the next link sealed or which is the last and was never noted in the head file, and a line that somebody
changed or put there. Without a head file a cut tail cannot be known; neither can what stood in files that are not here.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from policy_engine.audit.chain import FIRST, Head, head_path, late_path, read_head
from policy_engine.audit.link import digest_of, link_of
from policy_engine.model.errors import ConfigurationError

CHANGED, REMOVED, MOVED, INSERTED, CUT = "changed", "removed", "moved", "inserted", "cut"


@dataclass(frozen=True, slots=True)
class Finding:
    """`kind` of tampering at line `line` of `file` (0: after its end), about the record number `record`.

    `time` is the time of the record at the place or just before it, ms since the epoch; None if there is none.
    """

    kind: str
    file: str
    line: int
    record: int
    time: int | None
    text: str


@dataclass(slots=True)
class Checked:
    """The result of a check: `records` sound ones from number `first` to `last`, whose digest is `head`.

    `findings` is tampering, `unknown` what could not be known, `notes` what is no tampering.
    """

    records: int = 0
    first: int = 0
    last: int = 0
    head: str = FIRST
    findings: list[Finding] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def check_log(paths: list[str]) -> Checked:
    """Return the check of a log in one or more files, oldest first; the head file is that of the last. Raises
    ConfigurationError for a file that cannot be read.
    """
    check = _Check()
    for path in paths:
        check.read(path)
    check.end(_live(paths[-1]))
    return check.checked


def _live(path: str) -> str:
    """Return the log that the head file speaks of: what was moved away last stands for it while there is no new one."""
    name = path.partition(".jsonl")[0] + ".jsonl"
    return path if os.path.exists(head_path(path)) or os.path.exists(name) else name


def ordered(paths: list[str]) -> list[str]:
    """Return the files in the order of their first records; one that has none comes first."""
    return sorted(paths, key=lambda path: (_first_number(path), path))


def _first_number(path: str) -> int:
    return next((link[0] for line in _lines(path) if (link := link_of(line[:-1])) is not None), 0)


def _lines(path: str) -> Iterator[bytes]:
    try:
        with open(path, "rb") as file:
            yield from file
    except OSError as problem:
        raise ConfigurationError(f"cannot read `{path}`: {(problem.strerror or '').lower()}") from None


class _Check:
    """The state of a check between two lines."""

    def __init__(self) -> None:
        self.checked = Checked()
        self._known = False  # whether the record before is sound
        self._unread: list[bytes] = []  # lines since the last link that are none
        self._unread_at = 0
        self._time: int | None = None
        self._file = ""
        self._line = 0
        self._file_first = 0  # the number of this file's first record
        self._misplaced: set[int] = set()
        self._first_before = ""  # the digest before the first record
        self._dropped: tuple[int, str, int] = (0, "", 0)  # up to which number, its digest, and which record says so

    def read(self, path: str) -> None:
        """Go on with this file."""
        if self._unread and not self._unread[-1].endswith(b"\n"):
            self.checked.notes.append(f"the last line of {self._file} is torn: its writer died")
            self._unread, self._unread_at = [], 0
        self._file, self._line, self._file_first = path, 0, 0
        for line in _lines(path):
            self._line += 1
            link = link_of(line[:-1]) if line.endswith(b"\n") else None
            if link is None:
                self._unread_at = self._unread_at or self._line
                self._unread.append(line)
            else:
                self._linked(line, *link)

    def end(self, path: str) -> None:
        """Hold the end of the last file against its head file."""
        checked = self.checked
        head = _head(path)
        if head is None:
            checked.unknown.append("there is no head file, so records cut from the end cannot be known")
        elif checked.last < head.count:
            which = _numbers(checked.last + 1, head.count)
            self._find(CUT if not self._unread else CHANGED, head.count, f"{which}, the last, missing or destroyed", 0)
        elif checked.last == head.count and self._known and checked.head != head.digest:
            self._find(CHANGED, head.count, f"record {head.count} is not the one that was written", self._line)
        if head is not None and 0 < head.first < self._file_first:
            which = _numbers(head.first, self._file_first - 1)
            self._find(REMOVED, head.first, f"{which} removed from the beginning of the file", 1)
        if self._unread:
            self._torn_at_end(head)
        self._tell_missing()
        self._tell_moved()
        waiting = _waiting(path, head)
        if waiting:
            checked.notes.append(f"{waiting} bytes of records wait to be brought into the chain")

    def _linked(self, line: bytes, number: int, before: str, own: str, sound: bool) -> None:
        checked = self.checked
        record = _record(line)
        time = record.get("time")
        if type(time) is int and sound:
            self._time = time
        expected = checked.last + 1 if checked.last else number  # an older file may have the ones before
        number = number if sound else expected
        if sound and checked.last and number <= checked.last:
            self._misplaced.add(number)
            self._find(INSERTED, number, f"record {number} stands here once more, or out of its place", self._line)
            return
        if not sound:
            self._find(CHANGED, number, f"record {number} was changed", self._line)
        elif number > expected:
            lost = bool(self._unread)
            kind, what = (CHANGED, "destroyed") if lost else (REMOVED, "removed")
            self._find(kind, expected, f"{_numbers(expected, number - 1)} {what}", self._unread_at or self._line)
        elif self._known and before != checked.head:
            self._find(CHANGED, number - 1, f"record {number - 1} is not the one that was written", self._line)
        if sound and number == expected:
            self._sealed(record)
        self._drops(record, number if sound else 0)
        if not checked.first:
            checked.first, self._first_before = number, before if sound else ""
        self._file_first = self._file_first or number
        if record.get("head") == "missing" and sound:
            checked.unknown.append(f"the head file was missing before record {number}: what was cut there is not known")
        self._unread, self._unread_at = [], 0
        checked.last, checked.head, self._known = max(number, checked.last), own, sound
        checked.records += sound

    def _drops(self, record: dict[str, Any], number: int) -> None:
        """Read from a sound record which older parts were dropped."""
        dropped = record.get("dropped")
        if number and type(dropped) is list and [type(each) for each in dropped] == [int, str]:
            self._dropped = max(self._dropped, (dropped[0], dropped[1], number))

    def _tell_missing(self) -> None:
        """Report the records before the first one: dropped by the engine, as a later record says, or not known."""
        checked, (number, digest, teller) = self.checked, self._dropped
        if checked.first > number > 0:
            checked.notes.append(f"{_numbers(1, number)} went with the oldest parts, as record {teller} says")
        if checked.first > number + 1:
            checked.unknown.append(f"{_numbers(number + 1, checked.first - 1)} stood in files that are not here")
        elif checked.first == number + 1 > 1 and digest and self._first_before not in ("", digest):
            text = f"record {number} is not the one that was dropped, as record {teller} says"
            self._find(CHANGED, number, text, 0)

    def _sealed(self, record: dict[str, Any]) -> None:
        """Report lines that are no links where none is missing: torn if the next link knows them, else inserted."""
        data = b"".join(self._unread)
        if data and record.get("torn") == [len(data), digest_of(data)]:
            self.checked.notes.append(f"line {self._unread_at} of {self._file} is torn; the record after it says so")
        elif data or "torn" in record:
            kind = INSERTED if data else REMOVED
            text = f"{len(data)} bytes that no writer knew" if data else "the torn line that this record sealed is gone"
            self._find(kind, self.checked.last, text, self._unread_at or self._line)

    def _torn_at_end(self, head: Head | None) -> None:
        if head is not None and self.checked.last == head.count:
            if self._unread[-1].endswith(b"\n"):
                self._find(INSERTED, head.count, "bytes after the last record, which no writer noted", self._unread_at)
            else:
                self.checked.notes.append("the last line is torn: its writer died, or is writing it now")

    def _find(self, kind: str, record: int, text: str, line: int) -> None:
        self.checked.findings.append(Finding(kind, self._file, line, record, self._time, text))

    def _tell_moved(self) -> None:
        """Report each record that is missing at one place and stands at another as moved."""
        for place, finding in enumerate(self.checked.findings):
            if finding.kind == REMOVED and finding.record in self._misplaced:
                text = f"record {finding.record} was moved from here"
                self.checked.findings[place] = Finding(
                    MOVED, finding.file, finding.line, finding.record, finding.time, text
                )


def _numbers(first: int, last: int) -> str:
    return f"record {first}" if first == last else f"records {first} to {last}"


def _record(line: bytes) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return value if type(value) is dict else {}


def _head(path: str) -> Head | None:
    try:
        with open(head_path(path), "rb") as file:
            return read_head(file.read())
    except OSError:
        return None


def _waiting(path: str, head: Head | None) -> int:
    try:
        size = os.stat(late_path(path)).st_size
    except OSError:
        return 0
    return max(size - head.late, 0) if head is not None else size
