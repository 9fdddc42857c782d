"""The SARIF form, held against the schema of the standard."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from policy_engine.model.source import Source
from policy_engine.reports.base import Findings, Style
from policy_engine.reports.sarif import check_sarif
from tests.unit.reports.examples import CLEAN, EVIL, MIXED, UNKNOWN_POINT

SCHEMA = json.loads((Path(__file__).parents[2] / "data" / "sarif-2.1.0-rtm.5.json").read_text("utf-8"))


def _run(findings: Findings) -> dict[str, Any]:
    run: dict[str, Any] = json.loads(check_sarif(findings, Style()))["runs"][0]
    return run


@pytest.mark.parametrize("findings", [CLEAN, MIXED, EVIL, Findings(())], ids=["clean", "mixed", "evil", "empty"])
def test_the_log_is_valid_against_the_schema(findings: Findings) -> None:
    jsonschema.Draft4Validator(SCHEMA, format_checker=jsonschema.Draft4Validator.FORMAT_CHECKER).validate(
        json.loads(check_sarif(findings, Style()))
    )


def test_the_schema_refuses_what_is_wrong() -> None:
    log = json.loads(check_sarif(MIXED, Style()))
    log["runs"][0]["results"][0]["level"] = "fatal"
    assert not jsonschema.Draft4Validator(SCHEMA).is_valid(log)


def test_a_result_points_at_its_rule_and_place() -> None:
    run = _run(MIXED)
    result = run["results"][2]
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]] == {
        "id": "PE204",
        "defaultConfiguration": {"level": "error"},
        "shortDescription": {"text": "unknown lifecycle point"},
        "help": {
            "text": "A rule listens at a point that there is not.",
            "markdown": "A rule listens at a point that there is not.",
        },
    }
    assert result["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "rules/main.policy", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 3, "startColumn": 6, "endLine": 3, "endColumn": 16},
    }
    assert result["message"]["text"] == "unknown lifecycle point `befor_tool`\nhelp: did you mean `before_tool`?"
    assert [level["level"] for level in run["results"]] == ["warning", "note", "error"]


def test_file_names_become_addresses() -> None:
    def address(name: str) -> dict[str, str]:
        diagnostic = replace(UNKNOWN_POINT, source=Source(name, UNKNOWN_POINT.source.text))
        location: dict[str, str] = _run(Findings((diagnostic,)))["results"][0]["locations"][0]["physicalLocation"][
            "artifactLocation"
        ]
        return location

    assert address("a b/ü%.policy") == {"uri": "a%20b/%C3%BC%25.policy", "uriBaseId": "%SRCROOT%"}
    assert address("/etc/policy-engine/x.policy") == {"uri": "file:///etc/policy-engine/x.policy"}
    assert address("bad\udc80.policy") == {"uri": "bad%80.policy", "uriBaseId": "%SRCROOT%"}


def test_a_link_in_a_policy_does_not_become_a_link_of_the_viewer() -> None:
    diagnostic = replace(UNKNOWN_POINT, message="see [here](1) and `x[0]`", help="")
    assert _run(Findings((diagnostic,)))["results"][0]["message"]["text"] == "see \\[here](1) and `x[0]`"


def test_a_fingerprint_outlives_lines_added_above_and_tells_twins_apart() -> None:
    text = UNKNOWN_POINT.source.text
    moved = replace(
        UNKNOWN_POINT,
        source=Source(UNKNOWN_POINT.source.name, "# new\n" + text),
        span=type(UNKNOWN_POINT.span)(UNKNOWN_POINT.span.start + 6, UNKNOWN_POINT.span.end + 6),
    )

    def prints(*diagnostics: Any) -> list[str]:
        return [result["partialFingerprints"]["policyEngine/v1"] for result in _run(Findings(diagnostics))["results"]]

    assert prints(UNKNOWN_POINT) == prints(moved)
    assert len(set(prints(UNKNOWN_POINT, UNKNOWN_POINT))) == 2
