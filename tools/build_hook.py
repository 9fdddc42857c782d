"""A wheel's build data → the same with `grammar/` and `rules/` inside the package, where `model/shipped.py` looks.

A static table in pyproject.toml would copy them into an editable installation too, where the copy grows stale.
"""

from __future__ import annotations

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SHIPPED = ("grammar", "rules")


class ShippedFilesHook(BuildHookInterface):  # type: ignore[misc,type-arg] # hatchling is there only while building
    """Adds what is shipped to a standard wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called once per build; `version` is `standard` or `editable`."""
        if version == "standard":
            build_data["force_include"] |= {name: f"policy_engine/shipped/{name}" for name in SHIPPED}
