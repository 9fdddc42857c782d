"""Files of one policy set and the words they may use → the checked policy and everything that is wrong with it.

A function from value to value. Whatever can be checked is checked, so that one run reports every mistake; a policy
with errors still gives a tree, which must not be compiled.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import is_

from policy_engine.checker import controls, define_messages, defines, hooks_order, items, limits
from policy_engine.checker.scope import DefineInfo, Frame, Names, Scope
from policy_engine.checker.tests import test
from policy_engine.checker.tree import (
    CheckedHook,
    CheckedLimit,
    CheckedMode,
    CheckedPolicy,
    CheckedRule,
    CheckedTest,
    CheckedVerify,
    CheckedWaiver,
    Listen,
    Place,
)
from policy_engine.checker.vocabulary import Vocabulary
from policy_engine.model.diagnostic import Diagnostic, sorted_diagnostics
from policy_engine.model.limits import POLICY_DIAGNOSTICS
from policy_engine.syntax import ast

LACKING = frozenset(("PE240", "PE242", "PE250", "PE251", "PE254", "PE257", "PE259", "PE261", "PE263"))
"""Complaints that something is missing or unknown: not made of an item that the parser already complained about."""


class Memory:
    """What an earlier check found in files that had nothing wrong; lets a reload check only what changed.

    A file's outcome is used again if the file is the same object, so are the files it imports, and the set declares
    the same names. `CheckedRule`s of such a file are then the same objects as before.
    """

    def __init__(self) -> None:
        self.names: object = None
        self.outcomes: dict[int, tuple[tuple[ast.File, ...], _Found]] = {}


def check(
    files: Sequence[ast.File], words: Vocabulary, damaged: Sequence[ast.Item] = (), memory: Memory | None = None
) -> tuple[CheckedPolicy, list[Diagnostic]]:
    """Check all files that are loaded together; findings come in file and text order.

    `damaged` items were read with syntax errors and may lack clauses that their author wrote; `memory` is brought up
    to date.
    """
    names = Names(words)
    for file in files:
        _declare(file, names)
    visible = defines.collect(files, names)
    found = _check_files(files, visible, names, {id(item) for item in damaged}, memory or Memory())
    waivers = _waivers(files, visible, names, found)
    hooks, cycles = hooks_order.ordered(found.hooks)
    names.findings.extend(cycles)
    policy = CheckedPolicy(
        tuple(file.source for file in files),
        tuple(found.rules),
        tuple(found.limits),
        tuple(found.modes),
        hooks,
        tuple(found.verifies),
        waivers,
        defines.checked(visible),
        tuple(found.tests),
    )
    return policy, _capped(sorted_diagnostics(names.findings))


def _check_files(
    files: Sequence[ast.File],
    visible: dict[str, dict[str, DefineInfo]],
    names: Names,
    partial: set[int],
    memory: Memory,
) -> _Found:
    declared = names.signature()
    known = memory.outcomes if memory.names == declared else {}
    memory.names, memory.outcomes = declared, {}
    by_name = {file.source.name: file for file in files}
    total = _Found()
    for file in files:
        needs = _needs(file, by_name)
        before = known.get(id(file))
        if before is not None and len(before[0]) == len(needs) and all(map(is_, before[0], needs)):
            own = before[1]
        else:
            own, start = _Found(), len(names.findings)
            _check_file(file, visible[file.source.name], names, own, partial)
            if len(names.findings) > start:
                total.add(own)
                continue
        memory.outcomes[id(file)] = (needs, own)
        total.add(own)
    return total


def _needs(file: ast.File, by_name: dict[str, ast.File]) -> tuple[ast.File, ...]:
    """The file, then those whose defines it sees."""
    imports = (item for item in file.items if isinstance(item, ast.Import))
    targets = (defines.imported_name(item.target.value, file.source.name) for item in imports)
    return (file, *(by_name[target] for target in targets if target in by_name))


class _Found:
    """The checked items while they are gathered."""

    def add(self, other: _Found) -> None:
        """Take over what another file declares."""
        self.rules += other.rules
        self.limits += other.limits
        self.modes += other.modes
        self.hooks += other.hooks
        self.verifies += other.verifies
        self.tests += other.tests

    def __init__(self) -> None:
        self.rules: list[CheckedRule] = []
        self.limits: list[CheckedLimit] = []
        self.modes: list[CheckedMode] = []
        self.hooks: list[CheckedHook] = []
        self.verifies: list[CheckedVerify] = []
        self.tests: list[CheckedTest] = []


def _declare(file: ast.File, names: Names) -> None:
    """Note every declared id, so that items may name each other in any order."""
    for item in file.items:
        if isinstance(item, ast.Mode):
            _claim(item, file, names.modes, names)
            continue
        if not isinstance(item, ast.Rule | ast.Limit | ast.Hook | ast.Verify):
            continue
        place = _claim(item, file, names.speakers, names)
        if isinstance(item, ast.Rule | ast.Limit):
            names.ids.setdefault(item.name, place)
        if isinstance(item, ast.Limit):
            names.limits.add(item.name)
        elif isinstance(item, ast.Hook):
            names.hooks.setdefault(item.name, place)
        elif isinstance(item, ast.Verify):
            names.stages.add(item.name)
            names.stages.update(stage.name for stage in item.stages)


Named = ast.Rule | ast.Limit | ast.Mode | ast.Hook | ast.Verify


def _claim(item: Named, file: ast.File, ids: dict[str, Place], names: Names) -> Place:
    place = Place(file.source, item.name_span)
    first = ids.setdefault(item.name, place)
    if first is not place:
        names.findings.append(define_messages.duplicate_id(place, item.name, first))
    return place


def _check_file(file: ast.File, visible: dict[str, DefineInfo], names: Names, found: _Found, partial: set[int]) -> None:
    everywhere = names.everywhere()
    start = len(names.findings)
    for item in file.items:
        before = len(names.findings)
        if before - start > 2 * POLICY_DIAGNOSTICS:
            return  # what follows would not be shown, and advice for each of thousands takes long
        scope = Scope(names, file.source, visible, everywhere, Frame())
        match item:
            case ast.Rule():
                found.rules.append(items.rule(item, scope, test))
            case ast.Limit():
                found.limits.append(limits.limit(item, scope, test))
            case ast.Mode():
                found.modes.append(limits.mode(item, scope, test))
            case ast.Hook():
                found.hooks.append(controls.hook(item, scope, test))
            case ast.Verify():
                found.verifies.append(controls.verify(item, scope, test))
            case ast.Test():
                found.tests.append(test(item, scope, ""))
            case _:
                pass  # imports and defines are done, waivers come after the rules they name
        if id(item) in partial:
            names.findings[before:] = [one for one in names.findings[before:] if one.code not in LACKING]


def _waivers(
    files: Sequence[ast.File], visible: dict[str, dict[str, DefineInfo]], names: Names, found: _Found
) -> tuple[CheckedWaiver, ...]:
    listens: dict[str, tuple[Listen, ...]] = {rule.id: rule.listens for rule in found.rules}
    listens.update((limit.id, limit.listens) for limit in found.limits)
    waivers = []
    for file in files:
        for item in file.items:
            if isinstance(item, ast.Waive):
                scope = Scope(names, file.source, visible[file.source.name], names.everywhere(), Frame())
                waivers.append(controls.waive(item, scope, listens))
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
