"""Keep what `make` built in calls that ran nothing else: a file is not the session's own as long as it stays so.

A Makefile whose `test` starts `./calc_test` builds that file; without this each build would be a program that the
session wrote, and no run of it would count. Imported by the hook path when a task runner ran.
"""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known
from policy_engine.model.undecided import Undecided
from policy_engine.test_runs.task_files import goals_of, read_by, task_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.history.facts import Fact
    from policy_engine.shell.command import SimpleCommand

BUILT = "built"
"""Within the room of runs of tests: the built files, each with its time of change in ns."""
_MOST = 64
_NS = 1_000_000  # in a millisecond
_TOGETHER = 5_000_000_000  # ns within which cmake writes all its files
_BESIDE = frozenset("cd echo printf tail head grep tee cat time set nproc wc true".split())
_ACTS = frozenset(("executes", "executes-input", "executes-remote", "network"))
_PLAIN = ("-j", "-s", "-k", "-B", "-l", "--silent", "--quiet", "--no-print-directory", "--keep-going", "--jobs",
          "--always-make", "--output-sync", "-O")  # fmt: skip


def note_built(facts: Iterable[Fact], namespace: dict[str, Any], last: int | None, now: int | None) -> None:
    """Keep the files that the `make` of a line built between two events, in ms; None and 0: it is not known when."""
    commands = [fact.command for fact in facts if fact.kind == "command" and fact.command is not None]
    making = [command for command in commands if command.name in ("make", "gmake")]
    if not making or not last or now is None:
        return
    if not all(_is_plain(one) if one in making else _is_told(one, making) for one in commands):
        return
    if not all(redirect.path.known for one in commands for redirect in one.redirects):  # type: ignore[attr-defined]
        return
    named = _named_by(commands, making)
    for command in making:
        try:
            filesystem, folder = command.filesystem, command.cwd.real
        except Undecided:
            continue
        real = task_file(command.name, folder, filesystem)
        goals = goals_of(real, filesystem) if real else ()
        for part in read_by(real, filesystem) if goals else ():
            if part in named:
                continue
            times = filesystem.times(PathValue(part, part))
            if part.removeprefix(f"{folder.rstrip('/')}/") in goals and times and last * _NS <= times[0] <= now * _NS:
                kept = namespace.setdefault(BUILT, {})
                kept[part] = times[0]
                if len(kept) > _MOST:
                    del kept[next(iter(kept))]


def _named_by(commands: list[SimpleCommand], making: list[SimpleCommand]) -> set[str]:
    """Return the files that a line writes beside what its `make` makes, such as `cat x > calc_test`."""
    from policy_engine.test_runs.installed import written_by

    named = {real for command in commands if command not in making for real in written_by(command)}
    opened = (redirect.path for command in commands for redirect in command.redirects)  # type: ignore[attr-defined]
    return named | {path.real for path in opened}


def is_built(real: str, namespace: dict[str, Any], filesystem: FileSystem) -> bool:
    """Return whether a file is as `make` built it, or cmake wrote it for a folder of its own."""
    if real.endswith(("/Makefile", "/CTestTestfile.cmake")) and _is_of_cmake(real, filesystem):
        return True
    built = namespace.get(BUILT, {}).get(real)
    times = filesystem.times(PathValue(real, real)) if built is not None else None
    return times is not None and times[0] == built


def _is_of_cmake(real: str, filesystem: FileSystem) -> bool:
    """Return whether a file came with the rest of what cmake writes: one that was written later is another's."""
    beside = f"{real.rpartition('/')[0]}/CMakeFiles/TargetDirectories.txt"
    own, others = (filesystem.times(PathValue(path, path)) for path in (real, beside))
    return own is not None and others is not None and abs(own[1] - others[1]) < _TOGETHER


def _is_told(command: SimpleCommand, making: list[SimpleCommand]) -> bool:
    """Return whether it is known which files a command beside `make` writes, each by its name: what it deletes is built
    anew. A program that `make` has built may be started.
    """
    from policy_engine.effects.analysis import analysis_of

    if command.name in _BESIDE:
        return True
    try:
        if "/" in command.argv[0]:
            return any(
                command.filesystem.resolve(command.argv[0], command.cwd.real).real in _goals(one) for one in making
            )
        known = analysis_of(command)
    except Undecided:
        return False
    written = [path for path in known.paths if path.access == "write"]
    acts = known.opaque or known.doubts or not _ACTS.isdisjoint(known.words)
    return not acts and all(path.known and not path.recursive for path in written)


def _goals(making: SimpleCommand) -> set[str]:
    folder = making.cwd.real.rstrip("/")
    real = task_file(making.name, folder, making.filesystem)
    return {f"{folder}/{goal}" for goal in goals_of(real, making.filesystem)} if real else set()


def _is_plain(command: SimpleCommand) -> bool:
    """Return whether a `make` is told goals only, and how many at a time."""
    words = command.argv[1:]
    return not command.background and all(
        is_known(word) and "=" not in word and (word[:1] != "-" or word.startswith(_PLAIN)) for word in words
    )
