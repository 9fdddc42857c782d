"""Predicates about files inside the workspace as they are now: existence, content, size."""

from __future__ import annotations

from policy_engine.model.limits import SEARCH_BYTES
from policy_engine.model.regexes import search
from policy_engine.model.undecided import ABSENT, Undecided
from policy_engine.predicates.base import file_bytes, placed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.predicates.base import Absent, Needle, PathText

NEEDS = "filesystem"


def file_exists(filesystem: FileSystem, path: PathText) -> bool:
    """True if there is a file or folder at the path; a symbolic link counts as what it points to.

    A path that leaves the workspace, or that cannot be looked at, is undecided.

    Holds:

        file "README.md" content "hello"
        file_exists("README.md")

    Does not hold:

        file_exists("README.md")
    """
    return filesystem.exists(placed(filesystem, path))


def content_contains(filesystem: FileSystem, path: PathText, needle: Needle) -> bool:
    """True if the file contains the text, or if the regex is found in it; false if there is no such file.

    Texts are compared byte by byte in UTF-8, in the letter case as written. A folder, an unreadable file, a file over
    SEARCH_BYTES and an empty needle are undecided.

    Holds:

        file "CHANGELOG.md" content "1.2.0: faster"
        content_contains("CHANGELOG.md", "1.2.0") and content_contains("CHANGELOG.md", /^1\\.\\d/)

    Does not hold:

        file "CHANGELOG.md" content "1.1.0: first"
        content_contains("CHANGELOG.md", "1.2.0")
    """
    if not isinstance(needle, str | tuple):
        raise Undecided(f"what `{path}` should contain is not text")
    if not needle or needle[0] == "":
        raise Undecided(f"what `{path}` should contain is empty")
    data = file_bytes(filesystem, path, SEARCH_BYTES)
    if data is ABSENT:
        return False
    if isinstance(needle, tuple):
        return search(needle, data)
    return needle.encode("utf-8", "surrogatepass") in data


def file_size(filesystem: FileSystem, path: PathText) -> int | Absent:
    """Return the size of a file in bytes; absent if there is none, so that a condition needs `else` or `has`.

    Anything but a regular file inside the workspace is undecided.

    Holds:

        file "notes.txt" content "12345"
        file_size("notes.txt") else 0 == 5

    Does not hold:

        file_size("notes.txt") else 0 > 0
    """
    status = filesystem.stat(placed(filesystem, path))
    if not isinstance(status, tuple):
        return status
    if status[0] != "file":
        raise Undecided(f"`{path}` is not a regular file")
    return status[1]
