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


def told_to_agents(filesystem: FileSystem, path: PathText) -> bool:
    """True if instructions to agents import the document at the path, as `@docs/style.md` does in `CLAUDE.md`.

    `CLAUDE.md`, `CLAUDE.local.md`, `AGENTS.md`, `GEMINI.md` and `QWEN.md` are read in the folders from the workspace
    down to the path, `.claude/CLAUDE.md` there as well, and what they import in turn; what they link to counts too.
    Imports of other files than Markdown and plain text, those within code, and those of a README or a changelog do not
    count: agents read these by themselves, and most sessions change them.

    Holds:

        file "CLAUDE.md" content "Keep to @docs/style.md."
        told_to_agents("docs/style.md")

    Does not hold:

        file "CLAUDE.md" content "Keep to `@docs/style.md`."
        told_to_agents("docs/style.md")
    """
    place = placed(filesystem, path)
    named = place.real if place.known else place.loose.partition("\0")[0]
    if place.known and not named.lower().endswith(_DOCUMENTS):
        return False
    imported = _imported(filesystem, named)
    if not place.known and any(one.startswith(named) for one in imported):
        raise Undecided(place.reason)
    return named in imported


_DOCUMENTS = (".md", ".mdc", ".markdown", ".txt", ".rst", ".adoc")
_INSTRUCTIONS = ("CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md", "AGENTS.md", "GEMINI.md", "QWEN.md")
_MOST_INSTRUCTIONS = 32  # files of instructions, and documents that they import
_INSTRUCTION_BYTES = 65_536


def _imported(filesystem: FileSystem, path: str) -> set[str]:
    """Return the documents that the files of instructions in the folders around a path import."""
    root = filesystem.real_workspace.rstrip("/")
    folders = [root]
    for part in path[len(root) + 1 :].split("/")[:-1] if path.startswith(f"{root}/") else ():
        folders.append(f"{folders[-1]}/{part}")
    waiting = [f"{folder}/{name}" for folder in folders[:_MOST_INSTRUCTIONS] for name in _INSTRUCTIONS]
    found: set[str] = set()
    while waiting and len(found) < _MOST_INSTRUCTIONS:
        named = waiting.pop(0)
        folder = named.rpartition("/")[0]
        try:
            file = filesystem.resolve(named, None)
            if file.real != named:
                found.add(file.real)  # a link
            text = filesystem.script(file, _INSTRUCTION_BYTES) or ""
        except Undecided:
            continue
        for word in _named_in(text) if "@" in text else ():
            try:
                one = filesystem.resolve(word, folder).real
            except Undecided:
                continue
            if one not in found:
                found.add(one)
                waiting.append(one)
    return found


def _named_in(text: str) -> list[str]:
    """Return the documents that a text names behind `@`, but for those within code."""
    import re

    plain = re.sub(r"(?ms)^[ \t]*(```|~~~).*?^[ \t]*\1|`[^`\n]*`", "", text)
    words = re.findall(r"(?:(?<=[\s(*_\"'])|^)@((?:\\ |[^\s@*\"'<>()])+)", plain)
    names = [word.replace("\\ ", " ").rstrip(".,;:!?") for word in words]
    documents = [name for name in names if name.lower().endswith(_DOCUMENTS)]
    return [name for name in documents if not name.rpartition("/")[2].lower().startswith(("readme.", "changelog."))]
