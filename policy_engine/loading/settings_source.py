"""Read the bytes of a layer's `policy.toml`, and of it the one setting that a hook process needs.

Imported by the hook path.
"""

from __future__ import annotations

import posix

from policy_engine.model.errors import ConfigurationError
from policy_engine.model.store_address import SQLITE, fault_of
from policy_engine.state.own_file import read_all
from policy_engine.state.places import ORGANISATION_FOLDER, SETTINGS_FILE, config_folder, sessions_path

MOST_BYTES = 64 * 1024


def read_source(folder: str) -> bytes:
    """Return what the settings file of a policy folder holds, nothing if there is none.

    Raises ConfigurationError if it cannot be read or is not to be believed.
    """
    data, status = _read(folder)
    if status is not None:
        _believe(folder, status)
    return data


def _read(folder: str) -> tuple[bytes, posix.stat_result | None]:
    path = f"{folder}/{SETTINGS_FILE}"
    try:
        file = posix.open(path, posix.O_RDONLY | posix.O_NONBLOCK | posix.O_CLOEXEC)
    except FileNotFoundError:
        return b"", None
    except OSError as error:
        raise _unreadable(path, error) from None
    try:
        data, status = read_all(file, MOST_BYTES + 1), posix.fstat(file)
    except OSError as error:
        raise _unreadable(path, error) from None
    finally:
        posix.close(file)
    if len(data) > MOST_BYTES:
        raise ConfigurationError(f"`{path}` has more than {MOST_BYTES} bytes")
    return data, status


def _believe(folder: str, status: posix.stat_result) -> None:
    from policy_engine.loading.ownership import distrust, owners_for

    reason = distrust(status, owners_for(folder))
    if reason:
        raise ConfigurationError(f"`{folder}/{SETTINGS_FILE}` is not believed: {reason}")


def _unreadable(path: str, error: OSError) -> ConfigurationError:
    return ConfigurationError(f"cannot read `{path}`: {(error.strerror or 'unknown error').lower()}")


def store_place() -> str:
    """Return where the hooks of this user keep sessions: the path of a file, or the address of a server.

    The organisation says it, else the user, else it is the file in the state folder; never a repository, which could
    send a session's past elsewhere or choose an empty one. Raises ConfigurationError.
    """
    for folder in (ORGANISATION_FOLDER, config_folder()):
        chosen = _chosen(folder)
        if chosen:
            return sessions_path() if chosen == SQLITE else chosen
    return sessions_path()


def _chosen(folder: str) -> str:
    data, status = _read(folder)
    if status is None or (b"store" not in data and b"\\" not in data):  # a key may be written with escapes
        return ""
    _believe(folder, status)
    from tomllib import TOMLDecodeError, loads

    path = f"{folder}/{SETTINGS_FILE}"
    try:
        chosen = loads(data.decode()).get("store", "")
    except (UnicodeDecodeError, TOMLDecodeError) as error:
        raise ConfigurationError(f"{path}: {error}") from None
    fault = "should be a string" if type(chosen) is not str else chosen and fault_of(chosen)
    if fault:
        raise ConfigurationError(f"{path}: `store`: {fault}")
    return str(chosen)
