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
    Above = tuple[tuple[str, list[Rule]], ...]

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
        self._rules: dict[str, Above] = {}
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
        for base, own in self._above(relative.rpartition("/")[0]):
            verdict = decide(own, relative[len(base) + 1 if base else 0 :], folder)
            if verdict is not None:
                return verdict
        return False

    def _above(self, folder: str) -> Above:
        """Return the folders with rules from this one up; kept, so that no path costs a look at all above it."""
        missing = []
        while folder not in self._rules:
            missing.append(folder)
            if not folder:
                break
            folder = folder.rpartition("/")[0]
        above = self._rules.get(folder, ())
        for place in reversed(missing):
            own = self._read(place)
            above = self._rules[place] = ((place, own), *above) if own else above
        return above

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
