"""A host's layer of settings ↔ what stands there, whatever form it has: a JSON file, executables, a plugin."""

from __future__ import annotations

from typing import Any

from policy_engine.adapters.base import Adapter
from policy_engine.hosts.layers import Layer
from policy_engine.hosts.own_files import read_own, write_own
from policy_engine.hosts.settings_file import SettingsFile, read_settings, restore_settings, write_settings

_OWN = ("scripts", "plugin")


def read_layer(adapter: Adapter, layer: Layer) -> SettingsFile:
    """Return what stands in a layer. Raises ConfigurationError."""
    form = adapter.registration.form
    if form in _OWN:
        names = tuple(event for event, _ in adapter.registration.events)
        return read_own(layer.path, layer.inside, names, form == "scripts")
    return read_settings(layer.path, layer.inside)


def write_layer(adapter: Adapter, file: SettingsFile, settings: dict[str, Any]) -> bool:
    """Make the layer say `settings`; true if it changed."""
    form = adapter.registration.form
    return write_own(file, settings, form == "scripts") if form in _OWN else write_settings(file, settings)


def restore_layer(adapter: Adapter, file: SettingsFile, settings: dict[str, Any]) -> bool:
    """The same; where the bytes from before the first registration say so, they come back."""
    form = adapter.registration.form
    return write_own(file, settings, form == "scripts") if form in _OWN else restore_settings(file, settings)
