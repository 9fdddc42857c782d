"""Add the advice of the lints to what loading a policy found; `policy check` and the language server both ask here."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from policy_engine.adapters.base import Adapter
from policy_engine.lints.base import Context, lints, run_all
from policy_engine.loading.acknowledgements import acknowledge
from policy_engine.loading.loader import Loaded
from policy_engine.loading.settings import read_settings
from policy_engine.loading.sources import PACK
from policy_engine.model.config import Settings
from policy_engine.model.diagnostic import Diagnostic
from policy_engine.model.errors import ConfigurationError
from policy_engine.state.places import REPOSITORY_FOLDER, SETTINGS_FILE

_NOT_ITS_OWN = "{}: `store` is a setting of the organisation or the user; a repository does not say where its past is"


def advise(loaded: Loaded, today: datetime, host: Adapter | None = None) -> tuple[list[Diagnostic], int]:
    """Return all findings of a policy without errors, and how many more a comment acknowledges.

    Of a shipped pack only its author can make use of advice.

    Args:
        loaded: the policy set.
        today: the day that waivers are held against, UTC.
        host: the coding agent that the policy is held against.
    """
    assert loaded.policy is not None
    repository = _repository(loaded)
    settings = read_settings(repository / REPOSITORY_FOLDER) if repository is not None else Settings()
    if "store" in settings.model_fields_set:
        raise ConfigurationError(_NOT_ITS_OWN.format(f"{repository}/{REPOSITORY_FOLDER}/{SETTINGS_FILE}"))
    timeout = settings.host_timeout_seconds * 1000
    diagnostics = run_all(Context(loaded.policy, repository, today.date(), timeout, host))
    own = [finding for finding in diagnostics if not finding.source.name.startswith(PACK)]
    files = [item.tree for item in loaded.parsed if item.tree is not None and not item.name.startswith(PACK)]
    return acknowledge([*loaded.diagnostics, *own], files, {lint.code for lint in lints()})


def _repository(loaded: Loaded) -> Path | None:
    """The folder around `.policy`, if all files are of one; other policies are not written for this repository."""
    own = [Path(item.path) for item in loaded.parsed if not item.name.startswith(PACK)]
    roots = {next((folder.parent for folder in path.parents if folder.name == REPOSITORY_FOLDER), None) for path in own}
    return roots.pop() if len(roots) == 1 else None
