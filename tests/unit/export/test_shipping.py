"""`policy ship`: all decisions arrive at a receiver of OTLP, doubles are marked, totals exact, no secret sent."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.semconv._incubating.attributes import gen_ai_attributes, log_attributes
from opentelemetry.semconv.schemas import Schemas

from policy_engine.audit.log import log_path
from policy_engine.export import shipping
from policy_engine.export.otlp import SCHEMA, Collector
from policy_engine.export.shipping import COUNTERS, Shipment
from tests.faults.ship import Sink, check, receiving, send_all, values, write_log
from tests.house.sources import ROOT
from tests.unit.commands.running import Shell
from tests.unit.commands.test_ship import write_decisions

DASHBOARD = ROOT / "examples" / "grafana" / "decisions.json"


def _send(tmp_path: Path, sink: Sink, name: str = "decisions.jsonl") -> int:
    shipment = Shipment(str(tmp_path / name), Collector(sink.url), str(tmp_path / "place.json"), lambda: 5)
    shipment.send()
    return shipment.arrived


def test_what_is_cut_off_is_sent_again_and_marked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipping, "BATCH", 20)
    write_log(str(tmp_path / "decisions.jsonl"), 410)
    with receiving((2, 9, 15)) as sink:
        assert send_all(str(tmp_path / "decisions.jsonl"), str(tmp_path / "place.json"), sink, 4) == 3
        arrived = check(sink, 410)
    assert sorted(arrived.values()) == [1] * 350 + [2] * 60


def test_only_what_is_new_is_sent_and_the_totals_go_on(tmp_path: Path) -> None:
    log = str(tmp_path / "decisions.jsonl")
    with receiving() as sink:
        write_log(log, 8)
        assert (_send(tmp_path, sink), _send(tmp_path, sink)) == (8, 0)
        write_log(log, 4)
        assert _send(tmp_path, sink) == 4
        assert [values(record)["policy.record"] for record in sink.logs] == list(range(1, 13))
        assert not any(values(record)["policy.resent"] for record in sink.logs)
        assert sum(sink.totals("policy.decisions").values()) == 12
        assert list(sink.totals("policy.rule.results").values()) == [3]
        assert len({resource.resource.SerializeToString() for resource in sink.resources}) == 1


@pytest.mark.parametrize("later", [3, 30])
def test_a_log_that_began_anew_is_sent_from_its_beginning(tmp_path: Path, later: int) -> None:
    with receiving() as sink:
        write_log(str(tmp_path / "decisions.jsonl"), 8)
        assert _send(tmp_path, sink) == 8
        (tmp_path / "other").mkdir()
        write_log(str(tmp_path / "other" / "decisions.jsonl"), 1)
        write_log(str(tmp_path / "other" / "decisions.jsonl"), later)
        assert _send(tmp_path, sink, "other/decisions.jsonl") == later + 1


def test_an_ocsf_finding_has_what_its_class_requires(policy: Shell) -> None:
    write_decisions("ls", "rm a")
    with receiving() as sink:
        assert policy("ship", "--otlp", sink.url, "--format", "ocsf").status == 0
        allowed, denied = (_plain(record.body) for record in sink.logs)
    required = {
        "activity_id",
        "category_uid",
        "class_uid",
        "finding_info",
        "metadata",
        "severity_id",
        "time",
        "type_uid",
    }
    assert required <= set(denied)
    assert (denied["class_uid"], denied["type_uid"], denied["category_uid"]) == (2004, 200401, 2)
    assert (allowed["action_id"], denied["action_id"], denied["finding_info"]["title"]) == (1, 2, "no-rm")
    assert denied["metadata"]["uid"] == json.loads(Path(log_path()).read_text().splitlines()[1])["hash"]


def test_the_names_are_those_of_the_conventions(policy: Shell) -> None:
    known = {value for name, value in vars(gen_ai_attributes).items() if name.isupper() and isinstance(value, str)}
    write_decisions("rm a")
    with receiving() as sink:
        policy("ship", "--otlp", sink.url)
        names = set(values(sink.logs[0]))
    assert {name for name in names if name.startswith("gen_ai.")} <= known
    assert log_attributes.LOG_RECORD_UID in names
    assert {name for attributes in COUNTERS.values() for name in attributes if name.startswith("gen_ai.")} <= known
    assert SCHEMA in {schema.value for schema in Schemas}


def test_the_dashboard_asks_for_what_is_exported(policy: Shell) -> None:
    write_decisions("rm a")
    with receiving() as sink:
        policy("ship", "--otlp", sink.url)
        sent = {name for name in COUNTERS if sink.totals(name)}
    series = {f"{name.replace('.', '_')}_total" for name in COUNTERS}  # as Prometheus writes a counter
    labels = {name.replace(".", "_") for names in COUNTERS.values() for name in names} | {"le", "job", "instance"}
    panels = json.loads(DASHBOARD.read_text("utf-8"))["panels"]
    asked = [target["expr"] for panel in panels for target in panel["targets"]]
    assert {name for each in asked for name in re.findall(r"\bpolicy_\w+_total\b", each)} == series
    grouped = {
        name.strip() for each in asked for names in re.findall(r"by \((.*?)\)", each) for name in names.split(",")
    }
    compared = {name for each in asked for name in re.findall(r"(\w+)=~?\"", each)}
    assert grouped | compared <= labels
    assert sent == {"policy.decisions", "policy.rule.results"}


def _plain(value: Any) -> Any:
    """What an `AnyValue` holds."""
    kind = value.WhichOneof("value")
    if kind == "kvlist_value":
        return {each.key: _plain(each.value) for each in value.kvlist_value.values}
    if kind == "array_value":
        return [_plain(each) for each in value.array_value.values]
    return getattr(value, kind) if kind else None
