"""A receiver of OTLP that is cut off while the decision log is sent → what was lost, or doubled unmarked: nothing.

It speaks OTLP over HTTP with the official protobuf classes. A cut takes a request and closes the connection without an
answer, so that what it took is sent again; then it refuses everything until somebody tries again.

    python -m tests.faults.ship 100000 3         decisions, and cuts
"""

from __future__ import annotations

import gzip
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest, ExportLogsServiceResponse
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import (
    ExportMetricsServiceRequest,
    ExportMetricsServiceResponse,
)

from policy_engine.audit import chain
from policy_engine.export.otlp import Collector
from policy_engine.export.shipping import NotTaken, Shipment
from policy_engine.model.strict_json import write_json


class Sink(ThreadingHTTPServer):
    """A receiver; `cuts` are the numbers of requests for logs that are taken and not answered."""

    daemon_threads = True

    def __init__(self, cuts: tuple[int, ...] = ()) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.logs: list[Any] = []
        self.resources: list[Any] = []
        self.metrics: list[Any] = []
        self.bodies: list[bytes] = []
        self.requests = 0
        self.cuts = cuts
        self.refusing = False

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def totals(self, name: str) -> dict[tuple[tuple[str, str], ...], int]:
        """The last value of each series of a counter."""
        found = {}
        for request in self.metrics:
            for resource in request.resource_metrics:
                for metric in (metric for scope in resource.scope_metrics for metric in scope.metrics):
                    for point in metric.sum.data_points if metric.name == name else ():
                        key = tuple(sorted((each.key, each.value.string_value) for each in point.attributes))
                        found[key] = point.as_int
        return found


class _Handler(BaseHTTPRequestHandler):
    server: Sink
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        body = gzip.decompress(body) if self.headers.get("Content-Encoding") == "gzip" else body
        sink = self.server
        if sink.refusing:
            self._answer(400, b"")
            return
        sink.bodies.append(body)
        if self.path == "/v1/metrics":
            sink.metrics.append(ExportMetricsServiceRequest.FromString(body))
            self._answer(200, ExportMetricsServiceResponse().SerializeToString())
            return
        sink.requests += 1
        for resource in ExportLogsServiceRequest.FromString(body).resource_logs:
            sink.resources.append(resource)
            sink.logs += [record for scope in resource.scope_logs for record in scope.log_records]
        if sink.requests in sink.cuts:
            sink.refusing = True
            self.close_connection = True
            return
        self._answer(200, ExportLogsServiceResponse().SerializeToString())

    def _answer(self, status: int, data: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/x-protobuf")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def receiving(cuts: tuple[int, ...] = ()) -> Iterator[Sink]:
    """A receiver that listens."""
    with Sink(cuts) as sink:
        thread = threading.Thread(target=sink.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield sink
        finally:
            sink.shutdown()
            thread.join()


def values(record: Any) -> dict[str, Any]:
    """The attributes of a record that was received."""
    return {each.key: getattr(each.value, each.value.WhichOneof("value")) for each in record.attributes}


def write_log(log: str, count: int) -> None:
    """A log of decisions, every fourth a refusal."""
    for number in range(count):
        refused = number % 4 == 3
        rule = {"rule": "no-rm", "verdict": "deny", "outcome": "violated", "message": "No.", "undecided": []}
        record = {
            "time": 1_700_000_000_000 + number, "host": "claude-code", "event": f"e-{number}", "hook": "before_tool",
            "session": f"s-{number % 50}", "verdict": "deny" if refused else "allow",
            "rules": [rule] if refused else [], "policy": "sha256:0", "errors": [],
            "input": {"hook": "before_tool", "tool": {"name": "Bash", "kind": "shell", "args": {"command": "rm a"}}},
        }  # fmt: skip
        chain.add(log, write_json(record), 1000)


def send_all(log: str, place: str, sink: Sink, tries: int) -> int:
    """Send until everything arrived, at most so often; how often it was cut off."""
    for attempt in range(tries):
        try:
            Shipment(log, Collector(sink.url, timeout=10), place, lambda: time.time_ns() // 1_000_000).send()
            return attempt
        except NotTaken:
            sink.refusing = False
    raise AssertionError(f"not everything arrived in {tries} tries")


def check(sink: Sink, count: int) -> Counter[str]:
    """Complain of what was lost, or doubled without a mark; how often each record arrived."""
    arrived = Counter(values(record)["log.record.uid"] for record in sink.logs)
    first: set[str] = set()
    numbers = set()
    for record in sink.logs:
        known = values(record)
        assert known["log.record.uid"] not in first or known["policy.resent"], known
        first.add(known["log.record.uid"])
        numbers.add(known["policy.record"])
    assert numbers == set(range(1, count + 1)), "records were lost"
    assert sum(sink.totals("policy.decisions").values()) == count
    return arrived


def main() -> None:
    """Send so many decisions to a receiver that is cut off so often."""
    count, cuts = int(sys.argv[1]), int(sys.argv[2])
    with TemporaryDirectory() as folder:
        log = str(Path(folder) / "decisions.jsonl")
        write_log(log, count)
        batches = count // 500
        with receiving(tuple(batches * (number + 1) // (cuts + 1) for number in range(cuts))) as sink:
            begun = time.monotonic()
            cut = send_all(log, str(Path(folder) / "place.json"), sink, cuts + 1)
            seconds = time.monotonic() - begun
            arrived = check(sink, count)
    doubled = sum(times > 1 for times in arrived.values())
    rate = f"{count / seconds:.0f} a second"
    sys.stdout.write(f"{count} decisions, {cut} cuts: 0 lost, {doubled} doubled and marked, {rate}\n")


if __name__ == "__main__":
    main()
