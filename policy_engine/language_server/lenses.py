"""Offer to run the tests of a policy where they stand; they run on virtual workspaces, and start nothing."""

from __future__ import annotations

from collections.abc import Mapping

from lsprotocol import types
from pygls.uris import from_fs_path

from policy_engine.language_server.positions import position_of, range_of
from policy_engine.language_server.project import Project
from policy_engine.model.source import Source, Span
from policy_engine.reports.base import TestOutcome, counted, shown
from policy_engine.syntax import ast
from policy_engine.syntax.parser import parse
from policy_engine.testing.runner import run, suite

RUN_TESTS = "policy.runTests"


def lenses(path: str, source: Source) -> list[types.CodeLens]:
    """Return one lens for each test of a file, and one for each item with several."""
    lenses_shown = []
    uri = from_fs_path(path)
    for item in parse(source)[0].items:
        tests = (item,) if isinstance(item, ast.Test) else getattr(item, "tests", ())
        lines = [source.position(test.span.start)[0] for test in tests]
        if len(tests) > 1:
            command = types.Command(f"run {counted(len(tests), 'test')}", RUN_TESTS, arguments=[uri, lines])
            lenses_shown.append(types.CodeLens(_head(source, item.span), command))
        for test, line in zip(tests, lines, strict=True):
            lenses_shown.append(
                types.CodeLens(_head(source, test.span), types.Command("run test", RUN_TESTS, arguments=[uri, [line]]))
            )
    return lenses_shown


def _head(source: Source, span: Span) -> types.Range:
    start = position_of(source, span.start)
    return types.Range(start, start)


def run_tests(
    project: Project, path: str, lines: list[int], unsaved: Mapping[str, bytes]
) -> tuple[str, list[types.Diagnostic]]:
    """Run the tests that begin at these lines, all of the file if none is named; say what came of it in a sentence,
    and give each that failed as a finding at its head."""
    compiled = project.compile(unsaved)
    if compiled.program is None:
        return f"the policy does not load: {counted(len(compiled.errors), 'error')}", []
    every = suite(compiled, [path])
    chosen = tuple(one for one in every.tests if not lines or _line(one.place.source, one.place.span) in lines)
    outcomes = run(type(every)(every.policy, chosen, every.trials, every.files, every.sees))
    failed = [one for one in outcomes if one.failed]
    text = f"{len(outcomes) - len(failed)} of {counted(len(outcomes), 'test')} passed"
    tree = project.tree(path)
    return text, [_finding(tree.source, one) for one in failed] if tree is not None else []


def _line(source: Source, span: Span) -> int:
    return source.position(span.start)[0]


def _finding(source: Source, outcome: TestOutcome) -> types.Diagnostic:
    start = source.line_start(outcome.line)
    end = start + len(source.line_text(outcome.line))
    return types.Diagnostic(
        range_of(source, Span(start, end)),
        shown(outcome.message, keep="\n") or "failed",
        severity=types.DiagnosticSeverity.Error,
        code="test-failed",
        source="policy test",
    )
