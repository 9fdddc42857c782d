"""Tell whether what a command runs was fetched or decoded by another command of its line.

Looked at when a rule asks for the effects of a command that runs what it is given. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.effects.fetched_objects import ForeignObjects
from policy_engine.effects.fetched_sources import run_of, runs_workspace
from policy_engine.effects.recipes import loaded_files
from policy_engine.effects.tasks import STARTS_PROJECTS
from policy_engine.filesystem.paths import below
from policy_engine.model.effects import ANY
from policy_engine.model.partial import is_known
from policy_engine.model.undecided import Undecided
from policy_engine.programs._rows import BUILDS
from policy_engine.programs.waiting import waits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from policy_engine.filesystem.paths import PathValue
    from policy_engine.inline.effect_analysis import EffectAnalysis
    from policy_engine.shell.command import SimpleCommand

    AnalysisOf = Callable[[SimpleCommand], EffectAnalysis]

_FOREIGN = ("network", "decodes")
_TAKE_DATA = (
    "less",
    "more",
    "most",
    "pg",
    "nc",
    "ncat",
    "netcat",
    "telnet",
    "script",
    "tmux",
    "screen",
    "sudo",
    "doas",
)
_KEEP = (":", "exec", "export", "declare", "local", "readonly", "read", "mapfile", "readarray")
_READ = ("read", "mapfile", "readarray")
FETCHED = 200  # files that a line fetches, past which nobody looks which of them is run
_LINES = 4  # lines of which what they fetch is kept
_SOCKETS = ("/dev/tcp/", "/dev/udp/")


def trace(command: SimpleCommand, line: tuple[SimpleCommand, ...], analysis_of: AnalysisOf) -> None:
    """Add `executes-remote` to the command's effects where the line gives it foreign code to run.

    Args:
        command: the command that may run it; its effects change.
        line: all commands of its line, the same object for each of them.
        analysis_of: gives the effects of a command.
    """
    analysis = analysis_of(command)
    # a program that is not known may be a shell: `curl … | $RUNNER`
    reads = "executes-input" in analysis.words or _builds_input(command) or not is_known(command.argv[0])
    told = not reads and _is_told(command, analysis)
    loads = _loaded(command, analysis)
    known = _of_line(line, analysis_of)
    fetched = known.fetched_before(command)
    brought = known.brought_before(command)
    if not (reads or told or analysis.runs or loads or fetched or brought):
        return
    if brought and runs_workspace(command, analysis):
        analysis.doubt("executes-remote", "git puts among the files what the line fetches from an address")
    if len(fetched) > FETCHED:
        analysis.doubt("executes-remote", f"the line fetches more than {FETCHED} files")
        fetched = []  # what it is given otherwise is looked at
    if _may_fetch(known, command, fetched, bool(loads), analysis_of):
        analysis.doubt("executes-remote", "the line fetches a file whose name is not known, and runs one")
    foreign = any(_same(file, path) for path in fetched for file in analysis.runs)
    foreign = foreign or any(path.known and _same(path, file) for path in fetched for file in loads)
    kinds = [run_of(command, analysis, path) for path in fetched] if not foreign else []
    foreign = foreign or True in kinds
    if None in kinds:
        analysis.doubt("executes-remote", f"`{command.name[:80]}` may run a file that the line fetched")
    if (reads or told) and not foreign:
        given = known.listens(command) or any(_same(file, path) for path in fetched for file in _opened(command))
        showing = known.foreign if not fetched else [one for one in line if known.shows(one, fetched)]
        given = given or any(_feeds(other, command, known) for other in showing if other is not command)
        foreign = given and reads
        if given and told:
            analysis.doubt("executes-remote", f"the line fetches what `{command.name[:80]}` is told to do")
    if foreign:
        analysis.does("executes-remote")
        analysis.doubts.pop("executes-remote", None)


class _Line:
    """Tell what the commands of a line fetch; worked out once for all of them."""

    __slots__ = (
        "line",
        "analysis_of",
        "foreign",
        "keeps",
        "_places",
        "_names",
        "_started",
        "_fetched",
        "_seen",
        "_objects",
        "_brought",
    )

    def __init__(self, line: tuple[SimpleCommand, ...], analysis_of: AnalysisOf) -> None:
        self.line, self.analysis_of = line, analysis_of
        self.foreign = [one for one in line if _foreign(one, analysis_of)]
        self.keeps = [text for one in line if one.name in _KEEP for text in one.sources]
        self._places = {id(one): place for place, one in enumerate(line)}
        self._names = frozenset(one.name for one in self.foreign)
        self._started: dict[str, list[SimpleCommand]] = {}
        for one in self.foreign:
            for name in {via.partition(" ")[0] for via in one.via}:
                self._started.setdefault(name, []).append(one)
        self._fetched: list[tuple[int, PathValue]] = []
        self._seen = 0
        self._objects = ForeignObjects()
        self._brought = len(line)

    def brought_before(self, command: SimpleCommand) -> bool:
        """Return whether git, before the command, puts any files in place that the line fetched from an address."""
        self.fetched_before(command)
        return self._brought < self._places.get(id(command), len(self.line))

    def fetched_before(self, command: SimpleCommand) -> list[PathValue]:
        """Return the files that hold what the line fetched, before the command: written by who fetched, piped or
        copied; of more than FETCHED some.
        """
        end = self._places.get(id(command), len(self.line))
        if not self.foreign:
            return []
        while self._seen < end and len(self._fetched) <= FETCHED:
            self._look_at(self._seen)
            self._seen += 1
        return [path for place, path in self._fetched if place < end]

    def _look_at(self, place: int) -> None:
        """Note what a command writes, if that was fetched."""
        other = self.line[place]
        takes = ""
        if other.name == "git" and "clone" not in other.argv:
            takes = self._objects.takes(other)
            if takes == "all":
                self._brought = min(self._brought, place)
            if takes != "files":
                return  # what it brings belongs to the repository that is worked in
        try:
            analysis = self.analysis_of(other)
        except Undecided:
            return
        if self._starts_known(other):
            return
        if (
            takes
            or any(word in analysis.words for word in _FOREIGN)
            or (other.name == "git" and self._fetched)  # a clone of what may hold it by now
            # a command that it starts fetches or decodes: `env A=1 curl …`, whose output is its own
            or any(one.text in other.text for one in self._started.get(other.name, ()))
            or not self._names.isdisjoint(other.piped_from)
            or any(_same(read, path) for _, path in self._fetched for read in analysis.contents)
        ):
            self._fetched += [(place, path) for path in analysis.paths if path.access == "write"]

    def _starts_known(self, command: SimpleCommand) -> bool:
        """Return whether a command fetches only the program that it starts, which is known and fetches nothing: what
        `npx prettier --write .` writes is no file that it fetched.
        """
        started = [one for one in self.line if one.via[-1:] == (command.name,) and one.text in command.text]
        try:
            return bool(started) and all(
                ANY not in self.analysis_of(one).doubts and not _foreign(one, self.analysis_of) for one in started
            )
        except Undecided:
            return False

    def listens(self, command: SimpleCommand) -> bool:
        """Return whether its input is a connection that the shell opens, or a variable that was read from one."""
        heard = (one for one in self.line if one.name in command.piped_from or one.name in _READ)
        return _listens(command) or any(map(_listens, heard))

    def shows(self, command: SimpleCommand, fetched: list[PathValue]) -> bool:
        """Return whether a command fetches or decodes, or reads a file that the line fetched before."""
        try:
            analysis = self.analysis_of(command)
        except Undecided:
            return False
        if any(word in analysis.words for word in _FOREIGN):
            return True
        return any(_same(file, path) for path in fetched for file in analysis.contents)


_kept: list[_Line] = []


def _of_line(line: tuple[SimpleCommand, ...], analysis_of: AnalysisOf) -> _Line:
    """Return what is known of a line; that of the last few is kept, for each of its commands asks."""
    for one in _kept:
        if one.line is line:
            return one
    made = _Line(line, analysis_of)
    _kept[:] = [made, *_kept[: _LINES - 1]]
    return made


def _is_told(command: SimpleCommand, analysis: EffectAnalysis) -> bool:
    """Return whether its standard input tells it what to do: where nothing did, a person would type it."""
    return not analysis.informs and command.name not in _TAKE_DATA and waits(command.argv, command.env)


def _builds_input(command: SimpleCommand) -> bool:
    """Return whether a build tool takes its recipe from its standard input: `docker build -`, `make -f -`."""
    words = command.argv[1:]
    if command.name not in BUILDS or not any(word in ("-", "-f-", "/dev/stdin", "--file=-") for word in words):
        return False
    rows = [row.partition("|")[0].split() for row in BUILDS[command.name].split(";")]
    return any(not verbs or any(set(verb.split(":")) <= set(words[:4]) for verb in verbs) for verbs in rows)


def _loaded(command: SimpleCommand, analysis: EffectAnalysis) -> list[PathValue]:
    """The files that it loads as code by itself, and the folders of such files."""
    if analysis.informs:
        return []
    name = analysis.name if analysis.name in STARTS_PROJECTS else command.name
    return [
        file
        for file in (analysis.path(text, "read") for text in loaded_files(name)[1] if "*" not in text)
        if file.known
    ]


def _may_fetch(
    known: _Line, command: SimpleCommand, fetched: list[PathValue], loads: bool, analysis_of: AnalysisOf
) -> bool:
    """Return whether a file that it runs or loads may be what the line fetched: that has no known name, or is only
    named.
    """
    files = {path.text.rpartition("/")[2] for path in analysis_of(command).runs}
    unnamed = any(not path.known and path.text.rpartition("/")[2][:1] in ("…", "\0") for path in fetched)
    if unnamed and (files or loads):
        return True
    if not files:
        return False
    unsure = [other for other in known.foreign if not all(map(is_known, other.argv))]
    return any(word.rpartition("/")[2] in files for other in unsure for word in other.argv[1:])


def _foreign(command: SimpleCommand, analysis_of: AnalysisOf) -> bool:
    try:
        words = analysis_of(command).words
    except Undecided:
        return False
    return any(word in words for word in _FOREIGN)


def _listens(command: SimpleCommand) -> bool:
    """Return whether its input is a connection that the shell opens."""
    paths = [redirect.path for redirect in command.redirects]  # type: ignore[attr-defined]
    return any(path.known and path.real.startswith(_SOCKETS) for path in paths)


def _opened(command: SimpleCommand) -> list[PathValue]:
    """The files that its redirections read."""
    paths: list[PathValue] = [redirect.path for redirect in command.redirects]  # type: ignore[attr-defined]
    return [path for path in paths if path.access == "read"]


def _feeds(other: SimpleCommand, command: SimpleCommand, known: _Line) -> bool:
    """Return whether a command gives another what it fetched: through a pipe, a substitution, or a variable or
    descriptor that was given its output before.
    """
    started = (*command.via, command.name)
    if other.via[: len(started)] == started:
        return False  # it is what the command runs
    fed = command.piped_from
    if other.name in fed or "?" in fed or any(other.text in text for text in command.sources):
        return True
    return any(other.text in text for text in known.keeps)


def _same(left: PathValue, right: PathValue) -> bool:
    """One file, or one that lies where a whole folder was written."""
    if left.known and right.known:
        return left.real == right.real or below(left.real, right.real)
    return left.known == right.known and left.text == right.text
