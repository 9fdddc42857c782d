"""Read the settings of a policy folder from `policy.toml`; what is wrong is an error with its place and advice."""

from __future__ import annotations

import tomllib
from difflib import get_close_matches
from pathlib import Path

from pydantic import ValidationError

from policy_engine.loading.settings_source import read_source
from policy_engine.model.config import Settings
from policy_engine.model.errors import ConfigurationError
from policy_engine.state.places import SETTINGS_FILE


def read_settings(folder: Path) -> Settings:
    """The settings of a policy folder; the defaults if it has no file. Raises ConfigurationError."""
    path = folder / SETTINGS_FILE
    try:
        return Settings.model_validate(tomllib.loads(read_source(str(folder)).decode()))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigurationError(f"{path}: {error}") from None
    except ValidationError as error:
        raise ConfigurationError("; ".join(_problem(path, problem) for problem in error.errors())) from None


def _problem(path: Path, problem: object) -> str:
    assert isinstance(problem, dict)
    name = ".".join(map(str, problem["loc"]))
    if problem["type"] != "extra_forbidden":
        return f"{path}: `{name}`: {str(problem['msg']).lower()}"
    near = get_close_matches(name, Settings.model_fields, 1)
    advice = f"did you mean `{near[0]}`?" if near else f"known: {', '.join(Settings.model_fields)}"
    return f"{path}: unknown setting `{name}`; {advice}"
