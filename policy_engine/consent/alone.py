"""Keep the list of repositories in which, by a person's word, the policies of repositories around them do not hold.

A record lies in the state folder, one file per folder; `state/places.py` reads it for every event.
"""

from __future__ import annotations

import os

from policy_engine.consent.closure import below
from policy_engine.model.errors import ConfigurationError, StoreError
from policy_engine.state.own_file import check_folder, replace_own
from policy_engine.state.places import alone_path, around, identity, make_folder, state_folder


def let_stand_alone(folder: str) -> None:
    """Record that a folder, which is a real path, stands alone. Raises ConfigurationError."""
    if below(os.path.realpath(state_folder()), folder):
        raise ConfigurationError("the state folder lies in the workspace, which has no say in its own trust")
    path = alone_path(folder)
    try:
        make_folder(os.path.dirname(path))
        check_folder(path)
        replace_own(path, identity(folder), sync=True)
    except StoreError as error:
        raise ConfigurationError(f"it cannot be recorded: {error}") from None
    except OSError as error:
        raise ConfigurationError(f"it cannot be recorded: {(error.strerror or str(error)).lower()}") from None


def remove_alone(folder: str) -> bool:
    """Let the policies around a folder hold in it again; return whether they did not. Raises ConfigurationError."""
    try:
        os.unlink(alone_path(folder))
    except FileNotFoundError:
        return False
    except OSError as error:
        raise ConfigurationError(f"the record cannot be removed: {(error.strerror or str(error)).lower()}") from None
    return True


def outer_of(folder: str) -> str:
    """Return the repository whose policies hold in a folder beside its own. Raises ConfigurationError if none do."""
    outer = around(folder)
    if outer is None:
        raise ConfigurationError(f"no policies from around hold in `{folder}`: it stands alone")
    return outer
