"""Print findings and test outcomes for people: `file:line:col: error[PE203]: message`, the line, a caret, advice."""

from __future__ import annotations

from collections.abc import Iterator

from policy_engine.model.diagnostic import Diagnostic
from policy_engine.model.source import Source, Span
from policy_engine.reports.base import (
    CheckReport,
    Findings,
    Style,
    TestOutcome,
    TestReport,
    columns,
    counted,
    painted,
    severities,
    shown,
)

Segments = Iterator[tuple[str, str]]

_TAB = 4  # columns that a tab of the source takes, wherever it stands
_BEFORE = 60  # columns shown left of the caret when a line is too long to show whole
_LONGEST = 160  # columns of a source line that are shown at most
_STYLES = {"error": "bold red", "warning": "bold yellow", "note": "bold cyan"}


def check_text(findings: Findings, style: Style) -> str:
    """Return each diagnostic as a block of lines, then one line that sums up."""
    return painted(_check(findings), style)


def _check(findings: Findings) -> Segments:
    for diagnostic in findings.diagnostics:
        yield from _diagnostic(diagnostic)
        yield "\n", ""
    files = f" in {counted(len(findings.files), 'file')}" if findings.files else ""
    if findings.diagnostics:
        worst = next(severity for severity in _STYLES if findings.count(severity))
        yield f"{', '.join(severities(findings))}{files}\n", _STYLES[worst]
    else:
        yield f"no findings{files}\n", "green"


def _diagnostic(diagnostic: Diagnostic) -> Segments:
    gutter = len(str(diagnostic.source.position(diagnostic.span.start)[0]))
    yield f"{shown(diagnostic.location)}: ", "bold"
    yield f"{diagnostic.severity}[{diagnostic.code}]", _STYLES[diagnostic.severity]
    yield f": {shown(diagnostic.message)}\n", "bold"
    yield from _excerpt(diagnostic.source, diagnostic.span, gutter, _STYLES[diagnostic.severity])
    for label, text in (("help", diagnostic.help), ("example", diagnostic.witness)):
        if text:
            yield f"{' ' * gutter} = {label}: ", "bold"
            first, *rest = shown(text, keep="\n").split("\n")
            indent = " " * (gutter + len(label) + 5)
            yield "\n".join([first, *(indent + line for line in rest)]) + "\n", ""
    for related in diagnostic.related:
        yield f"{' ' * gutter} = {shown(related.source.location(related.span))}: ", "bold"
        yield f"{shown(related.message)}\n", ""


def _excerpt(source: Source, span: Span, gutter: int, color: str) -> Segments:
    """Return the source line of a span with its number, and carets under the part of the span that is on that line."""
    line, column = source.position(min(span.start, len(source.text)))
    text = source.line_text(line)
    start = column - 1
    end = max(start + 1, min(len(text), start + span.end - span.start))
    left, marked, right = (_cells(part) for part in (text[:start], text[start:end], text[end:]))
    if columns(left + marked + right) > _LONGEST:
        left, marked, right = _window(left, marked, right)
    shown_line = f" {left}{marked}{right}".rstrip()
    yield f"{' ' * gutter} |\n{line} |", "dim"
    yield f"{shown_line}\n", ""
    yield f"{' ' * gutter} | ", "dim"
    yield " " * columns(left) + "^" * max(1, columns(marked)) + "\n", color


def _cells(text: str) -> str:
    return shown(text.replace("\t", " " * _TAB))


def _window(left: str, marked: str, right: str) -> tuple[str, str, str]:
    if len(left) > _BEFORE:
        left = "…" + left[1 - _BEFORE :]
    room = _LONGEST - _BEFORE
    if len(marked) > room:
        return left, marked[: room - 1] + "…", ""
    kept = room - len(marked)
    return left, marked, right if len(right) <= kept else right[: max(0, kept - 1)] + "…"


def outcomes_text(outcomes: tuple[TestOutcome, ...], style: Style) -> str:
    """Per file and rule a tick or a cross, below it what failed and why; then one line that sums up."""
    return painted(_tests(outcomes), style)


def _tests(outcomes: tuple[TestOutcome, ...]) -> Segments:
    files: dict[str, dict[str, list[TestOutcome]]] = {}
    for outcome in outcomes:
        files.setdefault(outcome.file, {}).setdefault(outcome.rule, []).append(outcome)
    for name, rules in files.items():
        yield f"{shown(name)}\n", "bold"
        for rule, tests in rules.items():
            yield from _rule_tests(rule or "the whole file", tests)
        yield "\n", ""
    yield from _sum(outcomes, len(files))


def _rule_tests(rule: str, tests: list[TestOutcome]) -> Segments:
    failed = any(test.failed for test in tests)
    yield ("  ✗ ", "bold red") if failed else ("  ✓ ", "green")
    yield shown(rule), "bold" if failed else ""
    yield f"  {counted(len(tests), 'test')}\n", "dim"
    for test in tests:
        if test.passed:
            continue
        yield "      ", ""
        yield "failed", "red"
        yield f" {shown(test.title)}" if test.title else f" the test at line {test.line}", ""
        yield "\n", ""
        yield from _indented(test.pieces or ((test.message, ""),))


def _indented(pieces: tuple[tuple[str, str], ...]) -> Segments:
    fresh = True
    for text, color in pieces:
        for line in shown(text, keep="\n").splitlines(keepends=True):
            yield f"{' ' * 8 * fresh}", ""
            yield line, color
            fresh = line.endswith("\n")
    if not fresh:
        yield "\n", ""


def _sum(outcomes: tuple[TestOutcome, ...], files: int) -> Segments:
    failed = sum(outcome.failed for outcome in outcomes)
    passed = len(outcomes) - failed
    if not outcomes:
        yield "no tests ran\n", "bold red"
        return
    counts = ((failed, "failed", "bold red"), (passed, "passed", "green"))
    for place, (number, word, color) in enumerate(entry for entry in counts if entry[0]):
        yield ", " if place else "", ""
        yield f"{number} {word}", color
    seconds = sum(outcome.duration_ms for outcome in outcomes) / 1000
    yield f" in {counted(files, 'file')}, {seconds:.2f} s\n", "dim"


CHECK = CheckReport("text", check_text)
TESTS = TestReport("text", outcomes_text)
