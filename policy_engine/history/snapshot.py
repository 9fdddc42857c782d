"""Compare a workspace with an earlier snapshot: the files that were written and deleted between them.

A snapshot holds, for each folder that is looked at, the mark of every file: change time, size and inode folded into one
number. A program can set a file's modification time back, not its change time; so what only changed its mode or owner
counts as written too, which asks for one verification more and never for one less. A folder that was renamed and came
back holds the same files as before, and may have held others meanwhile: its own change time tells, which is later than
the time at which its entries last changed. State is plain values. Imported by the hook path.
"""

from __future__ import annotations

import posix
from time import monotonic

from policy_engine.filesystem.file_system import Disk
from policy_engine.filesystem.globs import expand_braces
from policy_engine.filesystem.paths import PathValue, decoded, encoded, under
from policy_engine.filesystem.walk import MISSING, unknown, walk
from policy_engine.history.ignored import RULES, Ignored
from policy_engine.history.watch import end_of
from policy_engine.model.limits import BULK_MATCHES, SNAPSHOT_FILES, SNAPSHOT_MS, WALK_ENTRIES
from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.history.watch import Pattern, Watch

    Files = dict[str, int]
    Change = tuple[str, str]  # "wrote" or "deleted", relative path

_NOTHING: Files = {}
_KIND, _LINK = 0o170000, 0o120000
_DOUBTED_FILES = 2_000  # in folders that only a rule of the session has git ignore
_SAME_NS = 10_000_000  # by which the two times of a folder may differ that one change of its entries set


class Snapshot:
    """`folders`: relative path ("" the workspace) -> file name -> mark; `pruned`: folders that are left out; `led`: the
    marks of folders that were renamed, or are links, and of the files that links lead to, by relative path; `rules`:
    the digests of the rules of git with which the session began."""

    __slots__ = ("scope", "folders", "pruned", "literals", "led", "rules")

    def __init__(self, scope: str) -> None:
        self.scope = scope
        self.folders: dict[str, Files] = {}
        self.pruned: set[str] = set()
        self.literals: Files = {}
        self.led: Files = {}
        self.rules: set[bytes] | None = None

    def state(self) -> tuple[object, ...]:
        """Plain values that can be marshalled."""
        return self.scope, self.folders, self.pruned, self.literals, self.led, self.rules

    def holds(self, relative: str) -> bool:
        """Return whether a file was there."""
        folder, _, name = relative.rpartition("/")
        return name in self.folders.get(folder, _NOTHING) or relative in self.literals

    @classmethod
    def restored(cls, state: tuple[Any, ...]) -> Snapshot:
        """Return a snapshot from its state."""
        made = cls(state[0])
        made.folders, made.pruned, made.literals, *rest = state[1:]
        made.led, made.rules = rest or ({}, None)  # sessions of earlier versions have none
        return made


def taken(root: str, watch: Watch, before: Snapshot | None) -> Snapshot:
    """Return the workspace at `root` (canonical) as it is now. What `before` saw is not hidden by an ignore file of
    today.

    Raises Undecided over SNAPSHOT_FILES files and where a folder cannot be read.
    """
    return _Walk(root, watch, before).run()


def changes(before: Snapshot, now: Snapshot, root: str, watch: Watch) -> list[Change]:
    """Return what was written and deleted between two snapshots of one scope, sorted by path."""
    ignored = Ignored(root, watch.noise, before.rules)
    changed: dict[str, str] = {}
    led = {path for path, mark in now.led.items() if mark != before.led.get(path)}
    renamed = tuple(path + "/" if path else "" for path in led if path in before.folders)
    for folder in before.folders.keys() | now.folders.keys():
        old, new = before.folders.get(folder, _NOTHING), now.folders.get(folder, _NOTHING)
        place = folder + "/" if folder else ""
        was_away = bool(renamed) and place.startswith(renamed)
        if old != new or was_away:
            led_away = folder not in now.folders and _is_link(f"{root}/{folder}".rstrip("/"))  # it holds other files
            for name in old.keys() | new.keys():
                kind = "wrote" if led_away else _change(old.get(name), new.get(name)) or ("wrote" if was_away else "")
                if kind and watch.covers(place + name) and (name in old or not ignored.file(place + name)):
                    changed[place + name] = kind
    changed |= {path: "wrote" for path in led if path in before.led and path not in changed and watch.covers(path)}
    for path in watch.literals:
        kind = _change(before.literals.get(path), now.literals.get(path))
        if kind:
            changed[path] = kind
    return [(kind, path) for path, kind in sorted(changed.items())]


def any_matching(snapshot: Snapshot, pattern: Pattern, filesystem: FileSystem) -> bool:
    """Return whether a file of the snapshot matches. Raises Undecided over BULK_MATCHES comparisons."""
    root, left = filesystem.real_workspace, BULK_MATCHES
    ends = {end_of(text) for include in pattern[0] for text in expand_braces(include)}
    endings = () if "" in ends else tuple(ends)
    places = [(folder + "/" if folder else "", files) for folder, files in snapshot.folders.items()]
    for place, files in (*places, ("", snapshot.literals)):
        for name in files:
            if endings and not name.endswith(endings):
                continue
            left -= 1
            if left < 0:
                raise Undecided(f"more than BULK_MATCHES ({BULK_MATCHES}) paths would have to be compared")
            if filesystem.matches(pattern, PathValue(place + name, f"{root}/{place}{name}")):
                return True
    return False


def matching(folder: str, pattern: Pattern, filesystem: FileSystem, most: int) -> list[PathValue] | None:
    """Return the files below a folder (canonical, in the workspace) that match and are not ignored; None if they
    cannot be told, or are more than `most`. WALK_ENTRIES entries are looked at.
    """
    root = filesystem.real_workspace
    if not isinstance(filesystem, Disk) or not under(folder, root):
        return None
    ignored, seen = Ignored(root, None), 0
    matches: list[PathValue] = []
    start = folder[len(root) + 1 :]
    parts = start.split("/") if start else []
    if any(ignored.folder("/".join(parts[: depth + 1])) for depth in range(len(parts))):
        return []
    waiting = [start]
    while waiting:
        place = waiting.pop()
        try:
            with posix.scandir(encoded(f"{root}/{place}")) as entries:
                for entry in entries:
                    seen += 1
                    if seen > WALK_ENTRIES:
                        return None
                    relative = f"{place}/{decoded(entry.name)}".lstrip("/")
                    if entry.is_dir(follow_symlinks=False):
                        if not ignored.folder(relative):
                            waiting.append(relative)
                        continue
                    path = PathValue(relative, f"{root}/{relative}")
                    if not (entry.is_file(follow_symlinks=False) or entry.is_symlink()):
                        continue
                    if filesystem.matches(pattern, path) and not ignored.file(relative):
                        matches.append(path)
        except OSError as error:
            if error.errno not in MISSING:
                return None
    return matches if len(matches) <= most else None


def _change(old: int | None, new: int | None) -> str:
    if old == new:
        return ""
    return "deleted" if new is None else "wrote"


def update(snapshot: Snapshot, root: str, watch: Watch, real: str) -> list[str]:
    """Take one canonical path as it is now, because a tool reported it; return what that changed of the snapshot.

    The same file below a link to its folder, or by a link to it, is taken with it.
    """
    changed: list[str] = []
    if real.startswith(root + "/"):
        folder, _, name = real[len(root) + 1 :].rpartition("/")
        files = snapshot.folders.get(folder, _NOTHING)
        known = name if name in files else next(iter(files), None)
        others = [
            other for other, there in snapshot.folders.items()
            if known is not None and other != folder and there.get(known) == files[known]
        ]  # fmt: skip
        same = [f"{place}/{name}".lstrip("/") for place in (folder, *others)]
        changed += [path for path in same if _update(snapshot, root, watch, path)]
    for path in [path for path in snapshot.led if path not in snapshot.folders]:
        if _leads_to(f"{root}/{path}", real) and snapshot.led[path] != (mark := _mark_behind(f"{root}/{path}")):
            snapshot.led[path] = mark
            changed.append(path)
    return changed


def _update(snapshot: Snapshot, root: str, watch: Watch, relative: str) -> bool:
    folder, _, name = relative.rpartition("/")
    mark = _mark_of(f"{root}/{relative}")
    changed = False
    if relative in watch.literals and snapshot.literals.get(relative) != mark:
        _put(snapshot.literals, relative, mark)
        changed = True
    files = snapshot.folders.get(folder)
    if files is None and mark is not None and _seen(name, watch) and watch.covers(relative):
        if not Ignored(root, watch.noise, snapshot.rules).file(
            relative
        ):  # in a folder that is new; the others in it stay unseen
            files = snapshot.folders[folder] = {}
    if files is not None and _seen(name, watch) and files.get(name) != mark:
        _put(files, name, mark)
        changed = True
    return changed


def is_current(snapshot: Snapshot, root: str, watch: Watch, relative: str) -> bool:
    """Return whether a snapshot saw a path as it is now; False for one that it does not look at."""
    mark = _mark_of(f"{root}/{relative}")
    folder, _, name = relative.rpartition("/")
    if relative in watch.literals:
        return snapshot.literals.get(relative) == mark
    return watch.covers(relative) and snapshot.folders.get(folder, _NOTHING).get(name) == mark


def _put(files: Files, name: str, mark: int | None) -> None:
    if mark is None:
        files.pop(name, None)
    else:
        files[name] = mark


def _seen(name: str, watch: Watch) -> bool:
    return not watch.suffixes or name.endswith(watch.suffixes) or name == RULES


def _mark(status: posix.stat_result) -> int:
    """One number below 2**63 that another content is not likely to share."""
    return (status.st_ctime_ns * 1_000_003 ^ status.st_size * 31 ^ status.st_ino) & 0x7FFF_FFFF_FFFF_FFFF


def _mark_of(path: str) -> int | None:
    try:
        return _mark(posix.lstat(encoded(path)))
    except OSError as error:
        if error.errno in MISSING:
            return None
        raise unknown(path, error) from None


def _is_behind(entry: posix.DirEntry[bytes], kind: Callable[[posix.DirEntry[bytes]], bool]) -> bool:
    """Return whether a link leads to something of a kind; one that leads in a circle leads nowhere."""
    try:
        return kind(entry)
    except OSError:
        return False


def _mark_behind(path: str) -> int:
    """The mark of the file that a link leads to, 0 if there is none."""
    try:
        return _mark(posix.stat(encoded(path)))
    except OSError:
        return 0


def _is_link(path: str) -> bool:
    return not _leads_to(path, path)


def _leads_to(path: str, target: str) -> bool:
    try:
        return walk(path, True) == target
    except Undecided:
        return False


def _listed(entry: posix.DirEntry[bytes]) -> int | None:
    """Return the mark of a file that was listed; none if it vanished since, which tells nothing of its neighbours."""
    try:
        return _mark(entry.stat(follow_symlinks=False))
    except OSError as error:
        if error.errno in MISSING:
            return None
        raise


class _Walk:
    """One walk through the folders of a watch."""

    def __init__(self, root: str, watch: Watch, before: Snapshot | None) -> None:
        self._root = root
        self._watch = watch
        self._ignored = Ignored(root, watch.noise, before.rules if before is not None else None)
        self._now = Snapshot(watch.scope)
        self._now.rules = before.rules if before is not None else self._ignored.met
        self._known = before.folders if before is not None else {}
        self._pruned = before.pruned if before is not None else set()
        self._rules = {folder: files.get(RULES) for folder, files in self._known.items() if RULES in files}
        self._count = 0
        self._latest = monotonic() + SNAPSHOT_MS / 1000

    def run(self) -> Snapshot:
        now, root = self._now, self._root
        if any(_mark_of(f"{root}/{folder}/{RULES}") != mark for folder, mark in self._rules.items()):
            self._pruned = set()  # an ignore file changed: every folder that was left out is asked about again
        waiting = [folder for folder in self._watch.roots if self._enters(folder)]
        most = SNAPSHOT_FILES
        while waiting:
            folder = waiting.pop()
            if folder in self._ignored.doubted:  # so are all that wait: they come last
                most = min(most, self._count + _DOUBTED_FILES)
            if self._count > most:
                now.pruned.add(folder)
                continue
            below: list[str] = []
            now.folders[folder] = self._files(folder, below)
            below = [one for one in below if self._enters(one)]
            waiting += [one for one in below if one not in self._ignored.doubted]
            waiting[:0] = [one for one in below if one in self._ignored.doubted]
        for path in self._watch.literals:
            _put(now.literals, path, _mark_of(f"{root}/{path}"))
        return now

    def _enters(self, folder: str) -> bool:
        if not folder or folder in self._known:
            return True
        if folder in self._pruned or self._ignored.folder(folder):
            self._now.pruned.add(folder)
            return False
        return True

    def _follows(self, entry: posix.DirEntry[bytes], folder: str) -> bool:
        """Return whether an entry is a link to a folder of the workspace that is not looked at through another link,
        and not around the link: what is written there is written here, and another target is another text. A folder
        elsewhere counts where there was one of the workspace before.
        """
        if not entry.is_symlink() or not _is_behind(entry, posix.DirEntry.is_dir):
            return False
        try:
            place = walk(f"{self._root}/{folder}", True)
            target = walk(decoded(entry.path), True)
        except Undecided:
            return False
        relative = f"{folder}/{decoded(entry.name)}".lstrip("/")
        near = under(target, self._root) or relative in self._known
        return place == f"{self._root}/{folder}".rstrip("/") and near and not under(place, target)

    def _files(self, folder: str, below: list[str]) -> Files:
        """Return the marks of the files in a folder; its folders are added to `below`."""
        files: Files = {}
        suffixes, place = self._watch.suffixes, folder + "/" if folder else ""
        try:
            status = posix.lstat(encoded(f"{self._root}/{folder}".rstrip("/")))
            if status.st_mode & _KIND == _LINK or abs(status.st_ctime_ns - status.st_mtime_ns) > _SAME_NS:
                self._now.led[folder] = _mark(status)
            with posix.scandir(encoded(f"{self._root}/{folder}")) as entries:
                for entry in entries:
                    name = decoded(entry.name)
                    is_folder = entry.is_dir(follow_symlinks=False)
                    if is_folder or self._follows(entry, folder):
                        below.append(place + name)
                    if is_folder:
                        continue
                    if not suffixes or name.endswith(suffixes) or name == RULES:
                        mark = _listed(entry)
                        if mark is not None:
                            files[name] = mark
                            if name == RULES:
                                self._ignored.above(folder)
                            if entry.is_symlink() and _is_behind(entry, posix.DirEntry.is_file):
                                self._now.led[place + name] = _mark_behind(decoded(entry.path))
        except OSError as error:
            if error.errno not in MISSING:
                raise unknown(folder, error) from None
        self._count += len(files)
        if self._count > SNAPSHOT_FILES:
            raise Undecided(f"more than SNAPSHOT_FILES ({SNAPSHOT_FILES}) files would have to be compared")
        if monotonic() > self._latest:
            raise Undecided(f"the workspace could not be compared within SNAPSHOT_MS ({SNAPSHOT_MS})")
        return files
