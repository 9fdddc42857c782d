"""Write findings in reviewdog's diagnostic format (`rdjson`), which reviewdog turns into comments on a pull request.

Columns count UTF-8 bytes from 1, as reviewdog reads them.
"""

from __future__ import annotations

import json
from typing import Any

from policy_engine.model.diagnostic import Diagnostic
from policy_engine.model.source import Source, Span
from policy_engine.reports.base import TOOL, CheckReport, Findings, Style, shown, without_surrogates

_SEVERITIES = {"error": "ERROR", "warning": "WARNING", "note": "INFO"}


def check_rdjson(findings: Findings, _style: Style) -> str:
    """Return one `DiagnosticResult`, indented, in pure ASCII."""
    result = {
        "source": {"name": TOOL},
        "severity": "INFO",
        "diagnostics": [_diagnostic(diagnostic) for diagnostic in findings.diagnostics],
    }
    return json.dumps(without_surrogates(result), indent=2, allow_nan=False) + "\n"


def _diagnostic(diagnostic: Diagnostic) -> dict[str, Any]:
    lines = [diagnostic.message]
    if diagnostic.help:
        lines.append(f"help: {diagnostic.help}")
    if diagnostic.witness:
        lines.append(f"example: {diagnostic.witness}")
    record: dict[str, Any] = {
        "message": shown("\n".join(lines), keep="\n"),
        "location": _location(diagnostic.source, diagnostic.span),
        "severity": _SEVERITIES[diagnostic.severity],
        "code": {"value": diagnostic.code},
    }
    if diagnostic.fix:
        record["suggestions"] = [{"range": _range(diagnostic.source, diagnostic.span), "text": diagnostic.fix}]
    if diagnostic.related:
        record["relatedLocations"] = [
            {"message": shown(one.message, keep="\n"), "location": _location(one.source, one.span)}
            for one in diagnostic.related
        ]
    return record


def _location(source: Source, span: Span) -> dict[str, Any]:
    return {"path": source.name, "range": _range(source, span)}


def _range(source: Source, span: Span) -> dict[str, Any]:
    return {"start": _position(source, span.start), "end": _position(source, max(span.start, span.end))}


def _position(source: Source, offset: int) -> dict[str, int]:
    line, column = source.position(offset)
    before = source.line_text(line)[: column - 1]
    return {"line": line, "column": len(before.encode("utf-8", "replace")) + 1}


CHECK = CheckReport("rdjson", check_rdjson)
