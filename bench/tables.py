"""Rows of the three measurements → tables on a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from bench import compare, decide, editor, history, hook, load, page, serve, shell, state
from bench.peers.base import Peer

OURS = "policy-engine"
LIMIT = "limit"


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", header_style="bold")
    for number, column in enumerate(columns):
        table.add_column(column, justify="left" if number == 0 else "right")
    return table


def _figure(value: float) -> str:
    return f"{value:,.2f}" if value < 100 else f"{value:,.0f}"


def show_decisions(console: Console, rows: Sequence[decide.Row], peers: Sequence[Peer], floor: float) -> None:
    """One table per size, then the growth from the smallest to the largest."""
    sizes = sorted({row.rules for row in rows})
    for size in sizes:
        here = [row for row in rows if row.rules == size]
        ours = next((row for row in here if row.name == OURS), None)
        table = _table(
            f"Decision, {size:,} rules (µs per event)",
            "engine", "version", "events", "rounds", "matching", "p50", "mean", "p99", "tail", "ready ms", "× ours",
        )  # fmt: skip
        for row in here:
            table.add_row(
                row.name,
                row.version,
                str(row.events),
                str(row.rounds),
                str(row.matching),
                *(_figure(value) for value in (row.p50, row.mean, row.p99, row.tail, row.ready)),
                f"{row.mean / ours.mean:,.2f}" if ours else "",
            )
        console.print(table)
        if ours:
            _show_ratios(console, here, ours)
    _show_growth(console, rows, sizes)
    for peer in peers:
        if peer.note:
            console.print(f"  {peer.name}: {peer.note}", style="dim")
    console.print(f"  every figure contains {floor:.2f} µs of the clock itself; all answers agreed", style="dim")


def _show_ratios(console: Console, rows: Sequence[decide.Row], ours: decide.Row) -> None:
    limit = next((row for row in rows if row.name == LIMIT), None)
    peers = [row for row in rows if row.version]
    if limit:
        console.print(
            f"  ours / limit: p50 {ours.p50 / limit.p50:.2f}×, mean {ours.mean / limit.mean:.2f}×, "
            f"p99 {ours.p99 / limit.p99:.2f}×"
        )
    if peers:
        best = min(peers, key=lambda row: row.mean)
        mean, middle = _figure(best.mean / ours.mean), _figure(best.p50 / ours.p50)
        console.print(f"  fastest peer / ours: {best.name}, mean {mean}×, p50 {middle}×")


def _show_growth(console: Console, rows: Sequence[decide.Row], sizes: Sequence[int]) -> None:
    if len(sizes) < 2:
        return
    table = _table(f"Growth from {sizes[0]:,} to {sizes[-1]:,} rules", "engine", "p50", "mean", "p99")
    for name in dict.fromkeys(row.name for row in rows):
        by_size = {row.rules: row for row in rows if row.name == name}
        small, large = by_size.get(sizes[0]), by_size.get(sizes[-1])
        if small and large:
            pairs = ((large.p50, small.p50), (large.mean, small.mean), (large.p99, small.p99))
            table.add_row(name, *(f"{after / before:,.2f}×" for after, before in pairs))
    console.print(table)


def show_loads(console: Console, rows: Sequence[load.Row]) -> None:
    """Loading and reloading."""
    table = _table("Loading (ms)", "what", "rules", "files", "median", "least", "most", "cpu", "peak MiB")
    for row in rows:
        figures = (row.ms, row.least, row.most, row.cpu, row.mib)
        table.add_row(row.what, f"{row.rules:,}", f"{row.files:,}", *(_figure(value) for value in figures))
    console.print(table)


def show_hooks(console: Console, rows: Sequence[hook.Row]) -> None:
    """Whole processes beside an empty interpreter."""
    table = _table(
        "The registered hook as a process, beside `python -I -S -c pass` (ms)",
        "event", "resident", "rules", "pairs", "bare", "hook", "ratio", "bare cpu", "hook cpu", "ratio cpu",
    )  # fmt: skip
    for row in rows:
        clock = (_figure(row.bare), _figure(row.hook), f"{row.ratio:.2f}×")
        cpu = (_figure(row.bare_cpu), _figure(row.hook_cpu), f"{row.ratio_cpu:.2f}×")
        table.add_row(row.case, "yes" if row.resident else "no", f"{row.rules:,}", str(row.pairs), *clock, *cpu)
    console.print(table)


def show_state(console: Console, rows: Sequence[state.Row]) -> None:
    """Many processes at once."""
    table = _table("Processes at once (s)", "what", "at once", "p50", "p99", "longest", "undecided",
                   "counts")  # fmt: skip
    for row in rows:
        times = (f"{row.p50:.2f}", f"{row.p99:.2f}", f"{row.longest:.2f}")
        table.add_row(row.kind, str(row.processes), *times, str(row.undecided), "exact" if row.exact else "lost")
    console.print(table)


def show_serve(console: Console, rows: Sequence[serve.Row]) -> None:
    """The ways to a resident engine beside a hook that decides by itself."""
    table = _table("An answer with and without a resident engine (ms)", "way", "at once", "answers", "p50", "p99")
    for row in rows:
        table.add_row(row.way, str(row.at_once), str(row.rounds), _figure(row.p50), _figure(row.p99))
    console.print(table)


def show_editor(console: Console, rows: Sequence[editor.Row]) -> None:
    """From a keystroke to the findings."""
    columns = ("rules", "files", "p50", "longest", "of the processor", "beside lints", "lints")
    table = _table("Findings after a keystroke (ms)", *columns)
    for row in rows:
        times = map(_figure, (row.keys, row.longest, row.work, row.beside, row.lints))
        table.add_row(f"{row.rules:,}", str(row.files), *times)
    console.print(table)


def show_page(console: Console, rows: Sequence[page.Row]) -> None:
    """The page of `policy serve`."""
    table = _table("The page over 10,000 decisions (ms)", "page", "served", "first paint", "largest part, KiB")
    for row in rows:
        table.add_row(row.page, _figure(row.server), _figure(row.paint), _figure(row.largest))
    console.print(table)


def show_comparisons(console: Console, rows: Sequence[compare.Row]) -> None:
    """Two policies of which ten rules differ."""
    table = _table("Two policies compared (s)", "rules", "load", "compare", "ratio", "found", "open", "peak MiB")
    for row in rows:
        figures = _figure(row.load), _figure(row.compare), f"{row.compare / row.load:.2f}×"
        table.add_row(f"{row.rules:,}", *figures, str(row.found), str(row.open), _figure(row.peak))
    console.print(table)


def show_history(console: Console, rows: Sequence[history.Row], compared: history.Compared) -> None:
    """Early and late events of a session, and a look at a whole workspace."""
    table = _table("An event early and late in a session, p50 (µs)", "kept in", "early", "late", "ratio", "KiB early",
                   "KiB late")  # fmt: skip
    for row in rows:
        sizes = (_figure(row.size_early), _figure(row.size_late))
        table.add_row(row.store, _figure(row.early), _figure(row.late), f"{row.ratio:.2f}×", *sizes)
    console.print(table)
    table = _table("A workspace compared with its snapshot (ms)", "files", "first", "again", "git status", "ratio")
    figures = (compared.first, compared.again, compared.git)
    table.add_row(f"{compared.files:,}", *map(_figure, figures), f"{compared.ratio:.2f}×")
    console.print(table)


def show_shells(console: Console, rows: Sequence[shell.Row], missing: Sequence[str]) -> None:
    """What it costs to know what a shell line runs."""
    table = _table("Shell lines, p50 over lines (µs)", "reader", "gives", "lines", "plain", "other", "most", "× shlex",
                   "× ours")  # fmt: skip
    for row in rows:
        figures = (row.plain, row.other, row.most)
        ratios = (f"{row.floor:,.2f}", f"{row.ours:,.2f}")
        table.add_row(
            row.name, row.what, str(row.read), *(_figure(value) if value else "" for value in figures), *ratios
        )
    console.print(table)
    if missing:
        console.print(f"  not installed: {', '.join(missing)} (pip install '.[bench]')", style="yellow")
