"""Keep each policy set that is open in an editor checked: files on the disk, with the editor's text where it has some.

A file below `.policy` belongs to the set of that folder, any other file is a set of its own, as with `policy check`.
"""

from __future__ import annotations

import os
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
    loaded: Loaded | None = None
    advice: dict[str, list[Diagnostic]] = field(default_factory=dict)
    compiled: Loaded | None = None

    def check(self, unsaved: Mapping[str, bytes]) -> Loaded:
        """Load the set again, only what changed; lints are not asked."""
        self.loaded = load([self.root], self.loaded, unsaved=unsaved, only_check=True)
        return self.loaded

    def compile(self, unsaved: Mapping[str, bytes]) -> Loaded:
        """Load the set so that its tests can run."""
        self.compiled = load([self.root], self.compiled, unsaved=unsaved)
        return self.compiled

    def advise(self) -> None:
        """Ask the lints about the set as it was last checked."""
        assert self.loaded is not None
        self.advice = {}
        if not self.loaded.errors:
            for one in advise(self.loaded, datetime.now(UTC))[0]:
                self.advice.setdefault(one.source.name, []).append(one)

    def findings(self) -> dict[str, list[Diagnostic]]:
        """Return path -> what was found in that file, also for files without a finding.

        Until the lints were asked again, their findings stay in files that did not change since.
        """
        assert self.loaded is not None
        by_file: dict[str, list[Diagnostic]] = {item.path: [] for item in self.own()}
        texts = {item.name: item.tree.source for item in self.own() if item.tree is not None}
        advice = [] if self.loaded.errors else [one for some in self.advice.values() for one in some]
        kept = [one for one in advice if texts.get(one.source.name) is one.source]
        for one in sorted_diagnostics([*self.loaded.diagnostics, *kept]):
            if not one.source.name.startswith(PACK):
                by_file.setdefault(one.source.name, []).append(one)
        return by_file

    def own(self) -> list[Parsed]:
        """Return the files of the set that are not shipped."""
        return [item for item in (self.loaded.parsed if self.loaded else ()) if not item.name.startswith(PACK)]

    def tree(self, path: str) -> ast.File | None:
        """Return the tree of a file of the set; None if it could not be read as text."""
        return next((item.tree for item in (self.loaded.parsed if self.loaded else ()) if item.path == path), None)

    def path_of(self, source: Source) -> str:
        """Return where a source of the set is on the disk."""
        items = self.loaded.parsed if self.loaded else ()
        return next((item.path for item in items if item.name == source.name), source.name)
