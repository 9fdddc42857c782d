"""Compile the Program of a session that began with one set of policies and has come to another, and their difference.

The sources of every set that a session began with are kept in the state folder under the name of the set, as long as
a record names it; they are compiled again by whatever version of the engine needs them.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

from policy_engine.cache.writer import write_program
from policy_engine.compiler.retained import Retained, compared, retained
from policy_engine.hook_process.floor_records import (
    FOLDER,
    MISSING,
    SETS,
    Floor,
    Record,
    Unknown,
    composed_name,
    is_unasked,
    keep,
    latest,
    now_ms,
    packed,
    set_name,
    set_path,
    unpacked,
    write_record,
)
from policy_engine.hook_process.pruning import drop_older
from policy_engine.loading.active import Live
from policy_engine.loading.builtin import builtin_files, builtin_folder
from policy_engine.loading.layered import Layered, combine, program_of
from policy_engine.loading.loader import Loaded, load_given
from policy_engine.loading.refresh import Disk, Folders
from policy_engine.loading.sources import PACK, PolicyFile
from policy_engine.loading.stronger_layers import StrongerLayers
from policy_engine.model.event import Event
from policy_engine.model.layers import BUILTIN, LAYERS, REPOSITORY
from policy_engine.state.own_file import replace_own
from policy_engine.state.places import cache_folder, make_folder, state_folder

KEPT_DAYS = 90
CARRIED = "What held before still holds, until a person runs `policy adopt` in a terminal."
HOLDS = "What this session began with holds until it ends, or until a person runs `policy adopt` in a terminal."
_NAMED = 5  # rules that a sentence names


@dataclass(frozen=True, slots=True)
class Difference:
    """The ids of what is gone, changed and new in a set of policies."""

    gone: tuple[str, ...]
    changed: tuple[str, ...]
    new: tuple[str, ...]

    @classmethod
    def of(cls, lost: Retained | None, more: Retained | None) -> Difference:
        """From what of the first set must be retained beside the second, and the other way round."""
        gone, changed = (lost.gone, lost.changed) if lost is not None else ((), ())
        return cls(gone, changed, more.gone if more is not None else ())

    @property
    def weaker(self) -> bool:
        """Return whether anything may be enforced less than before."""
        return bool(self.gone or self.changed)

    def text(self) -> str:
        """`2 rules fewer (a, b), 1 rule new (c)`; empty if there is none."""
        parts = (("fewer", self.gone), ("changed", self.changed), ("new", self.new))
        return ", ".join(f"{_rules(len(names))} {word} ({_named(names)})" for word, names in parts if names)


def difference(before: Layered, now: Layered) -> Difference:
    """Describe what became of one set in another."""
    return Difference.of(*compared(now.policies, before.policies))


def sentence(difference: Difference, cause: str) -> str:
    """Return the message about a change in a session, empty if it changed nothing that is enforced."""
    if not difference.text():
        return ""
    text = f"The policy changed {cause}: {difference.text()}."
    return f"{text} {HOLDS}" if difference.weaker else text


def began(event: Event, live: Live, hooks: tuple[Any, ...]) -> Floor:
    """The first event of a session in a workspace. Raises Unknown, OSError."""
    now = set_name(live)
    layered = live.layered or Disk().combined(live.folders)
    _keep(layered, live, now)
    others = [one for one in latest(live.active) if one.session != event.session]
    unasked = _unasked(others, now)
    before = unasked or (others[-1] if others else None)
    notice = _weaker(before, now, layered, live) if before is not None else ""
    if unasked is not None and notice:
        record = Record(event.session, live.active, event.workspace or "", unasked.floor, now_ms(), hooks)
        record.seen, record.cause = now, unasked.cause
        return Floor(changed(record, live, unasked.cause).live, f"{notice} {CARRIED}")
    write_record(Record(event.session, live.active, event.workspace or "", now, now_ms(), hooks))
    _prune()
    return Floor(live, notice, unchanged=True)


def _unasked(others: Sequence[Record], now: str) -> Record | None:
    """Return the session in which a call came to what is in force now, and nobody was asked; None if there is none, or
    another set was in force meanwhile."""
    for one in reversed(others):
        if is_unasked(one.cause) and one.seen == now:
            return one
        if one.floor == one.seen != now:
            break
    return None


def _weaker(before: Record, now: str, layered: Layered, live: Live) -> str:
    """Return what is less than in an earlier session, in a sentence; empty if nothing is, or nobody knows."""
    for name in dict.fromkeys((before.floor, before.seen)):
        try:
            lost = difference(read_set(name, live.folders), layered) if name != now else None
        except Unknown:
            continue
        if lost is not None and lost.weaker:
            cause = f"; it changed {before.cause}" if before.cause else ""
            return f"The policy is weaker than in the last session here: {lost.text()}{cause}."
    return ""


def changed(record: Record, live: Live, cause: str) -> Floor:
    """The policies are not those of the session's last event, or the Program of both is not at hand.

    `cause` says when a change was noticed. Raises Unknown, OSError.
    """
    now = set_name(live)
    if now == record.floor:
        notice = "The policy is again what this session began with." if record.cause else ""
        _seen(record, now, "")
        return Floor(live, notice)
    composed_now = composed(record, live)
    notice, told = "", record.cause
    if now != record.seen:
        _keep(composed_now.now, live, now)  # the next session asks what this one came to
        lost = difference(composed_now.before, composed_now.now)
        notice = sentence(lost, cause)
        if notice and not is_unasked(told):
            told = cause if lost.weaker else told or "since the last event"
    same = composed_now.kept is None and not composed_now.lacking
    if same and composed_now.program.digest == live.program.digest:
        record.covered = now
    _seen(record, now, told)
    if same:
        return Floor(live, notice)
    errors = (*live.errors, *_write(record, now, composed_now, live))
    return Floor(
        Live(composed_now.program, errors, (*live.lacking, *composed_now.lacking), live.active, live.folders), notice
    )


@dataclass(frozen=True, slots=True)
class Composed:
    """Both sets, the Program that holds, and what is lacking beside what is lacking now."""

    before: Layered
    now: Layered
    kept: Retained | None
    program: Any
    lacking: tuple[str, ...]


def composed(record: Record, live: Live) -> Composed:
    """Return what holds in a session that has come to the policies of now. Raises Unknown."""
    now, before = live.layered or Disk().combined(live.folders), read_set(record.floor, live.folders)
    kept = retained(now.policies, before.policies)
    program = now.program
    if kept is not None:
        program = program_of(now.policies, f"{now.program.digest}+{record.floor}", kept)
    known = {layer.name for layer in now.layers}
    gone = [why for name, why in lacking_of(record.floor) if name not in known]
    return Composed(before, now, kept, program, tuple(gone))


def _seen(record: Record, now: str, cause: str) -> None:
    record.seen, record.cause, record.at = now, cause, now_ms()
    keep(record)


def _write(record: Record, now: str, composed: Composed, live: Live) -> tuple[str, ...]:
    """Keep the Program of both sets; that it cannot be kept costs time."""
    program, name = composed.program, composed_name(record.floor, now)
    lacking = (*live.lacking, *composed.lacking)
    try:
        write_program(Path(cache_folder()), name, program, program.buckets(), (), 0, (), lacking)
    except OSError as error:
        return (f"the policy cache cannot be written: {error.strerror}",)
    return ()


# ---- sets ----------------------------------------------------------------------------------------------------------


def _keep(layered: Layered, live: Live, now: str) -> None:
    """Keep the sources of what is in force, if they are not; without them a change of the policies asks."""
    try:
        unpacked(set_path(now))
        os.utime(set_path(now))  # it is in use
    except Unknown:
        try:
            write_set(layered, now, live.lacking)
        except OSError:
            return


def write_set(layered: Layered, name: str, lacking: Sequence[str]) -> None:
    """Keep the sources of a set under its name. Raises OSError."""
    layers = []
    for layer in layered.layers:
        if layer.name == BUILTIN:
            continue
        parsed = layer.loaded.parsed if layer.loaded is not None else ()
        own = [item.origin for item in parsed if not item.name.startswith(PACK)]
        layers.append((layer.name, layer.folder, [(file.name, file.path, file.data) for file in own]))
    names = [layer.name for layer in layered.layers if layer.loaded is None]
    why = [(layer, line) for layer, line in zip_longest(names, lacking, fillvalue=REPOSITORY) if line]
    make_folder(f"{state_folder()}/{SETS}")
    replace_own(set_path(name), packed((layers, why)))


def read_set(name: str, folders: Folders) -> Layered:
    """A set of policies as it was. Raises Unknown."""
    if name == MISSING:
        raise Unknown("its record is missing")
    try:
        layers, _ = unpacked(set_path(name))
        files = {layer: [PolicyFile.given(*file) for file in given] for layer, _, given in layers}
        places = {layer: folder for layer, folder, _ in layers}
    except (TypeError, ValueError):
        raise Unknown(f"{set_path(name)} is damaged") from None
    source = _Given(files)
    places = {**dict(folders), **places}
    ranked = [(layer, places[layer]) for layer in LAYERS if layer in places]
    layered = combine(((BUILTIN, builtin_folder()), *ranked), source)
    broken = [layer.errors[0] for layer in layered.layers if layer.errors and files.get(layer.name)]
    if broken:
        raise Unknown(f"its policies do not load any more: {broken[0]}")
    return layered


def lacking_of(name: str) -> list[tuple[str, str]]:
    """(layer, why everything is refused) of what was not in force at all when a session began. Raises Unknown."""
    try:
        _, lacking = unpacked(set_path(name))
        return [(layer, why) for layer, why in lacking]
    except (TypeError, ValueError):
        raise Unknown(f"{set_path(name)} is damaged") from None


class _Given:
    """Layers whose files are at hand."""

    def __init__(self, files: dict[str, list[PolicyFile]]) -> None:
        self._files = files

    def now(self, layer: str, folder: str, stronger: StrongerLayers) -> Loaded | None:
        """As it was."""
        files = builtin_files() if layer == BUILTIN else self._files.get(layer)
        return load_given(files, stronger) if files else None

    def kept(self, folder: str, stronger: StrongerLayers) -> Loaded | None:
        """There is nothing else."""
        return None


def _prune() -> None:
    """Let go of records and sets that nobody has named for long; of many files a part every time."""
    oldest = now_ms() / 1000 - KEPT_DAYS * 86_400
    for name in (FOLDER, SETS):
        drop_older(f"{state_folder()}/{name}", oldest)


def _rules(number: int) -> str:
    return "1 rule" if number == 1 else f"{number} rules"


def _named(names: Sequence[str]) -> str:
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")
