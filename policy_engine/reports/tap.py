"""Print test outcomes as TAP version 14, the Test Anything Protocol.

A description may not hold a bare `#` (it would begin a directive such as SKIP) nor a bare backslash; both are escaped
as version 14 says, and a `#` that spells a directive is written `＃`, because older readers do not know the escape and
would take a failure for skipped. Failures carry a YAML block, whose strings are written as JSON, which YAML contains.
"""

from __future__ import annotations

import json
import re

from policy_engine.reports.base import Style, TestOutcome, TestReport, shown

_DIRECTIVE = re.compile(r"#(?=\s*(?:skip|todo))", re.IGNORECASE)


def outcomes_tap(outcomes: tuple[TestOutcome, ...], _style: Style) -> str:
    """Return the stream. No test at all bails out: a plan of zero would read as skipped, hence as success."""
    lines = ["TAP version 14"]
    if not outcomes:
        lines.append("Bail out! no tests ran")
        return "\n".join(lines) + "\n"
    lines.append(f"1..{len(outcomes)}")
    for number, outcome in enumerate(outcomes, 1):
        lines += _test(number, outcome)
    return "\n".join(lines) + "\n"


def _test(number: int, outcome: TestOutcome) -> list[str]:
    word = "not ok" if outcome.failed else "ok"
    line = f"{word} {number} - {_description(f'{outcome.file}:{outcome.line} {outcome.name}')}"
    if outcome.passed:
        return [line]
    block: dict[str, str | int] = {
        "message": outcome.message,
        "file": outcome.file,
        "line": outcome.line,
        "rule": outcome.rule,
    }
    return [line, "  ---", *(f"  {key}: {_scalar(value)}" for key, value in block.items()), "  ..."]


def _description(text: str) -> str:
    return _DIRECTIVE.sub("＃", shown(text)).replace("\\", "\\\\").replace("#", "\\#")


def _scalar(value: str | int) -> str:
    return json.dumps(shown(value, keep="\n") if isinstance(value, str) else value)


TESTS = TestReport("tap", outcomes_tap)
