"""Tell that a runner does not run the tests that a repository had when the session began: they are another's.

A task of the repository (`make test`, `npm test`) is what the repository says that its tests are, and is not asked
about. Not on the hook path: it is imported when a run of tests passed.
"""

from __future__ import annotations

import re

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.undecided import Undecided
from policy_engine.test_runs.runners import SUITE_FOLDERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.filesystem.repository import Repository
    from policy_engine.test_runs.classify import Run

_PLAIN_PYTHON = r"^(async )?def test|^(import|from) pytest"
_PYTHON_TESTS = ("test_*.py", "*_test.py", "tests.py")
_UNITS = re.compile(r'"(jest|vitest|mocha|ava|jasmine|karma|react-scripts)"\s*:')
_NODE = re.compile(r"\bnode\b[^\"]*--test\b|\b(?:borp|tap)\b")
_MOCHA = re.compile(r'"test"\s*:\s*"[^"]*\bmocha\b[^"]*"')
_SPEC = re.compile(r"(?i)(?:test|spec)s?\.[cm]?[jt]sx?$")
_TAKES_ALL = re.compile(r"--recursive|\*\*")
_BROWSERS = frozenset(("playwright", "cypress"))
"""They run whole programs; the tests of functions are another runner's."""


def other_runner(run: Run, commit: str, filesystem: FileSystem) -> tuple[str, str]:
    """Return why the tests of a commit are not those that the run ran, and what to run; two times "" if they may be."""
    reads = run.reads[0] if run.reads and not run.named else ""
    try:
        repository = filesystem.repository()
        below = f"{filesystem.real_workspace}/".removeprefix(f"{repository.root.rstrip('/')}/")
        if reads in ("unittest", "behave"):
            return _plain_tests(commit, below, reads, repository) or _undiscovered(
                commit, below, run, repository, filesystem
            )
        if reads == "mocha":
            return _deeper(commit, below, run, repository)
        if reads in ("node", "tap") or reads in _BROWSERS:
            return _unit_tests(commit, below, run, reads, repository)
    except Undecided:
        pass
    return "", ""


def _plain_tests(commit: str, below: str, reads: str, repository: Repository) -> tuple[str, str] | None:
    globs = [f":(glob){below}**/{name}" for name in _PYTHON_TESTS]
    output = repository.ask("grep", "-l", "-z", "-E", _PLAIN_PYTHON, commit, "--", *globs, failing=True)
    name = output.decode("utf-8", "replace").partition("\0")[0].removeprefix(f"{commit}:").removeprefix(below)
    return (f"`{name[:120]}` has tests of pytest, which `{reads}` does not run", "pytest -q") if name else None


def _undiscovered(commit: str, below: str, run: Run, repository: Repository, filesystem: FileSystem) -> tuple[str, str]:
    """Tell which tests `python -m unittest` does not find: those in a folder that is no package."""
    if "-m unittest" not in run.line or run.suites or "" not in run.targets:
        return "", ""
    asked = ("grep", "-l", "-z", "-w", "-e", "TestCase", commit, "--", f":(glob){below}*/test*.py")
    for found in repository.ask(*asked, failing=True).decode("utf-8", "replace").split("\0"):
        path = found.partition(":")[2].removeprefix(below)
        folder = path.rpartition("/")[0]
        package = f"{filesystem.real_workspace.rstrip('/')}/{folder}/__init__.py"
        if folder in SUITE_FOLDERS and not filesystem.present(PathValue(package, package)):
            why = f"it does not discover `{path[:120]}`, since `{folder}` is no package"
            return why, f"python -m unittest discover -s {folder}"
    return "", ""


def _deeper(commit: str, below: str, run: Run, repository: Repository) -> tuple[str, str]:
    """Tell that mocha alone takes what lies in `test` itself, where the script takes what is below as well."""
    if run.suites or "" not in run.targets or _TAKES_ALL.search(run.line):
        return "", ""
    text = repository.ask("show", f"{commit}:{below}package.json", failing=True).decode("utf-8", "replace")
    script = _MOCHA.search(text)
    if script is None or not _TAKES_ALL.search(script[0]) or re.search(r'"mocha"\s*:\s*\{', text):
        return "", ""
    listing = ("ls-tree", "-r", "--full-tree", "--name-only", "-z", commit, "--")
    names = repository.ask(*listing, f"{below}test", f"{below}.mocharc.js", f"{below}.mocharc.json",
                           f"{below}.mocharc.yml", f"{below}.mocharc.cjs")  # fmt: skip
    paths = [one.removeprefix(below) for one in names.decode("utf-8", "replace").split("\0")]
    deeper = next((one for one in paths if one.count("/") > 1 and _SPEC.search(one)), "")
    if not deeper or any(one.startswith(".mocharc") for one in paths):
        return "", ""
    return f"without `--recursive` it does not take `{deeper[:120]}`", "npm test"


def _unit_tests(commit: str, below: str, run: Run, reads: str, repository: Repository) -> tuple[str, str]:
    folder = run.targets[0].rstrip("/") + "/" if len(run.targets) == 1 and run.targets[0][:1] not in ("", "~") else ""
    for place in dict.fromkeys((folder, "")):
        text = repository.ask("show", f"{commit}:{below}{place}package.json", failing=True).decode("utf-8", "replace")
        units = _UNITS.search(text)
        if units is not None and (reads in _BROWSERS or not _NODE.search(text)):
            return f"`package.json` names {units[1]}, whose tests `{reads}` does not run", "npm test"
    return "", ""
