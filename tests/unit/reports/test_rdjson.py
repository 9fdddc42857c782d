"""The rdjson form: the members that reviewdog reads, at the place that it means."""

from __future__ import annotations

import json

from policy_engine.model.diagnostic import Diagnostic
from policy_engine.model.source import Source, Span
from policy_engine.reports.base import Findings, Style
from policy_engine.reports.rdjson import check_rdjson
from tests.unit.reports.examples import CLEAN, EVIL, MIXED, UNKNOWN_POINT, controls_in

PLAIN = Style()


def test_a_finding_is_at_its_place_with_its_code_and_help() -> None:
    result = json.loads(check_rdjson(Findings((UNKNOWN_POINT,)), PLAIN))
    assert result["source"] == {"name": "policy_engine"}
    [found] = result["diagnostics"]
    assert found["message"] == "unknown lifecycle point `befor_tool`\nhelp: did you mean `before_tool`?"
    assert found["location"] == {
        "path": "rules/main.policy",
        "range": {"start": {"line": 3, "column": 6}, "end": {"line": 3, "column": 16}},
    }
    assert (found["severity"], found["code"]) == ("ERROR", {"value": "PE204"})
    assert [one["message"] for one in found["relatedLocations"]] == ["the language is named here"]


def test_columns_count_bytes() -> None:
    source = Source("a.policy", 'rule é "ü" x\n')
    place = Diagnostic("PE1", "error", "m", source, Span(11, 12))
    [found] = json.loads(check_rdjson(Findings((place,)), PLAIN))["diagnostics"]
    assert found["location"]["range"]["start"] == {"line": 1, "column": len('rule é "ü" '.encode()) + 1}


def test_a_certain_repair_is_a_suggestion() -> None:
    place = Diagnostic("PE1", "error", "m", Source("a.policy", "ab cd\n"), Span(3, 5), fix="ef")
    [found] = json.loads(check_rdjson(Findings((place,)), PLAIN))["diagnostics"]
    where = {"start": {"line": 1, "column": 4}, "end": {"line": 1, "column": 6}}
    assert found["suggestions"] == [{"range": where, "text": "ef"}]


def test_severities_and_a_clean_set() -> None:
    found = json.loads(check_rdjson(MIXED, PLAIN))["diagnostics"]
    assert [one["severity"] for one in found] == ["WARNING", "INFO", "ERROR"]
    assert json.loads(check_rdjson(CLEAN, PLAIN))["diagnostics"] == []


def test_what_a_user_wrote_commands_no_terminal() -> None:
    text = check_rdjson(EVIL, PLAIN)
    assert controls_in(text) == set()
    assert controls_in(json.loads(text)["diagnostics"][0]["message"]) == set()
