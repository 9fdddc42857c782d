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
    from policy_engine.inline.effect_analysis import EffectAnalysis
    from policy_engine.shell.command import SimpleCommand

    AnalysisOf = Callable[[SimpleCommand], EffectAnalysis]

_FOREIGN = ("network", "decodes")
_SOCKETS = ("/dev/tcp/", "/dev/udp/")


def trace(command: SimpleCommand, line: tuple[SimpleCommand, ...], analysis_of: AnalysisOf) -> None:
    """Add `executes-remote` to the command's effects where the line gives it foreign code to run.

    Args:
        command: the command that may run it; its effects change.
        line: all commands of its line.
        analysis_of: gives the effects of a command.
    """
    analysis = analysis_of(command)
    reads = "executes-input" in analysis.words
    loads = _loaded(command, analysis)
    if not reads and not analysis.runs and not loads:
        return
    fetched = _fetched(line, command, analysis_of)
    if _may_fetch(line, command, fetched, bool(loads), analysis_of):
        analysis.doubt("executes-remote", "the line fetches a file whose name is not known, and runs one")
    foreign = any(_same(file, path) for path in fetched for file in analysis.runs)
    foreign = foreign or any(path.known and _same(path, file) for path in fetched for file in loads)
    if reads and not foreign:
        foreign = _listens(command) or any(_same(file, path) for path in fetched for file in _opened(command))
        foreign = foreign or any(
            _feeds(other, command, line, fetched, analysis_of) for other in line if other is not command
        )
    if foreign:
        analysis.does("executes-remote")
        analysis.doubts.pop("executes-remote", None)


def _loaded(command: SimpleCommand, analysis: EffectAnalysis) -> list[PathValue]:
    """The files that it loads as code by itself, and the folders of such files."""
    name = analysis.name if analysis.name in LOADS else command.name
    if analysis.informs or name not in LOADS:
        return []
    return [file for file in (analysis.path(text, "read") for text in LOADS[name].split()) if file.known]


def _may_fetch(
    line: tuple[SimpleCommand, ...],
    command: SimpleCommand,
    fetched: list[PathValue],
    loads: bool,
    analysis_of: AnalysisOf,
) -> bool:
    """Return whether a file that it runs or loads may be what the line fetched: that has no known name, or is only
    named.
    """
    files = {path.text.rpartition("/")[2] for path in analysis_of(command).runs}
    unnamed = any(not path.known and path.text.rpartition("/")[2][:1] in ("…", "\0") for path in fetched)
    if unnamed and (files or loads):
        return True
    unsure = [other for other in line if not all(map(is_known, other.argv)) and _foreign(other, analysis_of)]
    return any(word.rpartition("/")[2] in files for other in unsure for word in other.argv[1:])


def _foreign(command: SimpleCommand, analysis_of: AnalysisOf) -> bool:
    try:
        words = analysis_of(command).words
    except Undecided:
        return False
    return any(word in words for word in _FOREIGN)


def _starts_foreign(command: SimpleCommand, line: tuple[SimpleCommand, ...], analysis_of: AnalysisOf) -> bool:
    """Return whether a command that it starts fetches or decodes: `env A=1 curl …`, whose output is its own."""
    return any(
        other.text in command.text and _foreign(other, analysis_of)
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
    analysis_of: AnalysisOf,
) -> bool:
    """Through a pipe, a substitution, or a variable or descriptor that was given its output before."""
    started = (*command.via, command.name)
    if other.via[: len(started)] == started:
        return False  # it is what the command runs
    if not _foreign(other, analysis_of) and not _shows(other, fetched, analysis_of):
        return False
    fed = command.piped_from
    if other.name in fed or "?" in fed or any(other.text in text for text in command.sources):
        return True
    keeps = [one for one in line if one.name in (":", "exec", "export", "declare", "local", "readonly", "read")]
    return any(other.text in text for one in keeps for text in one.sources)


def _shows(command: SimpleCommand, fetched: list[PathValue], analysis_of: AnalysisOf) -> bool:
    """Return whether it reads a file that the line fetched before."""
    if not fetched:
        return False
    try:
        read = analysis_of(command).contents
    except Undecided:
        return False
    return any(_same(file, path) for path in fetched for file in read)


def _fetched(line: tuple[SimpleCommand, ...], command: SimpleCommand, analysis_of: AnalysisOf) -> list[PathValue]:
    """The files that hold what the line fetched, before the command: written by who fetched, piped or copied."""
    paths: list[PathValue] = []
    for other in line:
        if other is command:
            break
        if other.name == "git" and "clone" not in other.argv:
            continue  # what it brings belongs to the repository that is worked in
        try:
            analysis = analysis_of(other)
        except Undecided:
            continue
        tainted = (
            _foreign(other, analysis_of)
            or _starts_foreign(other, line, analysis_of)
            or any(one.name in other.piped_from and _foreign(one, analysis_of) for one in line)
        )
        if not tainted:
            tainted = any(_same(read, path) for path in paths for read in analysis.contents)
        if tainted:
            paths += [path for path in analysis.paths if path.access == "write"]
    return paths


def _same(left: PathValue, right: PathValue) -> bool:
    """One file, or one that lies where a whole folder was written."""
    if left.known and right.known:
        return left.real == right.real or below(left.real, right.real)
    return left.known == right.known and left.text == right.text
