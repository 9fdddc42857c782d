"""Find the files that a search reads because its glob names them; what it would read anyhow is not among them.

A search leaves hidden and ignored files out unless a glob asks for them. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.filesystem.globs import expand_braces, glob_head, glob_matches, glob_problem
from policy_engine.model.carried import name_words, plain_key
from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from policy_engine.filesystem.file_system import FileSystem

GLOB_KEYS = frozenset(
    "glob globs include includes includepattern includepatterns filepattern filepatterns includeglob includeglobs "
    "pathsincludeglob filemask fileglob globpattern".split()
)
_WILD = "*?["
_NARROW = 8  # files: a glob that fits so few names them deliberately


_SHOWS = frozenset("search grep rg read cat content contents pattern query match".split())


def shows_content(name: str) -> bool:
    """Return whether the words in the name of a tool that nobody described say that it gives what is in files."""
    return not _SHOWS.isdisjoint(name_words(name))


def searched_places(args: dict[str, Any], folders: tuple[str, ...], name: str) -> tuple[str, ...]:
    """Return where a search begins: its folders, and what its globs lead to outside of them (`/etc/**`, `../*`)."""
    greps = not {"grep", "content"}.isdisjoint(name_words(name))
    globs = [*_globs(args)]
    if type(pattern := args.get("pattern")) is str and not greps:
        globs += _expanded(pattern)
    heads = [glob_head(glob) for glob in dict.fromkeys(globs)]
    away = [head for head in heads if head[:1] in ("/", "~")]
    if not folders and (greps or not heads or len(away) < len(heads)):
        folders = (".",)
    upwards = [f"{folder}/{head}" for head in heads if ".." in head.split("/") for folder in folders]
    return (*folders, *dict.fromkeys(away + upwards))


def _expanded(glob: str) -> tuple[str, ...]:
    try:
        return expand_braces(glob)
    except ValueError:
        return (glob,)


def globbed(args: dict[str, Any], folder: str, cwd: str | None, filesystem: FileSystem) -> Iterator[str]:
    """Yield the files that the globs among the arguments of a search below `folder` name, as far as it can be told."""
    for glob in dict.fromkeys(_globs(args)):
        names = glob.rpartition("/")[2]
        anywhere = "/" not in glob.rstrip("/")
        if not any(char in glob for char in _WILD):
            yield f"{folder}/{glob}" if glob[:1] not in ("/", "~") else glob
            continue
        for stand_in in ("", "x"):  # what a star may stand for: `.env*` names `.env`, `*.pem` any key
            plain = names.replace("*", stand_in).replace("?", "x")
            if plain.strip("x."):
                yield f"{folder}/{plain}"
        yield from _there(glob, names, anywhere, folder, cwd, filesystem)


def _globs(args: dict[str, Any]) -> Iterator[str]:
    for key, value in args.items():
        if plain_key(key) not in GLOB_KEYS:
            continue
        for text in value if type(value) is list else [value]:
            for word in text.split() if type(text) is str else ():
                for glob in word.split(",") if "{" not in word else [word]:
                    if not any(char in glob for char in _WILD + "{"):
                        yield from (glob,) if glob else ()
                    elif glob[0] != "!" and glob_problem(glob.lstrip("/")) is None:
                        yield from expand_braces(glob)


def _there(
    glob: str, names: str, anywhere: bool, folder: str, cwd: str | None, filesystem: FileSystem
) -> Iterator[str]:
    """Yield the files below the folder that the glob fits and that are hidden, or all of them if they are few.

    For the commonest globs (`*.py`) only the folder itself is looked at.
    """
    try:
        root = filesystem.resolve(folder, cwd)
        if names[:2] == "*." and names[2:].isalnum():
            files = [f"{root.real.rstrip('/')}/{name}" for name in filesystem.names(root)]
        else:
            files = filesystem.files_below(root)
    except Undecided:
        return  # too many to be looked at; what the glob spells out has been told
    start = len(root.real.rstrip("/")) + 1
    pattern = ((f"**/{names}" if anywhere else glob.lstrip("/"),), ())
    fitting = [one for one in files if glob_matches(pattern, one[start:], one)]
    for one in fitting:
        if len(fitting) <= _NARROW or "/." in one[start - 1 :]:
            yield one
