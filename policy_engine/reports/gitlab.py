"""Write findings as a Code Quality report of GitLab, which shows them in a merge request.

The fingerprint stays the same when lines are added above, so that a known finding is not reported as new.
"""

from __future__ import annotations

import json
from typing import Any

from policy_engine.model.diagnostic import Diagnostic, fingerprints
from policy_engine.reports.base import CheckReport, Findings, Style, shown, without_surrogates

_SEVERITIES = {"error": "blocker", "warning": "major", "note": "info"}


def check_gitlab(findings: Findings, _style: Style) -> str:
    """Return a list of issues, indented, in pure ASCII."""
    marks = fingerprints(findings.diagnostics)
    issues = [_issue(diagnostic, mark) for diagnostic, mark in zip(findings.diagnostics, marks, strict=True)]
    return json.dumps(without_surrogates(issues), indent=2, allow_nan=False) + "\n"


def _issue(diagnostic: Diagnostic, mark: str) -> dict[str, Any]:
    first, _ = diagnostic.source.position(diagnostic.span.start)
    last, _ = diagnostic.source.position(max(diagnostic.span.start, diagnostic.span.end))
    text = f"{diagnostic.message} ({diagnostic.help})" if diagnostic.help else diagnostic.message
    return {
        "description": shown(text, keep="\n"),
        "check_name": diagnostic.code,
        "fingerprint": mark,
        "severity": _SEVERITIES[diagnostic.severity],
        "location": {"path": diagnostic.source.name, "lines": {"begin": first, "end": last}},
    }


CHECK = CheckReport("gitlab", check_gitlab)
