"""Recognize the run in the code of a shell that a starter starts: `docker compose exec web sh -c 'cd /app && pytest'`.

Such a run counts by the exit status only: it has to be what decides that of the code. Imported when a line has one.
"""

from __future__ import annotations

from policy_engine.model.partial import is_known
from policy_engine.model.undecided import Undecided
from policy_engine.test_runs.classify import Place, Run, classify
from policy_engine.test_runs.quiet import FILTERS, QUIET_VERBS
from policy_engine.test_runs.shadows import why_shadowed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.filesystem.paths import PathValue
    from policy_engine.shell.command import SimpleCommand

    Words = tuple[str, ...]

_BESIDE = frozenset("cd export set source . : true echo exit test [ umask ulimit pwd sleep".split())
"""Programs that change no file: what a run beside others sees is what lies in the workspace."""


def run_in_shell(words: Words, place: Place, depth: int) -> Run | None:
    """Return the run that the code behind `-c` is, None if it runs no tests."""
    from policy_engine.shell.parse import parse_proving

    text = _code(words)
    if not text:
        return None
    try:
        commands = parse_proving(text, place.folder.real if place.folder else None, place.filesystem)
    except Undecided:
        return None
    for number, command in enumerate(commands):
        run = None if command.in_function else classify(command.argv, _place(command, place), depth + 1)
        if run is None:
            continue
        others = (*commands[:number], *commands[number + 1 :])
        beside = next((other for other in others if not _changes_nothing(other)), None)
        if not command.zero_proves or command.background:
            run.refuse("the shell that it runs in hides its exit status")
        elif beside is not None:
            run.refuse(f"`{beside.text[:60]}` runs beside it, in a shell of its own")
        elif why := why_shadowed(text, commands):
            run.refuse(why)
        return run
    return None


def _code(words: Words) -> str:
    """Return the code of `sh -c CODE`, with what its options set; "" if there is none, or it is not known."""
    rest, start, wanted = list(words[1:]), "", False
    while rest and rest[0][:1] == "-" and is_known(rest[0]):
        word = rest.pop(0)
        if word[1:].strip("celuxoi"):
            return ""
        wanted = wanted or "c" in word
        start += "set -e\n" if "e" in word else ""
        start += f"set -o {rest.pop(0)}\n" if "o" in word and rest else ""
    return start + rest[0] if wanted and rest and is_known(rest[0]) else ""


def _place(command: SimpleCommand, outer: Place) -> Place:
    """Return where a command of the code runs: in a container, the folder of the workspace that its folder stands
    for.
    """
    try:
        folder: PathValue | None = command.cwd
    except Undecided:
        folder = None
    if outer.inside and folder is not None:
        folder = _mounted(folder, outer)
    made = Place(folder, outer.filesystem, (*outer.env, *command.env))
    made.inside, made.searched, made.image = outer.inside, outer.searched, outer.image
    made.started, made.programs, made.files = list(outer.started), list(outer.programs), list(outer.files)
    return made


def _mounted(folder: PathValue, outer: Place) -> PathValue | None:
    """Return the folder of the workspace that ends like a container's folder: the workspace itself for `/usr/src/app`
    where it has no folder `src` or `app`; None where that is not known.
    """
    filesystem = outer.filesystem
    try:
        if filesystem.relative(folder) is not None:
            return folder
        parts = folder.real.strip("/").split("/")
        first = next((number for number in range(1, len(parts)) if _is_there(parts[number], outer)), len(parts))
        below = "/".join(parts[first:])
        if below and not _is_there(below, outer):
            return None
        return filesystem.resolve(below or ".", filesystem.real_workspace)
    except Undecided:
        return None


def _is_there(folder: str, outer: Place) -> bool:
    status = outer.filesystem.look(outer.filesystem.resolve(folder, outer.filesystem.real_workspace))
    return isinstance(status, tuple) and status[0] == "folder"


def _changes_nothing(command: SimpleCommand) -> bool:
    try:
        if any(redirect.path.access == "write" for redirect in command.redirects):  # type: ignore[attr-defined]
            return False
    except Undecided:
        return False
    if command.name in _BESIDE or (command.piped_from and command.name in FILTERS and command.name != "tee"):
        return True
    verbs = () if command.name == "git" else QUIET_VERBS.get(command.name, "").split()
    return next((word for word in command.argv[1:] if word[:1] != "-"), "") in verbs
