"""A compiled Program ↔ files of the cache folder, read without importing a parser or even `os`.

`active/<digest of the policy folders' paths>` says which program is current, what its source files looked like, and
what is wrong with those of them that do not load; `kept/…` holds the last good sources of one folder.
`programs/<digest>/` holds one marshalled file per bucket and one with all rules, of which single ones are read by
offset. Files of another owner, or that others may write, are not read. Every part carries a checksum, looked at before
`marshal` is: damaged bytes can end the interpreter there. Whatever turns out to be damaged after the head was read is
compiled again from the sources (`Repair`). Imported by the hook path.

Freshness: a source file is taken as unchanged if device, inode, size, mtime and ctime are what they were and the ctime
lies before the moment of reading (a change in the same clock tick would go unseen); otherwise its bytes are read and
digested again. The ctime cannot be set by a program, so a forged mtime changes nothing (docs/decisions).
"""

from __future__ import annotations

import posix
from _blake2 import blake2b

from policy_engine.evaluators.base import Bucket, Program
from policy_engine.state.own_file import read_all
from policy_engine.state.sealed import CacheMiss, open_file, opened, read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    Repair = Callable[[], Program]

RACY_NS = 50_000_000  # a file changed less than this before it was read may change again unseen (coarse kernel clock)
OFFSET = 8  # bytes per entry of the offset table
ABSENT = -2  # the size of what is not there


class Head:
    """Describe the current program of the layers that meet in one workspace, as a file of `active/` does.

    `sources` are (path, dev, ino, size, mtime_ns, ctime_ns) of files and folders, folders with size -1, what is not
    there with size -2; `contents` (path, digest of the bytes) of the files. `errors` say what keeps newer sources out,
    `lacking` which layers are not in force at all.
    """

    __slots__ = (
        "bucket_of", "budgets", "contents", "digest", "effects", "errors", "facts", "folder", "lacking", "modes",
        "monitor_digest", "monitor_index", "monitors", "retained", "rules", "sources", "stateful", "taken", "verifies",
        "watch",
    )  # fmt: skip

    def __init__(self, parts: Sequence[Any]) -> None:
        (
            self.digest, self.folder, self.rules, self.monitors, self.monitor_digest, self.monitor_index, self.modes,
            self.facts, self.stateful, self.effects, self.budgets, self.watch, self.verifies, self.bucket_of,
            self.sources, self.taken, self.errors, self.lacking, self.contents, self.retained,
        ) = parts  # fmt: skip


def read_head(path: str) -> Head:
    """The head in file `path`. Raises CacheMiss."""
    try:
        return Head(opened(read_file(path)))
    except (ValueError, TypeError) as error:
        raise CacheMiss(f"{path}: {error}") from None


def _no_sources() -> Program:
    raise CacheMiss("the cache is damaged, and its sources are not at hand")


def look(path: str) -> tuple[Any, ...]:
    """As `signature`, but with size -2 if certainly nothing is there."""
    try:
        return signature(path)
    except CacheMiss:
        try:
            posix.stat(path)
        except (FileNotFoundError, NotADirectoryError):
            return (path, 0, 0, ABSENT, 0, 0)
        except OSError:
            pass
        raise


def signature(path: str) -> tuple[Any, ...]:
    """Return what a source file or folder looks like now. Raises CacheMiss if it cannot be looked at."""
    try:
        status = posix.stat(path)
    except OSError as error:
        raise CacheMiss(f"{path}: {error.strerror}") from None
    size = -1 if status.st_mode & 0o170000 == 0o040000 else status.st_size
    return (path, status.st_dev, status.st_ino, size, status.st_mtime_ns, status.st_ctime_ns)


def unchanged(head: Head) -> bool:
    """Return whether every source of the head certainly is what it was when it was read."""
    return as_it_was(head.sources, head.taken)


def as_it_was(sources: Sequence[Any], taken: int) -> bool:
    """Return whether all of these (`Head.sources`) certainly are what they were; one may have changed from `taken` on
    unseen, in ns."""
    newest = taken - RACY_NS
    try:
        return all(look(source[0]) == source and source[5] < newest for source in sources)
    except CacheMiss:
        return False


def same_bytes(head: Head) -> bool:
    """Return whether every file still holds the bytes that were read, whatever its times say (security R8)."""
    try:
        return all(digest_of(_bytes(path)) == digest for path, digest in head.contents)
    except OSError:
        return False


def digest_of(data: bytes) -> bytes:
    """The digest of a source file's bytes in `Head.contents`."""
    digest: bytes = blake2b(data, digest_size=32).digest()
    return digest


def _bytes(path: str) -> bytes:
    descriptor = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC | posix.O_NONBLOCK)
    try:
        return read_all(descriptor)
    finally:
        posix.close(descriptor)


def open_program(head: Head, names: dict[str, Any], repair: Repair = _no_sources) -> Program:
    """The Program of a head; buckets and rules are read when an event needs them.

    `repair` gives the same Program from its sources; it is called if a part turns out to be unreadable.
    """
    mended = _Mended(head.digest, repair)
    return Program(
        head.digest,
        head.rules,
        _Specs(f"{head.folder}/specs", mended),
        _Buckets(head, names, mended),  # type: ignore[arg-type]
        head.monitors,
        head.monitor_digest,
        head.monitor_index,
        head.modes,
        frozenset(head.facts),
        head.stateful,
        head.effects,
        head.budgets,
        head.watch,
        head.verifies,
        names,
        head.retained,
    )


class _Mended:
    """The Program of the sources, made once, for an entry that is damaged."""

    __slots__ = ("_digest", "_made", "_repair")

    def __init__(self, digest: str, repair: Repair) -> None:
        self._digest = digest
        self._repair = repair
        self._made: Program | None = None

    def program(self) -> Program:
        """Raises CacheMiss if the sources say something else by now: the numbers would not fit."""
        if self._made is None:
            self._made = self._repair()
        if self._made.digest != self._digest:
            raise CacheMiss("the cache is damaged and the policy changed meanwhile")
        return self._made


class _Buckets:
    """Return the bucket of a point and kind, read from its file the first time."""

    __slots__ = ("_head", "_made", "_mended", "_names")

    def __init__(self, head: Head, names: dict[str, Any], mended: _Mended) -> None:
        self._head = head
        self._names = names
        self._mended = mended
        self._made: dict[int, Bucket] = {}

    def get(self, place: tuple[str, str]) -> Bucket | None:
        number = self._head.bucket_of.get(place)
        if number is None:
            return None
        made = self._made.get(number)
        if made is None:
            try:
                source, tables, limits, hooks, uses = opened(read_file(f"{self._head.folder}/bucket.{number}"))
            except CacheMiss:
                return self._mended.program().bucket(*place)
            made = self._made[number] = Bucket(source, tables, limits, hooks, uses, self._names)
        return made


class _Specs:
    """Return the spec of a rule by its number, read by offset."""

    __slots__ = ("_descriptor", "_mended", "_path")

    def __init__(self, path: str, mended: _Mended) -> None:
        self._path = path
        self._mended = mended
        self._descriptor = -1

    def __call__(self, number: int) -> Sequence[Any]:
        try:
            return self._read(number)
        except CacheMiss:
            return self._mended.program().spec(number)

    def _read(self, number: int) -> Sequence[Any]:
        try:
            if self._descriptor < 0:
                self._descriptor = open_file(self._path)
            table = posix.pread(self._descriptor, 2 * OFFSET, OFFSET * number)
            start, end = int.from_bytes(table[:OFFSET], "little"), int.from_bytes(table[OFFSET:], "little")
            spec: Sequence[Any] = opened(posix.pread(self._descriptor, end - start, start))
        except (OSError, OverflowError, ValueError, MemoryError) as error:
            raise CacheMiss(f"{self._path}: {error}") from None
        return spec
