"""Tell that a runner does not run the tests that a repository had when the session began: they are another's.

A task of the repository (`make test`, `npm test`) is what the repository says that its tests are, and is not asked
about. Not on the hook path: it is imported when a run of tests passed.
"""

from __future__ import annotations

import re

from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.filesystem.repository import Repository
    from policy_engine.test_runs.classify import Run

_PLAIN_PYTHON = r"^(async )?def test|^(import|from) pytest"
_PYTHON_TESTS = ("test_*.py", "*_test.py", "tests.py")
_UNITS = re.compile(r'"(jest|vitest|mocha|ava|jasmine|karma|react-scripts)"\s*:')
_NODE = re.compile(r"\bnode\b[^\"]*--test\b|\b(?:borp|tap)\b")
_BROWSERS = frozenset(("playwright", "cypress"))
"""They run whole programs; the tests of functions are another runner's."""


def other_runner(run: Run, commit: str, filesystem: FileSystem) -> tuple[str, str]:
    """Return why the tests of a commit are not those that the run ran, and what to run; two times "" if they may be."""
    reads = run.reads[0] if run.reads and not run.named else ""
    try:
        repository = filesystem.repository()
        below = f"{filesystem.real_workspace}/".removeprefix(f"{repository.root.rstrip('/')}/")
        if reads in ("unittest", "behave"):
            return _plain_tests(commit, below, reads, repository)
        if reads in ("node", "tap") or reads in _BROWSERS:
            return _unit_tests(commit, below, run, reads, repository)
    except Undecided:
        pass
    return "", ""


def _plain_tests(commit: str, below: str, reads: str, repository: Repository) -> tuple[str, str]:
    globs = [f":(glob){below}**/{name}" for name in _PYTHON_TESTS]
    output = repository.ask("grep", "-l", "-z", "-E", _PLAIN_PYTHON, commit, "--", *globs, failing=True)
    name = output.decode("utf-8", "replace").partition("\0")[0].removeprefix(f"{commit}:").removeprefix(below)
    return (f"`{name[:120]}` has tests of pytest, which `{reads}` does not run", "pytest -q") if name else ("", "")


def _unit_tests(commit: str, below: str, run: Run, reads: str, repository: Repository) -> tuple[str, str]:
    folder = run.targets[0].rstrip("/") + "/" if len(run.targets) == 1 and run.targets[0][:1] not in ("", "~") else ""
    for place in dict.fromkeys((folder, "")):
        text = repository.ask("show", f"{commit}:{below}{place}package.json", failing=True).decode("utf-8", "replace")
        units = _UNITS.search(text)
        if units is not None and (reads in _BROWSERS or not _NODE.search(text)):
            return f"`package.json` names {units[1]}, whose tests `{reads}` does not run", "npm test"
    return "", ""
