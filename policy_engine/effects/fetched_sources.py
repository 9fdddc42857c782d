"""Tell whether a program runs a file that its line fetched: by its name, its place, or a variable that names it.

A build or test tool and an interpreter run the files of their language below the folder that they work in. One that
a word names, or that the tool takes for a test or for its recipe, is run for sure, another one perhaps. Imported by the
hook path when a line fetches a file and starts such a program.
"""

from __future__ import annotations

from policy_engine.effects.recipes import loaded_files
from policy_engine.filesystem.paths import PathValue, under
from policy_engine.model.partial import is_known
from policy_engine.model.undecided import Undecided
from policy_engine.programs._rows import BUILDS, LOADS, SOURCES, TASKS, TESTS
from policy_engine.programs.base import INTERPRETERS
from policy_engine.shell.patterns import decides

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.inline.effect_analysis import EffectAnalysis
    from policy_engine.shell.command import SimpleCommand

_STARTS = frozenset((*BUILDS, *LOADS, *TASKS)) - {*INTERPRETERS, "git"}
_ASKING = frozenset(
    "view info metadata list ls outdated search version help tree show audit why --version --help".split()
)
_ISOLATED = frozenset("docker podman buildah nerdctl docker-compose podman-compose act".split())
_SEPARATORS = str.maketrans(dict.fromkeys(":=, ;", " "))
_GLUED = ("-r", "-I", "-M", "-d", "-javaagent", "-agentpath", "-L", "-S", "-C", "-f", "-p", "@")


def run_of(command: SimpleCommand, analysis: EffectAnalysis, file: PathValue) -> bool | None:
    """Return whether the command runs a file of this place: None for perhaps."""
    if not file.known:
        return False
    if any(_holds(place, file) for item in command.env if decides(item.partition("=")[0])
           for place in _places(item.partition("=")[2], analysis)):  # fmt: skip
        return True
    if analysis.informs:
        return False
    names = _names(command, analysis)
    if file.recursive and _runs_project(command, analysis, names, file):
        return True
    base = file.real.rpartition("/")[2]
    ends = [end for name in names for end in _listed(SOURCES.get(name, ""), command)]
    recipes = [one for name in names for one in (*_listed(BUILDS.get(name, ""), command), *loaded_files(name)[1])]
    recipe = any(base == one.rpartition("/")[2] for one in recipes if one[:1] != "*" and one[-1:] != "/")
    if not recipe and not base.endswith((*ends, *(one[1:] for one in recipes if one[:1] == "*")) or ("\0",)):
        return False
    given = [place for word in command.argv[1:] if is_known(word) for place in _places(word, analysis)]
    if any(_holds(place, file) and place.real != _folder(command) for place in given):
        return None if base.endswith((".sql", ".psql")) else True  # a database may be meant to be filled
    if not under(file.real, _folder(command) or "\0"):
        return False
    from fnmatch import fnmatchcase

    tests = any(fnmatchcase(base, form) for name in names for form in TESTS.get(name, "").split())
    if recipe and not tests:  # it takes its recipe from its own folder
        return file.real.rpartition("/")[0] == _folder(command)
    return True if tests else None


def _runs_project(command: SimpleCommand, analysis: EffectAnalysis, names: list[str], folder: PathValue) -> bool:
    """Return whether a test runner or build tool runs the project in a folder that was fetched as a whole, in which it
    works or which a word names; what is unpacked over the workspace is looked at file by file.
    """
    if under(command.filesystem.real_workspace, folder.real):
        return False
    return _runs_below(command, analysis, names, folder.real)


def runs_workspace(command: SimpleCommand, analysis: EffectAnalysis) -> bool:
    """Return whether a command runs a file of the workspace, or the project in it."""
    if analysis.informs:
        return False
    workspace = command.filesystem.real_workspace
    if any(file.known and under(file.real, workspace) for file in analysis.runs):
        return True
    return _runs_below(command, analysis, _names(command, analysis), workspace)


def _runs_below(command: SimpleCommand, analysis: EffectAnalysis, names: list[str], folder: str) -> bool:
    """Return whether it is a test runner or build tool that works in a folder, or below it, or has a word for it."""
    if _ISOLATED.intersection(names):
        return False
    words = command.argv[1:]
    if not _ASKING.isdisjoint(words[:2]) or (not INTERPRETERS.isdisjoint(names) and "-m" not in words):
        return False
    runs = any(name in TESTS or _listed(BUILDS.get(name, ""), command) for name in names)
    if not runs and not ("executes" in analysis.words and any(name in _STARTS for name in names)):
        return False
    given = [place for word in words if is_known(word) for place in _places(word, analysis)]
    places = [_folder(command), *(place.real for place in given)]
    return any(place and under(place, folder) for place in places)


def _names(command: SimpleCommand, analysis: EffectAnalysis) -> list[str]:
    """The names under which the tables may have the program: its own, its model's, that of a module of Python."""
    model = command.model
    return list(dict.fromkeys((command.name, analysis.name, "" if model is None else model.name)))


def _listed(row: str, command: SimpleCommand) -> list[str]:
    """The files of a row whose verbs the words have."""
    found: list[str] = []
    for part in row.split(";") if row else ():
        verbs, files = (text.split() for text in part.split("|"))
        if not verbs or any(set(verb.split(":")) <= set(command.argv[1:6]) for verb in verbs):
            found += files
    return found


def _folder(command: SimpleCommand) -> str:
    """The folder that it works in, "" where nobody knows it."""
    try:
        return command.cwd.real
    except Undecided:
        return ""


def _places(text: str, analysis: EffectAnalysis) -> list[PathValue]:
    """The places that a word, or the value of a variable, may name."""
    words = [text, *text.translate(_SEPARATORS).split()]
    words += [word[len(glued) :].lstrip("=:") for word in words for glued in _GLUED if word.startswith(glued)]
    return [path for word in dict.fromkeys(words) if word and word[:1] != "-"
            and (path := analysis.path(word, "read")).known]  # fmt: skip


def _holds(place: PathValue, file: PathValue) -> bool:
    """Return whether a place is the file, the file without its ending, or a folder above it."""
    return place.real != "/" and (under(file.real, place.real) or file.real.rpartition(".")[0] == place.real)
