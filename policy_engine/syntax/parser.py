"""Parse policy text to a tree and diagnostics: never an exception for what a file may contain."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from policy_engine.model.diagnostic import Diagnostic, sorted_diagnostics
from policy_engine.model.limits import POLICY_DIAGNOSTICS
from policy_engine.model.source import Source, Span
from policy_engine.syntax import ast, messages
from policy_engine.syntax.driver import Machine
from policy_engine.syntax.grammar import language
from policy_engine.syntax.reading import odd_characters
from policy_engine.syntax.recovery import Recovery

_MANY = 100_000  # objects; a few are looked at, so that garbage among them goes


def parse(source: Source, recovery: Recovery | None = None, begins: bool = True) -> tuple[ast.File, list[Diagnostic]]:
    """Return the file's tree, and every mistake in it. Never raises for what a file may contain.

    With an error the tree still holds what could be read; an item whose span contains an error may lack clauses.
    `recovery` is that of an earlier part of the same file; a later part does not have to begin with the language.
    """
    scanner, tables = language()
    with collector_paused():
        scan = scanner.scan(source)
        machine = Machine(tables, source, scan, "policy")
        file = machine.run(recovery or Recovery(scanner))
    assert isinstance(file, ast.File)
    diagnostics = machine.context.diagnostics
    if begins and not file.language and not any(d.code == "PE144" for d in diagnostics):
        diagnostics.append(messages.language_missing(source, Span(0, min(1, len(source.text)))))
    diagnostics += odd_characters(source)
    return replace(file, comments=tuple(scan.comments)), _capped(source, sorted_diagnostics(diagnostics))


def damaged(file: ast.File, diagnostics: list[Diagnostic]) -> tuple[ast.Item, ...]:
    """Return the items that contain an error, and so may lack clauses that the author wrote."""
    whole, (begin, _) = file.source.whole, file.source.placed(Span(0, 0))
    starts = [d.span.start - begin for d in diagnostics if d.severity == "error" and d.source is whole]
    return tuple(item for item in file.items if any(item.span.start <= at < item.span.end for at in starts))


def independent(read: list[Diagnostic], later: list[Diagnostic]) -> list[Diagnostic]:
    """Return what the checker found that does not follow from a mistake that the parser reported.

    A finding follows from one where it stands on the same text, or on a word that the parser put in (of no width).
    """
    faults: dict[Source, list[Span]] = {}
    for one in read:
        if one.severity == "error":
            faults.setdefault(one.source, []).append(one.span)
    return [one for one in later if one.source not in faults or not _follows(one.span, faults[one.source])]


def _follows(span: Span, faults: list[Span]) -> bool:
    return span.start == span.end or any(
        fault.start <= span.start and span.end <= max(fault.end, fault.start + 1) for fault in faults
    )


@contextmanager
def collector_paused() -> Iterator[None]:
    """Pause the garbage collector: looking at the million objects that a large file makes doubles the time.

    They stay, so that afterwards many count as old ones, at which it looks only when there are many more.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            many = gc.get_count()[0] > _MANY
            if many and not gc.get_freeze_count():  # `unfreeze` would take back what somebody else has frozen
                gc.freeze()
                gc.unfreeze()
            gc.enable()


def _capped(source: Source, diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    if len(diagnostics) <= POLICY_DIAGNOSTICS:
        return diagnostics
    last = diagnostics[POLICY_DIAGNOSTICS].span
    return [*diagnostics[:POLICY_DIAGNOSTICS], messages.too_many(source, last, POLICY_DIAGNOSTICS)]
