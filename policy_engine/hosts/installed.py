"""Find the coding agents whose settings call the hook."""

from __future__ import annotations

from pathlib import Path

from policy_engine.adapters.base import Adapter
from policy_engine.hosts.addresses import addressed
from policy_engine.hosts.layers import layers
from policy_engine.hosts.registered import read_layer
from policy_engine.hosts.registration import handlers
from policy_engine.model import family
from policy_engine.model.errors import ConfigurationError


def installed_hosts(project: Path) -> list[Adapter]:
    """Return the hosts in whose settings, of the user or of a project, the hook is registered."""
    return [host for host in family.members("policy_engine.adapters", Adapter) if _registered(host, project)]


def calling_hosts(project: Path) -> list[Adapter]:
    """Return the hosts whose settings call the hook in whatever way, or hold what nobody can read."""
    return [host for host in family.members("policy_engine.adapters", Adapter) if _may_call(host, project)]


def _may_call(host: Adapter, project: Path) -> bool:
    for layer in layers(host.registration, project):
        try:
            settings = read_layer(host, layer).settings
            if any(handlers(settings, host)) or any(addressed(settings, host)):
                return True
        except ConfigurationError:
            return True
    return False


def _registered(host: Adapter, project: Path) -> bool:
    try:
        return any(
            any(handlers(read_layer(host, layer).settings, host)) for layer in layers(host.registration, project)
        )
    except ConfigurationError:
        return False
