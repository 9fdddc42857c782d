"""The fixture `policy` of the commands, for what their options export."""

from __future__ import annotations

from tests.unit.commands.conftest import policy

__all__ = ["policy"]
