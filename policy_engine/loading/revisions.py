"""Policies as a revision of git has them: `main:.policy`. Read from its object store; nothing is checked out or run."""

from __future__ import annotations

import os

from policy_engine.filesystem.repository import Repository
from policy_engine.loading.loader import Loaded, load_given
from policy_engine.loading.sources import SUFFIX, PolicyFile
from policy_engine.model.errors import ConfigurationError
from policy_engine.model.limits import POLICY_ENTRIES, POLICY_FILE_BYTES, POLICY_TOTAL_BYTES
from policy_engine.model.undecided import Undecided


def is_revision(text: str) -> bool:
    """Detect whether an argument names a path in a revision (`REV:PATH`), not one on the disk."""
    return ":" in text and not os.path.lexists(text)


def named_in(revision: str, path: str, folder: str = "") -> str:
    """Return `REV:PATH` for a path on the disk; `folder` is in the repository, else the working folder is.

    Raises ConfigurationError where there is no repository.
    """
    try:
        root = _repository(folder).root
    except Undecided as unknown:
        raise ConfigurationError(f"`{revision}` cannot be read: {unknown}") from None
    return f"{revision}:{os.path.relpath(os.path.realpath(path), root)}"


def load_revision(*texts: str, folder: str = "") -> Loaded:
    """Load the policies at each `REV:PATH`, a file or a folder as seen from the root of the repository.

    Args:
        texts: what is loaded.
        folder: is in the repository; the working folder if it is empty.

    Raises:
        ConfigurationError: git cannot be asked or does not know the revision, there is no policy, or it is too large.
    """
    files = {one.name: one for text in texts for one in _files(text, folder)}
    if sum(one.size for one in files.values()) > POLICY_TOTAL_BYTES:
        raise ConfigurationError(f"`{texts[0]}` has more policies than POLICY_TOTAL_BYTES allow")
    return load_given(files.values())


def _files(text: str, folder: str) -> list[PolicyFile]:
    revision, _, path = text.partition(":")
    path = os.path.normpath(path) if path else "."
    if not revision or revision.startswith("-"):
        raise ConfigurationError(f"`{text}` names no revision: write `REV:PATH`, such as `main:.policy`")
    if path.startswith(("/", "..")):
        raise ConfigurationError(f"`{text}` lies outside: write the path as seen from the root of the repository")
    try:
        repository = _repository(folder)
        if not repository.ask("rev-parse", "-q", "--verify", f"{revision}^{{tree}}", failing=True):
            raise ConfigurationError(f"git: no revision `{revision}` here")
        listed = repository.ask("--literal-pathspecs", "ls-tree", "-r", "-l", "-z", "--full-tree", revision, "--", path)
        files = [_file(entry, revision, repository) for entry in listed.split(b"\0") if entry]
    except Undecided as unknown:
        raise ConfigurationError(f"`{text}` cannot be read: {unknown}") from None
    read_files = [one for one in files if one is not None]
    if not read_files:
        raise ConfigurationError(
            f"`{path}` has no policy in `{revision}`: to compare with no policy at all, name an empty file"
        )
    if len(read_files) > POLICY_ENTRIES or sum(one.size for one in read_files) > POLICY_TOTAL_BYTES:
        raise ConfigurationError(f"`{text}` has more policies than POLICY_ENTRIES or POLICY_TOTAL_BYTES allow")
    return read_files


def _repository(folder: str) -> Repository:
    """Return the repository around a folder, with its full time to answer."""
    return Repository(os.path.realpath(folder or os.getcwd()))


def _file(entry: bytes, revision: str, repository: Repository) -> PolicyFile | None:
    head, _, name = entry.decode("utf-8", "surrogateescape").partition("\t")
    mode, kind, blob, size = head.split()
    if kind != "blob" or mode == "120000" or not name.endswith(SUFFIX):
        return None
    if int(size) > POLICY_FILE_BYTES:
        raise ConfigurationError(f"`{revision}:{name}` has more than POLICY_FILE_BYTES ({POLICY_FILE_BYTES}) bytes")
    data = repository.ask("cat-file", "blob", blob)
    return PolicyFile.given(f"{revision}:{name}", f"{repository.root.rstrip('/')}/{name}", data)
