"""Tell whether what a command runs was fetched or decoded by another command of its line.

Looked at when a rule asks for the effects of a command that runs what it is given. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.filesystem.paths import below
from policy_engine.model.partial import is_known
from policy_engine.model.undecided import Undecided
from policy_engine.programs._rows import LOADS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from policy_engine.filesystem.paths import PathValue
    from policy_engine.inline.scene import Scene
    from policy_engine.shell.command import SimpleCommand

    SceneOf = Callable[[SimpleCommand], Scene]

_FOREIGN = ("network", "decodes")
_SOCKETS = ("/dev/tcp/", "/dev/udp/")


def trace(command: SimpleCommand, line: tuple[SimpleCommand, ...], scene_of: SceneOf) -> None:
    """Add `executes-remote` to the command's effects where the line gives it foreign code to run.

    Args:
        command: the command that may run it; its effects change.
        line: all commands of its line.
        scene_of: gives the effects of a command.
    """
    scene = scene_of(command)
    reads = "executes-input" in scene.words
    loads = _loaded(command, scene)
    if not reads and not scene.runs and not loads:
        return
    fetched = _fetched(line, command, scene_of)
    if _may_fetch(line, command, fetched, bool(loads), scene_of):
        scene.doubt("executes-remote", "the line fetches a file whose name is not known, and runs one")
    foreign = any(_same(file, path) for path in fetched for file in scene.runs)
    foreign = foreign or any(path.known and _same(path, file) for path in fetched for file in loads)
    if reads and not foreign:
        foreign = _listens(command) or any(_same(file, path) for path in fetched for file in _opened(command))
        foreign = foreign or any(
            _feeds(other, command, line, fetched, scene_of) for other in line if other is not command
        )
    if foreign:
        scene.does("executes-remote")
        scene.doubts.pop("executes-remote", None)


def _loaded(command: SimpleCommand, scene: Scene) -> list[PathValue]:
    """The files that it loads as code by itself, and the folders of such files."""
    name = scene.name if scene.name in LOADS else command.name
    if scene.informs or name not in LOADS:
        return []
    return [file for file in (scene.path(text, "read") for text in LOADS[name].split()) if file.known]


def _may_fetch(
    line: tuple[SimpleCommand, ...], command: SimpleCommand, fetched: list[PathValue], loads: bool, scene_of: SceneOf
) -> bool:
    """Return whether a file that it runs or loads may be what the line fetched: that has no known name, or is only
    named.
    """
    files = {path.text.rpartition("/")[2] for path in scene_of(command).runs}
    unnamed = any(not path.known and path.text.rpartition("/")[2][:1] in ("…", "\0") for path in fetched)
    if unnamed and (files or loads):
        return True
    unsure = [other for other in line if not all(map(is_known, other.argv)) and _foreign(other, scene_of)]
    return any(word.rpartition("/")[2] in files for other in unsure for word in other.argv[1:])


def _foreign(command: SimpleCommand, scene_of: SceneOf) -> bool:
    try:
        words = scene_of(command).words
    except Undecided:
        return False
    return any(word in words for word in _FOREIGN)


def _starts_foreign(command: SimpleCommand, line: tuple[SimpleCommand, ...], scene_of: SceneOf) -> bool:
    """Return whether a command that it starts fetches or decodes: `env A=1 curl …`, whose output is its own."""
    return any(
        other.text in command.text and _foreign(other, scene_of)
        for other in line
        if any(via.partition(" ")[0] == command.name for via in other.via)
    )


def _listens(command: SimpleCommand) -> bool:
    """Return whether its input is a connection that the shell opens."""
    paths = [redirect.path for redirect in command.redirects]  # type: ignore[attr-defined]
    return any(path.known and path.real.startswith(_SOCKETS) for path in paths)


def _opened(command: SimpleCommand) -> list[PathValue]:
    """The files that its redirections read."""
    paths: list[PathValue] = [redirect.path for redirect in command.redirects]  # type: ignore[attr-defined]
    return [path for path in paths if path.access == "read"]


def _feeds(
    other: SimpleCommand,
    command: SimpleCommand,
    line: tuple[SimpleCommand, ...],
    fetched: list[PathValue],
    scene_of: SceneOf,
) -> bool:
    """Through a pipe, a substitution, or a variable or descriptor that was given its output before."""
    started = (*command.via, command.name)
    if other.via[: len(started)] == started:
        return False  # it is what the command runs
    if not _foreign(other, scene_of) and not _shows(other, fetched, scene_of):
        return False
    fed = command.piped_from
    if other.name in fed or "?" in fed or any(other.text in text for text in command.sources):
        return True
    keeps = [one for one in line if one.name in (":", "exec", "export", "declare", "local", "readonly", "read")]
    return any(other.text in text for one in keeps for text in one.sources)


def _shows(command: SimpleCommand, fetched: list[PathValue], scene_of: SceneOf) -> bool:
    """Return whether it reads a file that the line fetched before."""
    if not fetched:
        return False
    try:
        read = scene_of(command).contents
    except Undecided:
        return False
    return any(_same(file, path) for path in fetched for file in read)


def _fetched(line: tuple[SimpleCommand, ...], command: SimpleCommand, scene_of: SceneOf) -> list[PathValue]:
    """The files that hold what the line fetched, before the command: written by who fetched, piped or copied."""
    found: list[PathValue] = []
    for other in line:
        if other is command:
            break
        if other.name == "git" and "clone" not in other.argv:
            continue  # what it brings belongs to the repository that is worked in
        try:
            scene = scene_of(other)
        except Undecided:
            continue
        tainted = (
            _foreign(other, scene_of)
            or _starts_foreign(other, line, scene_of)
            or any(one.name in other.piped_from and _foreign(one, scene_of) for one in line)
        )
        if not tainted:
            tainted = any(_same(read, path) for path in found for read in scene.contents)
        if tainted:
            found += [path for path in scene.paths if path.access == "write"]
    return found


def _same(left: PathValue, right: PathValue) -> bool:
    """One file, or one that lies where a whole folder was written."""
    if left.known and right.known:
        return left.real == right.real or below(left.real, right.real)
    return left.known == right.known and left.text == right.text
