"""Keep each policy set that is open in an editor checked: files on the disk, with the editor's text where it has some.

A file below `.policy` belongs to the set of that folder, any other file is a set of its own, as with `policy check`. At
a keystroke the set is checked by declaration, which gives the findings; all else waits for a check of whole files.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from policy_engine.loading.advice import advise
from policy_engine.loading.loader import Loaded, Parsed, load
from policy_engine.loading.sources import PACK, policy_root
from policy_engine.model.diagnostic import Diagnostic, sorted_diagnostics
from policy_engine.model.source import Source
from policy_engine.syntax import ast


def root_of(path: str) -> str:
    """Return what is checked together with a file: the `.policy` folder around it, or the file itself."""
    root = policy_root(Path(path))
    return os.fspath(root) if root.name == ".policy" else path


@dataclass(slots=True)
class Project:
    """One policy set; `advice` are the findings of lints as of the last time that they were asked."""

    root: str
    advice: dict[str, list[Diagnostic]] = field(default_factory=dict)
    compiled: Loaded | None = None
    _unsaved: Mapping[str, bytes] = field(default_factory=dict)
    _checked: Loaded | None = None
    _loaded: Loaded | None = None
    _stale: bool = True
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def check(self, unsaved: Mapping[str, bytes]) -> Loaded:
        """Check what changed in the set; lints are not asked."""
        self._unsaved, self._stale = unsaved, True
        self._checked = load([self.root], self._checked, unsaved=unsaved, in_parts=True)
        return self._checked

    @property
    def loaded(self) -> Loaded:
        """The set as it was last checked, with its trees and its policy."""
        with self._lock:
            if self._loaded is None or self._stale:
                self._stale = False
                self._loaded = load([self.root], self._loaded, unsaved=self._unsaved, only_check=True)
            return self._loaded

    def compile(self, unsaved: Mapping[str, bytes]) -> Loaded:
        """Load the set so that its tests can run."""
        self.compiled = load([self.root], self.compiled, unsaved=unsaved)
        return self.compiled

    def advise(self) -> None:
        """Ask the lints about the set as it was last checked; another thread may check meanwhile."""
        with self._lock:
            loaded = self.loaded
            advice: dict[str, list[Diagnostic]] = {}
            for one in advise(loaded, datetime.now(UTC))[0] if not loaded.errors else ():
                advice.setdefault(one.source.name, []).append(one)
            self.advice = advice

    def findings(self) -> dict[str, list[Diagnostic]]:
        """Return path -> what was found in that file, also for files without a finding.

        Until the lints were asked again, their findings stay in files that did not change since.
        """
        assert self._checked is not None
        own = [item for item in self._checked.parsed if not item.name.startswith(PACK)]
        by_file: dict[str, list[Diagnostic]] = {item.path: [] for item in own}
        texts = {tree.source.name: tree.source.whole for item in own for tree in item.trees[:1]}
        advice = [] if self._checked.errors else [one for some in self.advice.values() for one in some]
        kept = [one for one in advice if texts.get(one.source.name, one.source) == one.source]
        for one in sorted_diagnostics([*self._checked.diagnostics, *kept]):
            if not one.source.name.startswith(PACK):
                by_file.setdefault(one.source.name, []).append(one)
        return by_file

    def own(self) -> list[Parsed]:
        """Return the files of the set that are not shipped."""
        return [item for item in self.loaded.parsed if not item.name.startswith(PACK)]

    def tree(self, path: str) -> ast.File | None:
        """Return the tree of a file of the set; None if it could not be read as text."""
        return next((item.tree for item in self.loaded.parsed if item.path == path), None)

    def path_of(self, source: Source) -> str:
        """Return where a source of the set is on the disk."""
        return next((item.path for item in self.loaded.parsed if item.name == source.name), source.name)
