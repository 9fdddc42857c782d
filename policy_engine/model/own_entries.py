"""Recognise what acts in the place of the host: it starts the engine, speaks to a resident one, or reads its secrets.

Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.partial import shown
from policy_engine.model.store_address import SESSIONS_FILE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_SCRIPTS = ("hook", "serve", "__main__")
ENTRIES = ("/policy_engine", *(f"/policy_engine/{name}.py" for name in _SCRIPTS))
"""Ends of the paths that an interpreter runs as the engine: its scripts, and the folder itself."""
_MODULES = (*_SCRIPTS, "bootstrap", "cli", "commands", "hook_process", "loading", "runtime", "serving", "stores")
_SOCKET = "/policy-engine/serve/socket"
DISTRIBUTION = "policy-engine"
DEPENDENCIES = frozenset("click google-re2 lark pyahocorasick pydantic pydantic-core pyyaml rich watchdog".split())
"""What the engine depends on, by the names of the registry: pyproject.toml says it, a test compares."""
SECRETS = ("serve/token", "redaction.salt", f"{SESSIONS_FILE}.key")
"""Files of the state folder that hold a secret of the engine."""
_SECRETS = tuple(f"/policy-engine/{name}" for name in SECRETS)
_TYPES = ("TIOCSTI", "0x5412")  # puts characters into the input of a terminal, as if a person had typed them
_AROUND = ("/policy-engine", "/policy-engine/serve")
_NAMING = ("ln", "link", "cp", "install", "rsync", "mv", "dd")
_COMMANDS = ("/bin/policy", "/shims/policy")
_PIPES = ("nc", "ncat", "netcat", "socat", "telnet")
_DOOR = "7411"  # the port at which the documentation puts `policy serve --http`


def names_engine(code: str) -> bool:
    """Return whether code names a part of the engine that decides: module, file, or address at its door."""
    if "policy_engine" in code and any(
        f"policy_engine{mark}{name}" in code for name in _MODULES for mark in (".", "/", " import ")
    ):
        return True
    if any(name in code for name in _TYPES):
        return True
    if not _may_be_door(code):
        return False
    texts = "".join(" " if char in "\"'`(),;" else char for char in code).split()
    return any(map(_is_door, texts))


def holds_secrets(path: str, recursive: bool) -> bool:
    """Return whether reading there gives a secret of the engine: the token of its door, the key of what it redacts."""
    return path.endswith(_SECRETS) or (recursive and path.endswith(_AROUND) and "/.config/" not in path)


def speaks_to_engine(program: str, words: Iterable[str], connects: bool = True) -> bool:
    """Return whether words of a command lead to the socket of the resident engine or to a hook's address at its door,
    or give a script or the command of the engine another name.

    `connects`: it may speak to other programs, so that an address is more than a text.
    """
    for word in map(shown, words):
        if program in _NAMING and word.endswith((*ENTRIES[1:], *_COMMANDS)):
            return True
        if _SOCKET in word or (program in _PIPES and _DOOR in word.replace(":", " ").split()):
            return True
        if connects and _may_be_door(word) and _is_door(word.partition("=")[2] if word[:1] == "-" else word):
            return True
    return False


def _may_be_door(text: str) -> bool:
    return "hook/" in text or "decide" in text


def _is_door(text: str) -> bool:
    """Return whether an address is one of the door of a resident engine of this machine."""
    from policy_engine.model.addresses import parse_address

    address = parse_address(text)
    path = address.path.lower()
    door = path.startswith("hook/") or path.partition("?")[0] == "decide"
    return door and address.port > 0 and address.kind == "loopback"
