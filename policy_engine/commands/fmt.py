"""`policy fmt`: write policies in canonical layout, in place or shown as a difference."""

from __future__ import annotations

import difflib
import sys
from dataclasses import dataclass
from pathlib import Path

import click

from policy_engine.commands.base import (
    DOES_NOT_LOAD,
    FINDINGS,
    emit,
    emit_json,
    existing,
    format_option,
    output_style,
    policy_arguments,
    working,
)
from policy_engine.loading.files import write_whole
from policy_engine.loading.sources import PolicyFile, gather
from policy_engine.model.diagnostic import Diagnostic
from policy_engine.reports.base import Findings, Style, counted, formats_of_check, painted, shown
from policy_engine.syntax.parser import parse
from policy_engine.syntax.printer import format_file
from policy_engine.syntax.reading import read_text

STDIN = "-"
WRITTEN = {"changed": "formatted", "broken": "not formatted: it does not parse"}
ASKED = {"changed": "would be formatted", "broken": "does not parse"}
_LINE_STYLES = {"+": "green", "-": "red", "@": "cyan"}


@dataclass(frozen=True, slots=True)
class _Layout:
    """One file before and after; `after` is None and `problems` say why if it cannot be formatted."""

    file: PolicyFile
    before: str
    after: bytes | None
    problems: tuple[Diagnostic, ...] = ()

    @property
    def state(self) -> str:
        if self.after is None:
            return "broken"
        return "unchanged" if self.after == self.file.data else "changed"


@click.command(short_help="Bring policies into canonical layout.", epilog="Example: policy fmt --diff .policy")
@policy_arguments
@click.option("--check", "check", is_flag=True, help="Write nothing; exit status 1 if a file would change.")
@click.option("--diff", "diff", is_flag=True, help="Write nothing; show what would change, as a unified diff.")
@format_option("text", "json")
def COMMAND(paths: tuple[str, ...], check: bool, diff: bool, format_name: str) -> int:
    """Bring policy files into canonical layout; `-` formats standard input to standard output.

    Comments stay, the order stays, no decision changes. A file that does not parse is left as it is. Exit status: 3 if
    a file does not parse, else 1 if --check or --diff found something to change, else 0.
    """
    if paths == (STDIN,):
        return _filter(check, diff)
    gathered = gather(existing(paths))
    with working(f"formatting {counted(len(gathered.files), 'file')}"):
        layouts = [_layout(file) for file in gathered.files.values()]
    for layout in layouts:
        if layout.state == "changed" and not (check or diff):
            assert layout.after is not None
            write_whole(Path(layout.file.path), layout.after)
    _complain([*gathered.problems, *(problem for layout in layouts for problem in layout.problems)])
    if format_name == "json":
        emit_json({"files": [_record(layout, diff) for layout in layouts]})
    elif diff:
        emit("".join(_difference(layout, output_style()) for layout in layouts))
    else:
        emit(_summary(layouts, ASKED if check else WRITTEN, output_style()))
    return _status(layouts, bool(gathered.problems), check or diff)


def _layout(file: PolicyFile) -> _Layout:
    source, problems = read_text(file.name, file.data)
    if source is None:
        return _Layout(file, "", None, tuple(problems))
    tree, diagnostics = parse(source)
    errors = tuple(problem for problem in diagnostics if problem.severity == "error")
    if errors:
        return _Layout(file, source.text, None, errors)
    return _Layout(file, source.text, format_file(tree).encode())


def _filter(check: bool, diff: bool) -> int:
    """Standard input to standard output."""
    layout = _layout(PolicyFile.given("standard input", STDIN, sys.stdin.buffer.read()))
    _complain(list(layout.problems))
    if layout.after is not None:
        if diff:
            emit(_difference(layout, output_style()))
        elif not check:
            sys.stdout.buffer.write(layout.after)
    return _status([layout], False, check or diff)


def _status(layouts: list[_Layout], unreadable: bool, asked: bool) -> int:
    states = {layout.state for layout in layouts}
    if unreadable or "broken" in states:
        return DOES_NOT_LOAD
    return FINDINGS if asked and "changed" in states else 0


def _complain(problems: list[Diagnostic]) -> None:
    """Print what keeps files from being formatted to standard error: the result is the list of files."""
    if problems:
        style = Style(color=output_style().color and sys.stderr.isatty())
        sys.stderr.write(formats_of_check()["text"].render(Findings(tuple(problems)), style))


def _difference(layout: _Layout, style: Style) -> str:
    if layout.state != "changed":
        return ""
    assert layout.after is not None
    before = layout.file.data.decode().splitlines(keepends=True)
    after = layout.after.decode().splitlines(keepends=True)
    name = shown(layout.file.name)
    lines = difflib.unified_diff(before, after, name, f"{name} (formatted)")
    text = "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)
    return painted(((f"{shown(line)}\n", _LINE_STYLES.get(line[:1], "")) for line in text.split("\n")[:-1]), style)


def _summary(layouts: list[_Layout], words: dict[str, str], style: Style) -> str:
    segments: list[tuple[str, str]] = []
    for layout in layouts:
        if layout.state in words:
            color = "bold red" if layout.state == "broken" else "bold"
            segments += [(shown(layout.file.name), color), (f": {words[layout.state]}\n", "")]
    changed, broken = (sum(layout.state == state for layout in layouts) for state in ("changed", "broken"))
    parts = [f"{counted(changed, 'file')} {words['changed']}"] if changed else []
    parts += [f"{counted(broken, 'file')} left alone"] if broken else []
    rest = len(layouts) - changed - broken
    parts += [f"{counted(rest, 'file')} already in layout"] if rest else []
    segments.append((f"{', '.join(parts) or 'no policy files'}\n", "" if changed or broken else "green"))
    return painted(segments, style)


def _record(layout: _Layout, diff: bool) -> dict[str, object]:
    record: dict[str, object] = {"file": layout.file.name, "state": layout.state}
    if diff:
        record["diff"] = _difference(layout, Style())
    return record
