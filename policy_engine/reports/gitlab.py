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
    issues = [_issue(found, mark) for found, mark in zip(findings.diagnostics, marks, strict=True)]
    return json.dumps(without_surrogates(issues), indent=2, allow_nan=False) + "\n"


def _issue(found: Diagnostic, mark: str) -> dict[str, Any]:
    first, _ = found.source.position(found.span.start)
    last, _ = found.source.position(max(found.span.start, found.span.end))
    text = f"{found.message} ({found.help})" if found.help else found.message
    return {
        "description": shown(text, keep="\n"),
        "check_name": found.code,
        "fingerprint": mark,
        "severity": _SEVERITIES[found.severity],
        "location": {"path": found.source.name, "lines": {"begin": first, "end": last}},
    }


CHECK = CheckReport("gitlab", check_gitlab)
