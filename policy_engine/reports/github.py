"""Print findings or test outcomes as workflow commands of GitHub Actions, shown beside the changed lines.

`::error file=F,line=N,endLine=N,col=N,endColumn=N,title=T::MESSAGE`. A runner reads whatever line begins with `::`, so
everything a user wrote is percent-escaped: `%`, carriage return and line feed everywhere, `:` and `,` in properties.
"""

from __future__ import annotations

from policy_engine.model.diagnostic import Diagnostic
from policy_engine.reports.base import CheckReport, Findings, Style, TestOutcome, TestReport, counted, severities, shown

_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}


def check_github(findings: Findings, _style: Style) -> str:
    """Return a command per diagnostic, then the summary as plain text."""
    lines = [_diagnostic(diagnostic) for diagnostic in findings.diagnostics]
    lines.append(", ".join(severities(findings)) or "no findings")
    return "\n".join(lines) + "\n"


def _diagnostic(diagnostic: Diagnostic) -> str:
    line, column = diagnostic.source.position(diagnostic.span.start)
    end_line, end_column = diagnostic.source.position(diagnostic.span.end)
    properties = {"file": diagnostic.source.name, "line": str(line), "endLine": str(end_line)}
    if end_line == line:  # the service refuses columns of a range over several lines
        properties |= {"col": str(column), "endColumn": str(end_column)}
    properties["title"] = f"{diagnostic.severity}[{diagnostic.code}]"
    message = diagnostic.message
    if diagnostic.help:
        message += f"\nhelp: {diagnostic.help}"
    if diagnostic.witness:
        message += f"\nexample: {diagnostic.witness}"
    for related in diagnostic.related:
        message += f"\n{related.source.location(related.span)}: {related.message}"
    return _command(_COMMANDS[diagnostic.severity], properties, message)


def outcomes_github(outcomes: tuple[TestOutcome, ...], _style: Style) -> str:
    """Return a command per failed test, then the summary as plain text."""
    lines = []
    for outcome in outcomes:
        properties = {"file": outcome.file, "line": str(outcome.line), "title": outcome.name}
        if not outcome.passed:
            lines.append(_command("error", properties, outcome.message or "failed"))
    failed = sum(outcome.failed for outcome in outcomes)
    if not outcomes:
        lines.append(_command("error", {"title": "policy test"}, "no tests ran"))
    lines.append(f"{counted(len(outcomes), 'test')}, {failed} failed")
    return "\n".join(lines) + "\n"


def _command(name: str, properties: dict[str, str], message: str) -> str:
    written = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    return f"::{name} {written}::{_data(message)}"


def _data(text: str) -> str:
    return shown(text, keep="\n").replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


CHECK = CheckReport("github", check_github)
TESTS = TestReport("github", outcomes_github)
