"""Keep the record of a person's consent to run a repository's commands, and tell whether it still holds.

A record lies in the state folder, one file per workspace, and binds one digest (closure.py). It counts only if it is
whole, is this user's own, lies outside the workspace that it speaks of, and the closure is today what it was then;
anything else is no consent, and nothing mends a record but asking the person again.
"""

from __future__ import annotations

import os
from typing import Any

from policy_engine.consent.closure import Closure, Run, Unbound, below, closure, digest_of, runs_of
from policy_engine.model.errors import ConfigurationError, EventError, PolicyEngineError, StoreError
from policy_engine.model.layers import LAYERS, OUTER, layer_of, plain
from policy_engine.model.limits import READ_BYTES
from policy_engine.model.strict_json import read_json, write_json
from policy_engine.state.own_file import PRIVATE, Unsafe, check_folder, read_own, replace_own
from policy_engine.state.places import active_name, make_folder, state_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.evaluators.base import RuleSpec

ADVICE = "a person runs `policy trust` in a terminal of their own"
_SUFFIX = ".json"


class Distrust(PolicyEngineError):
    """There is no consent that holds; the text says why."""


class Record:
    """A consent: to these commands and files in this folder; `at` in ms since the epoch, `by` whom, in words."""

    __slots__ = ("at", "by", "digest", "files", "folder", "runs")

    def __init__(self, folder: str, runs: tuple[Run, ...], files: dict[str, str], at: int, by: str) -> None:
        self.folder = folder
        self.runs = runs
        self.files = files
        self.at = at
        self.by = by
        self.digest = digest_of(runs, files)


class Gate:
    """Asked before the commands of a declaration run; the workspace is looked at once, when it first matters."""

    __slots__ = ("_reason", "_runs", "_workspace")

    def __init__(self, workspace: str) -> None:
        self._workspace = workspace
        self._reason: str | None = None
        self._runs: frozenset[Run] = frozenset()

    def __call__(self, rule: RuleSpec) -> str:
        """Return why the declaration's commands may not run; empty if they may. Layers above repositories answer for
        themselves; those of a repository around this one would run here, and are trusted here.
        """
        if layer_of(rule.id) < LAYERS.index(OUTER):
            return ""
        if self._reason is None:
            self._reason = self._look()
        if self._reason:
            return self._reason
        asked = runs_of(rule.kind, plain(rule.id), rule.extra)
        return "" if self._runs.issuperset(asked) else f"it is not among the commands that were trusted; {ADVICE}"

    def _look(self) -> str:
        try:
            record = standing(self._workspace)
        except Distrust as reason:
            return f"{reason}; {ADVICE}"
        self._runs = frozenset(record.runs)
        return ""


def standing(workspace: str) -> Record:
    """Return the consent that holds for a workspace now. Raises Distrust."""
    if workspace[:1] != "/":
        raise Distrust("the workspace is not known")
    try:
        real = os.path.realpath(workspace, strict=True)
        record = read_record(real)
        now = closure(real, record.runs)
    except Unbound as error:
        raise Distrust(str(error)) from None
    except OSError as error:
        raise Distrust(f"the workspace cannot be looked at: {error.strerror}") from None
    if now.digest != record.digest:
        raise Distrust(f"{told(changes(record.files, now.files))} changed since this repository was trusted")
    return record


def changes(before: dict[str, str], after: dict[str, str]) -> dict[str, str]:
    """Return the changed paths, each as `added`, `removed` or `changed`."""
    differences = {}
    for path in sorted(before.keys() | after.keys()):
        old, new = before.get(path, "missing"), after.get(path, "missing")
        if old != new:
            differences[path] = "added" if old == "missing" else "removed" if new == "missing" else "changed"
    return differences


def told(differences: dict[str, str]) -> str:
    """Return the first of some changes, and how many more there are."""
    first = next(iter(differences), "something")
    return f"`{first}`" if len(differences) < 2 else f"`{first}` and {len(differences) - 1} more"


# ---- the record ----------------------------------------------------------------------------------------------------


def trust_folder() -> str:
    """Return where the records of this user are."""
    return f"{state_folder()}/trust"


def record_path(workspace: str) -> str:
    """Return the record of a workspace, which is a real path."""
    return f"{trust_folder()}/{active_name(workspace)}{_SUFFIX}"


def read_record(workspace: str) -> Record:
    """Return the record of a workspace (a real path) as it was written. Raises Distrust."""
    try:
        path = record_path(workspace)
        if below(os.path.realpath(trust_folder()), workspace):
            raise Distrust("the state folder lies in the workspace, which has no say in its own trust")
        record = _decoded(_content(path))
    except FileNotFoundError:
        raise Distrust("this repository's commands are not trusted") from None
    except OSError as error:
        raise Distrust(f"the record of trust cannot be read: {(error.strerror or str(error)).lower()}") from None
    except (ConfigurationError, StoreError) as error:
        raise Distrust(f"the record of trust cannot be used: {error}") from None
    if record.folder != workspace:
        raise Distrust("the record of trust is damaged: it speaks of another folder")
    return record


def _content(path: str) -> bytes:
    try:
        data = read_own(path, READ_BYTES + 1, PRIVATE)
    except Unsafe as why:
        raise Distrust(f"the record of trust is not as the engine makes it: {why.strerror}") from None
    check_folder(path)
    return data


def _decoded(data: bytes) -> Record:
    """Raises Distrust for anything but what `write_record` writes, to the byte."""
    try:
        value: Any = read_json(data) if len(data) <= READ_BYTES else None
        runs = tuple((name, stage, tuple(argv), tuple(env)) for name, stage, argv, env in value["runs"])
        record = Record(value["folder"], runs, dict(value["files"]), value["at"], value["by"])
        sound = value["digest"] == record.digest and _encoded(record) == data
    except (EventError, LookupError, TypeError, ValueError, AttributeError):
        sound = False
    if not sound:
        raise Distrust("the record of trust is damaged")
    return record


def _encoded(record: Record) -> bytes:
    value: dict[str, Any] = {name: getattr(record, name) for name in ("folder", "digest", "at", "by", "runs", "files")}
    return write_json(value) + b"\n"


def write_record(workspace: str, closure: Closure, at: int, by: str) -> Record:
    """Record a consent, whole or not at all. Raises ConfigurationError."""
    record = Record(workspace, closure.runs, closure.files, at, by)
    data = _encoded(record)
    path = record_path(workspace)
    if below(os.path.realpath(trust_folder()), workspace):
        raise ConfigurationError("the state folder lies in the workspace, which has no say in its own trust")
    if len(data) > READ_BYTES:
        raise ConfigurationError(f"the record would have more than READ_BYTES ({READ_BYTES}) bytes")
    try:
        make_folder(trust_folder())
        check_folder(path)
        replace_own(path, data, sync=True)
    except StoreError as error:
        raise ConfigurationError(f"trust cannot be recorded: {error}") from None
    except OSError as error:
        raise ConfigurationError(f"trust cannot be recorded: {(error.strerror or str(error)).lower()}") from None
    return record


def remove_record(workspace: str) -> bool:
    """Take the consent back; whether there was one. Raises ConfigurationError."""
    try:
        os.unlink(record_path(workspace))
    except FileNotFoundError:
        return False
    except OSError as error:
        raise ConfigurationError(f"the record cannot be removed: {(error.strerror or str(error)).lower()}") from None
    return True


def trusted_folders() -> list[tuple[str, Record | None]]:
    """Return every record: the workspace's folder and the record; the file's own path and None for a damaged one."""
    trusted_folders: list[tuple[str, Record | None]] = []
    try:
        names = sorted(name for name in os.listdir(trust_folder()) if name.endswith(_SUFFIX))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise ConfigurationError(f"`{trust_folder()}` cannot be read: {(error.strerror or '').lower()}") from None
    for name in names:
        path = f"{trust_folder()}/{name}"
        try:
            record = _decoded(_content(path))
            if record_path(record.folder) != path:
                raise Distrust("another name")
        except (Distrust, StoreError, OSError):
            trusted_folders.append((path, None))
        else:
            trusted_folders.append((record.folder, record))
    return trusted_folders
