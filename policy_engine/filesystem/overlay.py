"""A file system as it is after some changes that have not happened yet: links made, folders made and moved.

A change that may not happen makes what lies behind it undecided where both ways exist. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.filesystem.file_system import FileSystem
from policy_engine.filesystem.paths import PathValue, components
from policy_engine.filesystem.walk import LINKS
from policy_engine.model.limits import READ_BYTES
from policy_engine.model.undecided import ABSENT, Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.model.ancestors import Process
    from policy_engine.model.undecided import _Absent

    Entries = dict[str, "Entry"]


class Entry:
    """The result of a change at a place.

    `link` is the text of a link, "" if nobody knows where it leads, None for anything else; `source` the place that a
    moved or copied folder comes from, "" for a new one; `sure` whether the change is known to happen.
    """

    __slots__ = ("link", "source", "sure", "gone")

    def __init__(self, link: str | None = None, source: str = "", sure: bool = True, gone: bool = False) -> None:
        self.link = link
        self.source = source
        self.sure = sure
        self.gone = gone


class Overlay(FileSystem):
    """A filesystem with changes; `entries` maps canonical places to what is there."""

    __slots__ = ("base", "entries")

    def __init__(self, base: FileSystem, entries: Entries) -> None:
        super().__init__(base.workspace, base.home)
        self.base = base
        self.entries = entries

    @property
    def real_workspace(self) -> str:
        return self.base.real_workspace

    @property
    def real_home(self) -> str:
        return self.base.real_home

    @property
    def folds_case(self) -> bool:
        return self.base.folds_case

    def line(self, text: str) -> str:
        return self.base.line(text)

    def program(self, name: str) -> str | None:
        return self.base.program(name)

    def keepers(self) -> tuple[Process, ...]:
        return self.base.keepers()

    def may_be_folder(self, path: PathValue) -> bool:
        return self.look(path) is ABSENT and self.base.may_be_folder(path)

    def names(self, path: PathValue) -> list[str]:
        return self.base.names(path)

    def hard_links(self, path: PathValue) -> list[str]:
        return self.base.hard_links(path)

    def linked_names(self, path: PathValue) -> list[str]:
        return self.base.linked_names(path)

    def files_below(self, path: PathValue, deepest: int = 0) -> list[str]:
        return self.base.files_below(path, deepest)

    def look(self, path: PathValue) -> tuple[str, int] | _Absent:
        entry = self.entries.get(self.folded(path.real))
        if entry is None or not entry.sure:
            return self.base.look(path)
        if entry.gone:
            return ABSENT
        return ("folder", 0) if entry.link is None else ("link", 0)

    def _read(self, path: PathValue, most: int = READ_BYTES) -> bytes | _Absent:
        return self.base._read(path, most)

    def _canonical(self, target: str, follow: bool) -> str:
        """Component by component; a link that a change makes is followed as the system would then."""
        plain = self.base._canonical(target, follow)
        todo = components(target)[::-1]
        real, links, unsure = "/", 0, False
        while todo:
            name = todo.pop()
            if name == "..":
                real = real.rpartition("/")[0] or "/"
                continue
            place = f"{real.rstrip('/')}/{name}"
            last = not todo
            entry = self.entries.get(self.folded(place))
            if entry is None:
                real = self._below_source(place, not last or follow)
                continue
            if entry.link is None or (last and not follow):
                real = place
                continue
            unsure = unsure or not entry.sure
            links += 1
            if links > LINKS or not entry.link:
                raise Undecided(f"where `{target[:200]}` leads is not known, for the line changes a link")
            todo += components(entry.link)[::-1]
            real = "/" if entry.link[0] == "/" else real
        if unsure and plain != real and self.base.look(PathValue(target, plain)) is not ABSENT:
            raise Undecided(f"where `{target[:200]}` leads depends on how an earlier command ends")
        return real

    def _below_source(self, place: str, follow: bool) -> str:
        """A place that no change names; within a folder that was moved, links lead elsewhere than they did."""
        folder = place
        while folder != "/":
            folder = folder.rpartition("/")[0] or "/"
            entry = self.entries.get(self.folded(folder))
            if entry is not None and entry.source:
                old = entry.source + place[len(folder) :]
                if follow and self.base._canonical(old, True) != self.base._canonical(old, False):
                    raise Undecided(f"`{place[:200]}` is a link in a folder that the line moves or copies")
                return place
        return self.base._canonical(place, follow)
