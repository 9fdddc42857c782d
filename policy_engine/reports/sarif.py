"""Print findings as SARIF 2.1.0, the form that code scanning services read. OASIS standard, errata 01.

One run; every code that occurs becomes a rule of the tool with its manual page; columns count Unicode code points.
Relative file names stand relative to the root of the repository (`%SRCROOT%`), absolute ones as file addresses.
"""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import quote

import policy_engine
from policy_engine.model.diagnostic import Diagnostic, fingerprints
from policy_engine.model.source import Source, Span
from policy_engine.reports.base import TOOL, CheckReport, Findings, Style, shown, without_surrogates

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "note": "note"}
_LINK = re.compile(r"\[(?=[^\]\n]*\]\()")


def check_sarif(findings: Findings, _style: Style) -> str:
    """Return the log file, indented, in pure ASCII."""
    codes = sorted({diagnostic.code for diagnostic in findings.diagnostics})
    run = {
        "tool": {
            "driver": {
                "name": TOOL,
                "version": policy_engine.__version__,
                "semanticVersion": policy_engine.__version__,
                "rules": [_rule(code, findings) for code in codes],
            }
        },
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {"%SRCROOT%": {"description": {"text": "the root of the repository"}}},
        "artifacts": [{"location": _artifact(name)} for name in findings.files],
        "results": _results(findings, codes),
    }
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(without_surrogates(log), indent=2, allow_nan=False) + "\n"


def _rule(code: str, findings: Findings) -> dict[str, Any]:
    worst = next(diagnostic.severity for diagnostic in findings.diagnostics if diagnostic.code == code)
    rule: dict[str, Any] = {"id": code, "defaultConfiguration": {"level": _LEVELS[worst]}}
    page = findings.pages.get(code)
    if page is not None:
        rule["shortDescription"] = {"text": _text(page.title)}
        if page.body:
            rule["help"] = {"text": _text(page.body), "markdown": page.body}
    return rule


def _results(findings: Findings, codes: list[str]) -> list[dict[str, Any]]:
    """One result each; two alike on different lines get different fingerprints by their turn."""
    marks = fingerprints(findings.diagnostics)
    return [
        _result(diagnostic, codes.index(diagnostic.code), mark)
        for diagnostic, mark in zip(findings.diagnostics, marks, strict=True)
    ]


def _result(diagnostic: Diagnostic, index: int, fingerprint: str) -> dict[str, Any]:
    parts = [diagnostic.message]
    if diagnostic.help:
        parts.append(f"help: {diagnostic.help}")
    if diagnostic.witness:
        parts.append(f"example: {diagnostic.witness}")
    result: dict[str, Any] = {
        "ruleId": diagnostic.code,
        "ruleIndex": index,
        "level": _LEVELS[diagnostic.severity],
        "message": {"text": _text("\n".join(parts))},
        "locations": [{"physicalLocation": _location(diagnostic.source, diagnostic.span)}],
        "partialFingerprints": {"policyEngine/v1": fingerprint},
    }
    if diagnostic.related:
        result["relatedLocations"] = [
            {
                "id": number,
                "physicalLocation": _location(related.source, related.span),
                "message": {"text": _text(related.message)},
            }
            for number, related in enumerate(diagnostic.related, 1)
        ]
    return result


def _location(source: Source, span: Span) -> dict[str, Any]:
    line, column = source.position(span.start)
    end_line, end_column = source.position(max(span.end, span.start))
    region = {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}
    return {"artifactLocation": _artifact(source.name), "region": region}


def _artifact(name: str) -> dict[str, str]:
    address = quote(name.encode("utf-8", "surrogateescape"), safe="/")
    if name.startswith("/"):
        return {"uri": f"file://{address}"}
    return {"uri": address, "uriBaseId": "%SRCROOT%"}


def _text(text: str) -> str:
    """Plain message text: `[words](target)` in what a user wrote must not become a link of the viewer."""
    return _LINK.sub(r"\\[", shown(text, keep="\n"))


CHECK = CheckReport("sarif", check_sarif)
