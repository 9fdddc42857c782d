"""Remember the results of files without errors, so that a reload checks only what changed.

A file's outcome is used again if the file is the same object, so are the files it imports, and the set declares the
same names. Its `CheckedRule`s are then the same objects as before, which the compiler relies on. (Uses of defines are
counted only where a file is checked: lints want a check without memory.)
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import is_
from typing import NamedTuple

from policy_engine.checker.tree import (
    CheckedClaim,
    CheckedHook,
    CheckedLimit,
    CheckedMode,
    CheckedRule,
    CheckedTest,
    CheckedVerify,
    Place,
)
from policy_engine.syntax import ast

Named = ast.Rule | ast.Limit | ast.Mode | ast.Hook | ast.Verify | ast.Claim


class Items(NamedTuple):
    """The items of a file, by what the checker does with them."""

    file: ast.File
    named: tuple[tuple[Named, Place], ...]
    defines: tuple[ast.Define | ast.Param, ...]
    imports: tuple[ast.Import, ...]
    waivers: tuple[ast.Waive, ...]


class Found:
    """The checked items of one file, or of several."""

    def __init__(self) -> None:
        self.rules: list[CheckedRule] = []
        self.limits: list[CheckedLimit] = []
        self.modes: list[CheckedMode] = []
        self.hooks: list[CheckedHook] = []
        self.verifies: list[CheckedVerify] = []
        self.claims: list[CheckedClaim] = []
        self.tests: list[CheckedTest] = []

    def add(self, other: Found) -> None:
        """Take over what another file declares."""
        self.rules += other.rules
        self.limits += other.limits
        self.modes += other.modes
        self.hooks += other.hooks
        self.verifies += other.verifies
        self.claims += other.claims
        self.tests += other.tests


class Memory:
    """Carried from one check to the next."""

    def __init__(self) -> None:
        self._names: object = None
        self._known: dict[int, tuple[tuple[ast.File, ...], Found]] = {}
        self._outcomes: dict[int, tuple[tuple[ast.File, ...], Found]] = {}
        self._items: dict[int, Items] = {}

    def items(self, files: Sequence[ast.File]) -> tuple[Items, ...]:
        """Return the sorted items of every file."""
        known, self._items = self._items, {}
        for file in files:
            before = known.get(id(file))
            self._items[id(file)] = before if before is not None and before.file is file else _sorted(file)
        return tuple(self._items.values())

    def begin(self, names: object) -> None:
        """Begin a check of a set that declares these names; another set of names makes every outcome void."""
        self._known = self._outcomes if self._names == names else {}
        self._names, self._outcomes = names, {}

    def outcome(self, needs: tuple[ast.File, ...]) -> Found | None:
        """Return what was found in the first file of `needs`, if neither it nor the others changed."""
        before = self._known.get(id(needs[0]))
        if before is None or len(before[0]) != len(needs) or not all(map(is_, before[0], needs)):
            return None
        self._outcomes[id(needs[0])] = before
        return before[1]

    def keep(self, needs: tuple[ast.File, ...], checked: Found) -> None:
        """Remember the outcome of a file without findings."""
        self._outcomes[id(needs[0])] = (needs, checked)


def _sorted(file: ast.File) -> Items:
    source = file.source
    return Items(
        file,
        tuple((item, Place(source, item.name_span)) for item in file.items if isinstance(item, Named)),
        tuple(item for item in file.items if isinstance(item, ast.Define | ast.Param)),
        tuple(item for item in file.items if isinstance(item, ast.Import)),
        tuple(item for item in file.items if isinstance(item, ast.Waive)),
    )
