"""Find the files by which a run of tests goes, and what in them chooses tests, or is no more than an environment.

Not on the hook path: it is imported when a run of tests passed.
"""

from __future__ import annotations

import re

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.undecided import ABSENT, Undecided
from policy_engine.test_runs.runners import SUITE_FOLDERS
from policy_engine.test_runs.task_files import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from policy_engine.filesystem.world import World
    from policy_engine.test_runs.classify import Run

_OF_PYTEST = ("pytest.toml", ".pytest.toml", "pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg")
_CHOICE = re.compile(
    r"^[ \t]*(python_files|testpaths|norecursedirs|addopts|python_functions|python_classes)[ \t]*=[ \t]*"
    r"(\[[^\]]*\]|[^\n]*(?:\n[ \t]+[^\n=]+)*)",
    re.MULTILINE,
)
_LEAVES_OUT = re.compile(
    r"(?:^|[\s\"'])(?:-k\b|--ignore|--deselect|--co\b|--collect-only|--fixtures|--markers|--lf\b|--sw\b|-p[ =]?no:)"
)
_WORD = re.compile(r"[^\s\"'\[\],]+")
_ASSIGNMENT = re.compile(r"(?:export[ \t]+)?(?!PATH=|ENV=|BASH_ENV=|LD_|PYTHON|NODE_OPTIONS=|PYTEST_)\w+=[^`$();&|]*")
_OTHER_COMMANDS = ("alias ", "function ", ". ", "source ", "eval ", "PATH=/")


def settings_of(runs: Iterable[Run], world: World) -> Iterator[str]:
    """The files of the workspace, and of the folders whose files runs use."""
    folders = {file.rpartition("/")[0] for run in runs for file in run.files}
    try:
        folders.add(world.real_workspace.rstrip("/"))
        for folder in sorted(folders):
            yield from (f"{folder}/{name}" for name in world.names(PathValue(folder, folder)))
    except Undecided:
        return


def choosing(run: Run, wrote: Callable[[str], bool], world: World) -> Iterator[str]:
    """The files of settings of pytest that the session wrote and that name single files of tests, or leave some out."""
    try:
        root = world.real_workspace.rstrip("/")
    except Undecided:
        return
    for folder in dict.fromkeys((root, *(f"{root}/{one}" for one in run.targets if one[:1] not in ("", "~")))):
        for name in _OF_PYTEST:
            if wrote(f"{folder}/{name}") and _leaves_out(text_of(f"{folder}/{name}", world)):
                yield f"{folder}/{name}"


def _leaves_out(text: str) -> bool:
    """Return whether settings of pytest name single files of tests, or leave some out."""
    for found in _CHOICE.finditer(text):
        key, words = found[1], _WORD.findall(found[2])
        if key == "addopts":
            chosen = bool(_LEAVES_OUT.search(found[2])) or any(word.endswith(".py") for word in words)
        elif key == "norecursedirs":
            chosen = any(word.strip("*/") in SUITE_FOLDERS for word in words)
        elif key in ("python_functions", "python_classes"):
            chosen = not any(word[:4].lower() in ("test", "*") for word in words)
        else:
            chosen = bool(words) and all(word.endswith(".py") and "*" not in word for word in words)
        if chosen:
            return True
    return False


def is_environment(real: str, world: World) -> bool:
    """Return whether a script only sets variables, or enters the virtual environment in which it lies."""
    lines = [line.strip() for line in text_of(real, world).split("\n")]
    lines = [line for line in lines if line and line[0] != "#"]
    if all(_ASSIGNMENT.fullmatch(line) for line in lines):
        return True
    folder = real.rpartition("/bin/activate")[0]
    try:
        if not folder or world.look(PathValue(folder, f"{folder}/pyvenv.cfg")) is ABSENT:
            return False
    except Undecided:
        return False
    defined = {line.partition("(")[0].strip() for line in lines if line.partition("(")[2][:1] == ")"}
    return defined <= {"deactivate", "pydoc"} and not any(line.startswith(_OTHER_COMMANDS) for line in lines)
