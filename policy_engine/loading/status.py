"""Read and write what `policy status` shows: the last load of a workspace's layers, and the store with its troubles."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from policy_engine.loading.layered import Layer, Layered
from policy_engine.model.errors import StoreError
from policy_engine.model.store_address import is_server, shown_place
from policy_engine.runtime.stored_sessions import open_store
from policy_engine.state.own_file import read_own, replace_own
from policy_engine.state.places import SERVED, STATUS, make_folder, state_folder


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


# ---- the store -------------------------------------------------------------------------------------------------------

SHOWN = 5  # files that were set aside, the latest


@dataclass(frozen=True, slots=True)
class Storage:
    """The store of the hooks: `bytes` is None if there is none yet, or a server has it; `problems` has a line each."""

    path: str
    bytes: int | None
    problems: tuple[str, ...]


def storage(place: str) -> Storage:
    """Looks at the store, and writes to it as an event does."""
    problems = []
    store = open_store(place)
    if store.present():
        try:
            marked, why = store.check()
            if why:
                at = datetime.fromtimestamp(marked, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
                problems.append(f"{at}: {why}; what sessions did before is lost")
        except StoreError as error:
            problems.append(f"rules that need the past are undecided: {error}")
        finally:
            store.rollback()
            store.close()
    if is_server(place):
        return Storage(shown_place(place), None, (*problems, *_beside(f"{state_folder()}/{SERVED}")))
    return Storage(place, _size(place), (*problems, *_beside(place)))


def _beside(place: str) -> list[str]:
    """Return what the files next to the store say."""
    folder, name = os.path.split(place)
    try:
        others = sorted(other[len(name) + 1 :] for other in os.listdir(folder) if other.startswith(f"{name}."))
    except FileNotFoundError:
        return []
    except OSError as error:
        return [f"the folder of the store cannot be read: {error.strerror}"]
    aside = [other for other in others if other.startswith("corrupt-") and "-" not in other[8:]]
    lost = [other for other in others if other.startswith("lost-")]
    lines = [f"set aside: {place}.{other}" for other in aside[-SHOWN:]]
    if lost:
        lines.append(f"events are missing in {len(lost)} session{'s' if len(lost) > 1 else ''}: their past is lost")
    return lines


def _size(place: str) -> int | None:
    try:
        return Path(place).stat().st_size
    except OSError:
        return None
