"""The filesystem: `Disk`, the real one, and `Virtual`, the one of the tests of a policy.

Both have one interface, `FileSystem`. A question without a certain answer is Undecided; nothing falls back to the raw
string. A link may be swapped after the decision: `after_tool` looks again, more cannot be done. On the hook path.
"""

from __future__ import annotations

import posix

from policy_engine.filesystem.glob_components import component_may_be
from policy_engine.filesystem.globs import glob_covers, glob_matches, needs_home
from policy_engine.filesystem.paths import PathValue, absolute_text, below, components, decoded, encoded, fold, under
from policy_engine.filesystem.walk import (
    MISSING,
    entries_below,
    files_below,
    folds_case,
    kind,
    leads_nowhere,
    links_in,
    read_all,
    too_large,
    unknown,
    walk,
)
from policy_engine.model.limits import READ_BYTES
from policy_engine.model.partial import (
    LOOSE,
    LOOSE_NUMBER,
    LOOSE_VISIBLE,
    MANY,
    ONE,
    PIECE,
    SETTLED,
    as_pattern,
    is_component,
    is_known,
    shown,
)
from policy_engine.model.undecided import ABSENT, Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from policy_engine.filesystem.repository import Repository
    from policy_engine.model.ancestors import Process
    from policy_engine.model.undecided import _Absent


class FileSystem:
    """The base of both filesystems: containment and globs, on canonical paths.

    `workspace` and `home` are as given (None: not sent); `real_workspace` and `real_home` canonical. `lines` keeps what
    was read of shell lines, where nothing that a line says depends on a disk that changes; None: nothing is kept.
    """

    __slots__ = ("workspace", "home", "lines", "permutes", "_real_workspace", "_real_home")

    def __init__(self, workspace: str | None, home: str | None) -> None:
        self.workspace = workspace
        self.home = home
        self.lines: dict[object, Any] | None = None
        self.permutes = True  # whether programs find options behind operands, as GNU's do
        self._real_workspace: str | None = None
        self._real_home: str | None = None

    @property
    def real_workspace(self) -> str:
        """The canonical workspace. Raises Undecided if the host did not send one or it cannot be resolved."""
        if self._real_workspace is None:
            if self.workspace is None:
                raise Undecided("`workspace` was not sent")
            self._real_workspace = self.resolve(self.workspace, None).real
        return self._real_workspace

    @property
    def real_home(self) -> str:
        """The canonical home folder. Raises Undecided if it is not known."""
        if self._real_home is None:
            self._real_home = self.resolve("~", None).real
        return self._real_home

    def project(self, text: str) -> PathValue:
        """The workspace of rules. Raises Undecided where being inside says nothing: in the root, in the home folder."""
        place = self.resolve(text, "/")
        if place.real == "/" or (self.home and place.real == self.real_home):
            raise Undecided(f"the workspace `{text[:200]}` is the root or the home folder, not a project's")
        return place

    @property
    def folds_case(self) -> bool:
        """Return whether `A` and `a` name one file."""
        return False

    def resolve(self, text: str, cwd: str | None, follow: bool = True) -> PathValue:
        """The canonical absolute path of `text`, read from `cwd`.

        Links are followed on the deepest existing ancestor, the missing rest is appended; `..` goes up physically.
        Without `follow` a link in the last place stays itself (what `rm` and `mv` act on). Raises Undecided.
        """
        target = absolute_text(text, cwd, self.home)
        follow = follow or text.endswith(("/", "/.", "/..")) or text in ("~", ".", "..")
        return PathValue(text, self._canonical(target, follow))

    def loose(self, text: str, cwd: str | None, opened: bool = False) -> str:
        """Return where a path lies in which parts of names are not known, with marks for those.

        Args:
            text: the path.
            cwd: the folder that it is relative to.
            opened: it is only opened, so that no folder on the way is made: where none begins as the last name does,
                what follows that beginning leads into none.

        Raises:
            Undecided: a part may be more than a name, a name may be a link that is there, or the folder is not known.
        """
        parts = text.split("/")
        first = next((place for place, part in enumerate(parts) if not is_known(part)), len(parts))
        rest = [part for part in parts[first:] if part not in ("", ".")]
        begins = opened and len(rest) == 1 and rest[0].partition("\0")[0].strip(".") and MANY not in rest[0]
        if not begins and (
            not all(part != ".." if is_known(part) else is_component(part) for part in rest) or not rest
        ):
            raise Undecided(f"what `{shown(text)[:80]}` stands for is not known")
        folder = self.resolve("/".join(parts[:first]) or ("/" if text[:1] == "/" else "."), cwd)
        name = as_pattern(f"{rest[0].partition(ONE)[0]}{PIECE}" if begins else rest[0])
        for one in self.names(folder):
            if component_may_be(one, name):
                status = self.look(PathValue(one, f"{folder.real.rstrip('/')}/{one}"))
                kind = status[0] if isinstance(status, tuple) else ""
                if len(rest) > 1 or kind == "link" or (begins and kind == "folder"):
                    raise Undecided(f"`{shown(text)[:80]}` may be `{one[:80]}`, which is there")
        return f"{folder.real.rstrip('/')}/{'/'.join(map(as_pattern, rest))}"

    def line(self, text: str) -> str:
        """A shell line as the shell of this system reads it."""
        return text

    def folded(self, real: str) -> str:
        """A canonical path as it is compared: where `A` and `a` name one file, so do the forms of `é`."""
        return fold(real) if self.folds_case else real

    def relative(self, path: PathValue) -> str | None:
        """The path below the workspace with `/` between, "" for the workspace itself, None outside."""
        return self._below_workspace(path.real)

    def _below_workspace(self, real: str) -> str | None:
        root = self.real_workspace
        if self.folds_case and len(fold(real)) == len(real):
            inside, same = below(fold(real), fold(root)), fold(real) == fold(root)
        else:
            inside, same = below(real, root), real == root
        if same:
            return ""
        return real[len(root.rstrip("/")) + 1 :] if inside else None

    def matches(self, pattern: tuple[tuple[str, ...], tuple[str, ...]], path: PathValue) -> bool:
        """Return whether a glob pattern matches the path, and all below it if the path is meant recursively.

        Raises:
            Undecided: something of a recursive path may match and something may not, and no part of it is asked for.
        """
        if path.loose:
            return self._matches_loose(pattern, path)
        if not path.recursive:
            return self.may_match(pattern, path)
        if path.part != "any" and self.covers(pattern, path):
            return True
        if path.part == "every" or not self.may_match(pattern, path):
            return False
        if path.access == "delete" and not self.may_hold(pattern, path):
            return False
        if path.part == "any":
            return True
        raise Undecided(f"some of `{path.text[:200]}` may match, and some may not")

    def _matches_loose(self, pattern: tuple[tuple[str, ...], tuple[str, ...]], path: PathValue) -> bool:
        """As `matches`, for a path of which parts of names are not known. Raises Undecided."""
        include, exclude = pattern
        if not self._compared(glob_matches, (include, ()), path):
            return False
        text = path.loose
        for mark in (LOOSE, LOOSE_NUMBER, LOOSE_VISIBLE):
            text = text.replace(mark, SETTLED)
        settled = PathValue(path.text, text, path.access, path.recursive)
        settled.part = path.part
        if self.matches((include, ()), settled) and not (exclude and self._compared(glob_matches, (exclude, ()), path)):
            return True
        raise Undecided(path.reason)

    def may_match(self, pattern: tuple[tuple[str, ...], tuple[str, ...]], path: PathValue) -> bool:
        """Return whether a glob pattern matches the path, or could match below it if the path is meant recursively."""
        return self._compared(glob_matches, pattern, path)

    def may_hold(self, pattern: tuple[tuple[str, ...], tuple[str, ...]], path: PathValue) -> bool:
        """Return whether a path, or what lies below it now, matches a glob pattern; true where nobody can tell."""
        return True

    def covers(self, pattern: tuple[tuple[str, ...], tuple[str, ...]], path: PathValue) -> bool:
        """Return whether a glob pattern matches the path and all that could lie below it."""
        return self._compared(glob_covers, pattern, path)

    def _compared(
        self, compare: Callable[..., bool], pattern: tuple[tuple[str, ...], tuple[str, ...]], path: PathValue
    ) -> bool:
        """The comparison, on texts that are folded where the file system knows no case."""
        absolute, home = path.place, self._real_home
        relative = self._below_workspace(absolute)
        if home is None and needs_home(pattern):
            home = self.real_home
        if self.folds_case:
            include, exclude = pattern
            pattern = (tuple(map(fold, include)), tuple(map(fold, exclude)))
            absolute, home = fold(absolute), home and fold(home)
            relative = relative if relative is None else fold(relative)
        return compare(pattern, relative, absolute, home, path.recursive)

    def read(self, path: PathValue, most: int = READ_BYTES) -> bytes | _Absent:
        """The bytes of a regular file in the workspace; ABSENT if there is none. Raises Undecided for all else, and
        for one of more than `most` bytes."""
        self._need_inside(path)
        content = self._read(path, most)
        if content is ABSENT:
            self._need_folder(path)
        return content

    def stat(self, path: PathValue) -> tuple[str, int] | _Absent:
        """Kind ("file", "folder", "link", "other") and size in bytes; ABSENT if there is nothing. Raises Undecided."""
        self._need_inside(path)
        status = self.look(path)
        if status is ABSENT:
            self._need_folder(path)
        return status

    def exists(self, path: PathValue) -> bool:
        """Return whether anything is at a path in the workspace. Raises Undecided outside or if it cannot be known."""
        self._need_inside(path)
        return self.present(path)

    def present(self, path: PathValue) -> bool:
        """As `exists`, for a path anywhere; the caution of `look` holds."""
        return self.look(path) is not ABSENT

    def script(self, path: PathValue, most: int) -> str | None:
        """Return the text of a file that is run; None if there is none, it is larger than `most` bytes, or no text.

        Raises:
            Undecided: the file cannot be looked at.
        """
        status = self.look(path)
        if status is ABSENT or not isinstance(status, tuple) or status[0] != "file" or status[1] > most:
            return None
        data = self._read(path)
        if not isinstance(data, bytes) or b"\0" in data or len(data) > most:
            return None
        return decoded(data)

    def _need_inside(self, path: PathValue) -> None:
        if self.relative(path) is None:
            raise Undecided(f"`{path.text[:200]}` is outside the workspace")

    def _need_folder(self, path: PathValue) -> None:
        """Of what is not there: whoever names something below a file means something else than what is there."""
        place, status = path.real, self.look(path)
        if isinstance(status, tuple) and status[0] == "link":
            status = ABSENT  # it leads nowhere
        while place != "/" and not isinstance(status, tuple):
            place = place.rpartition("/")[0] or "/"
            status = self.look(PathValue(path.text, place))
        if isinstance(status, tuple) and status[0] != "folder":
            raise Undecided(f"`{path.text[:200]}` lies below something that is no folder")

    def names(self, path: PathValue) -> list[str]:
        """The names in a folder, sorted; none if it is no folder. Raises Undecided if it cannot be listed."""
        raise NotImplementedError

    def may_be_folder(self, path: PathValue) -> bool:
        """Return whether nothing says that a path is no folder: in a test, one that was not made."""
        return False

    def times(self, path: PathValue) -> tuple[int, int] | None:
        """Return when a file and its entry were changed, in nanoseconds; None if nobody knows."""
        return None

    def hard_links(self, path: PathValue) -> list[str]:
        """Other names of the same file (hard links): next to it, in the workspace's root, among what guards a session.

        Of a folder that is written recursively: the guarded files that have another name in it. Raises Undecided.
        """
        return []

    def linked_names(self, path: PathValue) -> list[str]:
        """Return the names that a path, or what lies below a recursive one, has through links in the root of the
        workspace and in its folders whose names begin with a dot.
        """
        return []

    def files_below(self, path: PathValue, deepest: int = 0) -> list[str]:
        """The real paths of the files below a folder, links left out; `deepest`: see walk.py. Raises Undecided over
        WALK_ENTRIES entries.
        """
        raise NotImplementedError

    def program(self, name: str) -> str | None:
        """The canonical path of the program that a plain name starts, None if there is none on the search path."""
        raise NotImplementedError

    def repository(self) -> Repository:
        """Return the git repository around the workspace. Raises Undecided if there is none that can be asked."""
        raise Undecided("a test has no git repository")

    def keepers(self) -> tuple[Process, ...]:
        """Return the processes that the session needs: the coding agent, and what it was started from."""
        return ()

    def _canonical(self, target: str, follow: bool) -> str:
        raise NotImplementedError

    def _read(self, path: PathValue, most: int = READ_BYTES) -> bytes | _Absent:
        raise NotImplementedError

    def look(self, path: PathValue) -> tuple[str, int] | _Absent:
        """As `stat`, for a path anywhere: only for those that a command or the session's history names."""
        raise NotImplementedError


class Disk(FileSystem):
    """The file system as it is now. Make one per event."""

    __slots__ = ("_folds", "_linked")

    def __init__(self, workspace: str | None, home: str | None) -> None:
        super().__init__(workspace, home)
        self._folds: bool | None = None
        self._linked: tuple[dict[str, int], list[tuple[str, str]]] | None = None

    @property
    def folds_case(self) -> bool:
        if self._folds is None:
            self._folds = False  # while the workspace itself is being resolved
            self._folds = folds_case(encoded(self.real_workspace))
        return self._folds

    def _canonical(self, target: str, follow: bool) -> str:
        return walk(target, follow)

    def look(self, path: PathValue) -> tuple[str, int] | _Absent:
        try:
            status = posix.lstat(encoded(path.real))
        except OSError as error:
            if error.errno in MISSING:
                return ABSENT
            raise unknown(path.text, error) from None
        return kind(status.st_mode), status.st_size

    def times(self, path: PathValue) -> tuple[int, int] | None:
        try:
            status = posix.lstat(encoded(path.real))
        except OSError:
            return None
        return status.st_mtime_ns, status.st_ctime_ns

    def names(self, path: PathValue) -> list[str]:
        try:
            return sorted(decoded(name) for name in posix.listdir(encoded(path.real)))
        except OSError as error:
            if error.errno in MISSING:
                return []
            raise unknown(path.text, error) from None

    def hard_links(self, path: PathValue) -> list[str]:
        try:
            status = posix.lstat(encoded(path.real))
        except (OSError, Undecided):
            return []  # nothing is there yet
        folder = kind(status.st_mode) == "folder"
        if path.recursive != folder or (not folder and status.st_nlink < 2):
            return []
        from policy_engine.filesystem.hard_links import hard_links, hard_links_below

        workspace = self.real_workspace if self.workspace is not None else None
        return (hard_links_below if folder else hard_links)(path.real, workspace, self.home)

    def linked_names(self, path: PathValue) -> list[str]:
        names = []
        for link, target in self._links():
            if under(path.real, target):
                names.append(link + path.real[len(target) :])
            elif path.recursive and below(target, path.real):
                names.append(link)
        return names

    def _links(self) -> list[tuple[str, str]]:
        """Return the links that `linked_names` looks at, and where they lead; again where a folder changed."""
        if self.workspace is None:
            return []
        if self._linked is None or any(_changed(folder) != at for folder, at in self._linked[0].items()):
            folders, links = links_in(self.real_workspace)
            found = []
            for link in links:
                try:
                    found.append((link, self._canonical(link, True)))
                except Undecided:
                    continue  # it leads in a circle: nothing lies below it
            self._linked = {folder: _changed(folder) for folder in folders}, found
        return self._linked[1]

    def files_below(self, path: PathValue, deepest: int = 0) -> list[str]:
        return files_below(path.real, path.text, deepest)

    def may_hold(self, pattern: tuple[tuple[str, ...], tuple[str, ...]], path: PathValue) -> bool:
        try:
            names = entries_below(path.real)
        except (OSError, Undecided) as error:
            if not isinstance(error, OSError) or error.errno not in MISSING:
                return True
            names = []  # nothing is there
        return any(self.may_match(pattern, PathValue(path.text, name)) for name in (path.real, *names))

    def repository(self) -> Repository:
        from policy_engine.filesystem.repository import Repository

        return Repository(self.real_workspace)

    def keepers(self) -> tuple[Process, ...]:
        from policy_engine.model.ancestors import ancestors

        return ancestors()

    def _read(self, path: PathValue, most: int = READ_BYTES) -> bytes | _Absent:
        try:
            flags = posix.O_RDONLY | posix.O_NONBLOCK | posix.O_NOFOLLOW | posix.O_CLOEXEC | posix.O_NOCTTY
            handle = posix.open(encoded(path.real), flags)
        except OSError as error:
            if error.errno in MISSING or leads_nowhere(path.real):
                return ABSENT
            raise unknown(path.text, error) from None
        try:
            return read_all(handle, path.text, most)
        except OSError as error:
            raise unknown(path.text, error) from None
        finally:
            posix.close(handle)

    def program(self, name: str) -> str | None:
        search = posix.environ.get(b"PATH")
        if search is None or "/" in name:
            return None
        for folder in decoded(search).split(":"):
            candidate = f"{folder}/{name}"
            if folder[:1] != "/":
                continue  # a relative entry means another program in every folder
            try:
                if posix.access(encoded(candidate), posix.X_OK):
                    return walk(candidate, True)
            except (OSError, Undecided):
                continue
        return None


class Virtual(FileSystem):
    """Files in memory, for the tests of a policy: no links, folders are there as long as something is in them."""

    __slots__ = ("files",)

    def __init__(self, workspace: str = "/workspace", home: str = "/home/user") -> None:
        super().__init__(workspace, home)
        self.files: dict[str, bytes] = {}

    def write(self, path: PathValue, content: bytes) -> None:
        """Create or replace a file. Raises Undecided where a folder is."""
        if self.look(path) == ("folder", 0):
            raise Undecided(f"`{path.text}` is a folder")
        self.files[path.real] = content

    def delete(self, path: PathValue) -> None:
        """Remove a file, or a folder with all below it; nothing there is no error."""
        for real in [real for real in self.files if real == path.real or below(real, path.real)]:
            del self.files[real]

    def program(self, name: str) -> str | None:
        return None if "/" in name else f"/usr/bin/{name}"

    def _canonical(self, target: str, follow: bool) -> str:
        real: list[str] = []
        for name in components(target):
            if name == "..":
                real[-1:] = []
            elif len(name) > 63 and len(encoded(name)) > 255:  # a character has up to four bytes
                raise Undecided(f"`{target[:200]}` cannot be looked at (ENAMETOOLONG)")
            else:
                real.append(name)
        if real[:1] == ["bin"]:
            real[:1] = ["usr", "bin"]
        return "/" + "/".join(real)

    def look(self, path: PathValue) -> tuple[str, int] | _Absent:
        content = self.files.get(path.real)
        if content is not None:
            return "file", len(content)
        inside = path.real in (self.workspace, self.home) or any(below(real, path.real) for real in self.files)
        return ("folder", 0) if inside else ABSENT

    def may_be_folder(self, path: PathValue) -> bool:
        return self.look(path) is ABSENT and "." not in path.real.rpartition("/")[2].lstrip(".")

    def names(self, path: PathValue) -> list[str]:
        start = path.real.rstrip("/") + "/"
        return sorted({real[len(start) :].partition("/")[0] for real in self.files if real.startswith(start)})

    def files_below(self, path: PathValue, deepest: int = 0) -> list[str]:
        return [real for real in self.files if below(real, path.real)]

    def _read(self, path: PathValue, most: int = READ_BYTES) -> bytes | _Absent:
        if self.look(path) is ABSENT:
            return ABSENT
        if path.real not in self.files:
            raise Undecided(f"`{path.text[:200]}` is not a regular file")
        if len(self.files[path.real]) > most:
            raise too_large(path.text, most)
        return self.files[path.real]


def _changed(folder: str) -> int:
    """Return when the list of a folder's names changed, in nanoseconds; -1 if nobody knows."""
    try:
        return int(posix.lstat(encoded(folder)).st_mtime_ns)
    except OSError:
        return -1
