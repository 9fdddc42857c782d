"""`CheckReport`, `TestReport`, `DecisionReport`: values that print findings, test outcomes or a decision in one format.

A member file holds one or more of `CheckReport`, `TestReport`, `DecisionReport`; commands find them here by format
name. What users, agents and files wrote is untrusted: it passes through `shown` before it reaches a terminal.
"""

from __future__ import annotations

import json
import math
import os
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, ClassVar, TypeVar

from policy_engine.model import family
from policy_engine.model.decision import Decision
from policy_engine.model.diagnostic import SEVERITIES, Diagnostic
from policy_engine.model.page import Page

FAMILY = "policy_engine.reports"
R = TypeVar("R", "CheckReport", "TestReport", "DecisionReport")
TOOL = "policy_engine"  # the name under which machine formats know the maker


@dataclass(frozen=True, slots=True)
class Style:
    """The look of text for people: `color` only on a terminal, `width` in columns."""

    color: bool = False
    width: int = 100


def wants_color(terminal: bool) -> bool:
    """Return whether output is coloured: NO_COLOR forbids it, FORCE_COLOR demands it, else a terminal that can."""
    if os.environ.get("NO_COLOR"):
        return False
    forced = os.environ.get("FORCE_COLOR", "")
    if forced:
        return forced != "0"
    return terminal and os.environ.get("TERM") != "dumb"


@dataclass(frozen=True, slots=True)
class Findings:
    """The result of a check: sorted diagnostics, the names of all files that were read, and the pages of the codes."""

    diagnostics: tuple[Diagnostic, ...]
    files: tuple[str, ...] = ()
    pages: Mapping[str, Page] = field(default_factory=dict)

    def count(self, severity: str) -> int:
        """Return how many diagnostics have that severity."""
        return sum(1 for diagnostic in self.diagnostics if diagnostic.severity == severity)


@dataclass(frozen=True, slots=True)
class TestOutcome:
    """One `test` block that ran: where it stands, whose it is (`rule`, empty at top level), and how it ended.

    `message` says what was expected and what came instead (empty if passed); `duration_ms` is the time it took in
    milliseconds. `pieces` are the message cut into (text, rich style), for terminals; empty if it has no styles.
    """

    __test__: ClassVar[bool] = False  # not a test class of pytest

    file: str
    line: int
    rule: str
    title: str
    passed: bool
    message: str = ""
    duration_ms: float = 0.0
    pieces: tuple[tuple[str, str], ...] = ()

    @property
    def failed(self) -> bool:
        """Return whether it did not pass."""
        return not self.passed

    @property
    def name(self) -> str:
        """`rule: title`, or whichever of the two there is."""
        return ": ".join(part for part in (self.rule, self.title) if part) or f"line {self.line}"


@dataclass(frozen=True, slots=True)
class CheckReport:
    """A format of `policy check`."""

    name: str
    render: Callable[[Findings, Style], str]


@dataclass(frozen=True, slots=True)
class TestReport:
    """A format of `policy test`."""

    __test__: ClassVar[bool] = False  # not a test class of pytest

    name: str
    render: Callable[[tuple[TestOutcome, ...], Style], str]


@dataclass(frozen=True, slots=True)
class DecisionReport:
    """A format of a single decision."""

    name: str
    render: Callable[[Decision, Style], str]


def formats_of_check() -> dict[str, CheckReport]:
    """Return the formats of `policy check`, `text` first, then by name."""
    return _by_name(family.members(FAMILY, CheckReport))


def formats_of_tests() -> dict[str, TestReport]:
    """Return the formats of `policy test`, `text` first, then by name."""
    return _by_name(family.members(FAMILY, TestReport))


def formats_of_decision() -> dict[str, DecisionReport]:
    """Return the formats of one decision, `text` first, then by name."""
    return _by_name(family.members(FAMILY, DecisionReport))


def _by_name(reports: list[R]) -> dict[str, R]:
    ordered = sorted(reports, key=lambda report: (report.name != "text", report.name))
    return {report.name: report for report in ordered}


# ---- untrusted text ------------------------------------------------------------------------------------------------

_HIDDEN = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))  # controls, format and bidi marks, lone surrogates, separators
_NAMED = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def shown(text: str, keep: str = "") -> str:
    """`text` with every character that a terminal or reader would obey instead of showing made visible.

    Controls (thus terminal escapes), bidirectional and zero-width marks, lone surrogates, line separators and
    noncharacters become `\\x1b`, `\\u202e`, `\\U000e0001`; the characters in `keep` (such as a line end) stay.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(char if char in keep else _visible(char) for char in text)


def _visible(char: str) -> str:
    if char in _NAMED:
        return _NAMED[char]
    number = ord(char)
    if unicodedata.category(char) not in _HIDDEN and number & 0xFFFE != 0xFFFE and not 0xFDD0 <= number <= 0xFDEF:
        return char
    if number < 0x100:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


def without_surrogates(value: Any) -> Any:
    """Return a JSON value that can be encoded: a lone surrogate (from a file name) becomes `\\udc80` in words."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, dict):
        return {without_surrogates(key): without_surrogates(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [without_surrogates(item) for item in value]
    return value


def columns(text: str) -> int:
    """Return how many terminal columns `text` takes: wide East Asian characters two, combining marks none."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in text)
    return len(text) + wide - sum(unicodedata.category(char) in ("Mn", "Me") for char in text)


def local_time(time_ms: object, form: str = "%Y-%m-%d %H:%M:%S") -> str:
    """Return a time in ms since the epoch as the clock here shows it; `?` for what is no such time."""
    try:
        known = type(time_ms) is int and time_ms
        return datetime.fromtimestamp(known / 1000, UTC).astimezone().strftime(form) if known else "?"
    except (ValueError, OverflowError, OSError):
        return "?"


# ---- painting ------------------------------------------------------------------------------------------------------

VERDICT_STYLES = {
    "approve": "green",
    "allow": "green",
    "warn": "yellow",
    "remind": "cyan",
    "ask": "magenta",
    "deny": "bold red",
    "stop": "bold red",
}
"""Verdict → rich style; the same wherever a verdict is shown."""


def painted(segments: Iterable[tuple[str, str]], style: Style) -> str:
    """Pieces of (text, rich style) in one string: with terminal colours if `style` wants them, else the plain text."""
    if not style.color:
        return "".join(text for text, _ in segments)
    from io import StringIO

    from rich.console import Console
    from rich.text import Text

    console = Console(
        file=StringIO(), force_terminal=True, color_system="standard", width=style.width, legacy_windows=False
    )
    console.print(Text.assemble(*segments), end="", soft_wrap=True, highlight=False, markup=False)
    written = console.file
    assert isinstance(written, StringIO)
    return written.getvalue()


def counted(number: int, noun: str) -> str:
    """`1 file`, `2 files`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


_GRADES = ((90, "brightgreen"), (75, "green"), (60, "yellow"), (40, "orange"), (0, "red"))


def badge(label: str, message: str, color: str) -> str:
    """Return the JSON of a badge as the endpoint of shields.io reads it; whoever shows a red one cannot repaint it."""
    return json.dumps(
        {"schemaVersion": 1, "label": label, "message": message, "color": color, "isError": color == "red"}
    )


def percent_badge(label: str, percent: float) -> str:
    """Return the badge of a share, rounded down: 100 % is all."""
    color = next(color for least, color in _GRADES if percent >= least)
    return badge(label, f"{math.floor(percent)} %", color)


def severities(findings: Findings) -> list[str]:
    """Return the severities that occur, each with its number: `2 errors`, `1 warning`."""
    return [counted(number, severity) for severity in SEVERITIES if (number := findings.count(severity))]
