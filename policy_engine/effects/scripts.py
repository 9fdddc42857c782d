"""Read the files that a command starts as code, and add what they certainly do to its analysis.

Only text below the workspace and below folders for scratch files is read, and only what is certain counts: a doubt
within a file would question half of all builds. What a file does is told with its name, line and digest. Imported by
the hook path when a command starts a file.
"""

from __future__ import annotations

from policy_engine.effects.recipes import (
    CONTAINER,
    VALUE,
    Code,
    language_of_name,
    language_of_shebang,
    recipes_of,
    shebang_words,
)
from policy_engine.effects.remote import tell_remote
from policy_engine.effects.script_sources import (
    copied_from,
    may_be_read,
    operands_behind,
    script_of,
    texts_of,
    with_operands,
)
from policy_engine.effects.subcommands import ends_with_shell, unknown_line
from policy_engine.effects.taint import trace
from policy_engine.effects.tasks import STARTS_PROJECTS, STARTS_TASKS, TASK_FILES
from policy_engine.effects.tested_files import stands_in, tested_files
from policy_engine.filesystem.paths import PathValue
from policy_engine.inline.code import analyse
from policy_engine.inline.effect_analysis import EffectAnalysis
from policy_engine.inline.values import Start
from policy_engine.model.effects import LISTED
from policy_engine.model.partial import GLOB, is_known
from policy_engine.model.quoting import quote_words
from policy_engine.model.undecided import Undecided
from policy_engine.shell.command import Nesting
from policy_engine.shell.parse import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.shell.command import SimpleCommand

    AnalysisOf = Callable[[SimpleCommand], EffectAnalysis]

SCRIPT_BYTES = 65_536  # the largest file that is read
MOST_SCRIPTS = 16  # files of one command, those that they start included
_DEPTH = 2  # files that start files
_BY = " (by "  # behind what code of a file shows
_ELSEWHERE = frozenset(("publishes", "deploys", "destroys", "exposes"))
_UNCERTAIN = frozenset(("executes", "executes-input"))
_INTERPRETERS = ("python", "node", "perl", "ruby", "php", "lua", "deno", "bun", "tclsh")
_ENDINGS = (".js", ".mjs", ".cjs", ".ts", "/index.js", "/index.ts")


def add_scripts(command: SimpleCommand, name: str, analysis: EffectAnalysis, analysis_of: AnalysisOf) -> None:
    """Add to a analysis what the files that a command starts certainly do.

    Files that these files start are added by the commands within them, two levels down.

    Args:
        command: the command of the line.
        name: the program whose model it has, "" if it has none.
        analysis: what is known of the command; its `runs` name the files.
        analysis_of: gives the effects of a command within the files.
    """
    nesting = command.nesting or Nesting()
    if nesting.files > _DEPTH:
        return
    started = Started(command, analysis, Nesting(nesting.lines, nesting.files + 1, nesting.read), analysis_of)
    for code in recipes_of(
        analysis.name if analysis.name in STARTS_PROJECTS else command.name,
        command.argv[1:],
        lambda text: started.read(analysis.path(text, "read")),
        lambda pattern: analysis.expand([GLOB + pattern]),
    ):
        if not _is_agreed(code, command):
            started.add(code, None)
    for file in started.unread:
        if not STARTS_TASKS.isdisjoint((command.name, analysis.name)) and file.real.endswith(TASK_FILES):
            unknown_line(file.text, f"what `{file.text[:80]}` holds, which the line writes, is not known", analysis)
    files, language = tested_files(command, analysis, analysis_of)
    for file in files:
        started.add_file(file, language)
    codes = [word for word in (*command.argv[1:], command.feed or "") if "import" in word]
    for file in tuple(analysis.runs):
        started.add_file(file, name, "\n".join(codes), analysis.called)


def _is_agreed(code: Code, command: SimpleCommand) -> bool:
    """Return whether the rights that a compose file gives a service stand there as git has committed them: it holds
    what the commit holds, whatever the index and other repositories say.
    """
    if not (code.text.startswith("docker run ") and code.file.real.endswith((".yml", ".yaml"))):
        return False
    try:
        repository = command.filesystem.repository()
        name = code.file.real.removeprefix(f"{repository.root.rstrip('/')}/")
        committed = repository.ask("rev-parse", "--verify", "-q", f"HEAD:{name}", failing=True)
        return bool(committed) and committed == repository.ask("hash-object", "--", code.file.real)
    except Undecided:
        return False


class Started:
    """The files that one command starts."""

    def __init__(
        self, command: SimpleCommand, analysis: EffectAnalysis, nesting: Nesting, analysis_of: AnalysisOf
    ) -> None:
        self.command = command
        self.analysis = analysis
        self.nesting = nesting  # of the commands within the files
        self.seen = nesting.read
        self.analysis_of = analysis_of
        self.unread: list[PathValue] = []  # files that the line wrote in a way that is not known
        self.script: tuple[str, bool] | None = None  # that is being added, as the shell is told of it

    def read(self, file: PathValue) -> tuple[PathValue, str] | None:
        """Return a file and its text, None if it is not to be read or cannot be."""
        filesystem = self.command.filesystem
        if len(self.seen) >= MOST_SCRIPTS or not file.known or not may_be_read(file, filesystem):
            return None
        written = texts_of(file, self.command, self.analysis_of) if self.command.line else []
        try:
            if written:
                text: str | None = written[-1]
            else:
                source = copied_from(file, self.command, self.analysis_of)
                text = (
                    filesystem.script(file, SCRIPT_BYTES)
                    if source is None
                    else source[0].script(source[1], SCRIPT_BYTES)
                )
        except Undecided:
            return None
        if written and not is_known(written[-1]) and not self.by_code(file):
            self.unread.append(file)
        if text is None or not is_known(text):
            return None
        self.seen.add(f"{file.real}\0{self.command.argv}")
        return file, text

    def by_code(self, file: PathValue) -> bool:
        """Return whether code of the line wrote a file, whose literals are looked at where it stands."""
        writers = [
            one for one in self.command.before if one.model and one.model.name in _INTERPRETERS and one.name != "perl"
        ]
        return any(path.access == "write" and path == file for one in writers for path in self.analysis_of(one).paths)

    def add_file(
        self, file: PathValue, name: str, importing: str = "", calls: dict[str, list[str]] | None = None
    ) -> None:
        """Add a file that a program runs, or that code imports: the text of that code, and the calls in it."""
        if name == "make" and not self.command.fed:
            return  # its recipes are read by what is asked for
        if not file.known or f"{file.real}\0{self.command.argv}" in self.seen:
            return
        for one in _forms(file, name):
            known = self.read(one)
            if known is not None:
                language = name if name in _INTERPRETERS else "sh" if name in ("sh", "source") else ""
                language = language or language_of_name(file.real) or language_of_shebang(known[1])
                called = tuple(calls[file.real]) if calls and file.real in calls else None
                if language == "python" and importing:
                    from policy_engine.effects.imported_calls import called_of

                    called = called_of(importing, file.real.rpartition("/")[2].removesuffix(".py"))
                operands = operands_behind(file, self.command, self.analysis)
                if not language and (words := shebang_words(known[1])):
                    self.add(
                        Code(known[0], quote_words([*words, file.text, *filter(is_known, operands or ())]), 1, "sh"),
                        None,
                    )
                    return
                code = Code(known[0], known[1], 1, language)
                self.script = script_of(file, self.command, self.analysis)
                if "# /// script" in known[1] and self.resolves(known[1]):
                    self.add(Code(known[0], _fetched_by(known[1]), 1, "sh"), None)
                self.add(code, operands, called)
                self.script = None
                return

    def resolves(self, text: str) -> bool:
        """Return whether what starts a script fetches the packages that it names itself."""
        starters = (self.command.name, self.analysis.name, *(via.partition(" ")[0] for via in self.command.via))
        first = text.partition("\n")[0].replace("/", " ").split() if text[:2] == "#!" else ()
        return not _RESOLVERS.isdisjoint((*starters, *first))

    def variables(self) -> dict[str, str]:
        """Return the variables that the command is given."""
        return {item.partition("=")[0]: item.partition("=")[2] for item in self.command.env}

    def add(self, code: Code, operands: tuple[str, ...] | None, called: tuple[str, ...] | None = None) -> None:
        """Add what a piece of code certainly does with these arguments, when these functions of it are called."""
        try:
            if code.language in ("sh", CONTAINER, VALUE):
                self.add_shell(code, with_operands(code.text, operands, self.variables()))
            elif code.language in _INTERPRETERS and not (
                code.language == "node" and stands_in(code.file.real, code.text)
            ):
                inner = EffectAnalysis(self.analysis.cwd, self.analysis.filesystem, code.language)
                analyse(code.text, inner, start=Start(code.file.text, operands, self.variables(), called))
                for text in inner.codes:
                    tell_remote(text, inner, True)
                shown = list(inner.contents)
                inner.finish(False)
                self.take(inner, code, None, False)
                self.analysis.contents += [located(path, code, None) for path in shown if path.known]
                for line in inner.lines:
                    self.add_shell(code, line, inner.views.get(line))
                if self.nesting.files <= _DEPTH:
                    for file in inner.runs:
                        self.add_file(file, code.language, code.text, inner.called)
        except (Undecided, RecursionError):
            return

    def add_shell(self, code: Code, text: str, filesystem: FileSystem | None = None) -> None:
        """Add what the commands of a shell script certainly do, on the disk as the code before it has left it."""
        folder = self.analysis.cwd.real if self.analysis.cwd.known else None
        if code.file.real.endswith("/package.json"):  # whose scripts run beside it
            folder = code.file.real.rpartition("/")[0]
        commands = parse(text, folder, filesystem or self.command.filesystem, script=self.script)
        line = (*self.command.before, *commands)
        for inner in commands:
            inner.line, inner.nesting = line, self.nesting
        for inner in commands:
            try:
                trace(inner, inner.line, self.analysis_of)
                analysis, program = self.analysis_of(inner), inner.model
            except Undecided:
                continue
            if not ends_with_shell(inner, analysis):
                shows = program is not None and (program.shows_content or program.name in _INTERPRETERS)
                self.take(analysis, code, inner.text, shows)

    def take(self, inner: EffectAnalysis, code: Code, text: str | None, shows: bool) -> None:
        """Take what is certain out of a analysis of code in a file."""
        analysis = self.analysis
        away = code.language == CONTAINER  # whose files are not those of this machine
        for path in () if away else inner.paths:
            if path.known and path.access in ("write", "delete"):
                analysis.paths.append(located(path, code, text))
        told = shows or "network" in inner.words
        read = [path for path in inner.contents if path.known and (told or _BY in path.text)]
        analysis.contents += [located(path, code, text) for path in read if not away and code.language != VALUE]
        certain = [word for word in inner.words if (word in _ELSEWHERE if away else word not in _UNCERTAIN)]
        if certain or inner.branches:
            analysis.opaque = False  # this much is known of it
        analysis.words.update(dict.fromkeys(certain))
        analysis.branches += inner.branches
        if inner.name == "docker" and "elevates" in inner.doubts and code.file.real.endswith((".yml", ".yaml")):
            analysis.opaque = False  # the rights of a service stand in the file
            analysis.doubt("elevates", f"{inner.doubts['elevates']}{_BY}{code.file.text})")
        if (reason := inner.doubts.get("foreign-packages")) is not None and not away:
            analysis.opaque = False
            analysis.doubt("foreign-packages", reason)
        if LISTED in inner.doubts.values():
            analysis.opaque = False
            analysis.doubt("controls-engine", LISTED)


def _forms(file: PathValue, name: str) -> list[PathValue]:
    """Return the files that a name of one may mean to who runs it."""
    if name not in ("node", "bun", "deno", "tsx"):
        return [file, PathValue(f"{file.text}/__main__.py", f"{file.real}/__main__.py", "read")][
            : 1 + (name == "python")
        ]
    typed = [PathValue(f"{file.text[:-2]}ts", f"{file.real[:-2]}ts", "read")] if file.real.endswith(".js") else []
    return [file, *(PathValue(file.text + ending, file.real + ending, "read") for ending in _ENDINGS), *typed]


_RESOLVERS = frozenset("uv uvx pipx hatch pdm rye pip-run marimo".split())


def _fetched_by(text: str) -> str:
    """Return the line that fetches what a script of Python names at an address in its own table of packages."""
    import re

    block = re.search(r"(?m)^# /// script[ \t]*\r?\n((?:#(?:[ \t].*)?\r?\n)+?)# ///[ \t]*\r?$", text)
    table = "" if block is None else re.sub(r"(?m)^#[ \t]?", "", block[1])
    names = re.findall(
        r"\"([^\"\n]*://[^\"\n]*)\"|'([^'\n]*://[^'\n]*)'", re.sub(r"(?m)^.*\bindex.*=.*$|^\s*#.*$", "", table)
    )
    words = [(one or other).partition(";")[0].replace("git+", "").strip() for one, other in names]
    return f"pip install {quote_words(words)}" if words else ""


def on_search_path(command: SimpleCommand, analysis: EffectAnalysis, shadows: bool) -> list[PathValue]:
    """Return the file that a name without a folder starts, if the assignments before it say where to look.

    Args:
        command: the command of the line.
        analysis: what is known of it.
        shadows: a program of this name is known, so that only folders before the first unknown one count.
    """
    if "/" in command.argv[0] or not is_known(command.name):
        return []
    for item in command.env:
        for folder in item[5:].split(":") if item.startswith("PATH=") else ():
            if not is_known(folder):
                if shadows:
                    break
                continue
            file = analysis.path(f"{folder or '.'}/{command.name}", "read")
            if file.known and analysis.filesystem.present(file):
                return [file] if may_be_read(file, analysis.filesystem) else []
    return []


def located(path: PathValue, code: Code, text: str | None) -> PathValue:
    """Return a path whose text says in which file, on which line, and under which digest its use stands."""
    from _blake2 import blake2b

    wanted = path.text if text is None else text
    place = code.text.find(wanted)
    line = code.line + (code.text.count("\n", 0, place) if place > 0 else 0)
    digest = blake2b(code.text.encode("utf-8", "surrogateescape"), digest_size=4).hexdigest()
    return PathValue(
        f"{path.text}{_BY}{code.file.text}:{line}, digest {digest})", path.real, path.access, path.recursive
    )
