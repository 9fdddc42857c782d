"""Write a file whole or not at all, and never over another one unless that is meant."""

from __future__ import annotations

import os
import secrets
import stat
from pathlib import Path

from policy_engine.model.errors import ConfigurationError
from policy_engine.model.limits import POLICY_FILE_BYTES
from policy_engine.model.source import Source


def brief(path: Path) -> str:
    """The path as people would type it here: relative if it lies below the current folder."""
    try:
        return str(path.absolute().relative_to(Path.cwd()))
    except (ValueError, OSError):
        return str(path)


def read_source(path: Path) -> Source:
    """Return a file as text. Raises ConfigurationError if it cannot be read as such."""
    try:
        data = path.read_bytes()
        if len(data) > POLICY_FILE_BYTES:
            raise ConfigurationError(f"`{brief(path)}` is larger than POLICY_FILE_BYTES ({POLICY_FILE_BYTES})")
        return Source(brief(path), data.decode("utf-8-sig"))
    except UnicodeDecodeError as problem:
        raise ConfigurationError(f"`{brief(path)}` is not UTF-8 at byte {problem.start}") from None
    except OSError as problem:
        raise ConfigurationError(f"cannot read `{brief(path)}`: {(problem.strerror or str(problem)).lower()}") from None


def create(path: Path, data: bytes) -> None:
    """Write a file that is not there yet, with its folders. Raises ConfigurationError if that cannot be done."""
    try:
        if path.exists():
            raise ConfigurationError(f"`{brief(path)}` is there already and stays as it is")
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as file:
            file.write(data)
    except OSError as problem:
        raise ConfigurationError(
            f"cannot write `{brief(path)}`: {(problem.strerror or str(problem)).lower()}"
        ) from None


def write_whole(path: Path, data: bytes) -> None:
    """Replace a file atomically, keeping its mode; the name may be a link. Raises ConfigurationError."""
    target = path.resolve()
    scratch = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o666 & ~_umask()
        if target.exists() and not os.access(target, os.W_OK):
            raise PermissionError(13, "permission denied")
        descriptor = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            with os.fdopen(descriptor, "wb") as file:
                os.fchmod(descriptor, mode)
                file.write(data)
            os.replace(scratch, target)
        except BaseException:
            scratch.unlink(missing_ok=True)
            raise
    except OSError as problem:
        raise ConfigurationError(
            f"cannot write `{brief(path)}`: {(problem.strerror or str(problem)).lower()}"
        ) from None


def replace_with_backup(path: Path, data: bytes) -> Path | None:
    """Replace a file and keep what it was in `NAME.bak` beside it; where nothing was, nothing is kept.

    First the backup is written, whole; if either cannot be, the file stays as it was. Raises ConfigurationError.
    """
    try:
        before = path.read_bytes()
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, data)
        return None
    except OSError as problem:
        raise ConfigurationError(f"cannot read `{brief(path)}`: {(problem.strerror or str(problem)).lower()}") from None
    backup = path.with_name(f"{path.name}.bak")
    write_whole(backup, before)
    write_whole(path, data)
    return backup


def _umask() -> int:
    """The process's mask for new files; it can only be read by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
