"""Find what of the workspace a test runner of Python loads as a plugin, and say what a session put there.

Metadata of a package in any folder on the path names plugins, as do `conftest.py`, settings and plugins themselves.
What they name is configuration of the run: it is read as a `conftest.py` is. Not on the hook path: it is imported when
a run of Python's tests passed.
"""

from __future__ import annotations

import re
from typing import Any

from policy_engine.filesystem.paths import PathValue
from policy_engine.inline.python import parse_python
from policy_engine.model.undecided import Undecided
from policy_engine.test_runs.dynamic_names import dotted
from policy_engine.test_runs.evidence import IF_ALONE, IF_NEW
from policy_engine.test_runs.python_tree import below
from policy_engine.test_runs.replaced_sources import why_replaces
from policy_engine.test_runs.task_files import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.filesystem.repository import Repository
    from policy_engine.test_runs.classify import Run

_FOLDERS = 400  # that are looked through
_FILES = 32  # that are read for what they name
_METADATA = (".dist-info", ".egg-info")
_GROUPS = re.compile(
    r"^\s*\[\s*(?:pytest|nose|hypothesis|tox|nox|coverage|trial|twisted|pluggy)[\w.]*\s*\]", re.MULTILINE
)
_ENTRY = re.compile(r"^\s*[\w.-]+\s*=\s*([\w.]+)", re.MULTILINE)
_DECLARED = ("pyproject.toml", "setup.cfg", "setup.py")
_SETTINGS = ("pytest.toml", ".pytest.toml", "pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg")
_LOADS = re.compile(r"(?:^|[\s\"'])-p[\s=\"',]*(?!no:)([\w.]+)")
_WARNS = re.compile(r"\b(?:ignore|error|default|always|module|once|all):[^:\s\"']*:([\w.]+)\.\w+")
"""A filter of warnings whose category is a class of a module, which is imported."""
_PATHS = re.compile(r"\bPYTHONPATH=[\"']?([^\s;&|\"']+)")
_LAYOUTS = ("", "src", "lib", "python", "tests", "test")
_OTHERS = frozenset("node_modules venv env __pycache__ site-packages dist-packages vendor target".split())


def why_plugin(run: Run, wrote: Callable[[str], bool], commit: str, filesystem: FileSystem) -> str:
    """Return what the session wrote of the plugins of a run that changes what the run says; "" if nothing does."""
    try:
        place = _Place(run, commit, filesystem)
        for real, text in place.metadata:
            if wrote(real) and not place.declared_before():
                named = ", ".join(f"`{one}`" for one in _ENTRY.findall(text)[:3])
                return f"this session wrote `{place.shown(real)}`, which names plugins of the test runner ({named})"
        for real, by in place.loaded():
            if wrote(real) and (why := place.why_loaded(real)):
                return (
                    f"this session wrote `{place.shown(real)}`, which `{place.shown(by)}` loads as a plugin, and {why}"
                )
    except Undecided:
        pass
    return ""


class _Place:
    """The workspace of a run: its metadata of packages, and the files that it loads as plugins."""

    def __init__(self, run: Run, commit: str, filesystem: FileSystem) -> None:
        self._filesystem, self._commit, self._line = filesystem, commit, run.line
        self._root = filesystem.real_workspace.rstrip("/")
        self.metadata: list[tuple[str, str]] = []
        self._conftests: list[str] = []
        searched = [
            filesystem.resolve(word, self._root).real.rstrip("/")
            for match in _PATHS.finditer(run.line) for word in match[1].split(":") if word
        ]  # fmt: skip
        self._paths = [*searched, *(f"{self._root}/{one}".rstrip("/") for one in _LAYOUTS)]
        self._look_through(list(self._paths))

    def _look_through(self, waiting: list[str]) -> None:
        seen: set[str] = set()
        while waiting and len(seen) < _FOLDERS:
            folder = waiting.pop(0)
            if folder in seen:
                continue
            seen.add(folder)
            try:
                names = self._filesystem.names(PathValue(folder, folder))
            except Undecided:
                continue
            for name in names:
                if name.endswith(_METADATA):
                    real = f"{folder}/{name}/entry_points.txt"
                    if _GROUPS.search(text := text_of(real, self._filesystem)):
                        self.metadata.append((real, text))
                elif name == "conftest.py":
                    self._conftests.append(f"{folder}/{name}")
                elif "." not in name and name not in _OTHERS:
                    waiting.append(f"{folder}/{name}")

    def declared_before(self) -> bool:
        """Return whether the project is one of plugins, as the commit with which the session began describes it."""
        return any("pytest11" in self._before(f"{self._root}/{name}") for name in _DECLARED)

    def _before(self, real: str) -> str:
        if not self._commit:
            return ""
        try:
            repository: Repository = self._filesystem.repository()
            path = real.removeprefix(repository.root.rstrip("/") + "/")
            return repository.ask("show", f"{self._commit}:{path}", failing=True).decode("utf-8", "replace")
        except Undecided:
            return ""

    def shown(self, real: str) -> str:
        return real.removeprefix(self._root + "/")[-160:]

    def why_loaded(self, real: str) -> str:
        """Return how a plugin of the workspace changes what the run says, if the commit does not say the same."""
        from policy_engine.test_runs.outcome_changes import MOST, TOO_LARGE, why_conftest

        text = self._filesystem.script(PathValue(real, real), MOST)
        if text is None:
            return TOO_LARGE
        before = self._before(real)
        why = why_conftest(text)
        if why and why != why_conftest(before):
            return why
        why, was = (why_replaces("conftest.py", one, self._root, self._filesystem) for one in (text, before))
        return "" if why == was or why.startswith(IF_ALONE) else why.lstrip(IF_NEW)

    def loaded(self) -> Iterator[tuple[str, str]]:
        """Yield the files that are loaded as plugins, each with the file that says so."""
        waiting = [(module, real, "") for real, text in self.metadata for module in _ENTRY.findall(text)]
        texts = [(self._line, self._line[:80])]
        texts += [(text_of(real, self._filesystem), real) for real in (f"{self._root}/{name}" for name in _SETTINGS)]
        for text, real in texts:
            waiting += [(module, real, "") for found in (_LOADS, _WARNS) for module in found.findall(text)]
        files, seen = list(self._conftests), set(self._conftests)
        while (waiting or files) and len(seen) < _FILES + len(self._conftests):
            if files:
                by = files.pop(0)
                waiting += [(module, by, by.rpartition("/")[0]) for module in _named(text_of(by, self._filesystem))]
                continue
            module, by, folder = waiting.pop(0)
            for real in self._files_of(module, folder):
                if real not in seen:
                    seen.add(real)
                    files.append(real)
                    yield real, by

    def _files_of(self, module: str, folder: str) -> Iterator[str]:
        bare = module.lstrip(".")
        above, relative = folder, len(module) - len(bare)
        for _ in range(relative - 1):
            above = above.rpartition("/")[0]
        for base in (above,) if relative else (*((folder,) if folder else ()), *self._paths):
            path = f"{base}/{bare.replace('.', '/')}".rstrip("/")
            for real in (f"{path}.py", f"{path}/__init__.py"):
                if self._filesystem.present(PathValue(real, real)):
                    yield real


def _named(text: str) -> list[str]:
    """Return the modules whose names become those of a plugin, or that it names as plugins."""
    tree = parse_python(text)
    if tree is None:
        return []
    nodes = list(below(tree))
    registers = any(getattr(node, "attr", "") in ("pluginmanager", "register", "import_plugin") for node in nodes)
    registers = registers or any(getattr(node, "id", "") in ("globals", "vars", "setattr") for node in nodes)
    result: list[str] = []
    for node in nodes:
        kind = type(node).__name__
        if kind == "ImportFrom":
            module = "." * node.level + (node.module or "")
            names = [alias.name for alias in node.names]
            hooks = any(f"{alias.name} {alias.asname or ''}".find("pytest_") >= 0 for alias in node.names)
            if registers or hooks or "*" in names:
                result += [module, *(f"{module}.{name}".replace("..", ".") if node.module else f"{module}{name}"
                                     for name in names if name != "*")]  # fmt: skip
        elif kind == "Import" and registers:
            result += [alias.name for alias in node.names]
        elif kind in ("Assign", "AnnAssign", "AugAssign") and _is_plugins(node):
            result += _texts(node.value)
        elif kind == "Call" and dotted(node.func).rpartition(".")[2] == "import_plugin":
            result += [one for part in node.args for one in _texts(part)]
    return result


def _is_plugins(node: Any) -> bool:
    targets = node.targets if type(node).__name__ == "Assign" else [node.target]
    return any(getattr(one, "id", "") == "pytest_plugins" for one in targets)


def _texts(node: Any) -> list[str]:
    values = [getattr(part, "value", None) for part in below(node) if type(part).__name__ == "Constant"]
    return [value for value in values if isinstance(value, str)]
