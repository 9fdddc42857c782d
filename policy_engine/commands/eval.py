"""`policy eval`: decide canonical events, one JSON object per line, in order, by one process.

Every answer is written and flushed before the next line is read, so a program may talk to `policy eval` line by line.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator

import click

from policy_engine import bootstrap
from policy_engine.audit.display import redact_shown
from policy_engine.commands.base import (
    builtin_option,
    emit,
    existing,
    format_option,
    output_style,
    policy_options,
    remark_builtin,
    remark_terminal,
    stage_progress,
    status_of,
    working,
)
from policy_engine.deciding import TryingEngine, decide_recorded, named
from policy_engine.loading.event_lines import event_lines
from policy_engine.loading.recordings import recording
from policy_engine.model.decision import Decision
from policy_engine.model.strict_json import write_json
from policy_engine.reports.base import formats_of_decision
from policy_engine.runtime.external import Hooks, everybody, nobody
from policy_engine.runtime.stored_sessions import StoredSessions, open_store
from policy_engine.transcripts.base import Recorded, recorded

Render = Callable[[Decision], str]


@click.command(
    short_help="Decide events, one JSON object per line.",
    epilog="Example: policy eval -p .policy --events session.jsonl --format text",
)
@policy_options
@builtin_option
@click.option(
    "--events",
    default="-",
    show_default=True,
    metavar="FILE",
    help="Events in any form that `policy replay` reads; - reads standard input, a line at a time.",
)
@click.option(
    "--state", metavar="FILE", help="SQLite database that keeps the sessions; without it they live in memory."
)
@click.option("--run-hooks", is_flag=True, help="Run the commands of `hook` and `verify`; else they are undecided.")
@format_option("json", "text")
def COMMAND(
    paths: tuple[str, ...], builtin: bool, events: str, state: str | None, run_hooks: bool, format_name: str
) -> int:
    """Decide events, one JSON object per line, and write one decision for each.

    Events are canonical, or what `policy replay` reads as well: payloads of a coding agent (the host is guessed), a
    decision log, a recording of any form. They are decided by the policies that are named and by nothing else;
    `--builtin` adds the built-in rules.

    A line that is no event gets the failure verdict of its point. Exit status: 1 if any verdict is ask, deny or
    stop, else 4 if any rule was undecided, else 0.
    """
    given = existing(paths)
    session = _events(events)
    with working("loading the policy"):
        sessions = StoredSessions(open_store(state), shown=redact_shown) if state is not None else None
        hooks = Hooks({}, everybody if run_hooks else nobody, bootstrap.stage_runner(stage_progress()))
        engine = named(given, builtin).engine(hooks, sessions)
    remark_builtin(builtin or not paths)
    try:
        return _decide_all(engine, session, _renderer(format_name))
    finally:
        engine.close()


def _events(name: str) -> Iterator[Recorded]:
    """The events of a recording of any form; of standard input line by line, without reading ahead."""
    if name != "-":
        return recording(name, strict=False)
    remark_terminal()
    return recorded(event_lines(sys.stdin.buffer), name, strict=False)


def _decide_all(engine: TryingEngine, events: Iterable[Recorded], render: Render) -> int:
    """Write a decision per event; the exit status. Of the decisions only their status is kept."""
    worst: dict[int, Decision] = {}
    for each in events:
        if each.event is None:
            continue
        decision = decide_recorded(engine.decide, each, engine.program.digest)
        emit(render(decision))
        worst.setdefault(status_of((decision,)), decision)
    return status_of(worst.values())


def _renderer(format_name: str) -> Render:
    if format_name == "json":
        return lambda decision: write_json(decision.to_dict()).decode("ascii")
    report, style = formats_of_decision()[format_name], output_style()
    return lambda decision: report.render(decision, style) + "\n"
