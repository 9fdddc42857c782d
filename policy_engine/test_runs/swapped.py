"""Say that a run of tests saw other files than those of the workspace.

A line may change files before the run, and the same ones again after it: another branch, a stash, a folder in the place
of another. `PYTHONPATH` may name a folder with copies of the sources. Imported when a run passed on a line with
commands before and after it, or one that sets `PYTHONPATH`.
"""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known
from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.shell.command import SimpleCommand
    from policy_engine.test_runs.classify import Place, Run

_OF_THE_TREE = frozenset(
    "stash checkout switch restore reset apply am revert merge rebase cherry-pick pull read-tree checkout-index".split()
)
_OVER = frozenset(("mount", "umount", "fusermount", "fusermount3", "pivot_root"))
"""What puts another file system over folders, or takes it away."""
_LOOKING = frozenset(("list", "show"))  # verbs of `git stash`
_BESIDE = frozenset("tests test conftest.py setup.py docs examples scripts tools bench benchmarks noxfile.py".split())
"""Names of what lies beside many sources, which tests do not import by them."""
MADE = frozenset(
    "tmp temp build dist out target coverage htmlcov logs _build vendor site-packages env node_modules __pycache__ "
    ".pytest_cache .mypy_cache "
    ".ruff_cache .venv venv .tox .nox .cache .git".split()
)
_PRINTED = (".txt", ".log", ".xml", ".html", ".md", ".out", ".coverage", ".lcov", ".info", ".env", ".db", ".sqlite3")


_MOST = 400  # modules and packages of a folder that are compared
_LARGEST = 262_144  # bytes of a file that is read


def why_swapped(number: int, commands: Sequence[SimpleCommand]) -> str:
    """Return which file a line changes both before and after the run at a place of it, as a reason; "" if none."""
    before = [real for command in commands[:number] for real in _changed(command)]
    if not before:
        return ""
    for command in commands[number + 1 :]:
        for after in _changed(command):
            for real in before:
                if f"{real}/".startswith(f"{after}/") or f"{after}/".startswith(f"{real}/"):
                    return f"the line changes `{max(real, after, key=len).rpartition('/')[2]}` before it and after it"
    return ""


def _changed(command: SimpleCommand) -> Iterator[str]:
    """Yield the paths of the workspace that a command changes, the workspace itself for what git exchanges."""
    from policy_engine.effects.analysis import analysis_of

    root = command.filesystem.real_workspace.rstrip("/")
    try:
        if command.name in _OVER and len(command.argv) > 1:
            yield root
        if command.name == "git" and command.subcommand in _OF_THE_TREE:
            words = command.argv[command.argv.index(command.subcommand) + 1 :]
            if command.subcommand != "stash" or not words or words[0] not in _LOOKING:
                yield root
        paths = [path.real for path in analysis_of(command).paths if path.access != "read" and path.known]
    except (Undecided, ValueError):
        return
    for real in paths:
        inside = real.removeprefix(f"{root}/")
        if inside != real and MADE.isdisjoint(inside.split("/")) and not inside.endswith(_PRINTED):
            yield real


def searched_by_line(place: Place) -> Iterator[str]:
    """Yield the folders of `PYTHONPATH` in which Python looks for modules first."""
    for item in place.env:
        for part in item.partition("=")[2].split(":") if item.startswith("PYTHONPATH=") else ():
            if part and is_known(part) and (real := place.at(part)) is not None:
                yield real


def why_doubled(place: Place) -> str:
    """Return why Python may import other copies of the sources: from a folder of `PYTHONPATH` that nobody looks at."""
    for real in searched_by_line(place):
        if copy := doubled(real, place.filesystem):
            return _why(copy, real, place.filesystem)
    return ""


def why_copied(run: Run, wrote: Callable[[str], bool], filesystem: FileSystem) -> str:
    """Return why Python may import copies that the session made, from a folder of `PYTHONPATH`; "" if it does not."""
    root = filesystem.real_workspace.rstrip("/")
    for real in run.searched:
        for own in (root, f"{root}/src") if real.rstrip("/") not in (root, f"{root}/src") else ():
            if copy := _written_copy(real.rstrip("/"), own, wrote, filesystem):
                return _why(copy, real, filesystem)
    return ""


def _why(copy: str, real: str, filesystem: FileSystem) -> str:
    shown = real.removeprefix(filesystem.real_workspace.rstrip("/") + "/")
    return f"`{copy}` in `{shown}`, which `PYTHONPATH` names, takes the place of the source of that name"


def doubled(real: str, filesystem: FileSystem) -> str:
    """Return a module of a folder that nobody looks at which the workspace has as well, "" if there is none."""
    root = filesystem.real_workspace.rstrip("/")
    inside = real.removeprefix(f"{root}/")
    if real == root or (inside != real and MADE.isdisjoint(inside.split("/"))):
        return ""
    own = {name for folder in (root, f"{root}/src") for name in _modules(folder, filesystem)}
    return next((name for name in _modules(real, filesystem) if name in own), "")


def copied(real: str, base: str, wrote: Callable[[str], bool], filesystem: FileSystem) -> str:
    """Return a module of a folder that the session wrote and the sources below `base` have as well, "" if none is."""
    folders = [folder for folder in (base, f"{base}/src") if folder != real.rstrip("/")]
    own = {name for folder in folders for name in _modules(folder, filesystem)} if len(folders) > 1 else set()
    shared = [name for name in _modules(real, filesystem) if name in own and name not in _BESIDE]
    return next((name for name in shared if wrote(f"{real}/{name}") or wrote(f"{real}/{name}/__init__.py")), "")


def _written_copy(real: str, own: str, wrote: Callable[[str], bool], filesystem: FileSystem) -> str:
    """Return a file of Python that the session wrote below a folder, and that lies below another one as well."""
    beside = set(_modules(own, filesystem))
    waiting = [name for name in _modules(real, filesystem) if name in beside and name not in _BESIDE]
    for _ in range(_MOST):
        name = waiting.pop(0) if waiting else ""
        copy, source = (PathValue(f"{one}/{name}", f"{one}/{name}") for one in (real, own))
        if name[-3:] == ".py":
            if source.real != copy.real and filesystem.present(source) and wrote(copy.real):
                if filesystem.script(copy, _LARGEST) != "":
                    return name
        elif name and f"{own}/{name}" != real:
            waiting += [f"{name}/{one}" for one in _modules(copy.real, filesystem, "__init__.py")]
    return waiting[0] if waiting else ""  # the rest was not looked at


def _modules(folder: str, filesystem: FileSystem, *others: str) -> list[str]:
    """Return the names of files and folders that Python could import from a folder."""
    try:
        names = filesystem.names(filesystem.resolve(folder, None))
    except Undecided:
        return []
    fits = (name for name in names if name.removesuffix(".py").isidentifier() and name[:2] != "__")
    return [*fits, *(name for name in others if name in names)]
