"""Print findings, test outcomes or a decision as one JSON document.

Pure ASCII, keys in a fixed order, the same input gives the same bytes. Columns count characters from 1.
"""

from __future__ import annotations

import json
from typing import Any

from policy_engine.model.decision import Decision
from policy_engine.model.diagnostic import SEVERITIES, Diagnostic
from policy_engine.model.source import Source, Span
from policy_engine.reports.base import (
    CheckReport,
    DecisionReport,
    Findings,
    Style,
    TestOutcome,
    TestReport,
    without_surrogates,
)


def check_json(findings: Findings, _style: Style) -> str:
    """`{"files", "summary", "diagnostics"}`."""
    return _document(
        {
            "files": list(findings.files),
            "summary": {f"{severity}s": findings.count(severity) for severity in SEVERITIES},
            "diagnostics": [_diagnostic(diagnostic) for diagnostic in findings.diagnostics],
        }
    )


def _diagnostic(diagnostic: Diagnostic) -> dict[str, Any]:
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity,
        "message": diagnostic.message,
        **_place(diagnostic.source, diagnostic.span),
        "help": diagnostic.help,
        "witness": diagnostic.witness,
        "related": [
            {"message": related.message, **_place(related.source, related.span)} for related in diagnostic.related
        ],
    }


def _place(source: Source, span: Span) -> dict[str, Any]:
    line, column = source.position(span.start)
    end_line, end_column = source.position(span.end)
    return {"file": source.name, "line": line, "column": column, "end_line": end_line, "end_column": end_column}


def outcomes_json(outcomes: tuple[TestOutcome, ...], _style: Style) -> str:
    """`{"summary", "tests"}`; durations in milliseconds."""
    failed = sum(outcome.failed for outcome in outcomes)
    summary = {"tests": len(outcomes), "passed": len(outcomes) - failed, "failed": failed}
    return _document({"summary": summary, "tests": [_outcome(outcome) for outcome in outcomes]})


def _outcome(outcome: TestOutcome) -> dict[str, Any]:
    return {
        "file": outcome.file,
        "line": outcome.line,
        "rule": outcome.rule,
        "title": outcome.title,
        "outcome": "passed" if outcome.passed else "failed",
        "message": outcome.message,
        "duration_ms": outcome.duration_ms,
    }


def decision_json(decision: Decision, _style: Style) -> str:
    """Return the decision as on the interfaces page, indented for reading."""
    return _document(decision.to_dict())


def _document(value: dict[str, Any]) -> str:
    return json.dumps(without_surrogates(value), indent=2, allow_nan=False) + "\n"


CHECK = CheckReport("json", check_json)
TESTS = TestReport("json", outcomes_json)
DECISION = DecisionReport("json", decision_json)
