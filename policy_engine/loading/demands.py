"""Check a repository for what stronger layers demand of it in their `policy.toml`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from policy_engine.loading.layered import Layer
from policy_engine.model.errors import ConfigurationError
from policy_engine.model.layers import REPOSITORY
from policy_engine.state.places import ORGANISATION_FOLDER, SETTINGS_FILE, config_folder


def demanded(layers: Iterable[Layer]) -> tuple[str, ...]:
    """Return what is demanded and not there, a sentence each; settings that cannot be read demand everything."""
    in_force = {layer.name for layer in layers if layer.loaded is not None}
    items = []
    for folder in (ORGANISATION_FOLDER, config_folder()):
        path = f"{folder}/{SETTINGS_FILE}"
        if not Path(path).exists():
            continue
        from policy_engine.loading.settings import read_settings

        try:
            required = read_settings(Path(folder)).require_repository_policy
        except ConfigurationError as problem:
            items.append(str(problem))
            continue
        if required and REPOSITORY not in in_force:
            items.append(f"{path} requires a policy in every repository; `policy init` writes one")
    return tuple(items)
