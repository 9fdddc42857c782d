"""Print the clauses of an item and the steps of a test as lines of a page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from policy_engine.model.source import Source, Span
from policy_engine.syntax import ast
from policy_engine.syntax.grammar import language
from policy_engine.syntax.page_writer import PageWriter
from policy_engine.syntax.print_expressions import (
    WIDTH,
    ExpressionPrinter,
    Line,
    duration_text,
    string_text,
)
from policy_engine.syntax.tokens import RESERVED
from policy_engine.syntax.tree_expressions import MILLISECONDS

_DURATION = re.compile(r"(?<![\w-])([0-9]+)(ms|s|m|h|d)(?![\w-])")
_ORDER = {
    ast.Rule: "severity incident control on command when unless require verdict timeout fail shadow test",
    ast.Limit: "severity incident control on when unless measure reset at fail shadow test",
    ast.Mode: "enter exit lock dwell test",
    ast.Hook: "on when unless run call timeout fail priority before after observe test",
    ast.Verify: "when unless stage retries test",
    ast.Waive: "until owner when",
    ast.Claim: "on when unless expect",
}  # fmt: skip
_FIELDS = {
    "on": "points", "verdict": "verdicts", "timeout": "timeouts", "test": "tests", "measure": "measures",
    "reset": "resets", "at": "steps", "run": "argv", "call": "callable", "stage": "stages",
    "command": "commands",
    "expect": "expects",
}  # fmt: skip
Clause = tuple[str, Any, Span | None]


def argv_text(argv: tuple[str, ...]) -> str:
    return f"[{', '.join(string_text(word) for word in argv)}]"


class ClausePrinter:
    """Writes to a page."""

    def __init__(self, page: PageWriter) -> None:
        self._page = page
        self._expressions = ExpressionPrinter(self._spelled, page.commented)
        self.text = self._expressions.text

    def _spelled(self, literal: ast.DurationLiteral) -> str:
        return self._duration(literal.value, literal.span)

    def _duration(self, value: int, span: Span | None) -> str:
        """As the author wrote it, if `span` holds such a duration."""
        for match in _DURATION.finditer(self._page.source_of(span)) if span else ():
            if len(match[1]) < 16 and int(match[1]) * MILLISECONDS[match[2]] == value:
                return match[0]
        return duration_text(value)

    # ---- blocks ------------------------------------------------------------------------------------------------------

    def block(self, item: ast.Item) -> None:
        word = type(item).__name__.lower()
        name = getattr(item, "rule" if isinstance(item, ast.Waive) else "name")
        title = getattr(item, "why" if isinstance(item, ast.Waive) else "title")
        head = f"{word} {name} {string_text(title)} {{" if title else f"{word} {name} {{"
        self._page.open_block(0, head, Span(item.span.start, item.span.start))
        stages = _Columns(item.stages) if isinstance(item, ast.Verify) else None
        for number, (kind, value, span) in enumerate(clauses_of(item)):
            if kind == "test":
                if number:
                    self._page.blank_line()
                self.test(1, value)
            elif kind == "stage" and stages is not None:
                self._stage(value, stages)
            else:
                self._clause(kind, value, span)
        self._page.close_block(0, item.span)

    def imported(self, item: ast.Import) -> None:
        """An import, with one line for each parameter that it sets if they do not fit on its own."""
        head = f"import {self.text(item.target)}" + (f" sha256 {string_text(item.sha256)}" if item.sha256 else "")
        flat = ", ".join(f"{one.name} = {self.text(one.value)}" for one in item.settings)
        if not item.settings:
            self._page.line(0, head, item.span)
        elif len(flat) + len(head) + 11 <= WIDTH and not self._page.commented(item.span):
            self._page.line(0, f"{head} with {{ {flat} }}", item.span)
        else:
            self._page.open_block(0, f"{head} with {{", Span(item.span.start, item.span.start))
            for one in item.settings:
                *lines, last = self._expressions.lines(one.value, 1, f"{one.name} = ")
                self._page.lines([*lines, last._replace(text=f"{last.text},")])
            self._page.close_block(0, item.span)

    def clause(self, depth: int, prefix: str, value: ast.Expr, span: Span | None) -> None:
        """`prefix expression`; the first line stands for the whole clause's beginning."""
        lines = self._expressions.lines(value, depth, prefix)
        if span is not None:
            lines[0] = lines[0]._replace(span=Span(span.start, max(lines[0].span.end, span.start)))
        self._page.lines(lines)

    def _clause(self, kind: str, value: Any, span: Span | None) -> None:
        place = span or getattr(value, "span", None) or Span(0, 0)
        if kind in ("when", "unless", "require"):
            self.clause(1, f"{kind} ", value, span)
        elif kind in ("enter", "exit"):
            self.clause(1, f"{kind} when ", value, span)
        elif kind == "reset":
            self.clause(1, "reset on ", value, span)
        elif kind == "measure":
            self._measure(value, place)
        else:
            self._page.line(1, self._simple(kind, value, place), place)

    def _simple(self, kind: str, value: Any, span: Span) -> str:
        """Return a clause that always stands on one line."""
        if kind in ("shadow", "observe"):
            return kind
        if kind in ("before", "after"):
            return f"{kind} {', '.join(name.name for name in value)}"
        if kind == "owner":
            return f"owner {string_text(value)}"
        if kind in ("lock", "dwell"):
            return f"{kind} {value} rounds"
        if kind == "run":
            return f"run {argv_text(value)}"
        simple: dict[str, Callable[[], str]] = {
            "incident": lambda: f"incident {self.text(value)}",
            "control": lambda: f"control {self.text(value)}",
            "severity": lambda: f"severity {value.level}",
            "on": lambda: f"on {self._point(value)}",
            "command": lambda: f"on command {', '.join(map(self._command, value.texts))}",
            "verdict": lambda: self._verdict(value),
            "timeout": lambda: self._timeout(value, span),
            "fail": lambda: f"fail {value.direction}",
            "at": lambda: self._step(value),
            "expect": lambda: f"expect {'possible ' if value.possible else ''}{value.verdict}",
            "retries": lambda: self._retries(*value),
        }
        return simple[kind]() if kind in simple else f"{kind} {value}"

    def _point(self, point: ast.Point) -> str:
        filters = ", ".join(self.text(kind) for kind in point.filters)
        return f"{point.name}({filters})" if filters else point.name

    def _command(self, text: ast.StringLiteral) -> str:
        """A command without quotes, if it reads as the same one then."""
        plain = text.value
        line = language().scanner.scan(Source("", f"on command {plain}\n")).tokens
        whole = len(line) == 3 and line[1].text == f"command {plain}"
        return plain if whole and not set(',"') & set(plain) and "  " not in plain else self.text(text)

    def _verdict(self, verdict: ast.Verdict) -> str:
        reason = f" {verdict.reason}" if verdict.reason else ""
        message = f" {self.text(verdict.message)}" if verdict.message is not None else ""
        return verdict.name + reason + message

    def _timeout(self, value: ast.Timeout | int, span: Span) -> str:
        if isinstance(value, int):
            return f"timeout {self._duration(value, span)}"
        text = f"timeout {self._duration(value.at_least, span)}"
        if value.at_most:
            return f"{text}..{self._duration(value.at_most, span)}"
        if value.backoff_to:
            text += f" backoff to {self._duration(value.backoff_to, span)}"
        return f"{text} by ({self._key(value.key)})" if value.key else text

    def _key(self, key: tuple[ast.Expr, ...]) -> str:
        return ", ".join(self.text(part) for part in key)

    def _step(self, step: ast.Step) -> str:
        count = step.count.name if isinstance(step.count, ast.Name) else str(step.count)
        return f"at {'every ' if step.every else ''}{count} {self._verdict(step.verdict)}"

    def _retries(self, count: int, then: ast.Verdict | None) -> str:
        return f"retries {count} then {self._verdict(then)}" if then is not None else f"retries {count}"

    def _measure(self, value: ast.Repeats | ast.Counts, span: Span) -> None:
        if isinstance(value, ast.Repeats):
            period = f" period {value.period}" if value.period != 1 else ""
            flat = f"repeats ({self._key(value.key)}){period}"
            if len(flat) + 2 <= WIDTH and not self._page.commented(span):
                self._page.line(1, flat, span)
                return
            lines = self._expressions.listed(value.key, span, 1, "repeats (", ")" + period)
            self._page.lines(lines)
            return
        suffix = f" within {self.text(value.within)}" if value.within is not None else ""
        suffix += f" by ({self._key(value.by)})" if value.by else ""
        lines = self._expressions.lines(value.what, 1, "counts ", suffix)
        lines[0] = lines[0]._replace(span=Span(span.start, max(lines[0].span.end, span.start)))
        self._page.lines(lines)

    def _stage(self, stage: ast.Stage, columns: _Columns) -> None:
        parts = self._stage_parts(stage)
        flat = columns.text(stage, parts)
        if len(flat) + 2 <= WIDTH:
            self._page.line(1, flat, stage.span)
            return
        self._page.line(1, f"stage {stage.name}", Span(stage.span.start, stage.span.start))
        self._page.lines([Line(2, part, Span(stage.span.start, stage.span.end)) for part in parts])

    def _stage_parts(self, stage: ast.Stage) -> list[str]:
        parts = [f"run {argv_text(stage.argv)}"] if stage.argv else []
        if stage.timeout:
            parts.append(f"timeout {self._duration(stage.timeout, stage.span)}")
        if stage.env:
            parts.append(f"env {argv_text(stage.env)}")
        if stage.pending_exit != -1:
            parts.append(f"pending exit {stage.pending_exit}")
        if stage.expect is not None:
            parts.append(f"expect json {string_text(stage.expect[0])} == {self.text(stage.expect[1])}")
        return parts

    # ---- tests -------------------------------------------------------------------------------------------------------

    def test(self, depth: int, test: ast.Test) -> None:
        head = f"test {string_text(test.title)} {{" if test.title else "test {"
        self._page.open_block(depth, head, Span(test.span.start, test.span.start))
        for text, step in zip(step_texts(test.steps, self._expressions), test.steps, strict=True):
            self._page.line(depth + 1, text, step.span)
        self._page.close_block(depth, test.span)


class _Columns:
    """Puts the parts of several stages under each other."""

    def __init__(self, stages: Sequence[ast.Stage]) -> None:
        self._aligned = len(stages) > 1
        self._name = max((len(stage.name) for stage in stages), default=0)
        self._run = max((len(argv_text(stage.argv)) + len("run ") for stage in stages), default=0)

    def text(self, stage: ast.Stage, parts: list[str]) -> str:
        if not self._aligned or not stage.argv:
            return " ".join([f"stage {stage.name}", *parts])
        run, *others = parts
        line = f"stage {stage.name.ljust(self._name)} {run.ljust(self._run)}  {' '.join(others)}"
        return line.rstrip()


def clauses_of(item: ast.Item) -> Iterator[Clause]:
    """Yield the clauses as they stand in the source, then those that no text shows, in canonical order."""
    values = {kind: _values(item, kind) for kind in _ORDER[type(item)].split()}
    for clause in getattr(item, "clauses", ()):
        if values.get(clause.word):
            yield clause.word, values[clause.word].pop(0), clause.span
    for kind, rest in values.items():
        for value in rest:
            yield kind, value, None


def _values(item: ast.Item, kind: str) -> list[Any]:
    """Return what the item says in clauses of one kind; a value that is the default needs no clause."""
    if kind == "retries":
        assert isinstance(item, ast.Verify)
        return [(item.retries, item.then)] if item.retries != -1 else []
    value = getattr(item, _FIELDS.get(kind, kind) if not (kind == "timeout" and isinstance(item, ast.Hook)) else kind)
    if kind in ("run", "before", "after"):
        return [value] if value else []
    if isinstance(value, tuple):
        return list(value)
    return [value] if value else []


# ---- steps of tests --------------------------------------------------------------------------------------------------

_WORD = re.compile(r"[a-z][a-z0-9_-]*")
_LONGEST_ALIGNED = 60


def step_texts(steps: Sequence[ast.TestStep], printer: ExpressionPrinter) -> list[str]:
    """One line per step, without indentation."""
    bodies = [step_body(step, printer) for step in steps]
    column = max((len(body) for body in bodies if len(body) <= _LONGEST_ALIGNED), default=0)
    texts = []
    for body, step in zip(bodies, steps, strict=True):
        if step.expectation is None:
            texts.append(body)
        else:
            by = f" by {step.expectation.by}" if step.expectation.by else ""
            texts.append(f"{body.ljust(column)}  => {step.expectation.verdict}{by}")
    return texts


def step_body(step: ast.TestStep, printer: ExpressionPrinter) -> str:
    """Return the step without its expectation."""
    values = [value for _, value in step.arguments]
    match step.kind:
        case "call":
            entries = _entries(step.arguments[1:], printer)
            tool = printer.value(values[0])
            return f"call {tool}{entries}"
        case "called":
            given = dict(step.arguments)
            ok, args, output = given["ok"], given["args"], given.get("output")
            assert isinstance(ok, ast.BoolLiteral) and isinstance(args, ast.ObjectLiteral)
            end = ("ok" if ok.value else "failed") + (f" output {printer.value(output)}" if output is not None else "")
            return f"call {printer.value(values[0])}{_entries(args.entries, printer)} {end}"
        case "todo":
            assert isinstance(values[1], ast.StringLiteral)
            required = [value for label, value in step.arguments[2:3] if label == "required"]
            more = _entries(step.arguments[2 + len(required) :], printer)
            return f"todo {_word(values[0], printer)} {values[1].value}{' required' if required else ''}{more}"
        case "fact":
            return f"fact {_word(values[0], printer)} = {printer.value(values[1])}"
        case "given":
            return f"given {printer.value(values[0])} = {printer.value(values[1])}"
        case _:
            words = [step.kind]
            for label, value in step.arguments:
                words += [label, printer.value(value)] if label else [printer.value(value)]
            return " ".join(words)


def _entries(pairs: Sequence[tuple[str, ast.Expr]], printer: ExpressionPrinter) -> str:
    return f" {printer.entries(pairs)}" if pairs else ""


def _word(value: ast.Expr, printer: ExpressionPrinter) -> str:
    """Return a string as the test prints it: one that looks like a name is written as one."""
    if isinstance(value, ast.StringLiteral) and _WORD.fullmatch(value.value) and value.value not in RESERVED:
        return value.value
    return printer.text(value)
