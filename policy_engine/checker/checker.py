"""Check the files of one policy set against the vocabulary: the checked policy and all its diagnostics.

A function from value to value. Whatever can be checked is checked, so that one run reports every mistake; a policy
with errors still gives a tree, which must not be compiled.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from policy_engine.checker import controls, defines, hooks_order, items, limits, messages, params
from policy_engine.checker.dependencies import Dependencies
from policy_engine.checker.memory import Found, Items, Memory, Named
from policy_engine.checker.scope import DefineInfo, Frame, Names, Scope
from policy_engine.checker.tests import test
from policy_engine.checker.tree import (
    CheckedPolicy,
    CheckedWaiver,
    Listen,
    Place,
)
from policy_engine.checker.vocabulary import Vocabulary
from policy_engine.model.diagnostic import Diagnostic, sorted_diagnostics
from policy_engine.model.limits import POLICY_DIAGNOSTICS
from policy_engine.syntax import ast

Waivable = Mapping[str, tuple[Listen, ...]]
NOTHING: Waivable = MappingProxyType({})
LACKING = frozenset(("PE240", "PE242", "PE250", "PE251", "PE254", "PE257", "PE259", "PE261", "PE263", "PE265"))
"""Complaints that something is missing or unknown: not made of an item that the parser already complained about."""


def check(
    files: Sequence[ast.File],
    words: Vocabulary,
    damaged: Sequence[ast.Item] = (),
    memory: Memory | None = None,
    waivable: Waivable = NOTHING,
) -> tuple[CheckedPolicy, list[Diagnostic]]:
    """Check all files that are loaded together; findings come in file and text order.

    `damaged` items were read with syntax errors and may lack clauses that their author wrote; `memory` is brought up
    to date; `waivable` are the rules of another layer that this one may waive, with the points where they listen.
    """
    names = Names(words)
    memory = memory or Memory()
    sorted_items = memory.items(files)
    for items_of_file in sorted_items:
        _declare(items_of_file.named, names)
    visible = defines.collect(sorted_items, names)
    checked = _check_files(sorted_items, visible, names, {id(item) for item in damaged}, memory)
    waivers = _waivers(sorted_items, visible, names, checked, waivable)
    limits.report_other_keys(checked.keyed, checked.limits, names)
    hooks, cycles = hooks_order.ordered(checked.hooks)
    names.findings.extend(cycles)
    policy = CheckedPolicy(
        tuple(file.source for file in files),
        tuple(checked.rules),
        tuple(checked.limits),
        tuple(checked.modes),
        hooks,
        tuple(checked.verifies),
        waivers,
        defines.checked(visible),
        tuple(checked.tests),
        frozenset(target for _, target, _ in defines.settings(sorted_items))
        | {file.source.name for files in defines.additions(sorted_items).values() if len(files) > 1 for file in files},
        tuple(checked.claims),
    )
    return policy, _capped(sorted_diagnostics(names.findings))


def _check_files(
    sorted_items: Sequence[Items],
    visible: dict[str, dict[str, DefineInfo]],
    names: Names,
    partial: set[int],
    memory: Memory,
) -> Found:
    needs_of = Dependencies(sorted_items, visible, names.declared())
    places = {(id(one.place.source), one.place.span): one for seen in visible.values() for one in seen.values()}
    total = Found()
    for entry in sorted_items:
        needs = needs_of(entry)
        own = memory.outcome(needs)
        if own is None:
            own, start, counts, uses = Found(), len(names.findings), len(names.keyed), len(names.used)
            _check_file(entry.file, visible[entry.file.source.name], names, own, partial)
            own.keyed, own.used = names.keyed[counts:], names.used[uses:]
            if len(names.findings) == start:
                memory.keep(needs, own)
        else:
            for place, use in own.used:
                places[id(place.source), place.span].uses.add(use)
        total.add(own)
    whole = {entry.file.source.name for entry in sorted_items if entry.named}
    whole -= {entry.file.source.name for entry in sorted_items if partial.intersection(map(id, entry.file.items))}
    for name in whole:
        params.report_unused(visible[name], names)
    return total


def _declare(declared: Sequence[tuple[Named, Place]], names: Names) -> None:
    """Note every declared id, so that items may name each other in any order."""
    for item, place in declared:
        ids = names.modes if type(item) is ast.Mode else names.speakers
        first = ids.setdefault(item.name, place)
        if first is not place:
            names.findings.append(messages.duplicate_id(place, item.name, first))
        match item:
            case ast.Rule():
                names.ids.setdefault(item.name, place)
            case ast.Limit():
                names.ids.setdefault(item.name, place)
                names.limits[item.name] = limits.key_texts(item, place.source)
            case ast.Hook():
                names.hooks.setdefault(item.name, place)
            case ast.Verify():
                names.stages.add(item.name)
                names.stages.update(stage.name for stage in item.stages)


def _check_file(
    file: ast.File, visible: dict[str, DefineInfo], names: Names, checked: Found, partial: set[int]
) -> None:
    everywhere = names.everywhere()
    start = len(names.findings)
    for item in file.items:
        before = len(names.findings)
        if before - start > 2 * POLICY_DIAGNOSTICS:
            return  # what follows would not be shown, and advice for each of thousands takes long
        scope = Scope(names, file.source, visible, everywhere, Frame())
        match item:
            case ast.Rule():
                checked.rules.append(items.rule(item, scope, test))
            case ast.Limit():
                checked.limits.append(limits.limit(item, scope, test))
            case ast.Mode():
                checked.modes.append(limits.mode(item, scope, test))
            case ast.Hook():
                checked.hooks.append(controls.hook(item, scope, test))
            case ast.Verify():
                checked.verifies.append(controls.verify(item, scope, test))
            case ast.Claim():
                checked.claims.append(items.claim(item, scope))
            case ast.Test():
                checked.tests.append(
                    test(item, scope, "")
                )  # imports and defines are done, waivers come after all rules
        if id(item) in partial:
            names.findings[before:] = [one for one in names.findings[before:] if one.code not in LACKING]


def _waivers(
    sorted_items: Sequence[Items],
    visible: dict[str, dict[str, DefineInfo]],
    names: Names,
    checked: Found,
    waivable: Waivable,
) -> tuple[CheckedWaiver, ...]:
    if not any(entry.waivers for entry in sorted_items):
        return ()
    listens = dict(waivable)
    own = {rule.id: rule.listens for rule in checked.rules}
    own.update((limit.id, limit.listens) for limit in checked.limits)
    listens.update(own)
    waivers: list[CheckedWaiver] = []
    for entry in sorted_items:
        for item in entry.waivers:
            scope = Scope(names, entry.file.source, visible[entry.file.source.name], names.everywhere(), Frame())
            waivers.extend(controls.waive(item, scope, listens, tuple(own)))
    return tuple(waivers)


def _capped(findings: list[Diagnostic]) -> list[Diagnostic]:
    """At most POLICY_DIAGNOSTICS per file."""
    counts: dict[str, int] = {}
    kept = []
    for finding in findings:
        name = finding.source.name
        counts[name] = counts.get(name, 0) + 1
        if counts[name] <= POLICY_DIAGNOSTICS:
            kept.append(finding)
    return kept
