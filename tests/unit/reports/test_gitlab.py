"""The Code Quality form of GitLab: the members that the service asks for, and fingerprints that stay."""

from __future__ import annotations

import json
from dataclasses import replace

from policy_engine.model.source import Source, Span
from policy_engine.reports.base import Findings, Style
from policy_engine.reports.gitlab import check_gitlab
from tests.unit.reports.examples import AT, CLEAN, EVIL, MIXED, SOURCE, UNKNOWN_POINT, controls_in

PLAIN = Style()


def test_an_issue_has_what_the_service_reads() -> None:
    [issue] = json.loads(check_gitlab(Findings((UNKNOWN_POINT,)), PLAIN))
    assert issue.pop("fingerprint")
    assert issue == {
        "description": "unknown lifecycle point `befor_tool` (did you mean `before_tool`?)",
        "check_name": "PE204",
        "severity": "blocker",
        "location": {"path": "rules/main.policy", "lines": {"begin": 3, "end": 3}},
    }


def test_severities_and_a_clean_set() -> None:
    assert [issue["severity"] for issue in json.loads(check_gitlab(MIXED, PLAIN))] == ["major", "info", "blocker"]
    assert json.loads(check_gitlab(CLEAN, PLAIN)) == []


def test_a_fingerprint_stays_when_lines_are_added_above_and_no_two_are_equal() -> None:
    lower = Source(SOURCE.name, "\n\n" + SOURCE.text)
    moved = replace(UNKNOWN_POINT, source=lower, span=Span(AT.start + 2, AT.end + 2))
    marks = [
        [issue["fingerprint"] for issue in json.loads(check_gitlab(Findings(found), PLAIN))]
        for found in ((UNKNOWN_POINT, UNKNOWN_POINT), (moved,))
    ]
    assert marks[0][0] == marks[1][0]
    assert len(set(marks[0])) == 2


def test_what_a_user_wrote_commands_no_terminal() -> None:
    text = check_gitlab(EVIL, PLAIN)
    assert controls_in(text) == set()
    assert controls_in(json.loads(text)[0]["description"]) == set()
