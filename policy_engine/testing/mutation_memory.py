"""Keep what became of the mutants of a rule or limit in the cache folder, until something of it changes.

That is the text of the files that can see it, of what these can see, and the engine itself. An entry that cannot be
read or written is made anew.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from hashlib import blake2b
from pathlib import Path

import policy_engine
from policy_engine.model.errors import ConfigurationError
from policy_engine.state.own_file import replace_own
from policy_engine.state.places import active_name, cache_folder, make_folder
from policy_engine.state.sealed import CacheMiss, opened, read_file, sealed
from policy_engine.testing.mutants import Mutated
from policy_engine.testing.runner import Suite


@dataclass(slots=True)
class Memory:
    """Of mutants, by their number: whether a test noticed it, and the outcome of comparing it with the missing test.

    `path` is empty where there is no cache folder.
    """

    path: str
    state: bytes
    noticed: dict[int, bool] = field(default_factory=dict)
    compared: dict[int, tuple[str, str]] = field(default_factory=dict)

    def keep(self) -> None:
        """Write it, if it can be written."""
        with suppress(OSError):
            if not self.path:
                return
            make_folder(os.path.dirname(self.path))
            replace_own(self.path, sealed((self.state, self.noticed, self.compared)))


def memory_of(item: Mutated, suite: Suite) -> Memory:
    """Return what is known of an item's mutants, nothing if anything changed since."""
    memory = Memory("", _state(item.place.source.name, suite))
    name = active_name(os.path.realpath(item.place.source.name), type(item).__name__, item.id)
    with suppress(ConfigurationError, CacheMiss, ValueError, TypeError):
        memory.path = f"{cache_folder()}/mutants/{name}"
        state, noticed, compared = opened(read_file(memory.path))
        if state == memory.state:
            memory.noticed, memory.compared = dict(noticed), dict(compared)
    return memory


def _state(name: str, suite: Suite) -> bytes:
    files = {name, *(file for file, seen in suite.sees.items() if name in seen)}
    seen = sorted(files.union(*(suite.sees.get(file, frozenset()) for file in files)))
    texts = {source.name: source.text for source in suite.policy.sources}
    parts = [_engine(), *(part for file in seen for part in (file, texts.get(file, "")))]
    tested = [file for file in seen if file in suite.files]
    return blake2b("\0".join((*parts, *tested)).encode("utf-8", "surrogateescape"), digest_size=16).digest()


@cache
def _engine() -> str:
    """Return what changes with the engine's own files."""
    return "\n".join(sorted(_files()))


def _files() -> Iterator[str]:
    for path in Path(policy_engine.__file__).parent.rglob("*.*"):
        if path.suffix != ".pyc":
            status = path.stat()
            yield f"{path} {status.st_size} {status.st_mtime_ns}"
