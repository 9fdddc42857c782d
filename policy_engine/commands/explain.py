"""`policy explain`: derive one decision: every rule that listens, its conditions with truth and values."""

from __future__ import annotations

import sys
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import click

from policy_engine import bootstrap
from policy_engine.commands.base import (
    builtin_option,
    emit,
    emit_json,
    existing,
    format_option,
    note,
    output_style,
    policy_options,
    remark_builtin,
    remark_terminal,
    stage_progress,
    status_of,
    terminal_width,
    working,
)
from policy_engine.deciding import Listening, Speakers, TryingEngine, decide_recorded, in_force, named
from policy_engine.hosts.layers import project_root
from policy_engine.loading.recordings import recording
from policy_engine.model.decision import Decision
from policy_engine.model.errors import ConfigurationError
from policy_engine.reports.base import counted
from policy_engine.reports.derivation import derivation_json, derivation_text
from policy_engine.runtime.explanation import Explained
from policy_engine.runtime.external import Hooks, everybody, nobody
from policy_engine.transcripts.base import Recorded

Found = tuple[Decision, tuple[Explained, ...]]


@click.command(
    short_help="Show why an event is decided as it is.",
    epilog="Example: policy explain --shell 'rm -rf build', policy explain -p .policy --event event.json --rule no-rm",
)
@policy_options
@builtin_option
@click.option(
    "--event",
    "events",
    default="-",
    metavar="FILE",
    help="One event, or a session in any form that `policy replay` reads; - reads standard input.",
)
@click.option(
    "--shell",
    "lines",
    multiple=True,
    metavar="LINE",
    help="A shell line that an agent proposes here, instead of --event; may be repeated. - reads lines from a person.",
)
@click.option(
    "--at",
    type=click.IntRange(min=1),
    metavar="N",
    help="Explain the Nth event; the ones before it are decided first. [the last]",
)
@click.option("--layers", is_flag=True, help="Explain by what decides here: all layers, as a hook finds them.")
@click.option("--rule", metavar="ID", help="Only this rule.")
@click.option("--run-hooks", is_flag=True, help="Run the commands of `hook` and `verify`; else they are undecided.")
@format_option("text", "json")
def COMMAND(
    paths: tuple[str, ...],
    builtin: bool,
    events: str,
    lines: tuple[str, ...],
    at: int | None,
    layers: bool,
    rule: str | None,
    run_hooks: bool,
    format_name: str,
) -> int:
    """Show why an event is decided as it is: each rule's conditions, with what they saw.

    Several events are one session: all are decided in order, and the last is explained, or the one --at names. Exit
    status as of `policy eval`, for that one event. Events are read as by `policy eval`. With --shell - each line of
    standard input is one call of the same session, and is told what refuses it; nothing of it is run.
    """
    if layers and paths:
        raise ConfigurationError("name policies by -p, or take the layers in force by --layers, not both")
    given = () if layers else existing(paths)
    session = _events(events) if not lines else [_proposed(line, number) for number, line in enumerate(lines)]
    with working("loading the policy"):
        policies = in_force(str(project_root(Path.cwd()))) if layers else named(given, builtin)
    hooks = Hooks({}, everybody if run_hooks else nobody, bootstrap.stage_runner(stage_progress()))
    _require_rule(rule, policies.speakers)
    if "-" in lines:
        return _answer(policies.engine(hooks), policies.listening(rule), rule)
    engine = policies.engine(hooks)
    engine.told = len(session) > 1
    decision, explained = _explained(engine, session, at, policies.listening(rule))
    remark_builtin(builtin or not paths)
    if format_name == "json":
        emit_json(derivation_json(decision, explained))
    else:
        emit(derivation_text(decision, explained, output_style(), terminal_width() is not None))
    return status_of((decision,))


def _proposed(line: str, number: int) -> Recorded:
    """Return the proposal of a shell line in this folder."""
    tool = {"name": "Bash", "kind": "shell", "args": {"command": line}}
    where = {"cwd": str(Path.cwd()), "workspace": str(project_root(Path.cwd()))}
    event = {"hook": "before_tool", "session": "explain", "id": f"line-{number + 1}", "tool": tool, **where}
    return Recorded(number + 1, event)


def _answer(engine: TryingEngine, listening: Listening, rule: str | None) -> int:
    """Decide each line of standard input as one more call of a session, and say what spoke: of one rule, if asked."""
    decisions: list[Decision] = []
    terminal = sys.stdin.isatty()
    if terminal:
        note("Type shell lines; nothing of them is run. An empty line or Ctrl-D ends.")
    while line := _typed("> " if terminal else ""):
        event: Any = _proposed(line, len(decisions)).event
        decision, explained = engine.explain(event, listening)
        spoken = tuple(each for each in explained if each.result is not None)
        if spoken or decision.errors:
            emit(derivation_text(decision, spoken, output_style(), terminal_width() is not None))
        else:
            by = ", ".join(f"`{each.rule}`" for each in decision.rules)
            silent = "no rule" if rule is None else f"`{rule}`"
            emit(f"{decision.verdict}{f', by {by}' if by else ''}: {silent} says {'nothing' if rule else 'anything'}")
        decisions.append(decision)
    return status_of(decisions)


def _typed(prompt: str) -> str:
    try:
        return input(prompt).strip()
    except EOFError:
        return ""


def _require_rule(rule: str | None, known: Speakers) -> None:
    if rule is not None and rule not in known:
        near = get_close_matches(rule, known, 1)
        raise ConfigurationError(f"no rule `{rule}`" + (f"; did you mean `{near[0]}`?" if near else ""))


def _events(name: str) -> list[Recorded]:
    if name == "-":
        remark_terminal()
    return [each for each in recording(name, strict=False) if each.event is not None]


def _explained(engine: TryingEngine, events: list[Recorded], at: int | None, listening: Listening) -> Found:
    """Decide all up to the wanted one, and explain that."""
    if not events:
        raise ConfigurationError("there is no event to explain")
    last = at if at is not None else len(events)
    if last > len(events):
        raise ConfigurationError(f"there is no event {last}: the input holds {counted(len(events), 'event')}")
    for each in events[: last - 1]:
        if isinstance(each.event, dict):
            earlier: Any = each.event
            engine.decide(earlier)
    event = events[last - 1].event
    if not isinstance(event, dict):
        return decide_recorded(engine.decide, events[last - 1], engine.program.digest), ()
    return engine.explain(event, listening)
