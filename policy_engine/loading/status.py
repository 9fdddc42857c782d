"""The last load of a workspace's layers ↔ a small JSON file of the state folder; for `policy status`."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from policy_engine.loading.layered import Layer, Layered
from policy_engine.state.own_file import read_own, replace_own
from policy_engine.state.places import STATUS, make_folder, state_folder


@dataclass(frozen=True, slots=True)
class LayerStatus:
    """One layer: `digest` of what is in force of it ("" if nothing is), `errors` what keeps what is on disk out."""

    name: str
    folder: str
    digest: str
    files: int
    rules: int
    errors: tuple[str, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Status:
    """`digest` is that of all layers in force, `at` ms since the epoch, `lacking` what refuses everything."""

    digest: str
    at: int
    layers: tuple[LayerStatus, ...]
    lacking: tuple[str, ...]

    @classmethod
    def of(cls, layered: Layered, lacking: tuple[str, ...], at: int) -> Status:
        """Hold what was loaded at a time."""
        return cls(layered.program.digest, at, tuple(map(_layer, layered.layers)), lacking)

    @property
    def errors(self) -> tuple[str, ...]:
        """Everything that is wrong, one line each."""
        return tuple(dict.fromkeys((*(line for layer in self.layers for line in layer.errors), *self.lacking)))


def _layer(layer: Layer) -> LayerStatus:
    loaded, policy = layer.loaded, layer.loaded.policy if layer.loaded is not None else None
    rules = len(policy.rules) + len(policy.limits) + len(policy.hooks) if policy is not None else 0
    files = len(loaded.parsed) if loaded is not None else 0
    return LayerStatus(layer.name, layer.folder, layer.digest, files, rules, layer.errors, layer.notes)


def status_path(active: str) -> Path:
    """The record of the layers that meet in a workspace."""
    return Path(state_folder()) / STATUS / f"{active}.json"


def write_status(active: str, status: Status) -> None:
    """Replace the record atomically; a state folder that cannot be written is no reason to fail a decision."""
    path = status_path(active)
    try:
        make_folder(str(path.parent))
        replace_own(str(path), (json.dumps(asdict(status)) + "\n").encode())
    except OSError:
        return


def read_status(active: str) -> Status | None:
    """The record, or None if there is none or it is not one."""
    try:
        record = json.loads(read_own(str(status_path(active))))
        layers = tuple(
            LayerStatus(**{**layer, "errors": tuple(layer["errors"]), "notes": tuple(layer["notes"])})
            for layer in record["layers"]
        )
        return Status(record["digest"], record["at"], layers, tuple(record["lacking"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
