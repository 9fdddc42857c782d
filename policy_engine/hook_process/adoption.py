"""Find the sessions of a repository that hold on to earlier policies, and let these go at a person's word."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from policy_engine.hook_process.floor_records import (
    FOLDER,
    LATEST,
    Record,
    Unknown,
    latest,
    read_record,
    set_path,
    write_record,
)
from policy_engine.hook_process.floored import Difference, difference, read_set, write_set
from policy_engine.loading.demands import demanded
from policy_engine.loading.layered import Layered
from policy_engine.loading.refresh import Disk
from policy_engine.state.places import active_name, cache_folder, layer_folders, place_name, state_folder


@dataclass(frozen=True, slots=True)
class Held:
    """The sessions of a workspace that began with one set of policies, and in what that differs from those of now.

    `difference` is None if it cannot be known any more, and `problem` says why; `cause` is the call of the change.
    """

    workspace: str
    now: str
    records: tuple[Record, ...]
    difference: Difference | None
    problem: str
    cause: str

    @property
    def sessions(self) -> tuple[str, ...]:
        """Their ids."""
        return tuple(one.session for one in self.records)

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        lost = self.difference
        return {
            "workspace": self.workspace,
            "sessions": list(self.sessions),
            "fewer": list(lost.gone) if lost is not None else None,
            "changed": list(lost.changed) if lost is not None else None,
            "new": list(lost.new) if lost is not None else None,
            "problem": self.problem,
            "cause": self.cause,
        }


def held_back(root: str) -> list[Held]:
    """The sessions in a repository, which is a real path, that hold on to something of before, by what they began with.

    Whoever only has less than the policy says now, holds on to nothing.
    """
    groups: dict[tuple[str, str], list[Record]] = {}
    for one in _records():
        if one.workspace and os.path.realpath(one.workspace) == root:
            groups.setdefault((one.workspace, one.floor), []).append(one)
    items = []
    for (workspace, floor), records in groups.items():
        present, name, _ = _present(workspace)
        if floor == name:
            continue
        try:
            lost: Difference | None = difference(read_set(floor, layer_folders(workspace)), present)
            problem = ""
        except Unknown as why:
            lost, problem = None, str(why)
        if lost is None or lost.weaker or _refuses(floor):
            items.append(Held(workspace, name, tuple(records), lost, problem, records[-1].cause))
    if _damaged():
        items.append(Held(root, "", (), None, "the records of some sessions are damaged", ""))
    return items


def adopt(held: Held) -> None:
    """From now on these sessions are as if they had begun now. Raises OSError."""
    for path in _damaged() if not held.records else ():
        path.unlink(missing_ok=True)
    present, name, lacking = _present(held.workspace)
    write_set(present, name, lacking)
    active = place_name(layer_folders(held.workspace))
    for one in held.records:
        write_record(Record(one.session, active, one.workspace, name, time.time_ns() // 1_000_000))


def adopt_all(root: str) -> None:
    """The same for every session in a repository, where a person has just said so in other words. Raises OSError."""
    for one in held_back(root):
        adopt(one)


def _present(workspace: str) -> tuple[Layered, str, tuple[str, ...]]:
    """Return what is in force in a workspace, its name, and what is lacking of it."""
    layered = Disk().combined(layer_folders(workspace))
    lacking = (*layered.lacking, *demanded(layered.layers))
    return layered, active_name(layered.program.digest, *lacking), lacking


def _refuses(floor: str) -> bool:
    from policy_engine.hook_process.floored import lacking_of

    try:
        return os.path.exists(set_path(floor)) and bool(lacking_of(floor))
    except Unknown:
        return True


def _records() -> list[Record]:
    """Of every session that is known here, the one heard of last at the end."""
    records: dict[tuple[str, str], Record] = {}
    for path in Path(cache_folder(), LATEST).glob("*"):
        records.update(((one.session, one.active), one) for one in latest(path.name))
    for path in _files():
        try:
            record = read_record(str(path))
        except Unknown:
            continue
        records[record.session, record.active] = record
    return sorted(records.values(), key=lambda one: one.at)


def _damaged() -> list[Path]:
    """Records that nobody can read, and so nobody knows whose they are."""
    files = []
    for path in _files():
        try:
            read_record(str(path))
        except Unknown:
            files.append(path)
    return files


def _files() -> list[Path]:
    return [path for path in sorted(Path(state_folder(), FOLDER).glob("*")) if "." not in path.name]
