"""Load layers, the strongest first, to one Program: each layer as it is on disk or as it last was good.

Each layer loads by itself: what is wrong in one keeps no other from taking effect, so that an organisation's change
reaches a session whose repository is broken. A layer that does not load stays as it last was; one that never was good
is `lacking`, and every event that asks for permission is refused until it loads.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Protocol

from policy_engine.checker.tree import CheckedPolicy
from policy_engine.compiler.compiler import Compilation
from policy_engine.compiler.retained import Retained
from policy_engine.evaluators.base import Program
from policy_engine.loading.loader import Loaded
from policy_engine.loading.stronger_layers import StrongerLayers
from policy_engine.model.diagnostic import Diagnostic
from policy_engine.syntax.parser import collector_paused

SHOWN_ERRORS = 5
GONE = "there is no policy any more; `policy forget`, which a person runs in a terminal, lets the last one go"


class Source(Protocol):
    """Describe where a layer comes from; both functions are called with what stands above it."""

    def now(self, layer: str, folder: str, stronger: StrongerLayers) -> Loaded | None:
        """As it is on disk; None if there is no policy."""

    def kept(self, folder: str, stronger: StrongerLayers) -> Loaded | None:
        """As it last was good; None if it never was."""


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer: `loaded` is what is in force of it, None if nothing is.

    `errors` are what keeps what is on disk out, a line each; `notes` what the layer asks for and does not get.
    """

    name: str
    folder: str
    loaded: Loaded | None
    errors: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """The digest of what is in force, empty if nothing is."""
        return self.loaded.digest if self.loaded is not None else ""


@dataclass(frozen=True, slots=True)
class Layered:
    """Hold what is in force together. `errors` go with every decision; each of `lacking` refuses what can be."""

    program: Program
    layers: tuple[Layer, ...]
    errors: tuple[str, ...]
    lacking: tuple[str, ...]

    @property
    def policies(self) -> list[tuple[str, CheckedPolicy]]:
        """Return what is in force, by layer."""
        policies = [(layer.name, layer.loaded.policy) for layer in self.layers if layer.loaded is not None]
        return [(name, policy) for name, policy in policies if policy is not None]


def combine(folders: Sequence[tuple[str, str]], source: Source) -> Layered:
    """Load and compile the layers (name, folder), the strongest first."""
    layers: list[Layer] = []
    policies: list[tuple[str, CheckedPolicy]] = []
    for name, folder in folders:
        layer = _layer(name, folder, source, StrongerLayers.of(name, policies))
        if layer is None:
            continue
        layers.append(layer)
        if layer.loaded is not None and layer.loaded.policy is not None:
            policies.append((name, layer.loaded.policy))
    program = program_of(policies, _digest(layers))
    errors = tuple(line for layer in layers if layer.loaded is not None for line in _told(layer))
    lacking = tuple("; ".join(_told(layer)) for layer in layers if layer.loaded is None)
    return Layered(program, tuple(layers), errors, lacking)


def program_of(policies: Sequence[tuple[str, CheckedPolicy]], digest: str, retained: Retained | None = None) -> Program:
    """The Program of checked layers, the strongest first, and of what a session retains."""
    with collector_paused():
        return Compilation().program(policies, digest, retained)


def _layer(name: str, folder: str, source: Source, stronger: StrongerLayers) -> Layer | None:
    """The layer; None if there is none and never was."""
    layer = source.now(name, folder, stronger)
    if layer is not None and not layer.errors:
        return Layer(name, folder, layer, notes=tuple(map(one_line, _notes(layer))))
    kept = source.kept(folder, stronger)
    if layer is None:
        return Layer(name, folder, kept, (GONE,)) if kept is not None else None
    return Layer(name, folder, kept, tuple(map(one_line, layer.errors[:SHOWN_ERRORS])))


def _notes(loaded: Loaded) -> list[Diagnostic]:
    """Return what a good layer wanted and does not get."""
    return [one for one in loaded.diagnostics if one.code in ("PE309", "PE318")]


def _told(layer: Layer) -> tuple[str, ...]:
    if not layer.errors:
        return layer.notes
    kept = f"; {layer.digest} stays in force" if layer.loaded is not None else ""
    return (f"the policy in {layer.folder} does not load{kept}", *layer.errors)


def _digest(layers: Sequence[Layer]) -> str:
    """`sha256:…` over the names and digests of the layers in force."""
    lines = [f"{layer.name} {layer.digest}" for layer in layers if layer.loaded is not None]
    return "sha256:" + sha256("\n".join(lines).encode()).hexdigest()


def one_line(diagnostic: Diagnostic) -> str:
    """`file:line:col: error[CODE]: message`."""
    return f"{diagnostic.location}: {diagnostic.severity}[{diagnostic.code}]: {diagnostic.message}"
