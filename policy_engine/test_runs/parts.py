"""Count the summaries that a run prints: one for each package of a workspace, each project, each script of several.

Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.errors import EventError
from policy_engine.model.strict_json import read_json
from policy_engine.model.undecided import Undecided
from policy_engine.test_runs.task_files import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from policy_engine.test_runs.classify import Place

_AT_ONCE = frozenset("concurrently npm-run-all run-p run-s wsrun".split())
"""Programs that start several scripts."""
_MOST = 200  # packages and folders that are looked at
_OF_TESTS = ("Microsoft.NET.Test.Sdk", "IsTestProject", "MSTest.Sdk", "TUnit")


def summaries_of(several: Sequence[str], options: Sequence[str], place: Place) -> int:
    """Return how many summaries a run prints by its row of the table, 0 if more than one, or nobody knows."""
    for sign in several:
        file, colon, text = sign.partition(":")
        if sign == "projects":
            return max(1, _projects(place))
        if sign == "*" or sign in options or (colon and text in _text(place, file)):
            return 0
    return 1


def packages_with(script: str, place: Place) -> int:
    """Return how many packages of a workspace of npm have a script, 0 if that is unknown."""
    settings = _json(place, "package.json")
    named = settings.get("workspaces")
    named = named.get("packages") if type(named) is dict else named
    if type(named) is not list or not all(type(one) is str for one in named):
        return 0
    folders = set()
    for pattern in named:
        above, _, last = pattern.removeprefix("./").rstrip("/").rpartition("/")
        if "*" in above or ("*" in last and last != "*") or pattern[:1] == "!":
            return 0
        folders |= {f"{above or '.'}/{name}" for name in (_names(place, above) if last == "*" else [last])}
    if len(folders) > _MOST:
        return 0
    found = (_json(place, f"{folder}/package.json").get("scripts") for folder in folders)
    return sum(type(scripts) is dict and script in scripts for scripts in found)


def prints_several(script: str) -> bool:
    """Return whether the text of a script may run more after what failed."""
    for joint in ("&&", ">&", "&>"):
        script = script.replace(joint, " ")
    return any(mark in script for mark in (";", "&", "||")) or not _AT_ONCE.isdisjoint(script.split())


def _projects(place: Place) -> int:
    """Return how many summaries the projects of .NET below a place print that hold tests, by their frameworks."""
    total, waiting, looked = 0, [(".", 0)], 0
    while waiting and looked < _MOST:
        folder, depth = waiting.pop(0)
        looked += 1
        for name in _names(place, folder):
            path = f"{folder}/{name}"
            if name.endswith((".csproj", ".fsproj", ".vbproj")):
                text = _text(place, path)
                frameworks = text.partition("<TargetFrameworks>")[2].partition("<")[0].strip(" ;")
                total += any(sign in text for sign in _OF_TESTS) * (frameworks.count(";") + 1)
            elif depth < 3 and "." not in name and name not in ("bin", "obj", "node_modules"):
                waiting.append((path, depth + 1))
    return total


def _text(place: Place, file: str) -> str:
    real = place.at(file)
    return "" if real is None else text_of(real, place.filesystem)


def _json(place: Place, file: str) -> dict[str, object]:
    real = place.at(file)
    if real is None:
        return {}
    try:
        content = place.filesystem.read(place.filesystem.resolve(real, None))
        parsed = read_json(content) if isinstance(content, bytes) else None
    except (Undecided, EventError):
        return {}
    return parsed if type(parsed) is dict else {}


def _names(place: Place, folder: str) -> list[str]:
    real = place.at(folder or ".")
    try:
        return [] if real is None else place.filesystem.names(place.filesystem.resolve(real, None))
    except Undecided:
        return []
