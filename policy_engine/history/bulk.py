"""Find, for each glob, the latest matching path of an event that touched many, and the folders they lie in.

A shell call may write a hundred thousand files. Entered one by one they would cost more than a decision may take, so
above EVENT_PATHS only the globs of the rules are asked, and the tables keep the folders. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.filesystem.globs import expand_braces
from policy_engine.history.watch import end_of
from policy_engine.model.limits import BULK_MATCHES
from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.filesystem.paths import PathValue
    from policy_engine.history.facts import Fact

    Pattern = tuple[tuple[str, ...], tuple[str, ...]]

FOLDERS = 8  # more of them are told by the folder above them all
ENDINGS = 64  # more are not kept: any file name may be among them
_KINDS = ("wrote", "read", "deleted")


def split_bulk(facts: tuple[Fact, ...], most: int) -> tuple[list[Fact], list[Bulk]]:
    """Return the facts to enter one by one, and those of one kind of access that are more than `most`."""
    groups: dict[tuple[str, bool], list[Fact]] = {}
    for fact in facts:
        if fact.kind in _KINDS and fact.path is not None and not fact.path.recursive:
            groups.setdefault((fact.kind, fact.sure), []).append(fact)
    large = {key: group for key, group in groups.items() if len(group) > most}
    if not large:
        return list(facts), []
    taken = {id(fact) for group in large.values() for fact in group}
    return [fact for fact in facts if id(fact) not in taken], [Bulk(group) for group in large.values()]


class Bulk:
    """Facts of one kind of access, each with a known path."""

    __slots__ = ("facts", "kind", "sure", "_by_ending", "_left")

    def __init__(self, facts: Sequence[Fact]) -> None:
        self.kind, self.sure = facts[0].kind, facts[0].sure
        self.facts = facts
        self._left = BULK_MATCHES
        self._by_ending: dict[str, list[Fact]] = {}
        for fact in facts:
            self._by_ending.setdefault(_ending(_real(fact)), []).append(fact)

    def latest(self, pattern: Pattern, filesystem: FileSystem) -> Fact | None:
        """Return the last fact whose path matches; None if none does. Raises Undecided over BULK_MATCHES
        comparisons.
        """
        for fact in self._possible(pattern, filesystem):
            self._left -= 1
            if self._left < 0:
                raise Undecided(f"more than BULK_MATCHES ({BULK_MATCHES}) paths would have to be compared")
            if fact.path is not None and filesystem.may_match(pattern, fact.path):
                return fact
        return None

    def _possible(self, pattern: Pattern, filesystem: FileSystem) -> Iterable[Fact]:
        """Return the facts whose file name has an ending that a match could have."""
        endings = {_ending(end_of(text)) for include in pattern[0] for text in expand_braces(include)}
        if "" in endings or filesystem.folds_case:
            return reversed(self.facts)
        facts: list[Fact] = []
        for ending in sorted(endings):
            facts += self._by_ending.get(ending, ())
        return reversed(facts)

    def endings(self) -> tuple[str, ...]:
        """Return the endings of all file names; () if they are too many to be kept."""
        return tuple(sorted(self._by_ending)) if len(self._by_ending) <= ENDINGS else ()

    def folders(self) -> list[str]:
        """At most FOLDERS folders in which all the paths lie, as deep as can be."""
        parents = {_real(fact).rpartition("/")[0] for fact in self.facts}
        while len(parents) > FOLDERS:
            depth = max(folder.count("/") for folder in parents)
            parents = {folder.rpartition("/")[0] if folder.count("/") == depth else folder for folder in parents}
        return sorted(folder or "/" for folder in parents)


def with_endings(pattern: Pattern, endings: tuple[str, ...]) -> Pattern:
    """Return the pattern without what no file name with one of these endings matches; () stands for any."""
    if not endings:
        return pattern
    texts = [text for include in pattern[0] for text in expand_braces(include)]
    return tuple(text for text in texts if _ending(end_of(text)) in ("", *endings)), pattern[1]


def _real(fact: Fact) -> str:
    path: PathValue | None = fact.path
    return path.real if path is not None else ""


def _ending(text: str) -> str:
    """Return what follows the last dot of a file name, with the dot."""
    name = text.rpartition("/")[2]
    place = name.rfind(".")
    return name[place:] if place >= 0 else ""
