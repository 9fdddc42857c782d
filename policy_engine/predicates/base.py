"""Define a predicate: a public function whose annotations are its signature in the language.

A member of this family is a module of such functions. Its first parameter is what the module's `NEEDS` names:
`filesystem` (the disk as it is now, filesystem/file_system.py), `todos` (the todo list as it is now) or `file_changes`
(what the call makes of the files that it writes). The others are the arguments that a policy writes, typed by the names
below; the checker reads the annotations as text, so nothing is imported for them.

    annotation       in the language
    PathText         String or Path, relative to the workspace
    Needle           String or Regex, not empty
    Pointer          String, a JSON pointer (RFC 6901)
    Dotted           String, keys joined by dots; a key with a dot in it stands in double quotes
    -> bool          Bool
    -> int | Absent  Int, optional
    -> Json | Absent a value of the file, optional: it takes the type of what it is compared with

What is missing by nature is ABSENT or false; what cannot be known raises Undecided with a reason that names the path.
Imported by the hook path: built-in modules only.
"""

from __future__ import annotations

from policy_engine.model.limits import READ_BYTES
from policy_engine.model.undecided import ABSENT, Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.filesystem.paths import PathValue
    from policy_engine.history.edited_files import FileChange

    PathText = str | PathValue
    Needle = str | tuple[str, bool]
    Pointer = str
    Dotted = str
    Json = Any
    Absent = Any  # the one value ABSENT
    FileChanges = tuple[FileChange, ...] | Absent


def placed(filesystem: FileSystem, path: PathText) -> PathValue:
    """Return a predicate's path argument as a real path; text is relative to the workspace. Raises Undecided."""
    if type(path) is not str:
        return path  # type: ignore[return-value]
    if not path:
        raise Undecided("an empty path names no file")
    return filesystem.resolve(path, filesystem.workspace)


def file_bytes(filesystem: FileSystem, path: PathText, most: int = READ_BYTES) -> Any:
    """Return the content of a regular file inside the workspace, ABSENT if there is none. Raises Undecided."""
    return filesystem.read(placed(filesystem, path), most)


def file_text(filesystem: FileSystem, path: PathText) -> Any:
    """As `file_bytes`, decoded from UTF-8 (a byte-order mark is dropped). Raises Undecided if it is malformed."""
    data = file_bytes(filesystem, path)
    if data is ABSENT:
        return ABSENT
    try:
        text: str = data.decode()
    except UnicodeDecodeError:
        raise Undecided(f"`{path}` is not UTF-8") from None
    return text.removeprefix("\ufeff")


def member(value: Any, key: str) -> Any:
    """One step into a value: a key of an object or an index of a list; ABSENT if it has none."""
    if type(value) is dict:
        return value.get(key, ABSENT)
    if type(value) is list and key.isascii() and key.isdigit() and (key == "0" or key[0] != "0"):
        index = int(key) if len(key) < 10 else len(value)
        return value[index] if index < len(value) else ABSENT
    return ABSENT


def pointer_keys(pointer: str) -> tuple[str, ...]:
    """Return the keys of a JSON pointer (RFC 6901). Raises ValueError with what is wrong."""
    if not pointer:
        return ()
    if pointer[0] != "/":
        raise ValueError("a JSON pointer starts with `/`")
    keys = pointer[1:].split("/")
    if any("~" in key.replace("~0", "").replace("~1", "") for key in keys):
        raise ValueError("in a JSON pointer `~` is written `~0`")
    return tuple(key.replace("~1", "/").replace("~0", "~") for key in keys)


def dotted_keys(dotted: str) -> tuple[str, ...]:
    """Return the keys of `a.b."c.d".0`. Raises ValueError with what is wrong."""
    keys: list[str] = []
    at = 0
    while True:
        if dotted[at : at + 1] == '"':
            end = dotted.find('"', at + 1)
            if end < 0:
                raise ValueError("a quoted key is not closed")
            keys.append(dotted[at + 1 : end])
            end += 1
        else:
            end = dotted.find(".", at)
            end = len(dotted) if end < 0 else end
            if end == at:
                raise ValueError("a key between dots is empty")
            keys.append(dotted[at:end])
        if end == len(dotted):
            return tuple(keys)
        if dotted[end] != ".":
            raise ValueError("a quoted key ends at a dot")
        at = end + 1
