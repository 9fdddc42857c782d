"""Decide recorded sessions again, and compare with another policy or with what was decided then."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from dataclasses import astuple, fields
from io import StringIO

import click

from policy_engine.commands.base import (
    FINDINGS,
    INDENT,
    UNDECIDED,
    Cell,
    decision_file,
    emit,
    emit_json,
    existing,
    format_option,
    note,
    output_style,
    shortened,
    table,
    terminal_width,
    working,
    write_file,
)
from policy_engine.export.parquet import DecisionFile
from policy_engine.loading.recordings import with_parts
from policy_engine.model.errors import ConfigurationError
from policy_engine.model.replayed import (
    CHANGED,
    DIFFERENT,
    NOT_WHOLE,
    SAME,
    SAME_VERDICT,
    Group,
    Hit,
    Replayed,
    ordered,
    ranked,
)
from policy_engine.model.replayed import SHOWN as LISTED
from policy_engine.model.replayed import UNKNOWN as STATE_UNKNOWN
from policy_engine.replaying import Part, Replay, coverage_of, on_cluster, replayed, sampled
from policy_engine.reports.base import VERDICT_STYLES, counted, shown
from policy_engine.reports.replay_html import replay_html
from policy_engine.testing.coverage import Coverage
from policy_engine.testing.coverage_table import coverage_text

TOP = 10  # refused actions, causes, repositories and hits in the text
SHOWN = 50  # sessions in the text
RULES, SESSIONS = ("RULE", "SPOKE", "UNDECIDED", "VERDICTS"), ("SESSION", "EVENTS", "VERDICTS")
DIFFERENCES = ("PLACE", "SESSION", "THEN", "NOW", "POLICY THEN")
COLUMNS = tuple(field.name for field in fields(Hit))


@click.command(
    short_help="Decide recorded sessions again.",
    epilog="Example: policy replay -p .policy --against origin.policy ~/.claude/projects/*/*.jsonl --html report.html",
)
@click.option(
    "-p",
    "--policy",
    "paths",
    multiple=True,
    metavar="PATH",
    help="Policy file or folder; may be repeated [what the hook has in force for each event].",
)
@click.option("--against", metavar="OLD", multiple=True, help="What another policy says of each event; needs -p.")
@click.option("--coverage", "wants_coverage", is_flag=True, help="Say which rules and conditions it saw; needs -p.")
@click.option("--no-builtin", is_flag=True, help="Leave out the built-in rules, which decide too where a hook does.")
@click.argument("transcripts", nargs=-1, required=True, metavar="TRANSCRIPT...")
@click.option("--html", metavar="FILE", help="Write a report for people, one page that needs nothing else.")
@click.option("--out", metavar="FILE", help="Write each decision into a table: FILE.parquet.")
@click.option("--jobs", type=click.IntRange(1, 256), default=1, metavar="N", help="Processes that decide [1].")
@click.option("--on", "cluster", metavar="CLUSTER", help="Decide on a Ray cluster: ray://HOST:PORT, or `local`.")
@click.option("--sample", type=click.IntRange(1), default=1, metavar="N", help="Only one of N recordings [all].")
@format_option("text", "json", "csv", "html")
def COMMAND(
    paths: tuple[str, ...],
    against: tuple[str, ...],
    wants_coverage: bool,
    no_builtin: bool,
    transcripts: tuple[str, ...],
    html: str | None,
    out: str | None,
    jobs: int,
    cluster: str | None,
    sample: int,
    format_name: str,
) -> int:
    """Decide recorded sessions again, and sum up what each rule says.

    A TRANSCRIPT is what a coding agent keeps of a session (Claude Code, Codex, Gemini CLI, Qwen Code, Copilot CLI,
    opencode, Cline, droid, SWE-agent, OpenHands), a decision log (with the parts beside it), a file of canonical events
    as JSON lines, or payloads that an agent sent to its hook; - reads standard input. The form is known by its content.
    The built-in rules decide too, as they do in a hook. Without -p each event is decided by all layers in force in its
    workspace. Nothing recorded is run; what stands in a workspace that is not on this machine, and what a command wrote
    without saying so, is unknown.

    With --against each event is the same, changed, or cannot be known from a recording. Else, where a record holds the
    decision of then, both are compared: an event that was redacted for the log is not the one that was decided, and is
    only counted. --coverage tells what the sessions showed of each rule of -p and its conditions. csv has a line for
    each hit; --out makes a table with a row for each decision (extra `fleet`).
    Exit status: 1 if a verdict refuses or differs from the recorded one (with --against: if any changed), else 4 if
    anything was undecided or could not be read, else 0.
    """
    if cluster is not None and "-" in transcripts:
        raise click.UsageError("--on reads recordings on each machine, not standard input")
    if against and not paths:
        raise click.UsageError("--against compares with -p; name the new policy")
    if wants_coverage and not paths:
        raise click.UsageError("--coverage measures the rules of a policy; name it with -p")
    names = sampled(with_parts(transcripts), sample)
    policies = existing(paths) if paths else (), existing(against) if against else ()
    replay = Replay(*policies, not no_builtin, format_name == "csv", out is not None, coverage=wants_coverage)
    coverage = coverage_of(policies[0]) if wants_coverage else None
    with decision_file(out) as table_file:
        jobs = jobs if "-" not in names else 1
        parts = replayed(replay, names, jobs) if cluster is None else on_cluster(replay, names, cluster)
        total = _replayed(replay, parts, table_file, coverage)
    if not total.events + total.failed:
        damaged = f"; {counted(total.damaged, 'line')} cannot be read" if total.damaged else ""
        raise ConfigurationError(f"there is no event in {', '.join(f'`{name}`' for name in transcripts)}{damaged}")
    if html is not None:
        write_file(html, replay_html(total))
        note(f"wrote {html}")
    match format_name:
        case "json":
            emit_json(total.to_dict() | ({"coverage": coverage.to_dict()} if coverage is not None else {}))
        case "html":
            emit(replay_html(total))
        case "csv":
            pass  # written as they came
        case _:
            emit(_text(total))
            if coverage is not None:
                emit(coverage_text(coverage, output_style(), "session"))
    return FINDINGS if total.refusing else UNDECIDED if total.undecided else 0


def _replayed(replay: Replay, parts: Iterator[Part], out: DecisionFile | None, coverage: Coverage | None) -> Replayed:
    with working("loading the policy"):
        replayed = next(parts).sum
    if replay.keep:
        emit(_csv([COLUMNS]))
    for part in parts:
        replayed.merge(part.sum)
        if coverage is not None:
            coverage.add(part.noted)
        if part.hits:
            emit(_csv([astuple(hit) for hit in part.hits]))
        if out is not None:
            out.write(part.rows)
    return replayed


def _csv(rows: list[tuple[str, ...]]) -> str:
    """Return lines of values; one that a spreadsheet would take for a formula is quoted by an apostrophe."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([[f"'{cell}" if cell[:1] in "=+-@\t\r" and cell else shown(cell) for cell in row] for row in rows])
    return text.getvalue()


def _text(replayed: Replayed) -> str:
    parts = [f"{counted(replayed.events, 'event')} decided by {replayed.policy or 'what is in force'}"]
    if replayed.failed:
        parts.append(f"{counted(replayed.failed, 'record')} of failures without their event")
    lines = [", ".join(parts) + "\n", *_limits(replayed)]
    if replayed.against is not None:
        lines.append(_against(replayed))
    if replayed.rules:
        rules = sorted(replayed.rules.items(), key=lambda each: (-each[1].spoke, each[0]))
        rows = [((name, "bold"), *_cells(rule.spoke, rule.undecided), _verdicts(rule.verdicts)) for name, rule in rules]
        lines.append(table(RULES, rows))
    if replayed.refusals:
        lines.append(_refusals(replayed))
    if replayed.causes:
        causes = [((cause, ""), *_cells(times)) for cause, times in ranked(replayed.causes)[:TOP]]
        lines.append(table(("UNDECIDED BECAUSE", "TIMES"), causes))
    for head, groups in (("REPOSITORY", replayed.repositories), ("PERSON", replayed.people)):
        if len(groups) > 1:
            lines.append(_groups(head, groups))
    if replayed.sessions:
        given = list(replayed.sessions.items())
        ended = [((name, ""), *_cells(each.events), _verdicts(each.verdicts)) for name, each in given[:SHOWN]]
        left = len(given) - SHOWN + replayed.more_sessions
        more = f"… and {counted(left, 'more session')}; --format json has them\n"
        lines.append(table(SESSIONS, ended) + (more if left > 0 else ""))
    if replayed.compared:
        lines.append(_compared(replayed))
    return "\n".join(lines)


def _limits(replayed: Replayed) -> list[str]:
    """Say what could not be read, or be known from a recording."""
    lines = []
    if replayed.damaged:
        lines.append(f"{counted(replayed.damaged, 'line')} cannot be read and were left out:\n")
        lines += [f"{' ' * INDENT}{shown(each)}\n" for each in replayed.damage[:TOP]]
    if replayed.unknown:
        kinds = ", ".join(f"{times} `{kind}`" for kind, times in ranked(replayed.unknown)[:TOP])
        left = counted(sum(replayed.unknown.values()), "line")
        lines.append(f"{left} of an unknown kind were left out: {shown(kinds)}\n")
    if replayed.unseen:
        lines.append(f"what {counted(replayed.unseen, 'command')} wrote only the disk would show: it is unknown here\n")
    return ["".join(lines)] if lines else []


def _against(replayed: Replayed) -> str:
    """Return what another policy says otherwise, by verdict and by rule, with the first hits."""
    words = {SAME: "same", CHANGED: "changed", STATE_UNKNOWN: "cannot know"}
    rows = [
        ((words[state], ""), (old, ""), (new, ""), *_cells(times))
        for (state, old, new), times in ranked(replayed.states)
    ]
    lines = [f"beside {replayed.against}:\n", table(("DECISION", "OLD", "NEW", "EVENTS"), rows)]
    if replayed.changed_rules:
        changes = [
            ((rule, "bold"), (words[state], ""), *_cells(times))
            for (state, rule), times in ranked(replayed.changed_rules)
        ]
        lines.append(table(("RULE", "DECISION", "EVENTS"), changes))
    width = (terminal_width() or 10_000) - INDENT
    for hit in replayed.hits[:TOP]:
        lines.append(shortened(f"{hit.old} → {hit.verdict}  {hit.rule}  {shown(hit.action)}", width + INDENT) + "\n")
        why = f"cannot know: {hit.cause}" if hit.state == STATE_UNKNOWN and hit.cause else hit.message
        lines.append(" " * INDENT + shortened(shown(why), width) + "\n")
        lines.append(f"{' ' * INDENT}at {shown(hit.place)}, session {shown(hit.session)}\n")
    return "".join(lines)


def _groups(head: str, groups: dict[str, Group]) -> str:
    most = sorted(groups.items(), key=lambda each: (-each[1].refused, each[0]))[:TOP]
    rows = [
        ((name or "not recorded", ""), *_cells(each.calls, each.refused), (_rate(each), ""), _verdicts(each.verdicts))
        for name, each in most
    ]
    return table((head, "CALLS", "REFUSED", "PER 100", "VERDICTS"), rows)


def _rate(group: Group) -> str:
    return f"{100 * group.refused / group.calls:.1f}" if group.calls else ""


def _refusals(replayed: Replayed) -> str:
    """Return the most frequent refused actions, each with what is said of it and where it stands first."""
    width = (terminal_width() or 10_000) - INDENT
    lines = ["refused most often:"]
    for each in replayed.top[:TOP]:
        head = f"{each.times:>4} × {each.verdict:<4}  {each.rule}  "
        lines.append(shortened(head + shown(each.action), width + INDENT))
        lines.append(" " * INDENT + shortened(" ".join(shown(each.message).split()), width))
        lines.append(" " * INDENT + f"first at {shown(each.place)}, session {shown(each.session)}")
    left = len(replayed.refusals) - TOP
    if left > 0:
        lines.append(f"… and {counted(left, 'more action')}; --format json and --html have up to {LISTED}")
    return "\n".join(lines) + "\n"


def _compared(replayed: Replayed) -> str:
    count = replayed.compared
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
        for each in replayed.differences
    ]
    return text + (table(DIFFERENCES, rows) if rows else "")


def _cells(*numbers: int) -> list[Cell]:
    return [(str(number), "") for number in numbers]


def _verdicts(counts: Counter[str]) -> Cell:
    return ", ".join(f"{number} {verdict}" for verdict, number in ordered(counts).items()), ""
