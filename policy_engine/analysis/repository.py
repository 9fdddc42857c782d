"""Tell whether a file of a repository matches a glob. Reads names only, never contents."""

from __future__ import annotations

import os
from bisect import bisect_left
from difflib import get_close_matches
from pathlib import Path

from policy_engine.checker.tree import GlobPattern
from policy_engine.filesystem.globs import glob_matches, literal_prefix

_MOST = 200_000  # files; a larger tree is not judged
_COMPARED = 2000  # folders whose spelling is compared
_SKIPPED = (".git", "__pycache__", "node_modules", ".venv")


class Files:
    """The files below a root, as paths with `/` between, sorted."""

    def __init__(self, paths: list[str]) -> None:
        self.paths = sorted(paths)
        holding = {path.rpartition("/")[0] for path in paths if "/" in path}
        self.folders = sorted({folder for name in holding for folder in _and_above(name)})
        self._ends = {path.rpartition(".")[2] for path in paths}
        self._names = {path.rpartition("/")[2] for path in paths}
        self._answers: dict[tuple[str, tuple[str, ...]], bool] = {}

    @classmethod
    def below(cls, root: Path) -> Files | None:
        """Return every file below a folder; None if they are too many, or none. Links are not followed."""
        paths: list[str] = []
        for folder, names, files in os.walk(root):
            names[:] = [name for name in names if name not in _SKIPPED]
            inner = os.path.relpath(folder, root).replace(os.sep, "/")
            prefix = "" if inner == "." else f"{inner}/"
            paths += [prefix + name for name in files]
            if len(paths) > _MOST:
                return None
        return cls(paths) if paths else None

    def match(self, glob: str, exclude: tuple[str, ...] = ()) -> bool:
        """Return whether a file matches a glob of the workspace and none that is left out."""
        asked = (glob, exclude)
        if asked not in self._answers:
            self._answers[asked] = self._match(glob, exclude)
        return self._answers[asked]

    def _match(self, glob: str, exclude: tuple[str, ...]) -> bool:
        if any(folder in glob.split("/") for folder in _SKIPPED):
            return True  # not looked at
        name = glob.rpartition("/")[2]
        plain = not any(char in name for char in "*?[")
        if plain and name not in self._names:
            return False
        if (
            name.startswith("*.")
            and not any(char in name[2:] for char in "*?[")
            and name.rpartition(".")[2] not in self._ends
        ):
            return False
        folder = literal_prefix(glob)
        start, end = 0, len(self.paths)
        if folder:
            start, end = bisect_left(self.paths, f"{folder}/"), bisect_left(self.paths, f"{folder}0")
        pattern = GlobPattern((glob,), exclude)
        return any(self._is(pattern, path) for path in self.paths[start:end])

    def _is(self, pattern: GlobPattern, path: str) -> bool:
        return glob_matches(pattern, path, f"/{path}", "/nowhere")

    def nearest(self, glob: str) -> str:
        """Return the glob with its folder spelt as one that exists and has matches, or an empty text."""
        folder = literal_prefix(glob)
        if not folder or len(self.folders) > _COMPARED:
            return ""
        for near in get_close_matches(folder, self.folders, n=3, cutoff=0.7):
            candidate = near + glob[len(folder) :]
            if self.match(candidate):
                return candidate
        return ""


def _and_above(folder: str) -> list[str]:
    parts = folder.split("/")
    return ["/".join(parts[: count + 1]) for count in range(len(parts))]
