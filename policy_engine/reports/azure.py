"""Print findings or test outcomes as logging commands of Azure Pipelines, shown with the run and its changed lines.

`##vso[task.logissue type=error;sourcepath=F;linenumber=N;columnnumber=N;code=C]MESSAGE`. An agent reads such a command
wherever it stands, so all that a user wrote is within one, and escaped: `%`, carriage return and line feed everywhere,
`;` and `]` in properties. The service knows errors and warnings only: a note is a warning that says so.
"""

from __future__ import annotations

from policy_engine.model.diagnostic import Diagnostic
from policy_engine.reports.base import CheckReport, Findings, Style, TestOutcome, TestReport, counted, severities, shown


def check_azure(findings: Findings, _style: Style) -> str:
    """Return a command per diagnostic, then the summary as plain text."""
    lines = [_diagnostic(diagnostic) for diagnostic in findings.diagnostics]
    lines.append(", ".join(severities(findings)) or "no findings")
    return "\n".join(lines) + "\n"


def _diagnostic(diagnostic: Diagnostic) -> str:
    line, column = diagnostic.source.position(diagnostic.span.start)
    message = diagnostic.message if diagnostic.severity != "note" else f"note: {diagnostic.message}"
    if diagnostic.help:
        message += f"\nhelp: {diagnostic.help}"
    if diagnostic.witness:
        message += f"\nexample: {diagnostic.witness}"
    place = {"sourcepath": diagnostic.source.name, "linenumber": str(line), "columnnumber": str(column)}
    kind = "error" if diagnostic.severity == "error" else "warning"
    return _command(kind, place | {"code": diagnostic.code}, message)


def outcomes_azure(outcomes: tuple[TestOutcome, ...], _style: Style) -> str:
    """Return a command per failed test, then the summary as plain text."""
    lines = []
    for outcome in outcomes:
        if not outcome.passed:
            place = {"sourcepath": outcome.file, "linenumber": str(outcome.line)}
            lines.append(_command("error", place, f"{outcome.name}: {outcome.message or 'failed'}"))
    failed = sum(outcome.failed for outcome in outcomes)
    if not outcomes:
        lines.append(_command("error", {}, "no tests ran"))
    lines.append(f"{counted(len(outcomes), 'test')}, {failed} failed")
    return "\n".join(lines) + "\n"


def _command(kind: str, place: dict[str, str], message: str) -> str:
    written = "".join(f"{key}={_property(value)};" for key, value in ({"type": kind} | place).items())
    return f"##vso[task.logissue {written}]{_data(message)}"


def _data(text: str) -> str:
    return shown(text, keep="\n").replace("%", "%AZP25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(";", "%3B").replace("]", "%5D")


CHECK = CheckReport("azure", check_azure)
TESTS = TestReport("azure", outcomes_azure)
