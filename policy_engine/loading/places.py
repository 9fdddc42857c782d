"""Environment → the folders and files that the engine uses outside the repository. Imported by the hook path."""

from __future__ import annotations

import posix
from _blake2 import blake2b

from policy_engine.model.errors import ConfigurationError

REPOSITORY_FOLDER = ".policy"
NAME = "policy-engine"


def home() -> str | None:
    """`$HOME` if it is an absolute path."""
    value = variable("HOME")
    return value if value[:1] == "/" else None


def variable(name: str) -> str:
    """A variable of the environment, empty if unset; bytes that are no UTF-8 survive as surrogates."""
    value: bytes = posix.environ.get(name.encode(), b"")
    return value.decode("utf-8", "surrogateescape")


def _base(name: str, below_home: str) -> str:
    """An XDG base folder; relative values are ignored, as the specification says."""
    value = variable(name)
    if value[:1] == "/":
        return f"{value}/{NAME}"
    found = home()
    if found is None:
        raise ConfigurationError(f"neither {name} nor HOME is an absolute path")
    return f"{found}/{below_home}/{NAME}"


def cache_folder() -> str:
    """`$XDG_CACHE_HOME/policy-engine`."""
    return _base("XDG_CACHE_HOME", ".cache")


def state_folder() -> str:
    """`$XDG_STATE_HOME/policy-engine`."""
    return _base("XDG_STATE_HOME", ".local/state")


def active_name(folder: str) -> str:
    """The name of a policy folder in the cache: a digest of its path."""
    return str(blake2b(folder.encode("utf-8", "surrogateescape"), digest_size=16).hexdigest())


def make_folder(path: str) -> None:
    """Create a private folder with its parents."""
    try:
        posix.mkdir(path, 0o700)
    except FileExistsError:
        return
    except FileNotFoundError:
        make_folder(path.rsplit("/", 1)[0])
        posix.mkdir(path, 0o700)
