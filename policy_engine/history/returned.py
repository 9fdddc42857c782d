"""Find that the workspace holds again what it held before git moved it: what came back was not changed.

Before a command of git that moves the work tree (`checkout`, `merge`, `stash`, …) the commit, digests of the files that
it does not hold, and the states of the monitors of paths are kept. Where every file that was written or deleted since
holds what it held then, these states are given back: the tests that passed then have seen these files. A command that
may prove something of the files meanwhile ends that, so that nothing proven of other files counts for these. Imported
by the hook path where rules ask for runs of tests.
"""

from __future__ import annotations

import posix
from _blake2 import blake2b

from policy_engine.filesystem.paths import encoded, under
from policy_engine.filesystem.walk import MISSING, unknown
from policy_engine.history.monitors import CANCEL, STANDING, SURE
from policy_engine.history.tables import RETURNED
from policy_engine.model.undecided import Undecided
from policy_engine.programs.invocation import verb_place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.filesystem.paths import PathValue
    from policy_engine.filesystem.repository import Repository
    from policy_engine.history.facts import Fact
    from policy_engine.history.recorder import Recorder
    from policy_engine.history.run_start import Parts
    from policy_engine.shell.command import SimpleCommand

PART = "returned"
"""The part of a session with the moments that are kept, oldest first. The room RETURNED has the files that changed
since each of them, and what the table of paths said of each before."""
_CHANGED = ("wrote", "deleted")
_KIND, _FILE = 0o170000, 0o100000
_MOVING = frozenset("checkout switch merge stash rebase reset restore cherry-pick pull".split())
_KEEPING = frozenset("add commit status log diff show branch fetch tag rev-parse remote ls-files blame".split())
_STILL = frozenset("cd pushd popd export set true : echo printf test [".split())
_MOMENTS = 4
_FILES = 512
_TOOLS = ("shell", "read", "search", "write", "edit", "todo")


def may_move(line: str) -> bool:
    """Return whether a shell line may hold a command of git that moves the work tree."""
    return any(verb in line for verb in _MOVING)


def is_worth_keeping(commands: Sequence[SimpleCommand], history: Recorder) -> bool:
    """Return whether a line moves the work tree of a session in which something was proven of it."""
    return any(_verb(command) in _MOVING for command in commands) and _has_evidence(history)


def contents(history: Recorder, filesystem: FileSystem) -> tuple[str, dict[str, str]] | None:
    """Return the commit, and digests of the files that differ from it or were written in the session, by canonical
    path; None if they are not known. What is compared with a snapshot only afterwards cannot change unseen.
    """
    try:
        repository = filesystem.repository()
        commit, names = repository.standing()
        root = repository.root.rstrip("/")
        tables = history.state["tables"]
        if not commit or tables["path_floor"][0] or tables["path_floor"][2] or tables["deep"]:
            return None
        reals = {f"{root}/{name}" for name in names}
        reals |= {real for real, entry in tables["paths"].items() if any(entry[at] for at in (0, 2, 3, 5))}
        if len(reals) > _FILES:
            return None
        return commit, {real: _digest(real, repository) for real in sorted(reals) if real.startswith(root + "/")}
    except Undecided:
        return None


def keep(now: tuple[str, dict[str, str]], parts: Parts, history: Recorder) -> None:
    """Keep a moment: its contents, and the states of the monitors of paths."""
    states = {}
    for number, spec in enumerate(history.specs):
        if spec[1] in ("latest", "last") and any(kind in _CHANGED for kind, _, _ in spec[2]):
            states[spec[0]] = [list(own) for own in history.state_of(number)]
    away = history.namespace(RETURNED).setdefault("away", [])
    moments = list(parts.get(PART) or ()) if away else []  # others were forgotten
    if away and (not away[-1] or len(away) == _MOMENTS):
        del away[-1], moments[-1]
    parts[PART] = [*moments, (*now, states)]
    away.append({})
    history.dirty = True


def note_away(facts: Iterable[Fact], history: Recorder) -> None:
    """Enter what the event at hand changes, before the tables know it; forget every moment if it may prove something
    of the files as they are meanwhile, or what it changes is not known.
    """
    event, room = history.event, history.state["rooms"][RETURNED]
    paths = history.state["tables"]["paths"]
    for fact in facts:
        if fact.kind in _CHANGED:
            if fact.path is None or fact.path.recursive or not fact.path.known:
                forget(history)
                return
            for away in room["away"]:
                if fact.path.real not in away:
                    entry = paths.get(fact.path.real)
                    away[fact.path.real] = list(entry) if entry is not None else None
        elif _may_prove(fact) or (fact.kind == "read" and _is_seen_away(fact.path, room["away"])):
            forget(history)
            return
    if any(len(away) > _FILES for away in room["away"]) or (
        event is not None and event.hook == "after_tool" and event.tool_kind not in _TOOLS
    ):
        forget(history)


def _is_seen_away(path: PathValue | None, moments: list[dict[str, Any]]) -> bool:
    """Return whether a file is read that holds something else than it did: that is no reading of what comes back."""
    if path is None or not path.known:
        return any(moments)
    return any(path.real in away or (path.recursive and any(under(one, path.real) for one in away)) for away in moments)


def forget(history: Recorder) -> None:
    """Forget every moment."""
    if history.state["rooms"].pop(RETURNED, None) is not None:
        history.dirty = True


def settle(parts: Parts, history: Recorder, filesystem: FileSystem) -> None:
    """Give back the states of the first moment whose files all hold again what they held."""
    room, moments = history.state["rooms"][RETURNED], parts.get(PART) or []
    if len(room["away"]) != len(moments):
        forget(history)
        return
    for away, moment in zip(room["away"], moments, strict=True):
        if away and _is_back(away, moment[0], moment[1], filesystem):
            _give_back(away, moment[2], history)
            parts[PART] = [moment]
            room["away"] = [{}]
            return


def _give_back(away: dict[str, Any], states: dict[str, Any], history: Recorder) -> None:
    for number, spec in enumerate(history.specs):
        before = states.get(spec[0])
        if before is not None:
            now = history.stored(number)
            for place, (kind, _, _) in enumerate(spec[2]):
                if kind in _CHANGED:
                    now[place][:] = before[place]
    paths = history.state["tables"]["paths"]
    for real, entry in away.items():
        paths.pop(real, None)
        if entry is not None:
            paths[real] = entry
    history.dirty = True


def _is_back(away: Iterable[str], commit: str, digests: dict[str, str], filesystem: FileSystem) -> bool:
    try:
        repository = filesystem.repository()
        root = repository.root.rstrip("/") + "/"
        if not all(real.startswith(root) for real in away):
            return False
        others = [real for real in away if real not in digests]
        if any(_digest(real, repository) != digests[real] for real in away if real in digests):
            return False
        if not others:
            return True
        listed = repository.ask(
            "ls-tree", "-r", "-z", "--full-tree", commit, "--", *(one[len(root) :] for one in others)
        )
    except Undecided:
        return False
    blobs = {}
    for entry in listed.decode("utf-8", "surrogateescape").split("\0")[:-1]:
        fields, _, name = entry.partition("\t")
        blobs[root + name] = fields
    return all(_is_committed(real, blobs.get(real), repository) for real in others)


def _is_committed(real: str, entry: str | None, repository: Repository) -> bool:
    """Return whether a file holds what a line of `git ls-tree` says, or is missing where there is none."""
    kind, data = _held(real, repository)
    if entry is None or not kind:
        return entry is None and not kind
    mode, _, name = entry.split(" ")
    if kind != mode:
        return False
    from hashlib import sha1, sha256

    blob = (sha1 if len(name) == 40 else sha256)(b"blob %d\0" % len(data), usedforsecurity=False)
    blob.update(data)
    return blob.hexdigest() == name


def _held(real: str, repository: Repository) -> tuple[str, bytes]:
    """Return the mode of a file as git writes it, "" if there is none, and what the file holds. Raises Undecided."""
    try:
        mode = posix.lstat(encoded(real)).st_mode
    except OSError as error:
        if error.errno in MISSING:
            return "", b""
        raise unknown(real, error) from None
    kind = ("100755" if mode & 0o100 else "100644") if mode & _KIND == _FILE else oct(mode)
    return kind, repository.read(real[len(repository.root.rstrip("/")) + 1 :])


def _digest(real: str, repository: Repository) -> str:
    kind, data = _held(real, repository)
    return blake2b(kind.encode() + b"\0" + data, digest_size=16).hexdigest()


def _has_evidence(history: Recorder) -> bool:
    """Return whether a run of tests or a command counts for a rule."""
    for number, spec in enumerate(history.specs):
        if spec[1] in ("latest", "last"):
            for (kind, _, _), own in zip(spec[2], history.state_of(number), strict=True):
                if kind in STANDING and own[SURE] > own[CANCEL]:
                    return True
    return False


def _verb(command: SimpleCommand) -> str:
    """Return the subcommand of git, "" for another program or where it is not known."""
    try:
        if command.name != "git":
            return ""
        place = verb_place(command.argv) or len(command.argv)
        return str(command.argv[place]) if place < len(command.argv) else ""
    except Undecided:
        return ""


def _may_prove(fact: Fact) -> bool:
    """Return whether a fact may be evidence about the files as they are at its moment."""
    if fact.kind in ("tests", "verified", "tool_fact"):
        return True
    if fact.kind != "command" or fact.outcome == "blocked":
        return False
    command = fact.command
    if command is None:
        return True
    if _verb(command) in _MOVING or _verb(command) in _KEEPING:
        return False
    from policy_engine.effects.command import effects_of

    try:
        return command.name not in _STILL and not effects_of(command).read_only
    except Undecided:
        return True
