"""Find scripts of a package that run fewer tests of the commit than those of the session's start did.

A script that names files or folders confines a run; it is compared with the files of tests that the commit has and that
are still there. Not on the hook path: it is imported when a run of tests passed.
"""

from __future__ import annotations

import re
from fnmatch import fnmatchcase

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.undecided import Undecided
from policy_engine.test_runs.runners import SUITE_FOLDERS
from policy_engine.test_runs.unchanged_tasks import scripts_of, texts_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.test_runs.classify import Run

_TEST = re.compile(r"(?:^|[/._-])(?:tests?|specs?)\.[cm]?[jt]sx?$")
_SOURCE = re.compile(r"\.[cm]?[jt]sx?$")
_OTHERS = re.compile(r"(?i)(?:^|/)(?:e2e|playwright|cypress|node_modules)(?:/|$)")
"""Tests that another runner has."""
_MOST = 500


def narrowed_scripts(real: str, run: Run, commit: str, filesystem: FileSystem) -> Iterator[str]:
    """Yield the scripts that a run reaches and that leave out tests which they, or the runner, ran at the commit."""
    now, then = (scripts_of(text, run.line) for text in texts_of(real, commit, filesystem))
    folder = real.rpartition("/")[0]
    for name, text in now.items():
        before = then.get(name)
        if not name or type(text) is not str or text == before:
            continue
        if before and _proves_nothing(text, folder, filesystem) and not _proves_nothing(before, folder, filesystem):
            yield f'"{name}": "{text}"'
            continue
        tests = [one for one in _tests(folder, commit, filesystem) if not _OTHERS.search(one)]
        lost = _left_out(text, tests, folder, filesystem)
        if lost and set(lost) - set(_left_out(before or "", tests, folder, filesystem)):
            yield f'"{name}": "{text}"'


def _tests(folder: str, commit: str, filesystem: FileSystem) -> list[str]:
    """Return the files of tests below a folder that the commit has and that are there, by their paths below it."""
    try:
        repository = filesystem.repository()
        root = repository.root.rstrip("/")
        below = f"{folder}/".removeprefix(f"{root}/")
        listed = repository.ask(
            "ls-tree", "-r", "--full-tree", "--name-only", "-z", commit, "--", below or "."
        ).decode()
    except Undecided:
        return []
    files = [one.removeprefix(below) for one in listed.split("\0") if _SOURCE.search(one)]
    called = [one for one in files if _TEST.search(one)]
    others = [one for one in files if not SUITE_FOLDERS.isdisjoint(one.split("/")[:-1])]
    places = ((one, f"{folder}/{one}") for one in (called or others)[:_MOST])
    return [one for one, place in places if filesystem.present(PathValue(place, place))]


def _runs(line: str, folder: str, filesystem: FileSystem) -> list[Run]:
    """Return the runs of tests of a line; none of one that cannot be read."""
    from policy_engine.shell.parse import parse
    from policy_engine.test_runs.classify import Place, classify

    try:
        parsed = parse(line, folder, filesystem)
    except Undecided:
        return []
    place = PathValue(folder, folder)
    runs = []
    for command in parsed:
        words = command.argv
        words = ("vitest", "run", *words[1:]) if words[:1] == ("vitest",) and words[1:2] != ("run",) else words
        runs.append(classify(words, Place(place, filesystem, command.env)) if words else None)
    return [run for run in runs if run is not None]


def _proves_nothing(line: str, folder: str, filesystem: FileSystem) -> bool:
    """Return whether a line runs tests, and each run in a way that proves nothing."""
    runs = _runs(line, folder, filesystem)
    return bool(runs) and all(run.problem for run in runs)


def _left_out(line: str, tests: list[str], folder: str, filesystem: FileSystem) -> list[str]:
    """Return the tests that no run of a line names; none where one runs all of them, or nobody can say."""
    runs = [run for run in _runs(line, folder, filesystem) if not run.problem]
    if any(not run.limited for run in runs):
        return []
    inside = f"{folder}/".removeprefix(f"{filesystem.real_workspace.rstrip('/')}/")
    named = [one for run in runs for one in (*run.targets, *run.suites)]
    patterns = [one.removeprefix("~").removeprefix(inside) for one in named]
    return [one for one in tests if named and not any(_names(pattern, one) for pattern in patterns)]


def _names(pattern: str, test: str) -> bool:
    """Return whether a word of a script names a test: runners take patterns, and parts of paths."""
    if "*" in pattern or "{" in pattern:
        return any(fnmatchcase(test, one.replace("**/", "*")) for one in _spread(pattern))
    return pattern in f"{test}/"


def _spread(pattern: str) -> list[str]:
    """Return a pattern with each of the words between its first braces."""
    found = re.search(r"\{([^{}]*)\}", pattern)
    if found is None:
        return [pattern]
    return [
        one for word in found[1].split(",") for one in _spread(pattern[: found.start()] + word + pattern[found.end() :])
    ]
