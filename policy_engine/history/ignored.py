"""Tell which paths of a workspace git would ignore, so that a snapshot leaves them out.

What stands in the user's own configuration of git is not read: a workspace means the same for everybody. Imported by
the hook path.
"""

from __future__ import annotations

import errno
import posix

from policy_engine.filesystem.globs import glob_matches
from policy_engine.filesystem.paths import encoded
from policy_engine.filesystem.walk import MISSING, read_all, unknown
from policy_engine.history.ignore_rules import decide, rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.history.ignore_rules import Rule

    Pattern = tuple[tuple[str, ...], tuple[str, ...]]

RULES = ".gitignore"
_FLAGS = posix.O_RDONLY | posix.O_NONBLOCK | posix.O_NOFOLLOW | posix.O_CLOEXEC | posix.O_NOCTTY
CACHES: Pattern = (
    tuple(
        f"**/{name}/**"
        for name in (
            "__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis", ".tox", ".nox", ".cache",
            ".parcel-cache", ".turbo", ".vite", ".gradle",
        )
    ),
    (),
)  # fmt: skip
"""Bytecode and cache folders: what is left out where there is no git to ask."""


class Ignored:
    """The paths left out below `root` (canonical). `noise` replaces the usual folders and counts with git as well."""

    def __init__(self, root: str, noise: Pattern | None) -> None:
        self._root = root
        self._rules: dict[str, list[Rule]] = {}
        self._git = _exists(f"{root}/.git")
        self._noise = noise if noise is not None else None if self._git else CACHES

    def folder(self, relative: str) -> bool:
        """Return whether nothing below the folder is looked at."""
        name = relative.rpartition("/")[2]
        if name == ".git" or (self._noise and glob_matches(self._noise, relative + "/.", "/")):
            return True
        return self._git and self._by_rules(relative, True)

    def file(self, relative: str) -> bool:
        """Return whether the file is left out; its folder is not."""
        if self._noise and glob_matches(self._noise, relative, "/"):
            return True
        return self._git and self._by_rules(relative, False)

    def _by_rules(self, relative: str, folder: bool) -> bool:
        """Return whether the rules ignore a path: the last rule that matches in the nearest ignore file decides."""
        parts = relative.split("/")
        for depth in range(len(parts) - 1, -1, -1):
            base = "/".join(parts[:depth])
            verdict = self._said(base, "/".join(parts[depth:]), folder)
            if verdict is not None:
                return verdict
        return False

    def _said(self, base: str, path: str, folder: bool) -> bool | None:
        rules = self._rules.get(base)
        if rules is None:
            rules = self._rules[base] = self._read(base)
        return decide(rules, path, folder)

    def _read(self, base: str) -> list[Rule]:
        places = [f"{base}/{RULES}" if base else RULES]
        if not base:
            places.insert(0, ".git/info/exclude")
        return [rule for place in places for rule in rules(_text(f"{self._root}/{place}"))]


def _text(path: str) -> str:
    try:
        handle = posix.open(encoded(path), _FLAGS)
    except OSError as error:
        if error.errno in (*MISSING, errno.ELOOP):
            return ""  # git does not follow a link here either
        raise unknown(path, error) from None
    try:
        return read_all(handle, path).decode("utf-8", "surrogateescape")
    except OSError as error:
        raise unknown(path, error) from None
    finally:
        posix.close(handle)


def _exists(path: str) -> bool:
    try:
        posix.lstat(encoded(path))
    except OSError:
        return False
    return True
