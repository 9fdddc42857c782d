"""Canonical events, one JSON object per line → one decision per line, in the same order, by one process.

Every answer is written and flushed before the next line is read, so a program may talk to `policy eval` line by line.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import BinaryIO

import click

from policy_engine.bootstrap import Engine
from policy_engine.commands.base import (
    emit,
    event_stream,
    existing,
    format_option,
    output_style,
    policy_options,
    stage_progress,
    status_of,
    working,
)
from policy_engine.loading.event_lines import event_lines
from policy_engine.model.decision import Decision
from policy_engine.model.errors import EventError
from policy_engine.model.strict_json import write_json
from policy_engine.reports.base import formats_of_decision
from policy_engine.runtime.engine import failure

Render = Callable[[Decision], str]


@click.command(
    short_help="Decide events, one JSON object per line.",
    epilog="Example: policy eval -p .policy --events session.jsonl --format text",
)
@policy_options
@click.option(
    "--events", default="-", show_default=True, metavar="FILE", help="Events as JSON lines; - reads standard input."
)
@click.option(
    "--state", metavar="FILE", help="SQLite database that keeps the sessions; without it they live in memory."
)
@click.option("--run-hooks", is_flag=True, help="Run the commands of `hook` and `verify`; else they are undecided.")
@format_option("json", "text")
def COMMAND(paths: tuple[str, ...], events: str, state: str | None, run_hooks: bool, format_name: str) -> int:  # noqa: N802 -- the family finds a command by this name
    """Decide events, one JSON object per line, and write one decision for each.

    A line that is no event gets the failure verdict of its point. Exit status: 1 if any verdict is ask, deny or
    stop, else 4 if any rule was undecided, else 0.
    """
    named = existing(paths)
    with event_stream(events) as stream:
        with working("loading the policy"):
            engine = Engine.load(*named, state=state, run_commands=run_hooks, progress=stage_progress(), log=False)
        return _decide_all(engine, stream, _renderer(format_name))


def _decide_all(engine: Engine, stream: BinaryIO, render: Render) -> int:
    """Write a decision per line; the exit status. Of the decisions only their status is kept."""
    worst: dict[int, Decision] = {}
    for _, event in event_lines(stream):
        if isinstance(event, EventError):
            decision = failure({}, event.code, str(event), engine.program.digest)
        else:
            decision = engine.decide(event)
        emit(render(decision))
        worst.setdefault(status_of((decision,)), decision)
    return status_of(worst.values())


def _renderer(format_name: str) -> Render:
    if format_name == "json":
        return lambda decision: write_json(decision.to_dict()).decode("ascii")
    report, style = formats_of_decision()[format_name], output_style()
    return lambda decision: report.render(decision, style) + "\n"
