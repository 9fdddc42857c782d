"""`python -m bench`: all measurements as tables, and as JSON with `--json FILE`. See README.md beside this file."""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import platform
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.console import Console

from bench import compare, decide, editor, history, hook, load, page, serve, shell, state, tables
from bench.limit import LIMIT, LIMIT_PARSED
from bench.ours import OURS
from bench.peers.base import Peer, peers
from bench.workload import SIZES

TABLES = ("decide", "load", "hook", "history", "state", "serve", "shell", "editor", "page", "compare")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=f"which of {', '.join(TABLES)} (default: all)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures there")
    parser.add_argument("--quick", action="store_true", help="a smoke run of about a minute; its figures say little")
    parser.add_argument(
        "--sizes", type=int, nargs="+", default=SIZES, metavar="N", help="numbers of rules for `decide`"
    )
    parser.add_argument("--without", nargs="+", default=(), metavar="NAME", help="contestants to leave out")
    arguments = parser.parse_args()
    unknown = set(arguments.tables) - set(TABLES)
    if unknown:
        parser.error(f"no table {', '.join(sorted(unknown))}; there are {', '.join(TABLES)}")
    return arguments


def _contestants(without: tuple[str, ...]) -> tuple[list[Peer], list[str]]:
    """Contestants that can run here, and the names of the peers that are not installed."""
    found = [peer for peer in peers() if peer.name not in without]
    missing = [peer.name for peer in found if not peer.version]
    own = [peer for peer in (LIMIT, LIMIT_PARSED, *OURS) if peer.name not in without]
    return own + [peer for peer in found if peer.version], missing


def _decisions(console: Console, arguments: argparse.Namespace, tell: Callable[[str], None]) -> dict[str, Any]:
    contestants, missing = _contestants(tuple(arguments.without))
    quick = arguments.quick
    rows: list[decide.Row] = []
    for size in arguments.sizes[:2] if quick else arguments.sizes:
        events, rounds, seconds = (200, 3, 0.3) if quick else (decide.EVENTS, decide.ROUNDS, decide.SECONDS)
        rows += decide.measure(contestants, size, events, rounds, seconds, tell)
    floor = decide.clock_floor()
    tables.show_decisions(console, rows, contestants, floor)
    if missing:
        console.print(f"  not installed: {', '.join(missing)} (pip install '.[bench]')", style="yellow")
    return {"clock_floor_us": floor, "missing": missing, "rows": [row.to_dict() for row in rows]}


def _loads(console: Console, arguments: argparse.Namespace, tell: Callable[[str], None]) -> dict[str, Any]:
    tell("loading")
    rows = load.measure(200, 20, 2) if arguments.quick else load.measure()
    tables.show_loads(console, rows)
    return {"rows": [row.to_dict() for row in rows]}


def _hooks(console: Console, arguments: argparse.Namespace, tell: Callable[[str], None]) -> dict[str, Any]:
    rows: list[hook.Row] = []
    for size in hook.SIZES:
        tell(f"hook process, {size:,} rules")
        rows += hook.measure(min(size, 100), 15) if arguments.quick else hook.measure(size)
    tables.show_hooks(console, rows)
    return {"rows": [row.to_dict() for row in rows]}


def _histories(console: Console, arguments: argparse.Namespace, tell: Callable[[str], None]) -> dict[str, Any]:
    rows = history.measure(tell, 5_000, 800) if arguments.quick else history.measure(tell)
    compared = history.compare(tell, 2_000, 3) if arguments.quick else history.compare(tell)
    tables.show_history(console, rows, compared)
    return {"rows": [row.to_dict() for row in rows], "compared": compared.to_dict()}


def _states(console: Console, arguments: argparse.Namespace, tell: Callable[[str], None]) -> dict[str, Any]:
    rows = state.measure(tell, 16, 1) if arguments.quick else state.measure(tell)
    tables.show_state(console, rows)
    return {"rows": [row.to_dict() for row in rows]}


def _serves(console: Console, arguments: argparse.Namespace, tell: Callable[[str], None]) -> dict[str, Any]:
    rows = serve.measure(tell, 16, 100) if arguments.quick else serve.measure(tell)
    tables.show_serve(console, rows)
    return {"rows": [row.to_dict() for row in rows]}


def _shells(console: Console, arguments: argparse.Namespace, tell: Callable[[str], None]) -> dict[str, Any]:
    rows = shell.measure(tell, 3, 5) if arguments.quick else shell.measure(tell)
    missing = [name for name, _, reader in shell.contestants() if reader is None]
    tables.show_shells(console, rows, missing)
    return {"missing": missing, "lines": len(shell.LINES), "rows": [row.to_dict() for row in rows]}


def _editors(console: Console, arguments: argparse.Namespace, tell: Callable[[str], None]) -> dict[str, Any]:
    if importlib.util.find_spec("pygls") is None:
        console.print("  editor: the extra `lsp` is not installed", style="yellow")
        return {"missing": ["pygls"], "rows": []}
    rows = editor.measure(tell, 100, 5) if arguments.quick else editor.measure(tell)
    tables.show_editor(console, rows)
    return {"rows": [row.to_dict() for row in rows]}


def _pages(console: Console, arguments: argparse.Namespace, tell: Callable[[str], None]) -> dict[str, Any]:
    if not page.can_run():
        console.print("  page: Chromium or the extra `serve` is not installed", style="yellow")
        return {"missing": ["chromium"], "rows": []}
    rows = page.measure(tell, 500, 2) if arguments.quick else page.measure(tell)
    tables.show_page(console, rows)
    return {"rows": [row.to_dict() for row in rows]}


def _comparisons(console: Console, arguments: argparse.Namespace, tell: Callable[[str], None]) -> dict[str, Any]:
    rows = compare.measure(tell, compare.SIZES[:2]) if arguments.quick else compare.measure(tell)
    tables.show_comparisons(console, rows)
    return {"rows": [row.to_dict() for row in rows]}


def main() -> int:
    """Exit code 0; 1 if a contestant disagrees or a hook answers wrongly (its figures would mean nothing)."""
    arguments = _arguments()
    console = Console(width=None if sys.stdout.isatty() else 150)
    progress = Console(stderr=True)
    chosen = arguments.tables or TABLES
    figures: dict[str, Any] = {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "processors": os.cpu_count(),
    }
    parts = {
        "decide": _decisions,
        "load": _loads,
        "hook": _hooks,
        "history": _histories,
        "state": _states,
        "serve": _serves,
    }
    parts |= {"shell": _shells, "editor": _editors, "page": _pages, "compare": _comparisons}
    with progress.status("") as status:
        for name in TABLES:
            if name in chosen:
                try:
                    figures[name] = parts[name](console, arguments, lambda line: status.update(line))
                except (decide.Disagreement, hook.WrongAnswer, shell.Missed) as problem:
                    console.print(f"{name}: {problem}", style="red", markup=False)
                    return 1
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
