"""Find sources of the session of which tests may have run another copy: the one that is installed.

`pip install .` copies the sources; where nothing puts their folder on the path of Python, tests import that copy.
Looked at are environments in the workspace. Imported when a run of Python's tests passed and the session wrote sources.
"""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.undecided import ABSENT, Undecided
from policy_engine.test_runs.settings import searched_folders

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.test_runs.classify import Run

_ENVIRONMENTS = (".venv", "venv", "env")
_MOST = 262_144  # bytes that are compared of a file


def installed_copy(run: Run, sources: Iterable[str], filesystem: FileSystem) -> str:
    """Return the installed file that differs from a source and that tests may have imported, "" if there is none."""
    root = filesystem.real_workspace.rstrip("/")
    if "PYTHONPATH=" in run.line:
        return ""
    try:
        sites = list(_sites(root, filesystem))
        searched = searched_folders(root, filesystem) if sites else ()
        for source in sources if sites else ():
            folder, inner = _imported(source, filesystem)
            if not source.startswith(f"{root}/") or folder in searched or _is_first(folder, run, filesystem):
                continue
            for site in sites:
                copy = f"{site}/{inner}"
                if _is_there(copy, filesystem) and _text(copy, filesystem) != _text(source, filesystem):
                    return copy
    except Undecided:
        return ""
    return ""


def covered_module(sources: Iterable[str], commit: str, filesystem: FileSystem) -> str:
    """Return the module of which Python takes a package of the same name instead that the session made, "" if there is
    none."""
    try:
        repository = filesystem.repository() if commit else None
        for source in sources:
            package, _, name = source.rpartition("/")
            if name != "__init__.py" or not _is_there(f"{package}.py", filesystem) or not _is_there(source, filesystem):
                continue
            below = source.removeprefix(repository.root.rstrip("/") + "/") if repository is not None else ""
            if repository is None or not repository.ask("ls-tree", "--name-only", commit, "--", below):
                return f"{package}.py"
    except Undecided:
        return ""
    return ""


def _sites(root: str, filesystem: FileSystem) -> Iterator[str]:
    for name in _ENVIRONMENTS:
        folder = f"{root}/{name}/lib"
        for version in filesystem.names(PathValue(folder, folder)) if _is_there(folder, filesystem) else ():
            if version.startswith(("python", "pypy")):
                yield f"{folder}/{version}/site-packages"


def _imported(source: str, filesystem: FileSystem) -> tuple[str, str]:
    """Return the folder from which Python imports a source, and the path below it: packages have an `__init__.py`."""
    folder, _, inner = source.rpartition("/")
    while folder and _is_there(f"{folder}/__init__.py", filesystem):
        folder, _, last = folder.rpartition("/")
        inner = f"{last}/{inner}"
    return folder, inner


def _is_first(folder: str, run: Run, filesystem: FileSystem) -> bool:
    """Return whether Python looks into the folder before the installed packages: the folder of `python -m`, of a
    `conftest.py`, and above a package of tests.
    """
    if folder == filesystem.real_workspace.rstrip("/") and " -m " in f" {run.line} ":
        return True
    return any(_is_there(f"{folder}/{name}", filesystem) for name in ("conftest.py", "tests/__init__.py"))


def _is_there(path: str, filesystem: FileSystem) -> bool:
    return filesystem.look(PathValue(path, path)) is not ABSENT


def _text(path: str, filesystem: FileSystem) -> str | None:
    return filesystem.script(PathValue(path, path), _MOST)
