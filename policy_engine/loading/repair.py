"""Put the certain fixes of findings into the files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from policy_engine.loading.files import write_whole
from policy_engine.model.diagnostic import Diagnostic
from policy_engine.model.source import Source, Span
from policy_engine.syntax import ast
from policy_engine.syntax.parser import parse
from policy_engine.syntax.printer import format_file


def repair(diagnostics: Iterable[Diagnostic], paths: dict[str, str]) -> int:
    """Write the files with every certain fix in place; return how many there were.

    A file in canonical layout stays in it. `paths` maps names of sources to files; others are left alone.
    """
    by_source: dict[str, list[Diagnostic]] = {}
    for one in diagnostics:
        if one.fix is not None and one.source.name in paths:
            by_source.setdefault(one.source.name, []).append(one)
    for name, fixes in by_source.items():
        source = fixes[0].source
        tree, problems = parse(source)
        text = _with(tree, fixes)
        if not problems and format_file(tree) == source.text:
            text = format_file(parse(Source(name, text))[0])
        write_whole(Path(paths[name]), text.encode())
    return sum(map(len, by_source.values()))


def _with(tree: ast.File, fixes: list[Diagnostic]) -> str:
    text = tree.source.text
    end = len(text)
    for one in sorted(fixes, key=lambda one: one.span.start, reverse=True):
        span = one.span if one.fix else whole_item(tree, one.span)
        if span.end <= end:  # what overlaps waits for the next time
            end = span.start
            text = text[: span.start] + (one.fix or "") + text[span.end :]
    return text


def whole_item(tree: ast.File, span: Span) -> Span:
    """Return the span of the item or comment that a finding is in: it goes as a whole."""
    nodes: tuple[ast.Node, ...] = (*tree.items, *tree.comments)
    return next((node.span for node in nodes if node.span.start <= span.start and span.end <= node.span.end), span)
