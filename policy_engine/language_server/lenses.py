"""Offer to run and explain the tests of a policy where they stand, on virtual workspaces; nothing is started."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from lsprotocol import types
from pygls.uris import from_fs_path

from policy_engine.language_server.positions import position_of, range_of
from policy_engine.language_server.project import Project
from policy_engine.model.source import Source, Span
from policy_engine.reports.base import TestOutcome, counted, shown
from policy_engine.syntax import ast
from policy_engine.syntax.parser import parse
from policy_engine.testing.runner import Suite, explanations, run, suite

RUN_TESTS, WHY = "policy.runTests", "policy.why"


def lenses(path: str, source: Source) -> list[types.CodeLens]:
    """Return two lenses for each test of a file, and one for each item with several."""
    lenses_shown = []
    uri = from_fs_path(path)
    for item in parse(source)[0].items:
        tests = (item,) if isinstance(item, ast.Test) else getattr(item, "tests", ())
        lines = [source.position(test.span.start)[0] for test in tests]
        if len(tests) > 1:
            command = types.Command(f"run {counted(len(tests), 'test')}", RUN_TESTS, arguments=[uri, lines])
            lenses_shown.append(types.CodeLens(_head(source, item.span), command))
        for test, line in zip(tests, lines, strict=True):
            for title, name in (("run test", RUN_TESTS), ("why", WHY)):
                command = types.Command(title, name, arguments=[uri, [line]])
                lenses_shown.append(types.CodeLens(_head(source, test.span), command))
    return lenses_shown


def _head(source: Source, span: Span) -> types.Range:
    start = position_of(source, span.start)
    return types.Range(start, start)


def run_tests(
    project: Project, path: str, lines: list[int], unsaved: Mapping[str, bytes]
) -> tuple[str, list[types.Diagnostic]]:
    """Run the tests that begin at these lines, all of the file if none is named; say what came of them in a sentence,
    and give each that failed as a finding at its head."""
    chosen = _chosen(project, path, lines, unsaved)
    if isinstance(chosen, str):
        return chosen, []
    outcomes = run(chosen)
    failed = [one for one in outcomes if one.failed]
    text = f"{len(outcomes) - len(failed)} of {counted(len(outcomes), 'test')} passed"
    tree = project.tree(path)
    return text, [_failed(tree.source, one) for one in failed] if tree is not None else []


def why(
    project: Project, path: str, lines: list[int], unsaved: Mapping[str, bytes]
) -> tuple[str, list[types.Diagnostic]]:
    """Give each step of the tests that begin at these lines as a finding that says why it was decided as it was."""
    chosen = _chosen(project, path, lines, unsaved)
    if isinstance(chosen, str):
        return chosen, []
    found = [
        _finding(step.place.source, step.place.span, text, types.DiagnosticSeverity.Information, "why")
        for test in chosen.tests
        for step, text in explanations(test, chosen.trials)
    ]
    return f"{counted(len(found), 'step')} explained", found


def _chosen(project: Project, path: str, lines: list[int], unsaved: Mapping[str, bytes]) -> Suite | str:
    """Return the tests that begin at these lines, all of the file if none is named, or why there are none."""
    compiled = project.compile(unsaved)
    if compiled.program is None:
        return f"the policy does not load: {counted(len(compiled.errors), 'error')}"
    every = suite(compiled, [path])
    tests = tuple(one for one in every.tests if not lines or _line(one.place.source, one.place.span) in lines)
    return replace(every, tests=tests)


def _line(source: Source, span: Span) -> int:
    return source.position(span.start)[0]


def _failed(source: Source, outcome: TestOutcome) -> types.Diagnostic:
    start = source.line_start(outcome.line)
    span = Span(start, start + len(source.line_text(outcome.line)))
    return _finding(source, span, outcome.message or "failed", types.DiagnosticSeverity.Error, "test-failed")


def _finding(source: Source, span: Span, text: str, severity: types.DiagnosticSeverity, code: str) -> types.Diagnostic:
    message = shown(text, keep="\n")
    return types.Diagnostic(range_of(source, span), message, severity=severity, code=code, source="policy test")
