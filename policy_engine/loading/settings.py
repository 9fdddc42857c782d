"""Read the settings of a policy folder from `policy.toml`; what is wrong is an error with its place and advice."""

from __future__ import annotations

import os
import tomllib
from difflib import get_close_matches
from pathlib import Path

from pydantic import ValidationError

from policy_engine.loading.ownership import distrust, owners_for
from policy_engine.model.config import Settings
from policy_engine.model.errors import ConfigurationError
from policy_engine.state.places import SETTINGS_FILE

MOST_BYTES = 64 * 1024


def read_settings(folder: Path) -> Settings:
    """The settings of a policy folder; the defaults if it has no file. Raises ConfigurationError."""
    path = folder / SETTINGS_FILE
    data = b""
    try:
        with open(path, "rb", opener=_opened) as file:
            reason = distrust(os.fstat(file.fileno()), owners_for(str(folder)))
            if reason:
                raise ConfigurationError(f"`{path}` is not believed: {reason}")
            data = file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        pass
    except OSError as error:
        raise ConfigurationError(f"cannot read `{path}`: {(error.strerror or 'unknown error').lower()}") from None
    if len(data) > MOST_BYTES:
        raise ConfigurationError(f"`{path}` has more than {MOST_BYTES} bytes")
    try:
        return Settings.model_validate(tomllib.loads(data.decode()))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigurationError(f"{path}: {error}") from None
    except ValidationError as error:
        raise ConfigurationError("; ".join(_complaint(path, found) for found in error.errors())) from None


def _opened(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK | os.O_CLOEXEC)


def _complaint(path: Path, found: object) -> str:
    assert isinstance(found, dict)
    name = ".".join(map(str, found["loc"]))
    if found["type"] != "extra_forbidden":
        return f"{path}: `{name}`: {str(found['msg']).lower()}"
    near = get_close_matches(name, Settings.model_fields, 1)
    advice = f"did you mean `{near[0]}`?" if near else f"known: {', '.join(Settings.model_fields)}"
    return f"{path}: unknown setting `{name}`; {advice}"
