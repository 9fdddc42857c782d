"""The TAP form, read back by an independent parser."""

from __future__ import annotations

from dataclasses import replace

from tap.line import Bail, Plan, Result
from tap.parser import Parser

from policy_engine.reports.base import Style
from policy_engine.reports.tap import outcomes_tap
from tests.unit.reports.examples import EVIL_OUTCOMES, FAILED, OUTCOMES

PLAIN = Style()


def _read(text: str) -> list[object]:
    # the parser knows version 13, whose lines are the same; its YAML blocks need a library of their own
    return list(Parser().parse_text(text.replace("TAP version 14", "TAP version 13")))


def test_the_stream_is_plan_then_results() -> None:
    text = outcomes_tap(OUTCOMES, PLAIN)
    assert text == (
        "TAP version 14\n"
        "1..3\n"
        "ok 1 - rules/main.policy:7 r: blocks\n"
        "not ok 2 - rules/main.policy:12 r: allows\n"
        "  ---\n"
        '  message: "expected allow\\ngot deny by r"\n'
        '  file: "rules/main.policy"\n'
        "  line: 12\n"
        '  rule: "r"\n'
        "  ...\n"
        "ok 3 - rules/other.policy:3 whole\n"
    )
    plan, *rest = [line for line in _read(text) if isinstance(line, Plan | Result)]
    assert isinstance(plan, Plan)
    assert plan.expected_tests == 3
    assert [(line.ok, line.skip) for line in rest if isinstance(line, Result)] == [
        (True, False),
        (False, False),
        (True, False),
    ]


def test_the_block_of_a_failure_is_yaml() -> None:
    import yaml

    block = outcomes_tap((FAILED,), PLAIN).split("  ---\n")[1].split("  ...\n")[0]
    assert yaml.safe_load(block) == {"message": FAILED.message, "file": FAILED.file, "line": 12, "rule": "r"}


def test_a_title_cannot_pose_as_a_directive() -> None:
    results = [line for line in _read(outcomes_tap(EVIL_OUTCOMES, PLAIN)) if isinstance(line, Result)]
    assert len(results) == 2
    assert not results[0].ok
    assert not results[0].skip
    assert "＃ SKIP" in outcomes_tap(EVIL_OUTCOMES, PLAIN).splitlines()[2]


def test_other_hashes_and_backslashes_are_escaped() -> None:
    outcome = replace(FAILED, title="issue #3 \\ four")
    assert outcomes_tap((outcome,), PLAIN).splitlines()[2] == (
        "not ok 1 - rules/main.policy:12 r: issue \\#3 \\\\ four"
    )


def test_a_run_without_tests_bails_out() -> None:
    assert any(isinstance(line, Bail) for line in _read(outcomes_tap((), PLAIN)))
