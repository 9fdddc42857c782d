"""Take runs of several packages for a run of the whole, where no other package of the workspace has tests.

A loop over `packages/*`, `npm test -w a -w b`, `pnpm --filter '@acme/*' test`, `./gradlew :a:test :b:test`. Which
packages have tests is seen from the workspace: files of tests, each in the nearest folder with a manifest. Imported
when a run of packages passed.
"""

from __future__ import annotations

import re

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.test_names import ecosystem_of, is_test
from policy_engine.model.undecided import Undecided
from policy_engine.test_runs.counting import covers
from policy_engine.test_runs.runners import SUITE_FOLDERS
from policy_engine.test_runs.task_files import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.test_runs.evidence import Proof

MANIFESTS = {
    "python": ("pyproject.toml", "setup.py", "setup.cfg"), "javascript": ("package.json",), "go": ("go.mod",),
    "rust": ("Cargo.toml",), "jvm": ("build.gradle", "build.gradle.kts", "pom.xml"), "dart": ("pubspec.yaml",),
    "elixir": ("mix.exs",), "php": ("composer.json",), "dotnet": ("*.csproj", "*.fsproj", "*.vbproj"),
}  # fmt: skip
NAME = re.compile(r"(?:^|[{,])\s*\"?name\"?\s*[:=]\s*[\"']([^\"'\n]+)[\"']", re.MULTILINE)
SCRIPT = re.compile(r"\"test\"\s*:\s*\"(?!echo|true|exit)")
INSTALLED = ("node_modules", "vendor", "venv", "target", "dist")
_MOST = 20_000


def whole(proofs: Sequence[Proof], filesystem: FileSystem) -> None:
    """Let the last of some runs that passed stand for the whole workspace, where their packages are all with tests."""
    for of in {proof.run.of for proof in proofs} & MANIFESTS.keys():
        runs = [proof.run for proof in proofs if proof.run.of == of]
        if any("" in run.targets for run in runs):
            continue
        packages = _packages(of, filesystem)
        if packages and all(any(runs_package(run.targets, run.own, *one) for run in runs) for one in packages):
            runs[-1].targets, runs[-1].limited = ("", *runs[-1].targets), ""


def runs_package(targets: Iterable[str], own: bool, folder: str, name: str) -> bool:
    """Return whether a run of targets runs the tests of a package."""
    named = [one[1:] for one in targets if one[:1] == "~"]
    return (
        any(one == name or (folder and one == folder) for one in named)
        or any(folder and _pattern(one).fullmatch(name if one[0] == "@" or "/" not in one else folder) for one in named)
        or covers([one for one in targets if one[:1] != "~"], own, folder)
    )


def _pattern(text: str) -> re.Pattern[str]:
    """Read `@acme/*` and `packages/**`."""
    parts = re.split(r"(\*\*|\*)", text)
    return re.compile("".join({"**": ".+", "*": "[^/]*"}.get(part, re.escape(part)) for part in parts))


def _packages(of: str, filesystem: FileSystem) -> list[tuple[str, str]]:
    """Return the folders of the packages that have tests, with their names; none where that is not known."""
    paths = _files(filesystem)
    folders = {path.rpartition("/")[0] for path in paths if path.rpartition("/")[2] in MANIFESTS[of]}
    found: dict[str, str] = {}
    for path in paths:
        if ecosystem_of(path) == of and (
            of == "rust" or is_test(path) or not SUITE_FOLDERS.isdisjoint(path.split("/")[:-1])
        ):
            folder = path.rpartition("/")[0]
            while folder and folder not in folders:
                folder = folder.rpartition("/")[0]
            found[folder] = ""
    for folder in found:
        start = f"{filesystem.real_workspace.rstrip('/')}/{folder}".rstrip("/")
        texts = [text_of(f"{start}/{name}", filesystem) for name in MANIFESTS[of]]
        if of == "javascript" and not SCRIPT.search(texts[0]):
            return []
        match = NAME.search("\n".join(texts))
        found[folder] = match[1] if match is not None else folder
    return list(found.items())


def _files(filesystem: FileSystem) -> list[str]:
    """Return the files of the workspace, whatever git says of them; none where there are too many."""
    found: list[str] = []
    folders = [""]
    try:
        root = filesystem.real_workspace.rstrip("/")
        while folders and len(found) <= _MOST:
            folder = folders.pop()
            for name in filesystem.names(PathValue(folder, f"{root}/{folder}")):
                status = filesystem.look(PathValue(name, f"{root}/{folder}{name}"))
                if isinstance(status, tuple) and status[0] != "folder":
                    found.append(folder + name)
                elif name not in INSTALLED and name[:1] != ".":
                    folders.append(f"{folder}{name}/")
    except Undecided:
        return []
    return [] if folders else found
