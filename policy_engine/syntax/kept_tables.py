"""Keep the tables that lark made of the grammar in the cache folder: making them takes half a second.

A cache that cannot be read or written costs that time and nothing else.
"""

from __future__ import annotations

import contextlib
from hashlib import sha256
from typing import Any

from policy_engine.model.errors import ConfigurationError
from policy_engine.state.own_file import replace_own
from policy_engine.state.places import cache_folder, make_folder
from policy_engine.state.sealed import CacheMiss, opened, read_file, sealed

NAME = "grammar"


def read(text: str) -> Any:
    """Return what was kept for this text; None if there is nothing."""
    try:
        digest, value = opened(read_file(f"{cache_folder()}/{NAME}"))
    except (CacheMiss, ConfigurationError, ValueError, TypeError):
        return None
    return value if digest == _digest(text) else None


def write(text: str, value: Any) -> None:
    """Keep a value for this text, whole or not at all."""
    with contextlib.suppress(OSError, ConfigurationError):
        folder = cache_folder()
        make_folder(folder)
        replace_own(f"{folder}/{NAME}", sealed((_digest(text), value)))


def _digest(text: str) -> bytes:
    return sha256(text.encode()).digest()
