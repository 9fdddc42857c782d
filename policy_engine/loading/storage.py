"""Describe the store for `policy status`: its size, and all that is wrong with it now or was lost in it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from policy_engine.model.errors import StoreError
from policy_engine.model.store_address import is_server, shown_place
from policy_engine.runtime.stored_sessions import open_store
from policy_engine.state.places import SERVED, state_folder

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
