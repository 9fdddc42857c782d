"""What happened at the last load of a policy folder ↔ a small JSON file in the state folder; for `policy status`."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from policy_engine.loading.places import state_folder


@dataclass(frozen=True, slots=True)
class Status:
    """`digest` is the one in force ("" if none ever was), `at` ms since the epoch, `errors` one line each."""

    folder: str
    digest: str
    at: int
    errors: tuple[str, ...]
    files: int


def status_path(active: str) -> Path:
    """The record of a policy folder."""
    return Path(state_folder()) / "status" / f"{active}.json"


def write_status(active: str, status: Status) -> None:
    """Replace the record atomically; a state folder that cannot be written is no reason to fail a decision."""
    path = status_path(active)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        scratch = path.with_suffix(f".{os.getpid()}")
        scratch.write_text(json.dumps(asdict(status)) + "\n")
        scratch.replace(path)
    except OSError:
        return


def read_status(active: str) -> Status | None:
    """The record, or None if there is none or it is not one."""
    try:
        record = json.loads(status_path(active).read_text())
        return Status(record["folder"], record["digest"], record["at"], tuple(record["errors"]), record["files"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
