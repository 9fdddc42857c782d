"""Print test outcomes as a badge: JSON that the endpoint of shields.io draws."""

from __future__ import annotations

from policy_engine.reports.base import Style, TestOutcome, TestReport, badge


def outcomes_badge(outcomes: tuple[TestOutcome, ...], _style: Style) -> str:
    """Return how many tests passed, or failed if one did."""
    failed = sum(outcome.failed for outcome in outcomes)
    if failed:
        return badge("policy tests", f"{failed} failed", "red") + "\n"
    return badge("policy tests", f"{len(outcomes)} passed", "brightgreen" if outcomes else "lightgrey") + "\n"


TESTS = TestReport("badge", outcomes_badge)
