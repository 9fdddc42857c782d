"""The JSON form: every field, ASCII only, the same bytes for the same input."""

from __future__ import annotations

import json

from policy_engine.reports.base import Findings, Style
from policy_engine.reports.json import check_json, decision_json, outcomes_json
from tests.unit.reports.examples import DENIED, EVIL, FAILED, HARM, MIXED, OUTCOMES, UNKNOWN_POINT

PLAIN = Style()


def test_a_diagnostic_has_all_its_fields() -> None:
    assert json.loads(check_json(Findings((UNKNOWN_POINT,), ("rules/main.policy",)), PLAIN)) == {
        "files": ["rules/main.policy"],
        "summary": {"errors": 1, "warnings": 0, "notes": 0},
        "diagnostics": [
            {
                "code": "PE204",
                "severity": "error",
                "message": "unknown lifecycle point `befor_tool`",
                "file": "rules/main.policy",
                "line": 3,
                "column": 6,
                "end_line": 3,
                "end_column": 16,
                "help": "did you mean `before_tool`?",
                "witness": "",
                "related": [
                    {
                        "message": "the language is named here",
                        "file": "rules/main.policy",
                        "line": 1,
                        "column": 1,
                        "end_line": 1,
                        "end_column": 9,
                    }
                ],
            }
        ],
    }


def test_outcomes_are_named_and_counted() -> None:
    report = json.loads(outcomes_json(OUTCOMES, PLAIN))
    assert report["summary"] == {"tests": 3, "passed": 2, "failed": 1}
    assert [test["outcome"] for test in report["tests"]] == ["passed", "failed", "passed"]
    assert report["tests"][1]["message"] == FAILED.message


def test_a_decision_is_the_documented_object() -> None:
    assert json.loads(decision_json(DENIED, PLAIN)) == DENIED.to_dict()


def test_whatever_the_text_the_document_is_ascii_and_parses() -> None:
    written = check_json(EVIL, PLAIN)
    assert written.isascii()
    assert json.loads(written)["diagnostics"][0]["message"] == HARM.replace("\udc80", "\\udc80")


def test_the_same_input_gives_the_same_bytes() -> None:
    assert check_json(MIXED, PLAIN) == check_json(MIXED, Style(color=True, width=10))
