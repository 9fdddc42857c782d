"""A host's settings file ↔ its dictionary: read strictly, written whole or not at all.

A file that cannot be read as strict JSON is refused, never repaired: rewriting it would lose what it says. The new
content goes to a temporary file beside the target, to the disk, and then takes the target's name.
"""

from __future__ import annotations

import contextlib
import json
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from policy_engine.model.errors import ConfigurationError, EventError
from policy_engine.model.limits import EVENT_BYTES
from policy_engine.model.strict_json import read_json
from policy_engine.state.own_file import create_own, replace_own

BACKUP_SUFFIX = ".before-policy-engine"
_NEW_FILE = 0o600


@dataclass(frozen=True, slots=True)
class SettingsFile:
    """A settings file as it was read: where the name leads, its bytes (None: it does not exist), what they say."""

    path: Path
    target: Path
    data: bytes | None
    settings: dict[str, Any]

    @property
    def backup(self) -> Path:
        """Return where the bytes from before the first registration are kept."""
        return self.target.with_name(self.target.name + BACKUP_SUFFIX)


def read_settings(path: Path, inside: Path | None = None) -> SettingsFile:
    """Read a settings file; one that does not exist is empty.

    Symbolic links are followed, but not out of the folder `inside`. Raises ConfigurationError.
    """
    target = Path(os.path.realpath(path))
    if inside is not None and not target.is_relative_to(os.path.realpath(inside)):
        raise ConfigurationError(f"{path} leads out of {inside}, to {target}: refused")
    data = read_bytes(target)
    if data is None or not data.strip():
        return SettingsFile(path, target, data, {})
    try:
        settings = read_json(data)
    except EventError as problem:
        raise ConfigurationError(f"{path} cannot be read as JSON ({problem}); repair it first") from None
    if type(settings) is not dict:
        raise ConfigurationError(f"{path} holds no JSON object; repair it first")
    return SettingsFile(path, target, data, settings)


def write_settings(file: SettingsFile, settings: dict[str, Any]) -> bool:
    """Make the file say `settings`; true if its bytes changed. The first time, what it said is kept as `file.backup`.

    Raises ConfigurationError if the file changed since it was read, belongs to another user or cannot be written.
    """
    if settings == file.settings and _order(settings) == _order(file.settings):
        return False
    with _explained(file):
        file.target.parent.mkdir(parents=True, exist_ok=True)
        if file.data is not None:
            _keep(file)
        _replace(file, (json.dumps(settings, indent=2, ensure_ascii=False) + "\n").encode("utf-8"))
    return True


def restore_settings(file: SettingsFile, settings: dict[str, Any]) -> bool:
    """As `write_settings`; but if the backup says the same, its bytes come back, and a file that was not there goes."""
    saved = read_bytes(file.backup)
    with _explained(file):
        if saved is not None and _says(saved, settings):
            _replace(file, saved)
            file.backup.unlink()
            return True
        if saved is None and not settings and file.data is not None and file.settings:
            _unchanged(file)
            file.target.unlink()
            return True
    return write_settings(file, settings)


def read_bytes(path: Path) -> bytes | None:
    """The content of a regular file, None if it does not exist. Raises ConfigurationError."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    except OSError as problem:
        raise ConfigurationError(f"{path} cannot be read: {problem.strerror}") from None
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise ConfigurationError(f"{path} is not a regular file")
        if status.st_size > EVENT_BYTES:
            raise ConfigurationError(f"{path} is longer than EVENT_BYTES ({EVENT_BYTES})")
        with os.fdopen(descriptor, "rb", closefd=False) as stream:
            return stream.read()
    except OSError as problem:
        raise ConfigurationError(f"{path} cannot be read: {problem.strerror}") from None
    finally:
        os.close(descriptor)


def replace_bytes(path: Path, before: bytes | None, data: bytes, mode: int) -> None:
    """Put a file of our own in its place, whole; `before` is what it said. Raises ConfigurationError."""
    file = SettingsFile(path, path, before, {})
    with _explained(file):
        path.parent.mkdir(parents=True, exist_ok=True)
        _replace(file, data)
        path.chmod(mode)


def _order(value: Any) -> str:
    return json.dumps(value)


def _says(data: bytes, settings: dict[str, Any]) -> bool:
    try:
        document = read_json(data) if data.strip() else {}
    except EventError:
        return False
    return bool(document == settings and _order(document) == _order(settings))


def _keep(file: SettingsFile) -> None:
    """Write the backup, once: a later registration must not overwrite the state from before the first."""
    mode = stat.S_IMODE(file.target.stat().st_mode)
    with contextlib.suppress(FileExistsError):
        create_own(str(file.backup), file.data or b"", mode, sync=True)


def _replace(file: SettingsFile, data: bytes) -> None:
    _unchanged(file)
    mode = _NEW_FILE
    if file.data is not None:
        status = file.target.stat()
        if status.st_uid != os.geteuid():
            raise ConfigurationError(f"{file.target} belongs to another user; run this as its owner")
        mode = stat.S_IMODE(status.st_mode)
    replace_own(str(file.target), data, mode, sync=True)


def _unchanged(file: SettingsFile) -> None:
    if read_bytes(file.target) != file.data:
        raise ConfigurationError(f"{file.path} changed meanwhile; run the command again")


@contextlib.contextmanager
def _explained(file: SettingsFile) -> Iterator[None]:
    try:
        yield
    except OSError as problem:
        raise ConfigurationError(f"{file.path} cannot be written: {problem.strerror}") from None
