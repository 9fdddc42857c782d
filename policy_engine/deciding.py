"""Decide and explain by named policies, or by those in force for a folder, without leaving a trace.

For the commands that try events: `eval`, `explain`, `why` and `replay`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from policy_engine import bootstrap
from policy_engine.checker.tree import CheckedPolicy, Listen
from policy_engine.loading.active import Live
from policy_engine.loading.builtin import builtin_folder
from policy_engine.loading.debounce import load_settled
from policy_engine.loading.demands import demanded
from policy_engine.loading.layered import Layered, combine
from policy_engine.loading.live import repository
from policy_engine.loading.loader import Loaded
from policy_engine.loading.refresh import Disk
from policy_engine.loading.reloader import Reloader
from policy_engine.loading.stronger_layers import StrongerLayers
from policy_engine.model.decision import Decision
from policy_engine.model.errors import ConfigurationError, EventError
from policy_engine.model.event import Event
from policy_engine.model.layers import BUILTIN, REPOSITORY, prefix
from policy_engine.runtime.engine import failure
from policy_engine.runtime.explanation import ExplainingEngine
from policy_engine.runtime.external import Hooks
from policy_engine.runtime.resolve import beside, own_word, warning
from policy_engine.runtime.session import MemorySessions
from policy_engine.state.places import layer_folders
from policy_engine.transcripts.base import Recorded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.runtime.session import Sessions

Speakers = dict[str, tuple[Listen, ...]]
"""Id of everything that can speak, with where it listens."""
Listening = Callable[[Event], frozenset[str]]


class TryingEngine(ExplainingEngine, bootstrap.Engine):
    """The user's Engine, able to explain; what it decides is not logged."""


@dataclass(frozen=True, slots=True)
class Policies:
    """A loaded set of policies that decides, with all its rules, limits, hooks and verifies."""

    loaded: Loaded
    speakers: Speakers

    @property
    def digest(self) -> str:
        """The digest of the Program."""
        return self.loaded.require_program().digest

    def engine(self, hooks: Hooks | None = None, sessions: Sessions | None = None) -> TryingEngine:
        """Return an engine; without `sessions` they live in memory."""
        reloader = Reloader.fixed(self.loaded)
        return TryingEngine(reloader, sessions if sessions is not None else MemorySessions(), hooks=hooks)

    def listening(self, only: str | None = None) -> Listening:
        """Return what tells of an event which rules listen to it; `only` one of them."""
        items = [(speaker, listens) for speaker, listens in self.speakers.items() if only in (None, speaker)]
        return lambda event: frozenset(
            speaker for speaker, listens in items if any(_hears(listen, event) for listen in listens)
        )


def named(paths: Sequence[str], builtin: bool) -> Policies:
    """Load policy files and folders, below the built-in rules if `builtin`. Raises PolicyLoadError."""
    if not builtin:
        loaded = load_settled(tuple(paths))[0]
        loaded.require_program()
        assert loaded.policy is not None
        return Policies(bootstrap.adapt(loaded), _speakers(loaded.policy))
    disk = _Named(paths)
    layered = combine(((BUILTIN, builtin_folder()), (REPOSITORY, "")), disk)
    if disk.loaded.errors:
        disk.loaded.require_program()
    return _layered(layered)


def in_force(folder: str, builtin: bool = True) -> Policies:
    """Load all layers that decide in a folder, as a hook finds them. Raises ConfigurationError if one does not load."""
    folders = layer_folders(repository(folder))
    layered = Disk().combined(folders) if builtin else combine(folders, Disk())
    if layered.lacking:
        raise ConfigurationError("; ".join(layered.lacking))
    return _layered(layered)


def above_repository(folder: str) -> list[tuple[str, CheckedPolicy]]:
    """Load the layers above a folder's repository. Raises ConfigurationError if one does not load."""
    folders = [(name, place) for name, place in layer_folders(repository(folder)) if name != REPOSITORY]
    layered = Disk().combined(folders)
    if layered.lacking:
        raise ConfigurationError("; ".join(layered.lacking))
    return layered.policies


def without_builtin(workspace: str | None) -> Live:
    """Load the layers in force for a workspace without the built-in one, and what keeps any of them out."""
    layered = combine(layer_folders(workspace), Disk())
    return Live(layered.program, layered.errors, (*layered.lacking, *demanded(layered.layers)))


class _Named(Disk):
    """The built-in layer as it is shipped, and in the place of the repository's the policies that were named."""

    def __init__(self, paths: Sequence[str]) -> None:
        super().__init__()
        self._paths = tuple(paths)

    def now(self, layer: str, folder: str, stronger: StrongerLayers) -> Loaded | None:
        if layer == BUILTIN:
            return super().now(layer, folder, stronger)
        self.loaded = load_settled(self._paths, stronger=stronger)[0]
        return self.loaded

    def kept(self, folder: str, stronger: StrongerLayers) -> Loaded | None:
        return None


def _layered(layered: Layered) -> Policies:
    speakers: Speakers = {}
    for name, policy in layered.policies:
        speakers.update((prefix(name) + speaker, listens) for speaker, listens in _speakers(policy).items())
    last = next(layer.loaded for layer in reversed(layered.layers) if layer.loaded is not None)
    return Policies(bootstrap.adapt(replace(last, program=layered.program)), speakers)


def _speakers(policy: CheckedPolicy) -> Speakers:
    speakers = {rule.id: rule.listens for rule in policy.rules}
    speakers.update((limit.id, limit.listens) for limit in policy.limits)
    speakers.update((hook.id, hook.listens) for hook in policy.hooks)
    return speakers


def _hears(listen: Listen, event: Event) -> bool:
    return listen.point == event.hook and (
        not (listen.kinds or listen.names)
        or any(kind in listen.kinds for kind in event.tool_kinds)
        or event.tool_name in listen.names
    )


def decide_recorded(decide: Callable[[Any], Decision], each: Recorded, digest: str) -> Decision:
    """Decide one event of a recording, with what the engine itself said of it then.

    Args:
        decide: decides a canonical event.
        each: one event, or what is wrong with its line; not a failure without its event.
        digest: of the policy, for a line that is no event.
    """
    assert each.event is not None
    if isinstance(each.event, EventError):
        return failure({}, each.event.code, str(each.event), digest)
    decision = decide(each.event)
    more = [*(own_word(*word) for word in each.held), *([warning(each.seen)] if each.seen else ())]
    if more:
        with suppress(EventError):  # which the decision says already
            decision = beside(Event.from_dict(each.event), decision, more)
    return decision
