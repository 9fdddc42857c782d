"""Policies as a revision of git has them: `main:.policy`. Read from its object store; nothing is checked out or run."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from policy_engine.loading.loader import Loaded, load_given
from policy_engine.loading.sources import SUFFIX, PolicyFile
from policy_engine.model.errors import ConfigurationError
from policy_engine.model.limits import POLICY_ENTRIES, POLICY_FILE_BYTES, POLICY_TOTAL_BYTES

_SECONDS = 30
_SAFE = ("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "--no-optional-locks", "--literal-pathspecs")


def is_revision(text: str) -> bool:
    """Detect whether an argument names a path in a revision (`REV:PATH`), not one on the disk."""
    return ":" in text and not os.path.lexists(text)


def load_revision(text: str) -> Loaded:
    """Load the policies at `REV:PATH`, a file or a folder as seen from the root of the repository.

    Raises:
        ConfigurationError: git is missing or does not know the revision, there is no policy, or it is too large.
    """
    revision, _, path = text.partition(":")
    path = os.path.normpath(path) if path else "."
    if not revision or revision.startswith("-"):
        raise ConfigurationError(f"`{text}` names no revision: write `REV:PATH`, such as `main:.policy`")
    root = Path(_git("rev-parse", "--show-toplevel").decode("utf-8", "surrogateescape").rstrip("\n"))
    tree = _git("-C", os.fspath(root), "ls-tree", "-r", "-l", "-z", "--full-tree", revision, "--", path)
    files = [_file(entry, revision, root) for entry in tree.split(b"\0") if entry]
    found = [one for one in files if one is not None]
    if not found:
        raise ConfigurationError(f"`{path}` has no policy in `{revision}`")
    if len(found) > POLICY_ENTRIES or sum(one.size for one in found) > POLICY_TOTAL_BYTES:
        raise ConfigurationError(f"`{text}` has more policies than POLICY_ENTRIES or POLICY_TOTAL_BYTES allow")
    return load_given(found)


def _file(entry: bytes, revision: str, root: Path) -> PolicyFile | None:
    head, _, name = entry.decode("utf-8", "surrogateescape").partition("\t")
    mode, kind, blob, size = head.split()
    if kind != "blob" or mode == "120000" or not name.endswith(SUFFIX):
        return None
    if int(size) > POLICY_FILE_BYTES:
        raise ConfigurationError(f"`{revision}:{name}` has more than POLICY_FILE_BYTES ({POLICY_FILE_BYTES}) bytes")
    return PolicyFile.given(f"{revision}:{name}", os.fspath(root / name), _git("cat-file", "blob", blob))


def _git(*arguments: str) -> bytes:
    try:
        done = subprocess.run(
            ["git", *_SAFE, *arguments], capture_output=True, timeout=_SECONDS, check=True, stdin=subprocess.DEVNULL
        )
    except FileNotFoundError:
        raise ConfigurationError("git is not installed: a revision cannot be read") from None
    except subprocess.TimeoutExpired:
        raise ConfigurationError(f"git did not answer in {_SECONDS} s") from None
    except subprocess.CalledProcessError as error:
        said = error.stderr.decode("utf-8", "backslashreplace").strip().splitlines()
        raise ConfigurationError(f"git: {said[0].removeprefix('fatal: ') if said else 'failed'}") from None
    return done.stdout
