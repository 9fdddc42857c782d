"""Print the ledger of a session: how each command ended, and when each path was touched, with evidence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from policy_engine.reports.base import Style, columns, counted, painted, shown

Segments = Iterator[tuple[str, str]]

_OUTCOMES = {"succeeded": "green", "failed": "bold red", "blocked": "red", "timed_out": "red"}
_PATH_WORDS = {"wrote": "written", "read": "read", "deleted": "deleted"}


def ledger_text(ledger: dict[str, Any], style: Style) -> str:
    """Commands, paths, todos and the rest, those of the latest events last."""
    return painted(_ledger(ledger), style)


def _ledger(ledger: dict[str, Any]) -> Segments:
    counts = ledger["counts"]
    words = (("prompts", "prompt"), ("steps", "tool call"), ("rounds", "round"))
    yield ", ".join(counted(counts[key], word) for key, word in words) + "\n", "dim"
    yield from _table("commands", [_command(one) for one in ledger["commands"]])
    yield from _table("paths", [_path(one) for one in ledger["paths"]])
    yield from _table("todos", [_todo(one) for one in ledger["todos"]])
    yield from _table("others", [_name(one) for one in ledger["names"]])
    failed = [[(name, ""), (f"failed {counted(count, 'time')} in a row", "bold red")]
              for name, count in ledger["verification"].items()]  # fmt: skip
    yield from _table("verification", failed)
    yield from _table("unknown", [[(line, "yellow")] for line in ledger["unknown"]])


def _command(one: dict[str, Any]) -> list[tuple[str, str]]:
    line = f"command {one['command'][:8]}"  # what it was stands in the log, under its event
    stands = " and stands" if one["success_stands"] else ""
    return [(one["outcome"] + stands, _OUTCOMES.get(one["outcome"], "yellow")), (line, ""), (one["event"], "dim")]


def _path(one: dict[str, Any]) -> list[tuple[str, str]]:
    touched = [
        f"{word} at {one[kind]['version']}" + (f" by {one[kind]['event']}" if one[kind]["event"] else "")
        for kind, word in _PATH_WORDS.items()
        if kind in one
    ]
    return [("confirmed" if one["confirmed"] else "", "green"), (one["path"], ""), (", ".join(touched), "dim")]


def _todo(one: dict[str, Any]) -> list[tuple[str, str]]:
    return [(str(one.get("status", "pending")), ""), (str(one.get("title", one.get("id"))), "")]


def _name(one: dict[str, Any]) -> list[tuple[str, str]]:
    return [(one["kind"].replace("_", " "), ""), (one["name"], ""), (one["event"], "dim")]


def _table(title: str, rows: list[list[tuple[str, str]]]) -> Segments:
    if not rows:
        return
    yield f"{title}\n", "bold"
    width = max(columns(shown(row[0][0])) for row in rows) if len(rows[0]) > 1 else 0
    for row in rows:
        yield "  ", ""
        for place, (text, look) in enumerate(row):
            text = shown(text)
            yield text, look
            if place < len(row) - 1:
                yield " " * (2 + (width - columns(text) if place == 0 else 0)), ""
        yield "\n", ""
