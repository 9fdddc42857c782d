"""Print findings or test outcomes as JUnit XML, the form in which build servers read test results.

The common subset: `testsuites > testsuite > testcase` with `failure`, `error`, `system-out`; times in
seconds. XML 1.0 cannot carry control characters at all, so they are made visible first.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from policy_engine.model.diagnostic import Diagnostic
from policy_engine.reports.base import CheckReport, Findings, Style, TestOutcome, TestReport, shown


def check_junit(findings: Findings, _style: Style) -> str:
    """Return a suite per file, a case per diagnostic; a clean file is one passed case. Notes do not fail."""
    suites = []
    by_file: dict[str, list[Diagnostic]] = {name: [] for name in findings.files}
    for diagnostic in findings.diagnostics:
        by_file.setdefault(diagnostic.source.name, []).append(diagnostic)
    for name, diagnostics in sorted(by_file.items()):
        cases = [_diagnostic_case(diagnostic) for diagnostic in diagnostics] or [_case("check", name, 0)]
        suites.append(_suite(name, cases))
    return _document("policy check", suites)


def _diagnostic_case(diagnostic: Diagnostic) -> Element:
    line, _ = diagnostic.source.position(diagnostic.span.start)
    case = _case(f"{diagnostic.code} at {diagnostic.location}", diagnostic.source.name, line)
    parts = [f"{diagnostic.location}: {diagnostic.severity}[{diagnostic.code}]: {diagnostic.message}"]
    parts += [f"help: {diagnostic.help}"] * bool(diagnostic.help)
    parts += [f"example: {diagnostic.witness}"] * bool(diagnostic.witness)
    parts += [f"{related.source.location(related.span)}: {related.message}" for related in diagnostic.related]
    if diagnostic.severity == "note":
        SubElement(case, "system-out").text = _text("\n".join(parts))
    else:
        failure = SubElement(case, "failure", message=_line(diagnostic.message), type=diagnostic.severity)
        failure.text = _text("\n".join(parts))
    return case


def outcomes_junit(outcomes: tuple[TestOutcome, ...], _style: Style) -> str:
    """Return a suite per file, a case per test; no test at all is a case in error, and never green."""
    if not outcomes:
        case = _case("no tests ran", "policy test", 0)
        SubElement(case, "error", message="no tests ran", type="NoTests").text = "no tests ran"
        return _document("policy test", [_suite("policy test", [case])])
    ordered = sorted(outcomes, key=lambda outcome: outcome.file)
    suites = [
        _suite(name, [_outcome_case(outcome) for outcome in group])
        for name, group in groupby(ordered, key=lambda outcome: outcome.file)
    ]
    return _document("policy test", suites)


def _outcome_case(outcome: TestOutcome) -> Element:
    case = _case(outcome.name, outcome.file, outcome.line, outcome.duration_ms / 1000)
    if not outcome.passed:
        failure = SubElement(
            case, "failure", message=_line("; ".join(map(str.strip, outcome.message.splitlines()))), type="failed"
        )
        failure.text = _text(f"{outcome.file}:{outcome.line}: {outcome.message}")
    return case


def _case(name: str, file: str, line: int, seconds: float = 0.0) -> Element:
    case = Element("testcase", name=_line(name), classname=_line(file), time=f"{seconds:.3f}", file=_line(file))
    if line:
        case.set("line", str(line))
    return case


def _suite(name: str, cases: Iterable[Element]) -> Element:
    suite = Element("testsuite", name=_line(name))
    suite.extend(cases)
    _count(suite)
    return suite


def _count(element: Element) -> None:
    """Set the totals of a suite from its cases, or of the whole from its suites."""
    cases = list(element.iter("testcase"))
    element.set("tests", str(len(cases)))
    for attribute, child in (("failures", "failure"), ("errors", "error")):
        element.set(attribute, str(sum(case.find(child) is not None for case in cases)))
    element.set("time", f"{sum(float(case.get('time', '0')) for case in cases):.3f}")


def _document(name: str, suites: list[Element]) -> str:
    root = Element("testsuites", name=name)
    root.extend(suites)
    _count(root)
    indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n'


def _line(text: str) -> str:
    return shown(text)


def _text(text: str) -> str:
    return shown(text, keep="\n\t")


CHECK = CheckReport("junit", check_junit)
TESTS = TestReport("junit", outcomes_junit)
