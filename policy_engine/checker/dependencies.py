"""Say on what the outcome of checking a file, or a part of one, depends: all that its words can lead to.

A word counts wherever it stands in the text, so that more is named than is used, never less.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from policy_engine.checker.memory import Items, Needs
from policy_engine.checker.scope import DefineInfo
from policy_engine.model.source import Source


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
