"""Ask git about a workspace's repository: bounded in time and output, without running anything that it configures.

An agent may write the repository's configuration, and what asks here may run outside of the agent's sandbox. So no
program that the configuration names is started (file system monitor, hooks, filters, external differences, transports
of a partial clone), the user's own configuration is not read, nothing is written, and a `git` inside the workspace is
not the one that is asked. Submodules count as the commits that they stand at.
"""

from __future__ import annotations

import os
import posix
import stat
from time import monotonic

from policy_engine.filesystem.paths import encoded, under
from policy_engine.filesystem.walk import MISSING, unknown, walk
from policy_engine.model.limits import GIT_BYTES, GIT_MS, READ_BYTES
from policy_engine.model.process import EXITED, TIMED_OUT, Task, run_process
from policy_engine.model.undecided import Undecided

BRANCH = "ref: refs/heads/"
_SAFE = {
    "core.fsmonitor": "false",
    "core.hooksPath": "/dev/null",
    "core.attributesFile": "/dev/null",
    "core.untrackedCache": "false",
}
_ENVIRONMENT = {
    "LC_ALL": "C",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_SYSTEM": "/dev/null",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_TERMINAL_PROMPT": "0",
}
_COMPARED = ("-z", "--no-renames", "--ignore-submodules=dirty")
_FILTERS = (".clean", ".smudge", ".process")


class Repository:
    """The git repository around a workspace, as it is now; make one per event."""

    __slots__ = ("root", "_folder", "_workspace", "_started", "_environment")

    def __init__(self, workspace: str) -> None:
        """Find the repository around a canonical folder. Raises Undecided if there is none that can be asked."""
        self._workspace = workspace
        self.root, self._folder = _find(workspace)
        self._started: float | None = None
        self._environment: dict[str, str] | None = None
        if posix.stat(encoded(self._folder)).st_uid != posix.getuid():
            raise Undecided(f"the repository `{self.root[:200]}` belongs to another user")

    def branch(self) -> str:
        """Return the name of the branch that is checked out, "" if none is."""
        head = _first_line(f"{self._folder}/HEAD")
        if head.startswith(BRANCH) and head != f"{BRANCH}.invalid":
            return head.removeprefix(BRANCH)
        return self.ask("branch", "--show-current").decode("utf-8", "replace").strip()

    def clean(self) -> bool:
        """Return whether nothing is uncommitted; files that git does not know and does not ignore count."""
        return not self._status("normal")

    def ahead(self) -> int:
        """Return how many commits no branch of a remote has."""
        if not self.ask("rev-parse", "-q", "--verify", "HEAD^{commit}", failing=True):
            return 0  # nothing is committed
        return int(self.ask("rev-list", "--count", "HEAD", "--not", "--remotes"))

    def standing(self) -> tuple[str, list[str]]:
        """Return the commit that is checked out ("" before the first), and the paths with uncommitted changes."""
        commit = self.ask("rev-parse", "-q", "--verify", "HEAD^{commit}", failing=True).decode().strip()
        paths = []
        for entry in self._status("all"):
            sort, _, rest = entry.partition(b" ")
            fields = {b"1": 7, b"u": 9}.get(sort, 0)
            paths.append(_text(rest.split(b" ", fields)[-1]))
        return commit, paths

    def changes(self, commit: str) -> tuple[dict[str, int], list[str]]:
        """Return the lines added and removed by path since a commit, and the files that git does not know."""
        since = commit or self.ask("hash-object", "-t", "tree", "--stdin").decode().strip()
        output = self.ask("diff", "--numstat", "--no-ext-diff", "--no-textconv", *_COMPARED, since)
        counts = {}
        for entry in output.split(b"\0")[:-1]:
            added, removed, path = entry.split(b"\t", 2)
            counts[_text(path)] = 0 if added == b"-" else int(added) + int(removed)
        others = self.ask("ls-files", "--others", "--exclude-standard", "-z")
        return counts, [_text(path) for path in others.split(b"\0")[:-1]]

    def read(self, path: str) -> bytes:
        """Return what a file of the repository holds; of a link, or of more than READ_BYTES, what tells it apart.

        Raises:
            Undecided: it cannot be read.
        """
        place = encoded(f"{self.root.rstrip('/')}/{path}")
        try:
            status = posix.lstat(place)
            if stat.S_ISLNK(status.st_mode):
                return b"\0link " + posix.readlink(place)
            if not stat.S_ISREG(status.st_mode) or status.st_size > READ_BYTES:
                return b"\0large %d %d %d" % (status.st_mode, status.st_size, status.st_mtime_ns)
            with open(place, "rb") as file:
                return file.read(READ_BYTES)
        except OSError as error:
            if error.errno in MISSING:
                return b""
            raise unknown(path, error) from None

    def _status(self, untracked: str) -> list[bytes]:
        output = self.ask("status", "--porcelain=v2", f"--untracked-files={untracked}", *_COMPARED)
        return output.split(b"\0")[:-1]

    def ask(self, *arguments: str, failing: bool = False) -> bytes:
        """Return what git prints; nothing where it fails and is allowed to. Raises Undecided if it does not answer."""
        if self._environment is None:
            self._environment = self._neutral(self._settings())
        return self._run(arguments, self._environment, failing)

    def _settings(self) -> dict[str, str]:
        """Return what must be set otherwise than the repository's configuration may say."""
        names = self._run(("config", "--list", "-z", "--name-only"), self._neutral(_SAFE), True).split(b"\0")
        drivers = {
            name.rpartition(".")[0]
            for name in map(_text, names)
            if name.startswith("filter.") and name.endswith(_FILTERS)
        }
        off = {f"{driver}{key}": "" for driver in sorted(drivers) for key in _FILTERS}
        return {**_SAFE, **off, **{f"{driver}.required": "false" for driver in drivers}}

    def _neutral(self, settings: dict[str, str]) -> dict[str, str]:
        pairs = {
            f"GIT_CONFIG_{part}_{number}": text
            for number, pair in enumerate(settings.items())
            for part, text in zip(("KEY", "VALUE"), pair, strict=True)
        }
        return {
            **_ENVIRONMENT,
            **pairs,
            "GIT_CONFIG_COUNT": str(len(settings)),
            "GIT_DIR": self._folder,
            "GIT_WORK_TREE": self.root,
            "PATH": os.pathsep.join(self._search()),
        }

    def _search(self) -> list[str]:
        """Return the folders of the search path that do not lie in the workspace."""
        places = [place for place in os.environ.get("PATH", "").split(os.pathsep) if place.startswith("/")]
        return [place for place in places if not under(os.path.realpath(place), self._workspace)]

    def _run(self, arguments: tuple[str, ...], environment: dict[str, str], failing: bool) -> bytes:
        now = monotonic()
        self._started = self._started if self._started is not None else now
        left = GIT_MS / 1000 - (now - self._started)
        program = _program(environment["PATH"])
        task = Task((program, *arguments), self.root, environment, timeout=max(left, 0.001), head=GIT_BYTES, grace=0.0)
        ended = run_process(task)
        if ended.how == TIMED_OUT:
            raise Undecided(f"git did not answer within GIT_MS ({GIT_MS} ms)")
        if ended.how != EXITED:
            raise Undecided(f"git could not be asked: {ended.problem or ended.how}")
        if ended.status and not failing:
            raise Undecided(f"git failed with exit status {ended.status} at `git {arguments[0]}`")
        if ended.output.size > GIT_BYTES:
            raise Undecided(f"git says more than GIT_BYTES ({GIT_BYTES}) at `git {arguments[0]}`")
        return b"" if ended.status else ended.output.data()


def _program(search: str) -> str:
    for place in search.split(os.pathsep):
        if os.access(f"{place}/git", os.X_OK):
            return f"{place}/git"
    raise Undecided("git is not installed, so nothing is known of the repository")


def _find(folder: str) -> tuple[str, str]:
    """Return the root of the repository around a folder, and the folder that git keeps for it."""
    root = folder
    while True:
        entry = f"{root.rstrip('/')}/.git"
        if os.path.isdir(entry):
            return root, entry
        if os.path.isfile(entry):
            target = _first_line(entry).removeprefix("gitdir:").strip()
            return root, walk(target if target.startswith("/") else f"{root}/{target}", True)
        if root == "/":
            raise Undecided(f"`{folder[:200]}` is in no git repository")
        root = root.rpartition("/")[0] or "/"


def _first_line(path: str) -> str:
    try:
        with open(encoded(path), "rb") as file:
            return _text(file.readline(4096)).strip()
    except OSError as error:
        raise Undecided(f"`{path[:200]}` cannot be read ({error.strerror})") from None


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")
