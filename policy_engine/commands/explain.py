"""Events → the derivation of one decision: every rule that listens, its conditions with truth and values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from difflib import get_close_matches
from io import BytesIO
from pathlib import Path

import click

from policy_engine import bootstrap
from policy_engine.checker.tree import CheckedPolicy, Listen
from policy_engine.commands.base import (
    emit,
    emit_json,
    event_stream,
    existing,
    format_option,
    output_style,
    policy_options,
    stage_progress,
    status_of,
    terminal_width,
    working,
)
from policy_engine.loading.event_lines import event_lines, whole_event
from policy_engine.loading.layers import project_root
from policy_engine.loading.live import repository
from policy_engine.loading.refresh import Disk
from policy_engine.loading.reloader import Reloader
from policy_engine.model.decision import Decision
from policy_engine.model.errors import ConfigurationError, EventError
from policy_engine.model.event import Event
from policy_engine.model.layers import prefix
from policy_engine.model.places import layer_folders
from policy_engine.reports.base import counted
from policy_engine.reports.derivation import derivation_json, derivation_text
from policy_engine.runtime.engine import failure
from policy_engine.runtime.explanation import Explained, ExplainingEngine
from policy_engine.runtime.external import Hooks, everybody, nobody
from policy_engine.runtime.session import MemorySessions

Speakers = dict[str, tuple[Listen, ...]]
"""Id of everything that can speak, with where it listens."""
Found = tuple[Decision, tuple[Explained, ...]]


class _Engine(ExplainingEngine, bootstrap.Engine):
    """The user's Engine, able to explain."""


@click.command(
    short_help="Show why an event is decided as it is.",
    epilog="Example: policy explain -p .policy --event event.json --rule no-recursive-delete",
)
@policy_options
@click.option(
    "--event",
    "events",
    default="-",
    metavar="FILE",
    help="One event, or a session as JSON lines; - reads standard input.",
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
def COMMAND(  # noqa: N802 -- the family finds a command by this name
    paths: tuple[str, ...],
    events: str,
    at: int | None,
    layers: bool,
    rule: str | None,
    run_hooks: bool,
    format_name: str,
) -> int:
    """Show why an event is decided as it is: each rule's conditions, with what they saw.

    Several events are one session: all are decided in order, and the last is explained, or the one --at names. Exit
    status as of `policy eval`, for that one event.
    """
    if layers and paths:
        raise ConfigurationError("name policies by -p, or take the layers in force by --layers, not both")
    named = () if layers else existing(paths)
    with event_stream(events) as stream:
        data = stream.read()
    with working("loading the policy"):
        reloader, speakers = _layers() if layers else _paths(named)
    hooks = Hooks({}, everybody if run_hooks else nobody, bootstrap.stage_runner(stage_progress()))
    engine = _Engine(reloader, MemorySessions(), hooks=hooks)
    _require_rule(rule, speakers)
    decision, explained = _explained(engine, _events(data), at, _listening(speakers, rule))
    if format_name == "json":
        emit_json(derivation_json(decision, explained))
    else:
        emit(derivation_text(decision, explained, output_style(), terminal_width() is not None))
    return status_of((decision,))


def _paths(named: tuple[str, ...]) -> tuple[Reloader, Speakers]:
    reloader = Reloader(named, bootstrap.adapt)
    reloader.require_program()
    assert reloader.loaded.policy is not None
    return reloader, _speakers(reloader.loaded.policy)


def _layers() -> tuple[Reloader, Speakers]:
    """What decides here: all layers, as a hook finds them."""
    found = Disk().combined(layer_folders(repository(str(project_root(Path.cwd())))))
    if found.lacking:
        raise ConfigurationError("; ".join(found.lacking))
    in_force = [(layer.name, layer.loaded) for layer in found.layers if layer.loaded is not None]
    speakers: Speakers = {}
    for name, loaded in in_force:
        assert loaded.policy is not None
        speakers.update((prefix(name) + speaker, listens) for speaker, listens in _speakers(loaded.policy).items())
    return Reloader.fixed(bootstrap.adapt(replace(in_force[-1][1], program=found.program))), speakers


def _speakers(policy: CheckedPolicy) -> Speakers:
    found = {rule.id: rule.listens for rule in policy.rules}
    found.update((limit.id, limit.listens) for limit in policy.limits)
    found.update((hook.id, hook.listens) for hook in policy.hooks)
    return found


def _require_rule(rule: str | None, known: Speakers) -> None:
    if rule is not None and rule not in known:
        near = get_close_matches(rule, known, 1)
        raise ConfigurationError(f"no rule `{rule}`" + (f"; did you mean `{near[0]}`?" if near else ""))


def _listening(speakers: Speakers, only: str | None) -> Callable[[Event], frozenset[str]]:
    items = [(speaker, listens) for speaker, listens in speakers.items() if only in (None, speaker)]

    def listening(event: Event) -> frozenset[str]:
        return frozenset(
            speaker
            for speaker, listens in items
            if any(
                listen.point == event.hook
                and (
                    not (listen.kinds or listen.names)
                    or any(kind in listen.kinds for kind in event.tool_kinds)
                    or event.tool_name in listen.names
                )
                for listen in listens
            )
        )

    return listening


def _events(data: bytes) -> list[dict[str, object] | EventError]:
    whole = whole_event(data)
    if whole is not None:
        return [whole]
    return [event for _, event in event_lines(BytesIO(data))]


def _explained(
    engine: _Engine,
    events: list[dict[str, object] | EventError],
    at: int | None,
    listening: Callable[[Event], frozenset[str]],
) -> Found:
    """Decide all up to the wanted one, and explain that."""
    if not events:
        raise ConfigurationError("there is no event to explain")
    last = at if at is not None else len(events)
    if last > len(events):
        raise ConfigurationError(f"there is no event {last}: the input holds {counted(len(events), 'event')}")
    for event in events[: last - 1]:
        if not isinstance(event, EventError):
            engine.decide(event)
    event = events[last - 1]
    if isinstance(event, EventError):
        return failure({}, event.code, str(event), engine.program.digest), ()
    return engine.explain(event, listening)
