"""Print what a repository's policy does and would run, for the person who is asked to trust it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from shlex import join
from typing import Any

from policy_engine.model.ladder import RANK
from policy_engine.reports.base import VERDICT_STYLES, Style, columns, counted, painted, shown

Segments = Iterator[tuple[str, str]]

_STATES = {"trusted": "green", "no commands": "green", "changed": "bold yellow", "untrusted": "yellow"}
_SIGNS = {"added": ("+", "green"), "removed": ("-", "red"), "changed": ("~", "yellow")}
_SHOWN_DIGEST = 12
_PLACES = 40  # columns for where a rule listens; a longer list moves its title
_FAIL = {"closed": "refuses if that cannot be asked", "open": "only warns if that cannot be asked"}


def trust_text(effects: dict[str, Any], since: str, style: Style) -> str:
    """`effects` in its JSON form; `since` says when and by whom it was trusted, if it was."""
    return painted(_page(effects, since), style)


def _page(effects: dict[str, Any], since: str) -> Segments:
    yield f"{shown(effects['folder'])}  ", "bold"
    yield f"{effects['state']}\n", _STATES[effects["state"]]
    if effects["problem"]:
        yield f"{shown(effects['problem'])}\n", ""
    if since:
        yield f"trusted {shown(since)}\n", "dim"
    yield from _rules(effects["rules"])
    yield from _commands(effects["commands"])
    yield from _files(effects["files"])
    if effects["changes"]:
        yield "\nchanged since it was trusted\n", "bold"
        for name, how in effects["changes"].items():
            sign, look = _SIGNS[how]
            yield f"  {sign} ", look
            yield f"{shown(name)}\n", ""
    yield "\ndigest  ", "dim"
    yield f"{effects['digest']}\n", ""


def _rules(rules: list[dict[str, Any]]) -> Segments:
    counts = Counter(verdict for rule in rules for verdict in rule["verdicts"] if not rule["shadow"])
    summary = ", ".join(f"{counts[verdict]} {verdict}" for verdict in sorted(counts, key=_rank, reverse=True))
    yield "\nrules", "bold"
    yield f"  {summary or 'none'}; they hold without trust, and can only tighten\n", "dim"
    rules = sorted(rules, key=lambda rule: (-max(map(_rank, rule["verdicts"])), rule["rule"]))
    rows = [
        (", ".join(sorted(rule["verdicts"], key=_rank, reverse=True)), rule["rule"], ", ".join(map(shown, rule["at"])))
        for rule in rules
    ]
    widths = [max((columns(row[at]) for row in rows), default=0) for at in range(3)]
    for rule, (verdicts, name, places) in zip(rules, rows, strict=True):
        yield f"  {verdicts:{max(widths[0], 6)}}  ", VERDICT_STYLES.get(verdicts.partition(",")[0], "")
        yield f"{name:{widths[1]}}  ", ""
        yield f"{places:{min(widths[2], _PLACES)}}  ", "cyan"
        yield shown(rule["title"]), "dim"
        yield "  (shadow)\n" if rule["shadow"] else "\n", "yellow"


def _rank(verdict: str) -> int:
    return RANK.get(verdict, -1)  # a rule may give a time budget only


def _commands(commands: list[dict[str, Any]]) -> Segments:
    running = sum(len(one["runs"]) for one in commands)
    yield f"\n{counted(running, 'command')}", "bold"
    yield "  run with your rights, when they are trusted\n" if running else "\n", "dim"
    for one in commands:
        yield f"  {one['kind']} {one['name']}", "bold"
        yield f"  {shown(one['title'])}\n", "dim"
        yield f"    at {', '.join(map(shown, one['at']))}", "cyan"
        yield f"  {shown(one['condition'])}\n" if one["condition"] else "\n", ""
        for run in one["runs"]:
            yield f"    {run['stage'] or 'runs'}  ", "dim"
            yield " ".join((*map(shown, run["env"]), shown(join(run["run"])))), "bold yellow"
            yield f"  for up to {run['timeout_ms'] / 1000:g} s\n", "dim"
        if one["call"]:
            yield f"    calls `{one['call']}` of a Python program; it starts nothing here\n", "dim"
        elif one["kind"] == "hook":
            yield f"    {'only observes' if one['observe'] else _FAIL[one['fail']]}\n", "dim"


def _files(files: dict[str, str]) -> Segments:
    bound = {path: state for path, state in files.items() if state.split(" ")[0] not in ("missing", "folder")}
    yield f"\n{counted(len(bound), 'file')}", "bold"
    yield "  bound by their content; what they start or read themselves is not\n", "dim"
    width = max((columns(shown(path)) for path in bound), default=0)
    for path, state in bound.items():
        digest, _, real = state.partition(" ")
        name = shown(path)
        yield f"  {name}{' ' * (width - columns(name))}  ", ""
        yield digest[:_SHOWN_DIGEST], "dim"
        yield (
            f"  a link to {shown(real)}{', out of the folder' if real.startswith('../') else ''}\n" if real else "\n",
            "",
        )
