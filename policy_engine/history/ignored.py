"""Tell which paths of a workspace git would ignore, so that a snapshot leaves them out.

What stands in the user's own configuration of git is not read: a workspace means the same for everybody. A rule that
came during the session leaves out what tools make, and no source. Imported by the hook path.
"""

from __future__ import annotations

import errno
import posix
from _blake2 import blake2b

from policy_engine.filesystem.globs import glob_matches
from policy_engine.filesystem.paths import encoded
from policy_engine.filesystem.walk import MISSING, read_all, unknown
from policy_engine.history.ignore_rules import decide, rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.history.ignore_rules import Rule

    Pattern = tuple[tuple[str, ...], tuple[str, ...]]
    Above = tuple[tuple[str, list[Rule], list[Rule]], ...]
    """The folders with rules, all their rules, and those with which the session began."""

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
    """The paths left out below `root` (canonical). `noise` replaces the usual folders and counts with git as well.

    `began` has the digests of the rules with which the session began, None if it begins now; `met` are those that were
    read, `doubted` the folders that only a later rule would leave out.
    """

    def __init__(self, root: str, noise: Pattern | None, began: set[bytes] | None = None) -> None:
        self._root = root
        self._began = began
        self.met: set[bytes] = set()
        self.doubted: set[str] = set()
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
        for base, own, first in self.above(relative.rpartition("/")[0]):
            inside = relative[len(base) + 1 if base else 0 :]
            verdict = decide(own, inside, folder)
            if verdict and own is not first and not decide(first, inside, folder) and not _is_made(relative):
                self.doubted.add(relative)
            elif verdict is not None:
                return verdict
        return False

    def above(self, folder: str) -> Above:
        """Return the folders with rules from this one up; kept, so that no path costs a look at all above it."""
        missing = []
        while folder not in self._rules:
            missing.append(folder)
            if not folder:
                break
            folder = folder.rpartition("/")[0]
        above = self._rules.get(folder, ())
        for place in reversed(missing):
            own, first = self._read(place)
            above = self._rules[place] = ((place, own, first), *above) if own else above
        return above

    def _read(self, base: str) -> tuple[list[Rule], list[Rule]]:
        places = [f"{base}/{RULES}" if base else RULES]
        if not base:
            places.insert(0, ".git/info/exclude")
        lines = [line for place in places for line in _text(f"{self._root}/{place}").removeprefix("\ufeff").split("\n")]
        own = rules("\n".join(lines))
        if self._began is None:
            self.met.update(_digest(base, line) for line in lines)
            return own, own
        first = [line for line in lines if _digest(base, line) in self._began]
        return own, own if len(first) == len(lines) else rules("\n".join(first))


def _digest(base: str, line: str) -> bytes:
    return blake2b(f"{base}\0{line}".encode("utf-8", "surrogateescape"), digest_size=6).digest()


def _is_made(relative: str) -> bool:
    from policy_engine.test_runs.swapped import MADE

    return any(part[:1] == "." or part in MADE for part in relative.split("/"))


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
