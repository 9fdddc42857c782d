"""`Drives`: the filesystem of an event from a system with drive letters, of which nothing can be looked at here.

Paths are read as that system reads them, by their text alone: either slash, drives and shares, `..` by name, case
folded. A real path is `/c:/users/…`. Whatever would need the disk raises Undecided. Imported by the hook path when it
is needed.
"""

from __future__ import annotations

from policy_engine.filesystem.file_system import FileSystem
from policy_engine.filesystem.paths import PathValue, components, encoded
from policy_engine.model.limits import READ_BYTES
from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.model.undecided import _Absent

_PORTS = tuple(f"{name}{number}" for name in ("com", "lpt") for number in range(10))
_DEVICES = ("con", "prn", "aux", "nul", "conin$", "conout$", *_PORTS)


def has_drive(text: str | None) -> bool:
    """Return whether a path is written with a drive letter: `C:\\…`."""
    return text is not None and text[1:3] in (":\\", ":/") and text[:1].isalpha()


class Drives(FileSystem):
    """The meaning of a path on the other system; its disk is out of reach."""

    __slots__ = ()

    def __init__(self, workspace: str | None, _home: str | None = None) -> None:
        parts = components((workspace or "").replace("\\", "/"))
        known = len(parts) > 2 and parts[1].casefold() == "users"
        super().__init__(workspace, "/".join(parts[:3]) if known else None)

    @property
    def folds_case(self) -> bool:
        return True

    def resolve(self, text: str, cwd: str | None, follow: bool = True) -> PathValue:
        """The place by its text alone; its text with slashes, as both systems read it."""
        encoded(text)
        shown = text.replace("\\", "/")
        return PathValue(shown, _place(shown, cwd, self.home))

    def line(self, text: str) -> str:
        """Words that begin with a drive or dots are paths; their backslashes are no escapes."""
        import re

        return re.sub(
            r"""(?<![^\s'"=])(?:[A-Za-z]:|\.{1,2})\\[^\s'"]*""", lambda match: match[0].replace("\\", "/"), text
        )

    def names(self, path: PathValue) -> list[str]:
        raise _unseen(path)

    def files_below(self, path: PathValue, deepest: int = 0) -> list[str]:
        raise _unseen(path)

    def program(self, name: str) -> str | None:
        return None

    def _read(self, path: PathValue, most: int = READ_BYTES) -> bytes | _Absent:
        raise _unseen(path)

    def look(self, path: PathValue) -> tuple[str, int] | _Absent:
        raise _unseen(path)


def _unseen(path: PathValue) -> Undecided:
    return Undecided(f"`{path.text[:200]}` is on the disk of another system")


def _place(text: str, cwd: str | None, home: str | None) -> str:
    """The canonical path: `/c:/…`, `//server/share/…` or, for what is canonical already, itself."""
    for prefix in ("//?/", "//./"):
        text = text.removeprefix(prefix)
    base = (cwd or "").replace("\\", "/")
    if text[:1] == "~" and home and text[1:2] in ("", "/"):
        text = home + text[1:]
    if text[:2] == "//":
        parts, top = components(text), ["", ""]
    elif has_drive(text) or (text[2:3] == ":" and text[:1] == "/"):
        parts, top = components(text), [""]
    elif text[1:2] == ":":
        raise Undecided(f"`{text[:80]}` goes by the folder that is current on its drive")
    elif not base:
        raise Undecided("`cwd` was not sent")
    else:
        above = components(base)
        parts, top = [*above[: 1 if text[:1] == "/" else None], *components(text)], [""]
    names: list[str] = []
    for number, name in enumerate(parts):
        if name == "..":
            names[1:] = names[1:-1]
        else:
            names.append(name if number == 0 else _name(name))
    return "/".join([*top, *names])


def _name(name: str) -> str:
    """A name as the other system keeps it."""
    kept = name.rstrip(" .")
    if not kept or ":" in kept or kept.partition(".")[0].casefold().rstrip() in _DEVICES:
        raise Undecided(f"`{name[:80]}` is a device, a stream or no name on that system")
    if "~" in kept and kept.rpartition("~")[2][:1].isdigit():
        raise Undecided(f"`{name[:80]}` may be the short name of another file")
    return kept
