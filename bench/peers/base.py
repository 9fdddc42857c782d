"""What a contestant is: a name, where it comes from, and a way to make a decider from neutral rules.

A decider is given what it needs in the form it likes best (`prepare`, outside the timed section) and answers with the
verdict and the set of rule ids: `decide` is timed and gives the engine's own outcome with the ids in it, `answer` reads
it, untimed. Rules are loaded unpartitioned, as that engine's users write them:
lifecycle point and tool kind are conditions like any other. Compilation happens once, before timing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module, metadata
from pkgutil import iter_modules
from typing import Any, Protocol

from bench.rules import Rule, strictest
from bench.workload import Event

Answer = tuple[str, frozenset[str]]


class Decider(Protocol):
    """One loaded rule set."""

    def prepare(self, event: Event) -> Any:
        """Canonical event → this engine's own request; not timed."""

    def decide(self, request: Any) -> Any:
        """The timed call."""

    def answer(self, outcome: Any) -> Answer:
        """What `decide` gave → (verdict, ids of the rules that matched)."""


@dataclass(frozen=True, slots=True)
class Peer:
    """`distribution` is the name on the package index (empty: nothing to install); `note` stands under the table."""

    name: str
    distribution: str
    load: Callable[[list[Rule]], Decider]
    note: str = ""

    @property
    def version(self) -> str:
        """Installed version; empty if it is not installed."""
        if not self.distribution:
            return ""
        try:
            return metadata.version(self.distribution)
        except metadata.PackageNotFoundError:
            return ""


class Verdicts:
    """Base of the peers' deciders: rule ids → answer. The ladder is ours, no peer has one."""

    def __init__(self, rules: list[Rule]) -> None:
        self.by_id = {rule.id: rule.verdict for rule in rules}

    def answer(self, outcome: Iterable[str]) -> Answer:
        """Rule ids → the strictest of their verdicts, and the ids."""
        ids = frozenset(outcome)
        return strictest([self.by_id[rule] for rule in ids]), ids


def peers() -> list[Peer]:
    """Every member of this family, by file name."""
    import bench.peers as family

    names = sorted(module.name for module in iter_modules(family.__path__))
    return [import_module(f"bench.peers.{name}").PEER for name in names if name != "base"]
