"""Hooks from YAML: what `policy migrate` makes of a user's configuration or of a repository's file."""

from __future__ import annotations

import json
from typing import Any

from policy_engine.conversion.document import Refused
from policy_engine.migrations.base import migrate


def migrated(config: dict[str, Any]) -> tuple[str, str]:
    """The policy that a file stands for, or why the file is refused."""
    try:
        return migrate("hooks-yaml", json.dumps(config), "hooks.yaml").policy_text, ""
    except Refused as problem:
        return "", str(problem)


def user(*items: dict[str, Any], **settings: Any) -> dict[str, Any]:
    """A user's configuration with these hooks."""
    return {"runtime": {"hooks": {**settings, "items": list(items)}}}


def repository(*items: dict[str, Any]) -> dict[str, Any]:
    """A repository's file with these hooks."""
    return {"hooks": {"items": list(items)}}


def attaches(point: str) -> bool:
    """Whether a user may attach a hook at a point."""
    return not migrated(user({"id": "x", "point": point, "kind": "command", "params": {"command": ["true"]}}))[1]
