"""Policy text → the outcomes of its tests, for the tests of the room that plays them."""

from __future__ import annotations

from pathlib import Path

from policy_engine.loading.loader import load_text
from policy_engine.reports.base import TestOutcome
from policy_engine.testing.coverage import Coverage
from policy_engine.testing.runner import Suite, run, suite

NAME = "main.policy"


def suite_of(text: str) -> Suite:
    """The suite of one policy; its errors are a failure of the test that wrote it."""
    loaded = load_text(f"language 1\n{text}", NAME)
    assert [f"{found.location}: {found.message}" for found in loaded.errors] == []
    return suite(loaded, [Path(NAME)])


def outcomes(text: str) -> tuple[TestOutcome, ...]:
    """How the tests of a policy ended."""
    return run(suite_of(text))


def messages(text: str) -> list[str]:
    """The messages of a policy's tests; empty text for those that passed."""
    return [outcome.message for outcome in outcomes(text)]


def coverage_of(text: str) -> Coverage:
    """What the tests of a policy saw."""
    found = suite_of(text)
    coverage = Coverage(found.policy, found.files)
    assert [outcome.message for outcome in run(found, coverage) if outcome.failed] == []
    return coverage
