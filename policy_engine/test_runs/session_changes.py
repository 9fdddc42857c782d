"""Tell which files of a repository differ from the commit with which a session began, and what they said then.

Not on the hook path: it is imported when a run of tests passed.
"""

from __future__ import annotations

import itertools

from policy_engine.filesystem.paths import PathValue
from policy_engine.test_runs.task_files import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from policy_engine.filesystem.file_system import FileSystem

_MOST = 200  # files of one sort
_MOST_GONE = 50  # files that a new one may have been


class Changes:
    """The files of the workspace that the session wrote, and that are other ones than in its first commit.

    Paths are those below the root of the repository. What asks git raises Undecided where it does not answer.
    """

    def __init__(self, commit: str, wrote: Callable[[str], bool], filesystem: FileSystem) -> None:
        self._commit, self._wrote, self._filesystem = commit, wrote, filesystem
        self._repository = filesystem.repository()
        self.root = self._repository.root.rstrip("/")
        self._below = f"{filesystem.real_workspace.rstrip('/')}/".removeprefix(f"{self.root}/")

    def files(self, endings: Iterable[str]) -> list[str]:
        """Return the written files whose names end so."""
        return self.named(f"*.{one}" for one in endings)

    def named(self, names: Iterable[str]) -> list[str]:
        """Return the written files that are called so, by patterns."""
        paths = self.differing(names)[:_MOST]
        return [path for path in paths if self.is_there(path) and self._wrote(f"{self.root}/{path}")]

    def differing(self, names: Iterable[str]) -> list[str]:
        """Return the files that are called so and other ones than in the commit, gone or new."""
        globs = [f":(glob){self._below}**/{one}" for one in names]
        changed = self._repository.ask("diff", "--name-only", "--no-renames", "-z", self._commit, "--", *globs)
        others = self._repository.ask("ls-files", "--full-name", "--others", "--exclude-standard", "-z", "--", *globs)
        return list(filter(None, (changed + others).decode("utf-8", "surrogateescape").split("\0")))

    def is_there(self, path: str) -> bool:
        """Return whether a file is there now."""
        return self._filesystem.present(PathValue(f"{self.root}/{path}", f"{self.root}/{path}"))

    def listed(self, folder: str, name: str) -> list[str]:
        """Return the files below a folder that are called so, git's and new ones."""
        return self.paths([name], f"{folder}/".lstrip("/"))[:_MOST]

    def paths(self, names: Iterable[str], folder: str | None = None) -> list[str]:
        """Return the files that are called so, git's and new ones, below the workspace or another folder."""
        globs = [f":(top,glob){self._below if folder is None else folder}**/{one}" for one in names]
        asked = ("ls-files", "--full-name", "--cached", "--others", "--exclude-standard", "-z", "--", *globs)
        return list(filter(None, self._repository.ask(*asked).decode("utf-8", "surrogateescape").split("\0")))

    def matching(self, pattern: str, folder: str, name: str) -> list[str]:
        """Return the files below a folder that are called so and have what a pattern matches."""
        asked = ("grep", "-l", "-z", "-E", "--untracked", "--full-name", "-e", pattern, "--")
        found = self._repository.ask(*asked, f":(top,glob){folder}/**/{name}", failing=True)
        return list(filter(None, found.decode("utf-8", "surrogateescape").split("\0")))

    def now(self, path: str) -> str:
        """Return the text of a file, "" if it cannot be read."""
        return text_of(f"{self.root}/{path}", self._filesystem)

    def then(self, path: str) -> str:
        """Return the text of a file in the commit, "" if it was not there."""
        return self._repository.ask("show", f"{self._commit}:{path}", failing=True).decode("utf-8", "replace")

    def before(self, path: str) -> tuple[str, str]:
        """Return the path and the text of a file in the commit; of a new one, of a file that is gone and of whose lines
        at least half are in this one."""
        if then := self.then(path):
            return path, then
        here = set(self.now(path).split("\n"))
        gone = (one for one in self.differing([f"*.{path.rpartition('.')[2]}"]) if not self.is_there(one))
        for one in itertools.islice(gone, _MOST_GONE):
            text = self.then(one)
            lines = {line for line in text.split("\n") if line.strip()}
            if lines and 2 * len(lines & here) >= len(lines):
                return one, text
        return path, ""

    def committed(self, name: str) -> list[str]:
        """Return the files of the commit that are called so and are there now."""
        found = self._repository.ask("ls-files", "--full-name", "-z", "--", f":(glob){self._below}**/{name}")
        paths = found.decode("utf-8", "surrogateescape").split("\0")[:_MOST]
        return [path for path in paths if path and self.is_there(path) and self.then(path)]

    def holding(self, word: str, folder: str, endings: Iterable[str]) -> Iterator[str]:
        """Yield the files below a folder that the commit has, and in which a word stands."""
        globs = [f":(glob){folder}**/*.{one}" for one in endings]
        found = self._repository.ask("grep", "-l", "-z", "-w", "-F", "-e", word, self._commit, "--", *globs,
                                     failing=True)  # fmt: skip
        for path in found.decode("utf-8", "surrogateescape").split("\0")[:_MOST]:
            if path:
                yield path.partition(":")[2]
