"""Complain of two sets of policies that declare one id twice: they do not load together."""

from __future__ import annotations

from policy_engine.checker.tree import CheckedHook, CheckedLimit, CheckedMode, CheckedRule, CheckedVerify
from policy_engine.loading.loader import Loaded
from policy_engine.model.errors import ConfigurationError


def require_free(fresh: Loaded, present: Loaded) -> None:
    """Raise ConfigurationError for an id that is declared in both: they would not load together."""
    taken = {item.id: item.place.location for item in _declared(present)}
    for item in _declared(fresh):
        if item.id in taken:
            raise ConfigurationError(f"the id `{item.id}` is taken, at {taken[item.id]}; take another name")


def _declared(
    loaded: Loaded,
) -> tuple[CheckedRule | CheckedLimit | CheckedHook | CheckedMode | CheckedVerify, ...]:
    policy = loaded.policy
    assert policy is not None
    return (*policy.rules, *policy.limits, *policy.hooks, *policy.modes, *policy.verifies)
