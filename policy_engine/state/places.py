"""Locate the folders and files that the engine uses outside the repository. Imported by the hook path."""

from __future__ import annotations

import posix
from _blake2 import blake2b

from policy_engine.model.errors import ConfigurationError
from policy_engine.model.layers import ORGANISATION, OUTER, REPOSITORY, USER
from policy_engine.model.store_address import SESSIONS_FILE
from policy_engine.state.own_file import is_same, lies_within, read_own

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

REPOSITORY_FOLDER = ".policy"
NAME = "policy-engine"
SETTINGS_FILE = "policy.toml"
SERVED = "sessions.server"  # beside it: what is marked of sessions that a server keeps
SOCKET = "socket"  # of the resident engine, in its folder
ORGANISATION_FOLDER = f"/etc/{NAME}"
PRUNED = "pruned"
"""The file of the state folder whose age says when something was last dropped that is too old (`pruning`)."""
ALONE = "alone"
"""The folder of the state folder with a record for each folder that a person lets stand alone (consent/alone.py)."""
STATUS = "status"
"""The folder of the state folder with the record of each workspace's last load."""
HOST_VARIABLES = ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "OPENCODE_CONFIG_DIR")
"""Variables that name the folder in which a coding agent keeps its settings, and its records where it keeps any."""
OWN_VARIABLES = ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME")


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
    base = home()
    if base is None:
        raise ConfigurationError(f"neither {name} nor HOME is an absolute path")
    return f"{base}/{below_home}/{NAME}"


def cache_folder() -> str:
    """`$XDG_CACHE_HOME/policy-engine`."""
    return _base("XDG_CACHE_HOME", ".cache")


def state_folder() -> str:
    """`$XDG_STATE_HOME/policy-engine`."""
    return _base("XDG_STATE_HOME", ".local/state")


def sessions_path() -> str:
    """Return the file in which the sessions of this user are kept, where no server keeps them."""
    return f"{state_folder()}/{SESSIONS_FILE}"


def serve_folder() -> str:
    """Return where the resident engine of this user listens."""
    return f"{state_folder()}/serve"


def config_folder() -> str:
    """`$XDG_CONFIG_HOME/policy-engine`."""
    return _base("XDG_CONFIG_HOME", ".config")


def host_folders() -> dict[str, str]:
    """Return the folders that coding agents are told to use instead of their own below the home folder, by variable."""
    folders = {name: variable(name).rstrip("/") for name in HOST_VARIABLES}
    return {name: value for name, value in folders.items() if value[:1] == "/"}


def not_from(workspace: str) -> None:
    """Raises ConfigurationError if a variable leads the engine's own folders into the repository.

    A repository may ship such a value in a file that some tool makes the environment of; it has no vote on where the
    engine keeps its code, state and policies (security R13).
    """
    around = f"{workspace.rstrip('/')}/"
    for name in OWN_VARIABLES:
        value = variable(name)
        if value[:1] != "/" or (name == "HOME" and is_same(value, workspace)):
            continue
        if f"{value}/".startswith(around) or lies_within(value, workspace):
            raise ConfigurationError(f"{name} leads into the repository ({value[:200]}): unset it")
    if is_same(home() or "", workspace):
        return
    for place in (cache_folder(), config_folder(), state_folder()):
        if lies_within(place, workspace):
            raise ConfigurationError(f"`{place[:200]}` is a link that leads into the repository: put a folder there")


def active_name(*folders: str) -> str:
    """The name of policy folders in the cache: a digest of their paths."""
    return str(blake2b("\0".join(folders).encode("utf-8", "surrogateescape"), digest_size=16).hexdigest())


def layer_folders(workspace: str | None) -> tuple[tuple[str, str], ...]:
    """(layer, folder) of the policies that hold in a workspace, the strongest first; a folder need not exist."""
    folders = [(ORGANISATION, ORGANISATION_FOLDER), (USER, config_folder())]
    if workspace is not None:
        outer = around(workspace)
        if outer is not None:
            folders.append((OUTER, f"{outer}/{REPOSITORY_FOLDER}"))
        folders.append((REPOSITORY, f"{workspace.rstrip('/')}/{REPOSITORY_FOLDER}"))
    return tuple(folders)


def program_name(folders: Sequence[tuple[str, str]]) -> str:
    """Return the name in the cache of what these layers come to, together with the built-in one."""
    return active_name(*(folder for _, folder in folders), *host_folders().values())


def place_name(folders: Sequence[tuple[str, str]]) -> str:
    """Return the name of the place whose layers these are, whatever stands around it now."""
    return active_name(*(folder for layer, folder in folders if layer != OUTER))


def has_policy(folder: str) -> bool:
    """Return whether a folder has a policy, or had one that stays in force (loading/refresh.py)."""
    policy = f"{folder}/{REPOSITORY_FOLDER}"
    return exists(policy) or exists(f"{cache_folder()}/kept/{active_name(policy)}")


def around(folder: str) -> str | None:
    """Return the outermost folder above this one that has a policy, but none above one that stands alone."""
    folder_found, at = None, folder.rstrip("/")
    while at and not stands_alone(at):
        at = at.rpartition("/")[0]
        if at and has_policy(at):
            folder_found = at
    return folder_found


def stands_alone(folder: str) -> bool:
    """Return whether a person said that the policies around this folder do not hold in it."""
    try:
        return read_own(alone_path(folder), 64) == identity(folder)
    except OSError:
        return False


def alone_path(folder: str) -> str:
    """Return the file that says whether a folder stands alone."""
    return f"{state_folder()}/{ALONE}/{active_name(folder)}"


def identity(folder: str) -> bytes:
    """Return what tells a folder from another that is put in its place. Raises OSError."""
    status = posix.stat(folder)
    return b"%d:%d\n" % (status.st_dev, status.st_ino)


def exists(path: str) -> bool:
    """Return whether something stands there; an unreadable parent is no proof of absence."""
    try:
        posix.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return True


def make_folder(path: str) -> None:
    """Create a private folder with its parents, whatever the umask."""
    try:
        posix.mkdir(path, 0o700)
    except FileExistsError:
        return
    except FileNotFoundError:
        make_folder(path.rsplit("/", 1)[0])
        posix.mkdir(path, 0o700)
    posix.chmod(path, 0o700)
