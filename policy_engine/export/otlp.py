"""Send decisions as OpenTelemetry logs and metrics, over OTLP with HTTP and protobuf.

What the conventions for generative AI name has their names (`gen_ai.*`, of `SCHEMA`); what they do not know begins with
`policy.`. Headers and certificates come from the variables of OpenTelemetry, `OTEL_EXPORTER_OTLP_HEADERS` and so on.
"""

from __future__ import annotations

import logging
from typing import Any

from opentelemetry._logs import LogRecord, SeverityNumber
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.sdk._logs import ReadableLogRecord
from opentelemetry.sdk._logs.export import LogRecordExportResult
from opentelemetry.sdk.metrics.export import (
    AggregationTemporality,
    Metric,
    MetricExportResult,
    MetricsData,
    NumberDataPoint,
    ResourceMetrics,
    ScopeMetrics,
    Sum,
)
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.util.instrumentation import InstrumentationScope

import policy_engine
from policy_engine.export.ocsf import finding
from policy_engine.export.row import Row
from policy_engine.export.shipping import COUNTERS, Place, Shipped

SCHEMA = "https://opentelemetry.io/schemas/1.37.0"
EVENT = "policy.decision"
_NANO = 1_000_000
_SEVERITIES = {
    "allow": SeverityNumber.INFO, "warn": SeverityNumber.WARN, "remind": SeverityNumber.WARN,
    "ask": SeverityNumber.WARN2, "deny": SeverityNumber.ERROR, "stop": SeverityNumber.ERROR2,
}  # fmt: skip


class Collector:
    """A receiver of OTLP at an address; `ocsf`: the body of a log is a finding of that schema."""

    def __init__(self, url: str, ocsf: bool = False, timeout: float = 10) -> None:
        base = url.rstrip("/")
        logging.getLogger("opentelemetry").setLevel(logging.CRITICAL)  # a failure is said once, by the command
        self._logs = OTLPLogExporter(f"{base}/v1/logs", timeout=timeout)
        self._metrics = OTLPMetricExporter(f"{base}/v1/metrics", timeout=timeout)
        self._ocsf = ocsf
        self._scope = InstrumentationScope("policy_engine", policy_engine.__version__, SCHEMA)

    def logs(self, batch: list[Shipped], place: Place) -> bool:
        """Send decisions; return whether the receiver said that it has them."""
        resource = self._resource(place)
        records = [ReadableLogRecord(self._record(each), resource, self._scope) for each in batch]
        return bool(self._logs.export(records) is LogRecordExportResult.SUCCESS)

    def metrics(self, place: Place, now: int) -> bool:
        """Send the totals since the place was begun; return whether the receiver said that it has them."""
        metrics = [
            Metric(name, "", "{decision}", Sum(
                [NumberDataPoint(_named(names, key), place.since * _NANO, now * _NANO, count)
                 for key, count in sorted(place.totals[name].items())],
                AggregationTemporality.CUMULATIVE, True,
            ))
            for name, names in COUNTERS.items() if place.totals[name]
        ]  # fmt: skip
        scopes = [ScopeMetrics(self._scope, metrics, SCHEMA)]
        data = MetricsData([ResourceMetrics(self._resource(place), scopes, SCHEMA)])
        return bool(self._metrics.export(data) is MetricExportResult.SUCCESS)

    @staticmethod
    def _resource(place: Place) -> Resource:
        return Resource(
            {
                "service.name": "policy_engine",
                "service.version": policy_engine.__version__,
                "service.instance.id": place.instance,
            },
            SCHEMA,
        )

    def _record(self, each: Shipped) -> LogRecord:
        row = each.row
        body: Any = finding(row, each.uid) if self._ocsf else row.message or row.verdict
        return LogRecord(
            timestamp=(row.time or 0) * _NANO,
            severity_text=row.verdict,
            severity_number=_SEVERITIES.get(row.verdict, SeverityNumber.UNSPECIFIED),
            body=body,
            event_name=EVENT,
            attributes={"log.record.uid": each.uid, "policy.resent": each.resent, **attributes(row)},
        )


def attributes(row: Row) -> dict[str, Any]:
    """Return what is known of a decision under the names of the conventions, ours where they have none."""
    known = {
        "gen_ai.operation.name": "execute_tool" if row.tool else "invoke_agent",
        "gen_ai.tool.name": row.tool,
        "gen_ai.agent.name": row.host,
        "gen_ai.conversation.id": row.session,
        "policy.record": row.number,
        "policy.event": row.event,
        "policy.hook": row.hook,
        "policy.verdict": row.verdict,
        "policy.rule": row.rule,
        "policy.outcome": row.outcome,
        "policy.rules": [each["rule"] for each in row.rules],
        "policy.cause": row.cause,
        "policy.action": row.action,
        "policy.path": row.path,
        "policy.repository": row.repository,
        "policy.person": row.person,
        "policy.digest": row.policy,
    }
    return {name: value for name, value in known.items() if value not in ("", None, [])}


def _named(names: tuple[str, ...], key: tuple[str, ...]) -> dict[str, str]:
    return {name: value for name, value in zip(names, key, strict=True) if value}
