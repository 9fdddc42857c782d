"""Workspace → the Program in force there and what is wrong with its policy files now. Imported by the hook path.

A fresh cache entry is opened as it is. Otherwise the whole pipeline runs (loading/refresh.py); if that fails, the last
good Program stays in force and every decision says so.
"""

from __future__ import annotations

import posix
import sys

from policy_engine.loading.cache import CacheMiss, Head, open_program, read_head, unchanged
from policy_engine.loading.places import REPOSITORY_FOLDER, active_name, cache_folder
from policy_engine.runtime.names import LazyNames

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.evaluators.base import Program


class Live:
    """A Program in force, with the errors that kept a newer one out."""

    __slots__ = ("errors", "program")

    def __init__(self, program: Program, errors: tuple[str, ...] = ()) -> None:
        self.program = program
        self.errors = errors


def live(workspace: str | None) -> Live | None:
    """The policies of a workspace; None if it never had any. Raises PolicyLoadError if they never loaded."""
    if workspace is None:
        return None
    folder = f"{workspace.rstrip('/')}/{REPOSITORY_FOLDER}"
    active = active_name(folder)
    head = _head(active)
    if head is not None and unchanged(head):
        return Live(open_program(head, LazyNames()))
    if head is None and not _exists(folder):
        return None
    _add_site_packages()
    from policy_engine.loading.refresh import refresh

    return refresh(folder, active, head)


def _head(active: str) -> Head | None:
    try:
        return read_head(f"{cache_folder()}/active/{active}")
    except CacheMiss:
        return None


def _exists(folder: str) -> bool:
    """Whether something stands there; an unreadable parent is no proof of absence."""
    try:
        posix.lstat(folder)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return True


def _add_site_packages() -> None:
    """Make the installed libraries importable in a process started with `-I -S`; appended, so they shadow nothing."""
    prefix = sys.executable.rsplit("/", 2)[0]
    folder = f"{prefix}/lib/python{sys.version_info[0]}.{sys.version_info[1]}/site-packages"
    if folder not in sys.path:
        sys.path.append(folder)
