"""Tell which packages that a session changed a run of the whole does not reach, by the layout as it is committed.

`cargo test` in the root package of a workspace, `go test ./...` above a nested module, a script that names folders, a
module that no build lists: the tests of such a package are run by a line of their own. Runs of the same state of the
sources count together: `reached` of the room of runs of tests keeps, by ecosystem, what stands for the sources, whether
a run of the rest passed, and the packages whose tests did. What cannot be read is taken for reached. Not on the hook
path: it is imported when a run of tests passed.
"""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from posixpath import normpath

from policy_engine.filesystem.paths import PathValue
from policy_engine.history.digest import text_digest
from policy_engine.history.members import INSTALLED, MANIFESTS, NAME, SCRIPT, runs_package
from policy_engine.history.suite import COMMIT
from policy_engine.model.partial import GLOB
from policy_engine.model.test_names import ENDINGS, is_test
from policy_engine.model.undecided import Undecided
from policy_engine.test_runs.evidence import PASSED
from policy_engine.test_runs.runners import SUITE_FOLDERS
from policy_engine.test_runs.session_changes import Changes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.shell.command import SimpleCommand
    from policy_engine.test_runs.classify import Run
    from policy_engine.test_runs.evidence import Proof

_REACHED = "reached"
_SAMPLES = frozenset((*INSTALLED, "testdata", "fixtures", "__fixtures__", "templates", "examples"))
"""Folders whose packages are no part of the project, or what its tests read."""
_RUST_TEST = r"#\[(\w+::)*(test|rstest|test_case|quickcheck)\b|proptest!"
_TESTED = {
    "python": (("tests", "test"), ("test_*.py", "*_test.py")),
    "php": (("tests", "Tests", "test", "Test"), ("*Test.php", "*Cest.php")),
}
"""Where a folder with tests of its own is a package: what it is called, and its files."""
_PYTEST = ("pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg")
_PHPUNIT = ("phpunit.xml", "phpunit.dist.xml", "phpunit.xml.dist")
_WORKSPACES = re.compile(r'"workspaces"\s*:\s*(?:\{\s*"packages"\s*:\s*)?\[([^\]]*)\]')
_WORKSPACE = ("--workspace", "--all")
_ALONE = {
    "python": "pytest", "rust": "cargo test", "go": "go test ./...", "javascript": "npm test", "jvm": "mvn test",
    "dotnet": "dotnet test", "php": "vendor/bin/phpunit",
}  # fmt: skip


class _Layout:
    """The packages of an ecosystem below the workspace, by folder, and their texts."""

    def __init__(self, of: str, changes: Changes, filesystem: FileSystem) -> None:
        self.of, self.filesystem, self._changes = of, filesystem, changes
        self.start = f"{filesystem.real_workspace.rstrip('/')}/".removeprefix(f"{changes.root}/")
        self.manifests: dict[str, str] = {}
        if of in _TESTED:
            called, names = _TESTED[of]
            for path in changes.paths([f"{one}/**/{name}" for one in called for name in names]):
                below = path.removeprefix(self.start)
                folder, name = min((below.partition(f"/{one}/")[0], one) for one in called if f"/{one}/" in f"/{below}")
                if folder != below and _SAMPLES.isdisjoint(below.split("/")):
                    self.manifests[folder] = f"{folder}/{name}"
            return
        for path in changes.paths(MANIFESTS[of]):
            folder, _, name = path.removeprefix(self.start).rpartition("/")
            if path.startswith(self.start) and _SAMPLES.isdisjoint(path.removeprefix(self.start).split("/")):
                self.manifests[folder] = f"{folder}/{name}".lstrip("/")
        if of == "javascript":
            self.manifests = {one: path for one, path in self.manifests.items() if SCRIPT.search(self.text(path))}

    def text(self, path: str) -> str:
        """Return the text of a file below the workspace, "" if it cannot be read."""
        return self._changes.now(self.start + path)

    def package(self, path: str) -> str:
        """Return the folder of the nearest manifest above a file, "" for the root and for none."""
        folder = path.rpartition("/")[0]
        while folder and folder not in self.manifests:
            folder = folder.rpartition("/")[0]
        return folder

    def tests_of(self, folder: str) -> list[str]:
        """Return the packages with the tests of a package: itself, or projects that refer to it."""
        if self.of != "dotnet":
            return [folder] if self._has_tests(folder) else []
        project = self.manifests[folder].rpartition("/")[2].rpartition(".")[0]
        near = {one: path.rpartition("/")[2] for one, path in self.manifests.items() if one}
        return [
            one for one, name in near.items()
            if (one == folder or name.startswith(f"{project}.") or f"{project}." in self.text(self.manifests[one]))
            and self._has_tests(one)
        ]  # fmt: skip

    def _has_tests(self, folder: str) -> bool:
        if self.of == "rust":
            found = self._changes.matching(_RUST_TEST, f"{self.start}{folder}", "*.rs")
        else:
            paths = self._changes.paths([f"*.{one}" for one in ENDINGS[self.of]], f"{self.start}{folder}/")
            found = [one for one in paths if is_test(one) or (self.of != "go" and _in_suite(one[len(self.start) :]))]
        return any(self.package(one.removeprefix(self.start)) == folder for one in found)


def _in_suite(path: str) -> bool:
    return not SUITE_FOLDERS.isdisjoint(path.lower().split("/")[:-1])


def judge_unreached(
    proofs: Sequence[Proof], namespace: dict[str, Any], wrote: Callable[[str], bool], filesystem: FileSystem
) -> None:
    """Confine runs of the whole that passed to what they reach, and let the last one that completes them stand for it
    all."""
    for of in {proof.run.of for proof in proofs if proof.outcome == PASSED} & _ALONE.keys():
        its = [proof for proof in proofs if proof.run.of == of and proof.outcome == PASSED]
        try:
            _judge(of, its, namespace, Changes(namespace[COMMIT], wrote, filesystem), filesystem)
        except Undecided:
            continue


def _judge(of: str, proofs: list[Proof], namespace: dict[str, Any], changes: Changes, filesystem: FileSystem) -> None:
    layout = _Layout(of, changes, filesystem)
    if not any(layout.manifests):
        return
    globs = [f"*.{one}" for one in ENDINGS[of]]
    changed = dict.fromkeys(layout.package(one.removeprefix(layout.start)) for one in changes.named(globs))
    about: dict[str, str] = {}
    for package in filter(None, changed):
        for one in layout.tests_of(package):
            about[one] = one if one in changed else about.get(one, package)
    folders = list(about)
    if not folders:
        return
    state = _state(changes, globs, filesystem)
    kept = namespace.setdefault(_REACHED, {})
    before, rest, reached = kept.get(of, ("", False, ()))
    rest, known = (rest, set(reached)) if before == state else (False, set())
    for proof in proofs:
        whole = "" in proof.run.targets
        its = {one for one in folders if _reaches(proof.run, one, layout)}
        known, rest = known | its, rest or whole
        missing = [one for one in folders if one not in known]
        if whole and missing:
            _confine(proof.run, [one for one in folders if one not in its], (missing[0], about[missing[0]]), layout)
        elif rest and not whole and not missing:
            proof.run.targets, proof.run.limited = ("", *proof.run.targets), ""
    kept[of] = state, rest, tuple(sorted(known))


def _state(changes: Changes, globs: list[str], filesystem: FileSystem) -> str:
    """Return what stands for the sources of the session."""
    paths = [f"{changes.root}/{one}" for one in changes.differing(globs)]
    return text_digest(repr([(one, filesystem.times(PathValue(one, one))) for one in paths]))


def _confine(run: Run, unreached: list[str], first: tuple[str, str], layout: _Layout) -> None:
    """Take out of a run of the whole the packages that it does not reach; `first` is one of them, with the package that
    the session changed and that its tests are about.
    """
    missing, changed = first
    others = [one for one in layout.manifests if one and one not in unreached]
    run.targets = (*(one for one in run.targets if one), *others) or ("\0",)
    member = layout.of == "rust" and _is_member(missing, layout)
    line = "cargo test --workspace" if member else f"(cd {missing} && {_usual(missing, layout)})"
    line = f"{_ALONE[layout.of]} {layout.manifests[missing]}" if layout.of in _TESTED else line
    run.usual = ""
    tests = f"of `{missing}`" if missing == changed else f"in `{missing}` of `{changed}`"
    run.limited = f"it does not reach the tests {tests}, which this session changed; run `{line}` as well"


def _usual(folder: str, layout: _Layout) -> str:
    gradle = layout.of == "jvm" and "gradle" in layout.manifests[folder]
    return "gradle test" if gradle else _ALONE[layout.of]


def _reaches(run: Run, folder: str, layout: _Layout) -> bool:
    """Return whether a run runs the tests of a package."""
    match = NAME.search(layout.text(layout.manifests[folder]))
    named = [one for one in run.targets if one]
    if named and runs_package(named, run.own, folder, match[1] if match is not None else folder):
        return True
    task = run.named and layout.of != "javascript"
    return "" in run.targets and (task or _BY_LAYOUT[layout.of](run, folder, layout))


def _is_member(folder: str, layout: _Layout) -> bool:
    """Return whether a package of Cargo is one of the workspace, by its list or as a dependency by path."""
    root = layout.text(layout.manifests.get("", "Cargo.toml"))
    lists = {key: _strings(root, key) for key in ("members", "exclude")}
    if folder in lists["exclude"] or "[workspace]" not in root:
        return False
    if any(fnmatchcase(folder, normpath(one)) for one in lists["members"]):
        return True
    last = re.escape(folder.rpartition("/")[2])
    return any(
        re.search(rf"\bpath\s*=\s*[\"'](?:[^\"']*/)?{last}/?[\"']", layout.text(one))
        for one in layout.manifests.values()
    )


def _strings(text: str, key: str) -> list[str]:
    found = re.search(rf"^\s*{key}\s*=\s*\[([^\]]*)\]", text, re.MULTILINE)
    return re.findall(r"[\"']([^\"']+)[\"']", found[1]) if found is not None else []


def _cargo(run: Run, folder: str, layout: _Layout) -> bool:
    root = layout.text(layout.manifests.get("", "Cargo.toml"))
    if re.search(r"^\s*default-members\s*=", root, re.MULTILINE):
        return True
    all_members = not re.search(r"^\[package\]", root, re.MULTILINE) or not set(run.line.split()).isdisjoint(_WORKSPACE)
    return "cargo" not in run.line or (all_members and _is_member(folder, layout))


def _pytest(run: Run, folder: str, layout: _Layout) -> bool:
    """Settings of pytest that name folders leave out the others, unless the line names them."""
    found = re.search(
        r"^\s*testpaths\s*=\s*(\[[^\]]*\]|[^\n]*(?:\n[ \t]+\S[^\n]*)*)",
        next(filter(lambda one: "testpaths" in one, map(layout.text, _PYTEST)), ""), re.MULTILINE,
    )  # fmt: skip
    named = re.findall(r"[^\s\"',\[\]]+", found[1]) if found is not None else []
    return "pytest" not in run.line or not named or _lies_in(layout.manifests[folder], run.suites or named)


def _phpunit(run: Run, folder: str, layout: _Layout) -> bool:
    """Suites of phpunit leave out the folders that they do not name."""
    from policy_engine.test_runs.settings import suites_of_phpunit

    _, named = suites_of_phpunit(next(filter(None, map(layout.text, _PHPUNIT)), ""))
    return not named or _lies_in(layout.manifests[folder], run.suites or named)


def _lies_in(tests: str, places: Sequence[str]) -> bool:
    """Return whether places that a runner looks into have a folder of tests, or a part of it."""
    parts = tests.split("/")
    return any(one == "." or all(map(fnmatchcase, parts, one.split("/"))) for one in map(normpath, places))


def _go(run: Run, folder: str, layout: _Layout) -> bool:
    return "go test" not in run.line


def _jvm(run: Run, folder: str, layout: _Layout) -> bool:
    last = re.escape(folder.rpartition("/")[2])
    if "mvn" in run.line.partition(" ")[0]:
        poms = [layout.text(one) for one in layout.manifests.values() if one.endswith("pom.xml")]
        return any(re.search(rf"<module>\s*(?:[^<]*/)?{last}/?\s*</module>", one) for one in poms)
    settings = layout.text("settings.gradle") + layout.text("settings.gradle.kts")
    if not settings or re.search(r"\beach|\bfor\b|forEach|projectDir|includeBuild|fileTree|walk|apply", settings):
        return True
    return bool(re.search(rf"[\"':/]{last}[\"']", settings))


def _dotnet(run: Run, folder: str, layout: _Layout) -> bool:
    """A solution builds the projects that it names; others are reached by what a project of it refers to."""
    names = layout.filesystem.names(PathValue(".", layout.filesystem.real_workspace))
    solutions = [one for one in names if one.endswith((".sln", ".slnx"))]
    text = layout.text(solutions[0]) if len(solutions) == 1 else ""
    project = layout.manifests[folder].rpartition("/")[2]
    return not text or project in text


def _javascript(run: Run, folder: str, layout: _Layout) -> bool:
    """A script that names folders or files, all of them outside of the package, does not reach it."""
    from policy_engine.test_runs.classify import Place
    from policy_engine.test_runs.managers import script_commands

    name, _, words = run.usual.partition(" ")
    text = layout.text("package.json")
    if name in ("npm", "yarn") and not run.own and (listed := _WORKSPACES.search(text)) is not None:
        return any(fnmatchcase(folder, normpath(one)) for one in re.findall(r'"([^"]+)"', listed[1]))
    if name not in ("npm", "pnpm", "yarn", "bun") or not run.own:
        return True
    root = PathValue(".", layout.filesystem.real_workspace)
    script = words.rpartition(" ")[2]
    if re.search(rf'"(?:pre|post){re.escape(script)}"\s*:', text):
        return True
    commands = script_commands(name, (script,), Place(root, layout.filesystem, ()))
    return not commands or any(_may_reach(one, folder, layout) for one in commands)


def _may_reach(command: SimpleCommand, folder: str, layout: _Layout) -> bool:
    """Return whether a command of a script may run the tests of a package."""
    from policy_engine.test_runs.classify import run_of
    from policy_engine.test_runs.quiet import QUIET, QUIET_VERBS

    run = run_of(command)
    if run is None:
        return command.name not in QUIET and command.name not in QUIET_VERBS
    if run.named or run.of != "javascript":
        return run.named
    globs = [word.partition(GLOB)[0].partition("*")[0] for word in command.argv if GLOB in word or "*" in word]
    places = [one.removeprefix("./").rpartition("/")[0] for one in globs]
    if "" not in run.targets or run.suites:
        places += [one for one in (*run.suites, *run.targets) if one not in ("", "\0")]
    at = f"{folder}/"
    return not places or any(not one or at.startswith(f"{one}/") or one.startswith(at) for one in places)


_BY_LAYOUT: dict[str, Callable[[Run, str, _Layout], bool]] = {
    "python": _pytest, "rust": _cargo, "go": _go, "jvm": _jvm, "dotnet": _dotnet, "javascript": _javascript,
    "php": _phpunit,
}  # fmt: skip
