"""`policy replay`: decide recorded sessions again: per rule, per session, and compared with what was decided then."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click

from policy_engine.adapters.base import POLICY_CODE
from policy_engine.audit.parts import parts
from policy_engine.bootstrap import now_ms, stage_runner
from policy_engine.commands.base import (
    FINDINGS,
    INDENT,
    UNDECIDED,
    Cell,
    emit,
    emit_json,
    event_stream,
    existing,
    format_option,
    note,
    shortened,
    table,
    terminal_width,
    working,
)
from policy_engine.deciding import decide_recorded, named, without_builtin
from policy_engine.loading.event_lines import event_lines
from policy_engine.loading.live import Live, live
from policy_engine.model.decision import Decision
from policy_engine.model.errors import ConfigurationError, PolicyEngineError
from policy_engine.model.event import Event
from policy_engine.model.replayed import DIFFERENT, NOT_WHOLE, SAME, SAME_VERDICT, Replayed, ordered
from policy_engine.model.replayed import SHOWN as LISTED
from policy_engine.reports.base import VERDICT_STYLES, counted, shown
from policy_engine.reports.replay_html import replay_html
from policy_engine.runtime import engine as core
from policy_engine.runtime.external import Hooks, nobody
from policy_engine.runtime.resolve import refused
from policy_engine.runtime.session import MemorySessions
from policy_engine.transcripts.base import recorded

TOP = 10  # refused actions in the text
SHOWN = 50  # sessions in the text
_HOOKS = Hooks({}, nobody, stage_runner())
Decide = Callable[[dict[str, Any], str], Decision]
"""An event, and the digest of the policy that decided it then, if that is recorded."""
RULES, SESSIONS = ("RULE", "SPOKE", "UNDECIDED", "VERDICTS"), ("SESSION", "EVENTS", "VERDICTS")
DIFFERENCES = ("PLACE", "SESSION", "THEN", "NOW", "POLICY THEN")


@click.command(
    short_help="Decide recorded sessions again.",
    epilog="Example: policy replay -p .policy ~/.local/state/policy-engine/decisions.jsonl --html report.html",
)
@click.option(
    "-p",
    "--policy",
    "paths",
    multiple=True,
    metavar="PATH",
    help="Policy file or folder; may be repeated [what the hook has in force for each event].",
)
@click.option("--no-builtin", is_flag=True, help="Leave out the built-in rules, which decide too where a hook does.")
@click.argument("transcripts", nargs=-1, required=True, metavar="TRANSCRIPT...")
@click.option("--html", metavar="FILE", help="Write a report for people, one page that needs nothing else.")
@format_option("text", "json")
def COMMAND(  # noqa: N802 -- the family finds a command by this name
    paths: tuple[str, ...], no_builtin: bool, transcripts: tuple[str, ...], html: str | None, format_name: str
) -> int:
    """Decide recorded sessions again, and sum up what each rule says.

    A TRANSCRIPT is a file of canonical events as JSON lines, a decision log (with the parts beside it), payloads that
    a coding agent sent to its hook (which agent, is guessed), or a transcript of Claude Code; - reads standard input.
    The built-in rules decide too, as they do in a hook. Where a record holds the decision of then, both are compared:
    an event that was redacted for the log is not the one that was decided, and is only counted. Without -p each
    event is decided by all layers in force in its workspace, as the hook does. Exit status: 1 if any verdict
    refuses or differs from the recorded one, else 4 if any rule was undecided, else 0.
    """
    builtin = not no_builtin
    decide, digest = _by(existing(paths), builtin) if paths else (_in_force(builtin), "")
    found = Replayed(digest)
    for name in _with_parts(transcripts):
        _replay(decide, name, found)
    if not found.events + found.failed:
        raise ConfigurationError(f"there is no event in {', '.join(f'`{name}`' for name in transcripts)}")
    if html is not None:
        _write(html, replay_html(found))
        note(f"wrote {html}")
    if format_name == "json":
        emit_json(found.to_dict())
    else:
        emit(_text(found))
    return FINDINGS if found.refusing else UNDECIDED if found.undecided else 0


def _by(paths: tuple[str, ...], builtin: bool) -> tuple[Decide, str]:
    """Return what decides each event by these policies, and their digest.

    A digest has the names of the files in it: of hooks they are absolute, of a program as it gave them; and that of a
    program has no built-in rules. The same policies in one of these forms are taken where the record says that those
    decided.
    """
    whole = tuple(os.path.abspath(path) for path in paths)
    with working("loading the policy"):
        engine = named(whole, builtin).engine(_HOOKS)
    known = {engine.program.digest: engine}
    others = [(names, both) for names in dict.fromkeys((whole, paths)) for both in (True, False)]

    def decide(event: Any, then: str) -> Decision:
        while then and then not in known and others:
            other = named(*others.pop()).engine(_HOOKS)
            known.setdefault(other.program.digest, other)
        return known.get(then, engine).decide(event)

    return decide, engine.program.digest


def _in_force(builtin: bool) -> Decide:
    """Return what decides each event by the layers that the hook has in force for its workspace."""
    known: dict[str | None, Live] = {}
    now: list[Live] = []
    engine = core.Engine(
        lambda: (now[-1].program, now[-1].errors), MemorySessions(), os.environ.get("HOME"), now_ms, None
    )

    def decide(event: dict[str, Any], then: str) -> Decision:
        workspace = event.get("workspace")
        try:
            read = Event.from_dict(event)
            if workspace not in known:
                known[workspace] = live(workspace) if builtin else without_builtin(workspace)
        except (PolicyEngineError, TypeError) as error:
            return core.failure(event, getattr(error, "code", "E-POLICY"), str(error), "")
        now[:] = [known[workspace]]
        decision = engine.decide(read)
        return refused(read, decision, POLICY_CODE, now[0].lacking) if now[0].lacking else decision

    return decide


def _with_parts(names: tuple[str, ...]) -> Iterator[str]:
    """The files, before a decision log the parts that were made of it, each once."""
    done: set[str] = set()
    for name in names:
        older = parts(name) if name != "-" else []
        for each in (*older, name) if not older or os.path.exists(name) else older:
            if each not in done:
                yield each
        done.update((*older, name))


def _replay(decide: Decide, name: str, found: Replayed) -> None:
    with event_stream(name) as stream:
        for each in recorded(event_lines(stream), name):
            if each.event is None:
                found.failed += 1
                continue
            then = each.then.get("policy") if each.then is not None else ""
            known = then if isinstance(then, str) else ""
            decision = decide_recorded(lambda event, known=known: decide(event, known), each, found.policy)  # type: ignore[misc]
            found.add(decision)
            if isinstance(each.event, dict):
                found.refuse(decision, each.event, f"{name}:{each.line}")
            if each.then is not None:
                found.compare(decision, each.then, each.whole, f"{name}:{each.line}")


def _write(name: str, text: str) -> None:
    try:
        Path(name).write_text(text, "utf-8")
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or str(problem)
        raise ConfigurationError(f"cannot write `{name}`: {reason.lower()}") from None


def _text(found: Replayed) -> str:
    parts = [f"{counted(found.events, 'event')} decided by {found.policy or 'what is in force'}"]
    if found.failed:
        parts.append(f"{counted(found.failed, 'record')} of failures without their event")
    lines = [", ".join(parts) + "\n"]
    if found.rules:
        ranked = sorted(found.rules.items(), key=lambda each: (-each[1].spoke, each[0]))
        rows = [
            ((name, "bold"), *_cells(rule.spoke, rule.undecided), _verdicts(rule.verdicts)) for name, rule in ranked
        ]
        lines.append(table(RULES, rows))
    if found.refusals:
        lines.append(_refusals(found))
    if found.sessions:
        given = list(found.sessions.items())
        ended = [((name, ""), *_cells(each.events), _verdicts(each.verdicts)) for name, each in given[:SHOWN]]
        more = f"… and {counted(len(given) - SHOWN, 'more session')}; --format json has all\n"
        lines.append(table(SESSIONS, ended) + (more if len(given) > SHOWN else ""))
    if found.compared:
        lines.append(_compared(found))
    return "\n".join(lines)


def _refusals(found: Replayed) -> str:
    """Return the most frequent refused actions, each with what is said of it and where it stands first."""
    width = (terminal_width() or 10_000) - INDENT
    lines = ["refused most often:"]
    for each in found.top[:TOP]:
        head = f"{each.times:>4} × {each.verdict:<4}  {each.rule}  "
        lines.append(shortened(head + shown(each.action), width + INDENT))
        lines.append(" " * INDENT + shortened(" ".join(shown(each.message).split()), width))
        lines.append(" " * INDENT + f"first at {shown(each.place)}, session {shown(each.session)}")
    left = len(found.refusals) - TOP
    if left > 0:
        lines.append(f"… and {counted(left, 'more action')}; --format json and --html have up to {LISTED}")
    return "\n".join(lines) + "\n"


def _compared(found: Replayed) -> str:
    count = found.compared
    text = (
        f"beside what was decided then: {count[SAME]} the same byte for byte, {count[SAME_VERDICT]} with the same"
        f" verdict by another policy, {count[DIFFERENT]} different, {count[NOT_WHOLE]} redacted or cut in the log\n"
    )
    rows = [
        (
            (each.place, ""),
            (each.session, ""),
            (each.then, VERDICT_STYLES.get(each.then, "")),
            (each.now, VERDICT_STYLES.get(each.now, "")),
            ("the same" if each.policy else "another", ""),
        )
        for each in found.differences
    ]
    return text + (table(DIFFERENCES, rows) if rows else "")


def _cells(*numbers: int) -> list[Cell]:
    return [(str(number), "") for number in numbers]


def _verdicts(counts: Counter[str]) -> Cell:
    return ", ".join(f"{number} {verdict}" for verdict, number in ordered(counts).items()), ""
