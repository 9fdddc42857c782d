"""Hold a server to the definitions of its tools that a person knows: lists are compared, changed tools are refused."""

from __future__ import annotations

import threading
from typing import Any

from policy_engine.adapters.base import visible
from policy_engine.consent.tool_definitions import Definitions
from policy_engine.integrations.base import LOG
from policy_engine.model.errors import ConfigurationError


class Pins:
    """The definitions of one server as this process knows them; both directions may ask at the same time."""

    def __init__(self, workspace: str, server: str) -> None:
        self._kept = Definitions(workspace, server)
        self._changed: set[str] = set()
        self._unread = ""
        self._lock = threading.Lock()

    def see(self, result: dict[str, Any]) -> bool:
        """Compare what a server lists, and take the words of changed tools out of it; whether anything was."""
        tools = result.get("tools")
        listed = [tool for tool in tools if type(tool) is dict] if type(tools) is list else []
        if not listed:
            return False
        with self._lock:
            self._read()
            seen = self._kept.see(listed)
            names = {str(tool.get("name")) for tool in listed}
            self._changed = (self._changed - names) | (names if self._unread else seen)
            if not self._unread:
                self._write()
        for tool in listed:
            if str(tool.get("name")) in self._changed:
                name = tool["name"]
                tool.clear()
                tool |= {"name": name, "description": self._sentence(name), "inputSchema": {"type": "object"}}
        return bool(self._changed & names)

    def objection(self, name: str) -> str:
        """Return why a tool must not be called, "" if its definition is the one that is known."""
        with self._lock:
            if name not in self._changed:
                return ""
            self._read()
            if not self._unread and name not in self._kept.offered:
                self._changed.discard(name)
                return ""
            return self._sentence(name)

    def _sentence(self, name: str) -> str:
        shown, server = visible(str(name)[:80]), visible(self._kept.server[:80])
        why = f"what was is not to be believed ({self._unread})" if self._unread else "its definition changed"
        return (
            f"The tool `{shown}` is not the one that was agreed to: {why}. Do without it, and ask a person to look at"
            f" the change with `policy mcp --agree {server}`."
        )

    def _read(self) -> None:
        try:
            self._kept.read()
            self._unread = ""
        except ValueError as reason:
            self._unread = str(reason)
        except ConfigurationError as reason:
            LOG.warning("definitions of tools are not kept: %s", reason)

    def _write(self) -> None:
        try:
            self._kept.write()
        except (OSError, ConfigurationError) as reason:
            LOG.warning("definitions of tools are not kept: %s", reason)
