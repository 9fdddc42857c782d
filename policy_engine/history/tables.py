"""Every path and every command of a session by its latest sequence numbers: what quantified variables ask for.

The tables also tell a monitor that joins a running session what it missed. They are bounded; what is pushed out leaves
a floor: anything unknown may have happened up to there. State is plain dictionaries and lists. Imported by the hook
path.
"""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue, under
from policy_engine.history.bulk import with_endings
from policy_engine.history.facts import BLOCKED
from policy_engine.history.marks import standing
from policy_engine.model.limits import LOST_FILES, TRACKED_COMMANDS, TRACKED_PATHS
from policy_engine.model.undecided import Undecided
from policy_engine.shell.patterns import stripped_argv
from policy_engine.shell.prefilter import is_sealed, may_match, may_run, prefilter, seal
from policy_engine.state.private_key import keyed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.history.bulk import Bulk
    from policy_engine.history.facts import Fact
    from policy_engine.history.marks import Mark
    from policy_engine.shell.command import SimpleCommand

PATH_KINDS = ("wrote", "read", "deleted")
_DARK_LINES = 64
_SEALED_CHARS = 4096  # of the digests of a line's words
_OWN_NAMES = ("refused", "verified", "prompted")
_DEEP_WRITES = 64
_NAMES = 1024


MISSED = "missed"
"""The part of the state with what is known of events that are missing, until the next one begins."""
UNSETTLED = "unsettled"
"""The part of the state with what a comparison of the workspace may restore."""
RETURNED = "returned"
"""The part of the state with what changed since git moved files away (returned.py)."""
SHELVES = ("paths", "commands", "names")
"""The tables with an entry for each path, command and name, of which an event needs only its own."""


def empty_tables(floor: int = 0) -> dict[str, Any]:
    """Return a session's tables; `floor` > 0 says that a past up to there is lost."""
    return {
        # real path → [wrote, read, deleted, the same for what may have happened, ids of events for the first three]
        "paths": {},
        "path_floor": [floor, floor, floor],  # per kind: up to here an unlisted path may have been touched
        # (folder, sequence, endings of file names or ()): something below was written, which files is not known
        "deep": [],
        # digest of argv and folder → [ran, success, cancel, failure, how the latest ended, its event's id, sealed line]
        "commands": {},
        "command_floor": floor,
        # Lines that are not understood: (sequence, sealed line, or "" for anything, whether it ended).
        "dark": [],
        "names": {},  # kind and name, or a digest of the name → [sure, possible, the latest event's id]
        "name_floor": floor,
    }


def note_path(tables: dict[str, Any], fact: Fact, sequence: int, event: str) -> None:
    """Enter a wrote, read or deleted fact; `event` is the id of its event."""
    column = PATH_KINDS.index(fact.kind)
    path, floor, paths = fact.path, tables["path_floor"], tables["paths"]
    if path is None:
        floor[column] = sequence  # any path may be the one
        return
    if path.recursive and fact.kind == "wrote":
        _note_deep(tables, path.real, sequence, ())
        return
    place = column if fact.sure else column + 3
    if path.recursive and fact.kind == "deleted":
        for real, entry in list(paths.items()):
            if under(real, path.real):
                entry[place] = sequence
                paths[real] = entry
    entry = paths.pop(path.real, None) or [0, 0, 0, 0, 0, 0, "", "", ""]
    entry[place] = sequence
    if fact.sure:
        entry[column + 6] = event
    paths[path.real] = entry  # at the end: the longest untouched are the first to go
    while len(paths) > TRACKED_PATHS:
        gone = paths.pop(next(iter(paths)))
        tables["path_floor"] = floor = [max(floor[at], gone[at], gone[at + 3]) for at in (0, 1, 2)]


def note_bulk(tables: dict[str, Any], bulk: Bulk, sequence: int) -> None:
    """Enter more paths of one event than are kept one by one: of writes their folders."""
    if bulk.kind == "wrote":
        for folder in bulk.folders():
            _note_deep(tables, folder, sequence, bulk.endings())
    else:
        tables["path_floor"][PATH_KINDS.index(bulk.kind)] = sequence


def _note_deep(tables: dict[str, Any], folder: str, sequence: int, endings: tuple[str, ...]) -> None:
    deep = tables["deep"]
    known = next((entry for entry in deep if entry[0] == folder), None)
    if known is not None:
        endings = tuple(sorted({*known[2], *endings})) if known[2] and endings else ()
    deep[:] = [*(entry for entry in deep if entry[0] != folder), (folder, sequence, endings)]
    while len(deep) > _DEEP_WRITES:
        tables["path_floor"][0] = max(tables["path_floor"][0], deep.pop(0)[1])


def _possible(sure: int, possible: int) -> Mark:
    return sure, possible if possible > sure else 0


def path_mark(tables: dict[str, Any], kind: str, real: str) -> Mark:
    """Return when one exact path was last touched in this way."""
    column = PATH_KINDS.index(kind)
    entry = tables["paths"].get(real)
    sure, possible = (entry[column], entry[column + 3]) if entry is not None else (0, 0)
    possible = max(possible, tables["path_floor"][column])
    if kind == "wrote":
        possible = max([possible, *(entry[1] for entry in tables["deep"] if _below(real, entry))])
    return _possible(sure, possible)


def glob_mark(tables: dict[str, Any], kind: str, pattern: tuple[Any, ...], filesystem: FileSystem) -> Mark:
    """Return when any path of a glob was last touched in this way."""
    column = PATH_KINDS.index(kind)
    sure, possible = 0, tables["path_floor"][column]
    for real, entry in tables["paths"].items():
        if (entry[column] > sure or entry[column + 3] > possible) and filesystem.matches(
            pattern, PathValue(real, real)
        ):
            sure, possible = max(sure, entry[column]), max(possible, entry[column + 3])
    if kind == "wrote":
        for folder, number, endings in tables["deep"]:
            if filesystem.may_match(with_endings(pattern, endings), PathValue(folder, folder, "", True)):
                sure = max(sure, number)  # a recursive access matches every glob that could match below it
    return _possible(sure, possible)


def _below(real: str, entry: tuple[str, int, tuple[str, ...]]) -> bool:
    return under(real, entry[0]) and (not entry[2] or real.endswith(entry[2]))


def written(tables: dict[str, Any], pattern: tuple[Any, ...], filesystem: FileSystem) -> tuple[PathValue, ...]:
    """Return the written paths of a glob that exist now, by relative path. Raises Undecided if some are not known."""
    paths = []
    if tables["path_floor"][0]:
        paths += _all_below(filesystem.real_workspace, pattern, filesystem)
    for folder, _, endings in tables["deep"]:
        reduced = with_endings(pattern, endings)
        if filesystem.may_match(reduced, PathValue(folder, folder, "", True)):
            paths += _all_below(folder, reduced, filesystem)
    known = {path.real for path in paths}
    for real, entry in tables["paths"].items():
        path = PathValue(real, real)
        if (
            real not in known
            and (entry[0] or entry[3])
            and filesystem.matches(pattern, path)
            and _is_file(path, filesystem)
        ):
            if not entry[0]:
                raise Undecided(f"whether `{real[:200]}` was written is not known")
            relative = filesystem.relative(path)
            paths.append(PathValue(real if relative is None else relative, real))
    return tuple(sorted(paths, key=lambda path: path.text))


def _is_file(path: PathValue, filesystem: FileSystem) -> bool:
    """Return whether there is a file or a link: a pipe or a device has no content that a rule could ask for."""
    status = filesystem.look(path)
    return isinstance(status, tuple) and status[0] in ("file", "link")


def _all_below(folder: str, pattern: tuple[Any, ...], filesystem: FileSystem) -> list[PathValue]:
    """Return the files that match below a folder where it is not known what was written: each counts as written.

    Raises Undecided, with what to do, if they are more than LOST_FILES.
    """
    from policy_engine.history.snapshot import matching

    paths = matching(folder, pattern, filesystem, LOST_FILES)
    if paths is None:
        raise Undecided(
            f"which files below `{folder[:200]}` were written is not known, and too many could be. Delete what is not"
            " needed, or let git ignore it; else a person decides (`policy accept`)"
        )
    return paths


class Written:
    """The table of paths, in which what lies in a folder of unknown writes counts as possibly written."""

    __slots__ = ("_tables",)

    def __init__(self, tables: dict[str, Any]) -> None:
        self._tables = tables

    def get(self, real: str) -> Any:
        """Return the entry of a path; None if there is none."""
        value = self._tables["paths"].get(real)
        if value is None and any(_below(real, entry) for entry in self._tables["deep"]):
            return (0, 0, 0, 1, 0, 0)
        return value


def command_key(command: SimpleCommand, filesystem: FileSystem) -> str | None:
    """Return what makes two runs the same command: argv and folder; None outside the workspace. Raises Undecided.

    It is text of the command: what is kept is a digest of it.
    """
    folder = filesystem.relative(command.cwd)
    return None if folder is None else "\0".join((folder, *stripped_argv(command)))


def note_command(
    tables: dict[str, Any], fact: Fact, sequence: int, filesystem: FileSystem, event: str, secret: bytes
) -> None:
    """Enter a command fact; `event` is the id of its event, `secret` the key of digests."""
    command = fact.command
    key: str | None = None
    if command is not None:
        try:
            key = command_key(command, filesystem)
        except Undecided:
            command = None
    if command is None:
        if fact.outcome == BLOCKED:
            return
        _note_dark(tables, _sealed(fact.name), fact.outcome != "pending", sequence)
        return
    if key is None:
        return
    key = keyed(secret, key)
    commands = tables["commands"]
    entry = commands.pop(key, None) or [0, 0, 0, 0, "", "", _sealed(fact.name)]
    entry[4:6] = [fact.status, event]
    commands[key] = entry
    if fact.outcome not in ("pending", BLOCKED):
        entry[0] = sequence
    if fact.outcome == "success":
        entry[1] = max(entry[1], sequence)
        if entry[2] < sequence:
            entry[2] = 0
    elif fact.outcome != BLOCKED:
        entry[2] = sequence
    if fact.outcome == "failure":
        entry[3] = sequence
    while len(commands) > TRACKED_COMMANDS:
        tables["command_floor"] = max(tables["command_floor"], *commands.pop(next(iter(commands)))[:4])


def _sealed(line: str) -> str:
    """Digests of the words of a line, for `may_run` and `may_match`; "" for one that may start anything."""
    sealed = prefilter(line)
    return sealed if is_sealed(line) or not sealed else prefilter(seal(line, _SEALED_CHARS))


def _note_dark(tables: dict[str, Any], line: str, ended: bool, sequence: int) -> None:
    dark = tables["dark"]
    dark[:] = [entry for entry in dark if entry[1:] != (line, ended)]
    dark.append((sequence, line, ended))
    while len(dark) > _DARK_LINES:
        tables["command_floor"] = max(tables["command_floor"], dark.pop(0)[0])


def command_mark(tables: dict[str, Any], kind: str, key: str, program: str, standing_only: bool) -> Mark:
    """Return when one exact command, by its digest, last ran, succeeded (if `standing_only`: and no later run
    cancelled it) or failed.
    """
    ran, success, cancel, failure = (tables["commands"].get(key) or (0, 0, 0, 0))[:4]
    doubt = tables["command_floor"]
    for number, line, ended in tables["dark"]:
        if number > doubt and may_run(program, line) and (ended or kind == "command_success"):
            doubt = number
    if kind == "command_success" and standing_only:
        return standing(success, cancel, doubt)
    sure = {"ran": ran, "command_success": success, "command_failure": failure}[kind]
    return _possible(sure, doubt)


def pattern_mark(tables: dict[str, Any], kind: str, pattern: Any) -> int:
    """Return the latest moment at which a command of a pattern may have run: what ran is kept as digests only."""
    possible = tables["command_floor"]
    for _, entry in tables["commands"].items():  # a table has no `values`
        if entry[0] > possible and may_match(pattern[0], entry[6]):
            possible = entry[0]
    programs = [tokens[0] for tokens in pattern[0]]
    for number, line, ended in tables["dark"]:
        if (
            number > possible
            and (ended or kind == "command_success")
            and any(may_run(program, line) for program in programs)
        ):
            possible = number
    return int(possible)


def name_key(kind: str, name: str, secret: bytes) -> str:
    """Return what a name is kept under: names that a policy gives as they are, of others a digest."""
    return f"{kind}\0{name if kind in _OWN_NAMES else keyed(secret, name)}"


def note_name(tables: dict[str, Any], key: str, sequence: int, sure: bool, event: str) -> None:
    """Enter anything that is told apart by a name: tools, tool facts, refusals, stages."""
    names = tables["names"]
    entry = names.pop(key, None) or [0, 0, ""]
    entry[not sure], entry[2] = sequence, event
    names[key] = entry
    while len(names) > _NAMES:
        tables["name_floor"] = max(tables["name_floor"], *names.pop(next(iter(names)))[:2])


def name_mark(tables: dict[str, Any], key: str) -> Mark:
    """Return when a name was last seen."""
    sure, possible = (tables["names"].get(key) or (0, 0))[:2]
    possible = max(possible, tables["name_floor"])
    return _possible(sure, possible)
