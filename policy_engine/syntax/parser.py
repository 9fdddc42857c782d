"""Policy text → tree and complaints: never an exception for what a file may contain."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from policy_engine.model.diagnostic import Diagnostic, sorted_diagnostics
from policy_engine.model.limits import POLICY_DIAGNOSTICS
from policy_engine.model.source import Source, Span
from policy_engine.syntax import ast, complaints, structure_complaints
from policy_engine.syntax.driver import Machine
from policy_engine.syntax.grammar import language
from policy_engine.syntax.reading import odd_characters
from policy_engine.syntax.recovery import Recovery


def parse(source: Source) -> tuple[ast.File, list[Diagnostic]]:
    """The file's tree, and every mistake in it. Never raises for what a file may contain.

    With an error the tree still holds what could be read; an item whose span contains an error may lack clauses.
    """
    scanner, tables = language()
    with _collector_paused():
        scan = scanner.scan(source)
        machine = Machine(tables, source, scan, "policy")
        file = machine.run(Recovery(scanner))
    assert isinstance(file, ast.File)
    found = machine.context.diagnostics
    if not file.language and not any(d.code == "PE144" for d in found):
        found.append(structure_complaints.language_missing(source, Span(0, min(1, len(source.text)))))
    found += odd_characters(source)
    return replace(file, comments=tuple(scan.comments)), _capped(source, sorted_diagnostics(found))


def damaged(file: ast.File, diagnostics: list[Diagnostic]) -> tuple[ast.Item, ...]:
    """The items that contain an error, and so may lack clauses that the author wrote."""
    starts = [d.span.start for d in diagnostics if d.severity == "error" and d.source is file.source]
    return tuple(item for item in file.items if any(item.span.start <= at < item.span.end for at in starts))


@contextmanager
def _collector_paused() -> Iterator[None]:
    """A large file makes a million objects, none of them garbage: looking for it again and again doubles the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _capped(source: Source, found: list[Diagnostic]) -> list[Diagnostic]:
    if len(found) <= POLICY_DIAGNOSTICS:
        return found
    last = found[POLICY_DIAGNOSTICS].span
    return [*found[:POLICY_DIAGNOSTICS], complaints.too_many(source, last, POLICY_DIAGNOSTICS)]
