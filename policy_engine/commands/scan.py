"""`policy scan`: what the agents on this machine did, held against the shipped packs; nothing need be configured."""

from __future__ import annotations

import secrets
import tempfile
from pathlib import Path
from typing import Any

import click

from policy_engine.commands.base import (
    FINDINGS,
    INDENT,
    UNDECIDED,
    Cell,
    emit,
    emit_json,
    format_option,
    note,
    shortened,
    table,
    terminal_width,
    working,
    write_file,
)
from policy_engine.loading.packs import packs
from policy_engine.loading.recordings import kept_recordings, recordings_below
from policy_engine.loading.sources import PACK
from policy_engine.model.errors import ConfigurationError
from policy_engine.model.replayed import Replayed
from policy_engine.replaying import Replay, replayed, sampled
from policy_engine.reports.base import VERDICT_STYLES, counted, shown
from policy_engine.reports.replay_html import scan_html

TOP = 10  # lines of each table
LEFT_OUT = frozenset(("security/readonly-autoallow", "acceptance/changelog"))
"""Packs that are a way of working, and no finding where nobody chose it."""
THEMES = ("security", "loops", "acceptance")


@click.command(
    short_help="Say what agents did on this machine.",
    epilog="Example: policy scan --html scan.html",
)
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--html", metavar="FILE", help="Write a page for people, which needs nothing else.")
@click.option("--jobs", type=click.IntRange(1, 256), default=1, metavar="N", help="Processes that decide [1].")
@click.option("--sample", type=click.IntRange(1), default=1, metavar="N", help="Only one of N recordings [all].")
@format_option("text", "json", "html")
def COMMAND(paths: tuple[str, ...], html: str | None, jobs: int, sample: int, format_name: str) -> int:
    """Decide what agents recorded on this machine, or below PATH, by the shipped packs.

    Says which actions would have been refused, where agents went round in circles, which work was called done without
    evidence, and where secrets stand in the record (never which). Nothing need be installed or configured, nothing
    recorded is run, and files that are no recordings are left out. Exit status: 1 if anything would have been refused,
    else 4 if anything could not be decided or read, else 0.
    """
    home = str(Path.home())
    given = [each for path in paths for each in recordings_below(_there(path))] if paths else kept_recordings(home)
    names = sampled(dict.fromkeys(given), sample)
    themes = {rule.name: pack.name.partition("/")[0] for pack in packs() for rule in pack.rules}
    with tempfile.TemporaryDirectory(prefix="policy-scan-") as folder:
        policy = Path(folder) / "scan.policy"
        policy.write_text(_policy(), "utf-8")
        replayed = _scanned(Replay((str(policy),), strict=False, salt=secrets.token_hex(16)), names, jobs)
    if not replayed.recordings:
        where = " or ".join(f"`{path}`" for path in paths) or "the known folders of agents"
        raise ConfigurationError(f"there is no recording in {where}")
    if html is not None:
        write_file(html, scan_html(replayed, themes))
        note(f"wrote {html}")
    match format_name:
        case "json":
            emit_json(_plain(replayed, themes))
        case "html":
            emit(scan_html(replayed, themes))
        case _:
            emit(_text(replayed, themes))
    refused = any(each.sure for each in replayed.refusals.values())
    return FINDINGS if refused else UNDECIDED if replayed.undecided else 0


def _there(path: str) -> str:
    if not Path(path).exists():
        raise ConfigurationError(f"no such file or folder: `{path}`")
    return path


def _policy() -> str:
    """Return a policy that imports the packs of the scan."""
    chosen = [pack.name for pack in packs() if pack.name.partition("/")[0] in THEMES and pack.name not in LEFT_OUT]
    return "language 1\n" + "".join(f'import "{PACK}{name}"\n' for name in chosen)


def _scanned(replay: Replay, names: list[str], jobs: int) -> Replayed:
    sums = replayed(replay, names, jobs)
    with working("loading the packs"):
        total = next(sums).sum
    with working(f"reading {counted(len(names), 'recording')}"):
        for part in sums:
            total.merge(part.sum)
    return total


def _plain(replayed: Replayed, themes: dict[str, str]) -> dict[str, Any]:
    plain = replayed.to_dict()
    for rule in plain["rules"]:
        rule["theme"] = themes.get(rule["rule"], "builtin")
    return {**plain, "other_files": replayed.other_files}


def _text(replayed: Replayed, themes: dict[str, str]) -> str:
    read = f"{counted(replayed.recordings, 'recording')}, {counted(replayed.calls, 'call')}"
    other = f"; {counted(replayed.other_files, 'other file')} left out" if replayed.other_files else ""
    parts = [f"{read}, {counted(replayed.completions, 'completion')}, decided by the shipped packs{other}\n"]
    if replayed.damaged or replayed.unknown:
        lines = counted(replayed.damaged + sum(replayed.unknown.values()), "line")
        first = f", the first at {shown(replayed.damage[0])}" if replayed.damage else ""
        parts.append(f"{lines} damaged or of an unknown kind: left out{first}\n")
    if replayed.unseen:
        parts.append(f"what {counted(replayed.unseen, 'command')} wrote only the disk would show: it is unknown here\n")
    parts.append(_refused(replayed))
    for theme, head in (("loops", "LOOPS"), ("acceptance", "DONE WITHOUT EVIDENCE")):
        parts.append(_spoken(replayed, themes, theme, head))
    if replayed.secrets:
        parts.append(f"{counted(len(replayed.secrets), 'secret')} in the record:\n")
        rows = sorted(replayed.secrets.values(), key=lambda each: (-each.times, each.place))[:TOP]
        parts.append(table(("IN", "TIMES", "FIRST AT"), [_cells(each.where, each.times, each.place) for each in rows]))
    return "\n".join(part for part in parts if part)


def _refused(replayed: Replayed) -> str:
    sure = [each for each in replayed.top if each.sure]
    if not sure:
        return "nothing would have been refused\n"
    width = (terminal_width() or 10_000) - INDENT
    times = sum(each.times for each in sure)
    lines = [f"would have been refused or asked: {times}, {replayed.rate(times)} of 100 calls"]
    for each in sure[:TOP]:
        lines.append(
            shortened(f"{each.times:>4} × {each.verdict:<4}  {each.rule}  {shown(each.action)}", width + INDENT)
        )
        lines.append(" " * INDENT + f"first at {shown(each.place)}, session {shown(each.session)}")
    if len(sure) > TOP:
        lines.append(f"… and {counted(len(sure) - TOP, 'more action')}; --html has them")
    return "\n".join(lines) + "\n"


def _spoken(replayed: Replayed, themes: dict[str, str], theme: str, head: str) -> str:
    rules = [(name, rule) for name, rule in replayed.rules.items() if themes.get(name) == theme]
    most = sorted(rules, key=lambda each: (-(each[1].spoke - each[1].undecided), each[0]))[:TOP]
    rows = [_cells(name, rule.spoke - rule.undecided, rule.undecided, rule.place) for name, rule in most]
    return table((head, "TIMES", "CANNOT KNOW", "FIRST AT"), rows) if rows else ""


def _cells(*values: object) -> list[Cell]:
    return [(str(value), VERDICT_STYLES.get(str(value), "")) for value in values]
