"""Check the files of one policy set against the vocabulary: the checked policy and all its diagnostics.

A function from value to value. Whatever can be checked is checked, so that one run reports every mistake; a policy
with errors still gives a tree, which must not be compiled.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from heapq import heapify, heappop, heappush
from types import MappingProxyType

from policy_engine.checker import controls, defines, items, limits, messages, params
from policy_engine.checker.memory import Found, Items, Memory, Named, Needs
from policy_engine.checker.scope import DefineInfo, Frame, Names, Scope
from policy_engine.checker.tests import test
from policy_engine.checker.tree import (
    CheckedHook,
    CheckedPolicy,
    CheckedWaiver,
    Listen,
    Place,
)
from policy_engine.checker.vocabulary import Vocabulary
from policy_engine.model.diagnostic import Diagnostic, sorted_diagnostics
from policy_engine.model.limits import POLICY_DIAGNOSTICS
from policy_engine.model.source import Source
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
    hooks, cycles = ordered(checked.hooks)
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


# ---- what a result depends on ----------------------------------------------------------------------------------------
# A word counts wherever it stands in the text, so that more is named than is used, never less.


class Dependencies:
    """Of one check: `visible` are the defines that each file sees, `declared` what other names of the set mean."""

    def __init__(
        self,
        entries: Sequence[Items],
        visible: Mapping[str, Mapping[str, DefineInfo]],
        declared: Mapping[str, object],
    ) -> None:
        self._entries = {id(entry.file.source): entry for entry in entries}
        self._visible = visible
        self._declared = declared
        self._next: dict[int, tuple[Items, ...]] = {}

    def __call__(self, entry: Items) -> Needs:
        """Return the file, all that declares a define that it names, however far away, and what else it names."""
        reached = {id(entry.file): entry}
        waiting = [entry]
        while waiting:
            for other in self._named(waiting.pop()):
                if id(other.file) not in reached:
                    reached[id(other.file)] = other
                    waiting.append(other)
        meanings = {word: self._declared[word] for word in entry.words & self._declared.keys()}
        return tuple(one.file for one in reached.values()), meanings

    def _named(self, entry: Items) -> tuple[Items, ...]:
        """Return what declares the defines that a file names itself."""
        known = self._next.get(id(entry.file))
        if known is None:
            visible = self._visible[entry.file.source.name]
            sources = {id(one): one for word in sorted(entry.words & visible.keys()) for one in _sources(visible[word])}
            known = self._next[id(entry.file)] = tuple(self._entries[one] for one in sources if one in self._entries)
        return known


def _sources(info: DefineInfo) -> list[Source]:
    """Return where a define is declared, added to, or set."""
    every = (info, *info.parts) if info.default is None else (info, info.default, *info.parts)
    return [source for one in every for source in (one.place.source, one.source)]


# ---- the order of hooks ----------------------------------------------------------------------------------------------
# `before` and `after` bind; among hooks that may come next the higher priority comes first, then the id, so that the
# order is total and does not depend on files.


def ordered(hooks: list[CheckedHook]) -> tuple[tuple[CheckedHook, ...], list[Diagnostic]]:
    """Return the hooks with `order` filled in, first to last; hooks of a cycle come at the end, in id order."""
    by_id = {hook.id: hook for hook in hooks}
    later: dict[str, set[str]] = {name: set() for name in by_id}
    for hook in by_id.values():
        for name in hook.before:
            if name in by_id:
                later[hook.id].add(name)
        for name in hook.after:
            if name in by_id:
                later[name].add(hook.id)
    waiting = dict.fromkeys(by_id, 0)
    for names in later.values():
        for name in names:
            waiting[name] += 1
    ready = [(-by_id[name].priority, name) for name, count in waiting.items() if count == 0]
    heapify(ready)
    order: list[str] = []
    while ready:
        _, name = heappop(ready)
        order.append(name)
        for following in later[name]:
            waiting[following] -= 1
            if waiting[following] == 0:
                heappush(ready, (-by_id[following].priority, following))
    stuck = sorted(set(by_id) - set(order))
    diagnostics = [] if not stuck else [_cycle(stuck, later, by_id)]
    numbered = [replace(by_id[name], order=number) for number, name in enumerate((*order, *stuck))]
    return tuple(numbered), diagnostics


def _cycle(stuck: list[str], later: dict[str, set[str]], by_id: dict[str, CheckedHook]) -> Diagnostic:
    """One cycle among hooks that all wait: each of them has a stuck one before it, so walking back must repeat."""
    earlier: dict[str, list[str]] = {name: [] for name in stuck}
    for other in stuck:
        for name in later[other] & earlier.keys():
            earlier[name].append(other)
    path = [stuck[0]]
    seen: set[str] = set()
    while path[-1] not in seen:
        seen.add(path[-1])
        path.append(earlier[path[-1]][0])
    cycle = tuple(reversed(path[path.index(path[-1]) :]))
    return messages.hook_cycle(by_id[cycle[0]].place, cycle)
