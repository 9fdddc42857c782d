"""Digest everything that decides what the commands of a workspace's policy would execute.

In it are the commands themselves; every file below the policy folder; and what stands in the workspace under each name
that a command's words or variables spell, whole or in part: a file's content, or that there is none, since making one
changes what runs. Links are followed, and what they lead to, in the workspace or out of it, is bound with its place.
What a command reads of its own accord (a module, a Makefile) is not in it, and nobody could say what that is.
"""

from __future__ import annotations

import os
import re
import stat
from hashlib import sha256
from typing import Any

from policy_engine.model.errors import PolicyEngineError
from policy_engine.model.limits import TRUST_BYTES, TRUST_FILES
from policy_engine.model.strict_json import write_json
from policy_engine.state.places import REPOSITORY_FOLDER

FORMAT = 1
MISSING, FOLDER, OTHER = "missing", "folder", "other"
_PIECES = re.compile(r"[\s=:,;&|<>()'\"`$]+")  # what parts a word like `--config=a.ini` or `cd a; sh b.sh`
_CHUNK = 1 << 20

Run = tuple[str, str, tuple[str, ...], tuple[str, ...]]
"""A command: the id of its declaration, its stage (empty for a hook), its argv, and the variables it is given."""


class Unbound(PolicyEngineError):
    """The closure cannot be established; the text says why. What cannot be bound cannot be trusted."""


class Closure:
    """`files`: path in the workspace -> digest of the content, or one of MISSING, FOLDER, OTHER; a place follows where
    a link leads to it.
    """

    __slots__ = ("digest", "files", "runs")

    def __init__(self, runs: tuple[Run, ...], files: dict[str, str]) -> None:
        self.runs = runs
        self.files = files
        self.digest = digest_of(runs, files)


def digest_of(runs: tuple[Run, ...], files: dict[str, str]) -> str:
    """`sha256:…` of commands and files."""
    return f"sha256:{sha256(write_json([FORMAT, runs, sorted(files.items())])).hexdigest()}"


def runs_of(kind: str, name: str, extra: Any) -> tuple[Run, ...]:
    """Return the commands of a compiled declaration; none for a hook that calls Python."""
    if kind == "verify":
        return tuple((name, stage[0], tuple(stage[1]), tuple(stage[3])) for stage in extra[0])
    return ((name, "", tuple(extra[0]), ()),) if extra[0] else ()


def closure(workspace: str, runs: tuple[Run, ...]) -> Closure:
    """Return the closure of these commands as things stand now; `workspace` is a real path. Raises Unbound."""
    looked = _Looked(workspace)
    try:
        looked.folder(REPOSITORY_FOLDER)
        for _, _, argv, variables in runs:
            for name in _names(workspace, (*argv, *variables, *_by_path(argv, variables))):
                looked.path(name)
        return Closure(runs, looked.files)
    except OSError as error:
        at = error.filename if type(error.filename) is str else workspace
        raise Unbound(f"`{at}` cannot be read: {(error.strerror or 'unknown error').lower()}") from None
    except UnicodeEncodeError:
        raise Unbound("a file name or a command is not UTF-8") from None


def _by_path(argv: tuple[str, ...], variables: tuple[str, ...]) -> list[str]:
    """Return where the program is looked for, if the command is given a PATH of its own."""
    folders = [part for each in variables if each.startswith("PATH=") for part in each[5:].split(":")]
    return [os.path.join(folder, argv[0]) for folder in folders]


def _names(workspace: str, words: tuple[str, ...]) -> list[str]:
    """Return what words or parts of words could mean in the workspace, by their text or in truth: paths relative to
    it.
    """
    names = []
    for word in words:
        for piece in sorted({word, *_PIECES.split(word)}):
            if not piece or "\0" in piece:
                continue
            path = os.path.join(workspace, piece)
            if ".." not in piece.split("/"):
                path = os.path.normpath(path)  # else a link may stand before the `..`, which then leads elsewhere
            if any(below(place, workspace) for place in (os.path.normpath(path), os.path.realpath(path))):
                names.append(path[len(workspace.rstrip("/")) + 1 :] if below(path, workspace) else piece)
    return names


def below(path: str, folder: str) -> bool:
    """Return whether a path lies below a folder, by its text."""
    return path != folder and path.startswith(f"{folder.rstrip('/')}/")


class _Looked:
    """The files seen so far, within the limits."""

    def __init__(self, workspace: str) -> None:
        self.workspace = workspace
        self.files: dict[str, str] = {}
        self.bytes = 0

    def folder(self, name: str) -> None:
        """Everything below a folder; a link to a folder is bound, not walked, as the loader does not walk it either."""
        self.path(name)
        with os.scandir(f"{self.workspace}/{name}") as entries:
            below = sorted((entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries)
        for entry, is_folder in below:
            if is_folder:
                self.folder(f"{name}/{entry}")
            else:
                self.path(f"{name}/{entry}")

    def path(self, name: str) -> None:
        """Look at one name."""
        if name in self.files:
            return
        if len(self.files) >= TRUST_FILES:
            raise Unbound(f"there are more than TRUST_FILES ({TRUST_FILES}) files and names")
        name.encode()
        path = os.path.join(self.workspace, name)
        try:
            real = os.path.realpath(path, strict=True)
            state = self._state(real)
        except (FileNotFoundError, NotADirectoryError):
            state, real = MISSING, path
        except OSError as error:
            if os.strerror(error.errno or 0) != os.strerror(36):
                raise
            state, real = MISSING, path  # a name that is too long for a file
        self.files[name] = state if real == path else f"{state} {os.path.relpath(real, self.workspace)}"

    def _state(self, path: str) -> str:
        mode = os.stat(path).st_mode
        if stat.S_ISDIR(mode):
            return FOLDER
        return self._content(path) if stat.S_ISREG(mode) else OTHER

    def _content(self, path: str) -> str:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOFOLLOW)
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise Unbound(f"`{path}` changed while it was looked at")
            digest = sha256()
            while part := os.read(descriptor, _CHUNK):
                self.bytes += len(part)
                if self.bytes > TRUST_BYTES:
                    raise Unbound(f"the files have more than TRUST_BYTES ({TRUST_BYTES}) bytes")
                digest.update(part)
            return digest.hexdigest()
        finally:
            os.close(descriptor)
