"""Remember the results of files without errors, so that a reload checks only what changed.

The outcome of a file, or of a part of one, is used again if it is the same object, so is all that declares a define
that its words lead to, and its words mean the same rules, limits, modes, stages and hooks. Its `CheckedRule`s are then
the same objects as before, which the compiler relies on.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from operator import is_
from typing import NamedTuple

from policy_engine.checker.scope import Use
from policy_engine.checker.tree import (
    CheckedClaim,
    CheckedHook,
    CheckedLimit,
    CheckedMode,
    CheckedRule,
    CheckedTest,
    CheckedVerify,
    FieldRef,
    Place,
)
from policy_engine.syntax import ast

Named = ast.Rule | ast.Limit | ast.Mode | ast.Hook | ast.Verify | ast.Claim


_WORD = re.compile(r"[a-z][a-z0-9_-]*")


class Items(NamedTuple):
    """The items of a file, or of a part of one, by what the checker does with them; and all words of its text."""

    file: ast.File
    named: tuple[tuple[Named, Place], ...]
    defines: tuple[ast.Define | ast.Param, ...]
    imports: tuple[ast.Import, ...]
    waivers: tuple[ast.Waive, ...]
    words: frozenset[str]


class Found:
    """The checked items of one file, or of several; the counts of limits with keys that they ask for; what they use."""

    def __init__(self) -> None:
        self.rules: list[CheckedRule] = []
        self.limits: list[CheckedLimit] = []
        self.modes: list[CheckedMode] = []
        self.hooks: list[CheckedHook] = []
        self.verifies: list[CheckedVerify] = []
        self.claims: list[CheckedClaim] = []
        self.tests: list[CheckedTest] = []
        self.keyed: list[FieldRef] = []
        self.used: list[tuple[Place, Use]] = []

    def add(self, other: Found) -> None:
        """Take over what another file declares."""
        self.rules += other.rules
        self.limits += other.limits
        self.modes += other.modes
        self.hooks += other.hooks
        self.verifies += other.verifies
        self.claims += other.claims
        self.tests += other.tests
        self.keyed += other.keyed


Needs = tuple[tuple[ast.File, ...], Mapping[str, object]]
"""A file with all that declares what its words lead to, and what else its words mean."""


class Memory:
    """Carried from one check to the next."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Needs, Found]] = {}
        self._outcomes: dict[int, tuple[Needs, Found]] = {}
        self._items: dict[int, Items] = {}

    def items(self, files: Sequence[ast.File]) -> tuple[Items, ...]:
        """Return the sorted items of every file, and begin a check of them."""
        known, self._items = self._items, {}
        for file in files:
            before = known.get(id(file))
            self._items[id(file)] = before if before is not None and before.file is file else _sorted(file)
        self._known, self._outcomes = self._outcomes, {}
        return tuple(self._items.values())

    def outcome(self, needs: Needs) -> Found | None:
        """Return what was found in the first file of `needs`, if nothing of them changed."""
        files, meanings = needs
        before = self._known.get(id(files[0]))
        if before is None:
            return None
        (files_before, meanings_before), found = before
        if len(files) != len(files_before) or not all(map(is_, files_before, files)) or meanings != meanings_before:
            return None
        self._outcomes[id(files[0])] = before
        return found

    def keep(self, needs: Needs, checked: Found) -> None:
        """Remember the outcome of a file without findings."""
        self._outcomes[id(needs[0][0])] = (needs, checked)


def _sorted(file: ast.File) -> Items:
    source = file.source
    return Items(
        file,
        tuple((item, Place(source, item.name_span)) for item in file.items if isinstance(item, Named)),
        tuple(item for item in file.items if isinstance(item, ast.Define | ast.Param)),
        tuple(item for item in file.items if isinstance(item, ast.Import)),
        tuple(item for item in file.items if isinstance(item, ast.Waive)),
        frozenset(_WORD.findall(source.text)),
    )
