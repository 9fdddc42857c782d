"""Keep the definitions of a server's tools as they were first seen, and tell which are others now.

A server may describe a tool in one way when it is installed and in another way later. What is written in a tool's
definition reaches the model, so a change is a person's to agree to.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any

from policy_engine.model.errors import EventError
from policy_engine.model.strict_json import read_json, write_json
from policy_engine.state.own_file import PRIVATE, read_own, replace_own
from policy_engine.state.places import active_name, make_folder, state_folder

FOLDER = "mcp"
TOOLS = 4096  # of one server
_PARTS = ("name", "title", "description", "inputSchema", "outputSchema", "annotations")
_MOST = 8 << 20  # bytes of a file


@dataclass(slots=True)
class Definitions:
    """The tools of one server in one workspace: `agreed` maps a name to the digest of its definition, `offered` one
    that is another now to the definition that waits for a person."""

    workspace: str
    server: str
    agreed: dict[str, str] = field(default_factory=dict)
    offered: dict[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def file(self) -> Path:
        """Return where they are kept. Raises ConfigurationError without a home."""
        return Path(state_folder(), FOLDER, f"{active_name(self.workspace, self.server)}.json")

    def read(self) -> None:
        """Take what is kept; nothing if nothing is. Raises ValueError if the file is not to be believed."""
        try:
            data = read_own(str(self.file), _MOST, PRIVATE)
        except FileNotFoundError:
            return
        except OSError as error:
            raise ValueError((error.strerror or "it cannot be read").lower()) from None
        try:
            document = read_json(data)
            agreed, offered = document["agreed"], document["offered"]
            if not all(type(digest) is str for digest in agreed.values()):
                raise TypeError
            if not all(type(definition) is dict for definition in offered.values()):
                raise TypeError
        except (EventError, KeyError, TypeError, AttributeError):
            raise ValueError("it is damaged") from None
        self.agreed, self.offered = agreed, offered

    def write(self) -> None:
        """Keep them. Raises OSError."""
        make_folder(str(self.file.parent))
        kept = {"workspace": self.workspace, "server": self.server, "agreed": self.agreed, "offered": self.offered}
        replace_own(str(self.file), write_json(kept))

    def see(self, tools: list[dict[str, Any]]) -> set[str]:
        """Take in a list that the server gives; the names of those that are not what was agreed to.

        A tool that was never seen is agreed to as it is.
        """
        changed: set[str] = set()
        for tool in tools[:TOOLS]:
            name, digest = str(tool.get("name")), digest_of(tool)
            if self.agreed.setdefault(name, digest) != digest:
                changed.add(name)
                self.offered[name] = definition_of(tool)
            elif name not in changed:
                self.offered.pop(name, None)
        return changed | {str(tool.get("name")) for tool in tools[TOOLS:]}

    def agree(self) -> None:
        """Agree to everything that is offered."""
        self.agreed |= {name: digest_of(tool) for name, tool in self.offered.items()}
        self.offered = {}


def definition_of(tool: dict[str, Any]) -> dict[str, Any]:
    """Return what of a tool reaches a model or decides what it does."""
    return {part: tool[part] for part in _PARTS if part in tool}


def digest_of(tool: dict[str, Any]) -> str:
    """Return a digest of a tool's definition; the order of its keys is no part of it."""
    return blake2b(write_json(_sorted(definition_of(tool))), digest_size=16).hexdigest()


def _sorted(value: Any) -> Any:
    if type(value) is dict:
        return {key: _sorted(value[key]) for key in sorted(value)}
    return [_sorted(each) for each in value] if type(value) is list else value
