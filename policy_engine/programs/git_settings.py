"""Read the settings of git where a call of it does: of the user, and of the repository around a folder.

Imported by the hook path when a rule asks what a call of git does.
"""

from __future__ import annotations

from policy_engine.model.limits import READ_BYTES
from policy_engine.model.undecided import ABSENT, Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.inline.effect_analysis import EffectAnalysis

_SETTINGS = 2000  # of one file


def user_files(filesystem: FileSystem) -> tuple[str, ...]:
    """Return the files of the user's settings; the later one prevails."""
    home = filesystem.home or "/"
    return f"{home}/.config/git/config", f"{home}/.gitconfig"


def repository_around(filesystem: FileSystem, cwd: str) -> tuple[str, str]:
    """Return the folder with the settings of the repository around a folder, and the root of its files; empty if there
    is none.

    Raises:
        Undecided: it is no usual one, or cannot be looked at.
    """
    at = cwd.rstrip("/")
    while True:
        status = filesystem.look(filesystem.resolve(f"{at}/.git", "/"))
        if isinstance(status, tuple):
            break
        if not at:
            return "", ""
        if is_there(filesystem, f"{at}/HEAD"):
            raise Undecided("the folder itself may be a repository")
        at = at.rpartition("/")[0]
    if status[0] == "folder":
        if is_there(filesystem, f"{at}/.git/config.worktree") or is_there(filesystem, f"{at}/.git/commondir"):
            raise Undecided("the repository has settings in several files")
        return f"{at}/.git", at
    words = (filesystem.script(filesystem.resolve(f"{at}/.git", "/"), READ_BYTES) or "").split("gitdir:", 1)
    own = path_below(at, filesystem.home or "/", words[-1].strip())
    main, name, tree = own.partition("/.git/worktrees/")
    if len(words) < 2 or not name or "/" in tree or is_there(filesystem, f"{own}/config.worktree"):
        raise Undecided("the files of the repository lie elsewhere")
    return f"{main}/.git", at


def embedded_around(analysis: EffectAnalysis, cwd: str) -> str:
    """Return the folder that git takes for the settings of the repository around a folder, where that is no `.git`:
    one with a `HEAD` among the files, or what a file `.git` names; "" if there is none.
    """
    at = cwd.rstrip("/")
    while at:
        own = analysis.path(f"{at}/.git", "read")
        if (text := analysis.text_in(own, READ_BYTES)) is not None:
            return path_below(at, analysis.filesystem.home or "/", text.partition("gitdir:")[2].strip())
        if analysis.filesystem.present(own):
            return ""
        if analysis.text_in(analysis.path(f"{at}/HEAD", "read"), READ_BYTES) is not None:
            return at
        at = at.rpartition("/")[0]
    return ""


def path_below(folder: str, home: str, path: str) -> str:
    if path.startswith("~/"):
        return home + path[1:]
    return path if path.startswith("/") else f"{folder}/{path}"


def is_there(filesystem: FileSystem, path: str) -> bool:
    return filesystem.present(filesystem.resolve(path, "/"))


def settings_in(filesystem: FileSystem, path: str) -> Iterator[tuple[str, str]]:
    """Yield the keys, in small letters, and values of a file of settings; none if there is no such file.

    Raises:
        Undecided: it cannot be read, or a value goes on in the next line, where a section might seem to begin.
    """
    place = filesystem.resolve(path, "/")
    if filesystem.look(place) is ABSENT:
        return
    yield from settings_of(filesystem.script(place, READ_BYTES), path)


def settings_of(text: str | None, path: str) -> Iterator[tuple[str, str]]:
    """Yield the keys and values of the text of a file of settings. Raises Undecided as above."""
    if text is None or text.count("\n") > _SETTINGS or "\\\n" in text or "\\\r" in text:
        raise Undecided(f"`{path[:200]}` cannot be read")
    section = ""
    for line in text.split("\n"):
        line = line.strip()
        while line[:1] == "[":
            head, end, line = line[1:].partition("]")
            name, _, below = head.partition(" ")
            below = below.strip().strip('"')
            section = f"{name}.{below}" if below else name
            if not end or '"' in below:
                raise Undecided(f"`{path[:200]}` cannot be read")
            line = line.strip()
        if line and line[0] not in "#;":
            key, equals, value = line.partition("=")
            name = key.split("#")[0].split(";")[0].strip()
            yield f"{section}.{name}".lower(), value.strip().strip('"') if equals else "true"
