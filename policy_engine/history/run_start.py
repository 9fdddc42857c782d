"""Keep how the repository stood when the run began, and say what differs from it now. Imported by the hook path.

Of what was committed the commit is kept, of each file with uncommitted changes the digests of its lines: no text. The
lines of a file are compared as a collection, so that a line that only moved is no change.
"""

from __future__ import annotations

from _blake2 import blake2b

from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Protocol

    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.filesystem.repository import Repository

    class Parts(Protocol):
        """The named values that a session keeps."""

        def get(self, name: str) -> Any: ...

        def __setitem__(self, name: str, value: Any) -> None: ...


_PART = "run start"
_DIGEST = 6  # bytes of a line's digest
_BINARY = 8000  # first bytes in which a NUL tells that a file has no lines, as git has it


def note_start(parts: Parts, turn: int, filesystem: FileSystem) -> None:
    """Keep how the repository stands in the run that a prompt began, the `turn`th; or why it is not known."""
    try:
        repository = filesystem.repository()
        commit, paths = repository.standing()
        kept: Any = (commit, {path: _lines(repository.read(path)) for path in paths})
    except Undecided as unknown:
        kept = (None, unknown.reasons)
    parts[_PART] = (turn, filesystem.workspace, *kept)


def differences(parts: Parts | None, turn: int, workspace: str | None, repository: Repository) -> tuple[int, int]:
    """Return how many files differ from the start of the run, and the lines added and removed.

    Raises:
        Undecided: the start was not seen, or git does not answer.
    """
    start = parts.get(_PART) if parts is not None else None
    if start is None or start[:2] != (turn, workspace):
        raise Undecided("how the repository stood when this run began was not seen; the next prompt is a start")
    commit, then = start[2:]
    if commit is None:
        raise Undecided(*then)
    counts, unknown = repository.changes(commit)
    counts = {path: lines for path, lines in counts.items() if path not in then}
    for path in unknown:
        if path not in then:
            counts[path] = len(_lines(repository.read(path))) // _DIGEST
    for path, before in then.items():
        now = _lines(repository.read(path))
        if now != before:
            counts[path] = _differing(before, now)
    return len(counts), sum(counts.values())


def _lines(data: bytes) -> bytes:
    """Return the digests of the lines, one after the other; of what has no lines a digest of the whole."""
    if b"\0" in data[:_BINARY]:
        return blake2b(data, digest_size=_DIGEST - 1).digest()
    return b"".join(blake2b(line, digest_size=_DIGEST).digest() for line in data.splitlines())


def _differing(before: bytes, now: bytes) -> int:
    """Return how many lines are in one of two collections and not in the other."""
    balance: dict[bytes, int] = {}
    for lines, step in ((before, -1), (now, 1)):
        for at in range(0, len(lines) - len(lines) % _DIGEST, _DIGEST):
            line = lines[at : at + _DIGEST]
            balance[line] = balance.get(line, 0) + step
    return sum(map(abs, balance.values()))
