"""Add the advice of the lints to what loading a policy found; `policy check` and the language server both ask here."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import replace
from datetime import datetime
from difflib import get_close_matches
from pathlib import Path

from policy_engine.adapters.base import Adapter
from policy_engine.lints.base import Context, lints, run_all
from policy_engine.loading.acknowledgements import Acknowledgement, acknowledge
from policy_engine.loading.loader import Loaded
from policy_engine.loading.messages import unusable_settings
from policy_engine.loading.settings import read_settings
from policy_engine.loading.settings_source import read_source
from policy_engine.loading.sources import PACK, policies_below
from policy_engine.model.config import Settings
from policy_engine.model.diagnostic import Diagnostic
from policy_engine.model.errors import ConfigurationError
from policy_engine.model.source import Source, Span
from policy_engine.state.places import REPOSITORY_FOLDER, SETTINGS_FILE

_NOT_ITS_OWN = "`store` is a setting of the organisation or the user; a repository does not say where its past is"


def advise(loaded: Loaded, today: datetime, host: Adapter | None = None) -> tuple[list[Diagnostic], Counter[str]]:
    """Return all findings of a policy without errors, and how many more are acknowledged where.

    Of a shipped pack only its author can make use of advice.

    Args:
        loaded: the policy set.
        today: the day that waivers are held against, UTC.
        host: the coding agent that the policy is held against.
    """
    assert loaded.policy is not None
    own = {Path(item.path): item.tree for item in loaded.parsed if not item.name.startswith(PACK)}
    repository, known = _repository(own), {lint.code for lint in lints()}
    settings, aside, faults = Settings(), list[Acknowledgement](), list[Diagnostic]()
    if repository is not None:
        settings, aside, faults = _settings(repository / REPOSITORY_FOLDER, known)
    timeout = settings.host_timeout_seconds * 1000
    found = run_all(Context(loaded.policy, repository, today.date(), timeout, host))
    advice = [finding for finding in found if not finding.source.name.startswith(PACK)]
    if repository is not None and aside and not set(policies_below(repository / REPOSITORY_FOLDER)) <= own.keys():
        for each in aside:
            each.used = True  # the finding may be in a file that is not checked
    trees = [tree for tree in own.values() if tree is not None]
    kept, counts = acknowledge([*loaded.diagnostics, *advice], trees, known, aside)
    return [*kept, *faults], counts


def _settings(folder: Path, known: Collection[str]) -> tuple[Settings, list[Acknowledgement], list[Diagnostic]]:
    """Return what a repository sets, what that acknowledges, and what is wrong with it."""
    name = os.fspath(folder / SETTINGS_FILE)
    try:
        source = Source(name, read_source(os.fspath(folder)).decode("utf-8", "replace").replace("\r\n", "\n"))
        settings = read_settings(folder)
    except ConfigurationError as error:
        return Settings(), [], [unusable_settings(Source(name, ""), Span(0, 0), str(error).removeprefix(f"{name}: "))]
    faults = (
        [unusable_settings(source, _span(source, "store"), _NOT_ITS_OWN)]
        if "store" in settings.model_fields_set
        else []
    )
    aside = []
    for code in settings.check.ignore:
        span = _span(source, code)
        if code in known:
            aside.append(Acknowledgement(source, span, code, None, f"by `{name}`"))
            continue
        near = get_close_matches(code, known, 1)
        advice = f"did you mean `{near[0]}`?" if near else "`policy explain-code` lists them"
        faults.append(replace(unusable_settings(source, span, f"`check.ignore`: `{code}` is no lint"), help=advice))
    return settings, aside, faults


def _span(source: Source, key: str) -> Span:
    """Return where a key of TOML stands; the beginning where it is written in an unusual way."""
    found = re.search(rf"^[^#\n]*?(?<![\w-])({re.escape(key)})[\"']?\s*=", source.text, re.M)
    return Span(*found.span(1)) if found else Span(0, 0)


def _repository(own: Iterable[Path]) -> Path | None:
    """The folder around `.policy`, if all files are of one; other policies are not written for this repository."""
    roots = {next((folder.parent for folder in path.parents if folder.name == REPOSITORY_FOLDER), None) for path in own}
    return roots.pop() if len(roots) == 1 else None
