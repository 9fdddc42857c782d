"""Parse a text again after an edit, only the declarations that changed.

A text is cut before each line that begins with the word of a declaration. What such a part holds is right if it can be
read by itself without a complaint. One that cannot is read together with its neighbours, from a clean one to clean
ones, and is right if these come out as they did by themselves. All else is in doubt: the text is then read as one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from policy_engine.model.diagnostic import Diagnostic
from policy_engine.model.limits import POLICY_DIAGNOSTICS
from policy_engine.model.source import PartSource, Source, Span
from policy_engine.syntax import ast
from policy_engine.syntax.grammar import language
from policy_engine.syntax.parser import parse
from policy_engine.syntax.recovery import Recovery
from policy_engine.syntax.tokens import ITEMS

_BEGINNING = re.compile(rf"^(?:{'|'.join(sorted(ITEMS - {'language'}))})\b", re.MULTILINE)
SMALL = 20_000  # characters: what is shorter is read as one
AFTER = 2  # clean parts behind one with a mistake that are read with it: no repair looks further ahead


@dataclass(slots=True)
class Part:
    """One part of a text, `found` if it is complained about when it is read by itself."""

    source: PartSource
    tree: ast.File
    found: bool


@dataclass(slots=True)
class Parts:
    """A text as it was read last: `trees` in its order, and the complaints about it."""

    trees: tuple[ast.File, ...] = ()
    diagnostics: list[Diagnostic] = field(default_factory=list)
    known: dict[tuple[str, int], Part] = field(default_factory=dict)


def read_parts(source: Source, before: Parts | None = None) -> Parts:
    """Return what `parse` would say of a text, in parts, with what did not change since `before` as it was."""
    parts = Parts()
    if len(source.text) > SMALL:
        cuts = [0, *(match.start() for match in _BEGINNING.finditer(source.text) if match.start()), len(source.text)]
        turns: Counter[str] = Counter()
        own = [_part(source, Span(*span), parts, before, turns) for span in pairwise(cuts)]
        if _join(source, own, parts):
            return parts
    tree, diagnostics = parse(source)
    return replace(parts, trees=(tree,), diagnostics=diagnostics)


def _part(source: Source, span: Span, parts: Parts, before: Parts | None, turns: Counter[str]) -> Part:
    """Return a part, from `before` if its text was there as often; `turns` counts the parts with the same text."""
    text = source.text[span.start : span.end]
    key = (text, turns[text] if span.start else -1)  # the first has to say the language
    turns[text] += 1
    part = before.known.get(key) if before is not None else None
    if part is None:
        of = PartSource(source.name, text)
        of.move(source, span.start)
        tree, found = parse(of, begins=span.start == 0)
        part = Part(of, tree, bool(found))
    part.source.move(source, span.start)
    parts.known[key] = part
    return part


def _join(source: Source, own: Sequence[Part], parts: Parts) -> bool:
    """Put the trees and complaints of parts together; False if they may differ from those of the whole."""
    recovery = Recovery(language()[0])
    trees: list[ast.File] = []
    at = 0
    for first, last in _faulty(own):
        run, behind = own[max(first - 1, 0) : last + 1 + AFTER], own[last + 1 : last + 1 + AFTER]
        of = PartSource(source.name, "".join(part.source.text for part in run))
        of.move(source, _start(run[0]))
        tree, found = parse(of, recovery, _start(run[0]) == 0)
        start, end = _start(own[first]), _start(own[last]) + len(own[last].source.text)
        starts = [of.placed(item.span).start for item in tree.items]
        as_before = [part.source.placed(item.span).start for part in behind for item in part.tree.items]
        if [one for one in starts if one >= end] != as_before or any(one.span.end > end for one in found):
            return False
        mine = (item for item, one in zip(tree.items, starts, strict=True) if start <= one < end)
        trees += [*(part.tree for part in own[at:first]), replace(tree, items=tuple(mine))]
        parts.diagnostics += found
        at = last + 1
    trees += [part.tree for part in own[at:]]
    parts.trees = tuple(trees)
    return len(parts.diagnostics) < POLICY_DIAGNOSTICS and not any(tree.language for tree in trees[1:])


def _faulty(own: Sequence[Part]) -> Iterator[tuple[int, int]]:
    """Yield first and last of the parts with a complaint; those near each other belong together."""
    marked = [number for number, part in enumerate(own) if part.found]
    while marked:
        first = last = marked.pop(0)
        while marked and marked[0] <= last + AFTER + 1:
            last = marked.pop(0)
        yield first, last


def _start(part: Part) -> int:
    return part.source.placed(Span(0, 0)).start
