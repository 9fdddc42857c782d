"""`policy ship`: send the decision log to a receiver of OpenTelemetry, from where it stopped."""

from __future__ import annotations

import hashlib
import importlib.util
import time

import click

from policy_engine.audit.log import log_path
from policy_engine.commands.base import UNDECIDED, note
from policy_engine.export.shipping import NotTaken, Shipment
from policy_engine.model.errors import ConfigurationError
from policy_engine.reports.base import counted
from policy_engine.state.places import make_folder, state_folder

FOLLOW_SECONDS, AGAIN_SECONDS = 1.0, 5.0


@click.command(
    short_help="Send the decision log to OpenTelemetry.",
    epilog="Example: policy ship --otlp http://localhost:4318 --follow",
)
@click.option("--otlp", "url", required=True, metavar="URL", help="A receiver of OTLP over HTTP, without /v1/logs.")
@click.option(
    "--format",
    "form",
    type=click.Choice(("otlp", "ocsf")),
    default="otlp",
    show_default=True,
    help="What the body of a log says: the message, or an OCSF finding.",
)
@click.option("-f", "--follow", is_flag=True, help="Go on with whatever is decided from now on, until Ctrl-C.")
def COMMAND(url: str, form: str, follow: bool) -> int:
    """Send the decision log on, as OpenTelemetry logs and metrics over OTLP (HTTP, protobuf).

    Sending goes on where it stopped: each record arrives at least once, and every time under the same `log.record.uid`;
    `policy.resent` says that it may have arrived before. The log is redacted when it is written, and nothing else is
    sent. Headers and certificates are read from OpenTelemetry's variables, such as `OTEL_EXPORTER_OTLP_HEADERS`. Needs
    the extra `otel`. Exit status: 0 if all arrived, 4 if the receiver did not take it.
    """
    if not url.startswith(("http://", "https://")):
        raise click.UsageError(f"--otlp takes the address of a receiver, http://… or https://…, not `{url}`")
    if importlib.util.find_spec("opentelemetry") is None:
        raise ConfigurationError("`policy ship` needs the extra `otel`: install `policy_engine[otel]`")
    from policy_engine.export.otlp import Collector

    make_folder(state_folder())
    place = f"{state_folder()}/shipped-{hashlib.sha256(url.encode()).hexdigest()[:16]}.json"
    collector = Collector(url, form == "ocsf")
    while True:
        shipment = Shipment(log_path(), collector, place, lambda: time.time_ns() // 1_000_000)
        try:
            shipment.send((lambda: time.sleep(FOLLOW_SECONDS)) if follow else None)
        except NotTaken:
            at = f"record {shipment.place.sent}"
            note(f"`{url}` did not take everything: {counted(shipment.arrived, 'record')} sent, all up to {at}")
            if not follow:
                return UNDECIDED
            time.sleep(AGAIN_SECONDS)
            continue
        note(f"sent {counted(shipment.arrived, 'record')}, all up to number {shipment.place.sent}")
        return 0
