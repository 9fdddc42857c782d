"""Say why a Python file beside the tests takes the place of the source that they are about.

A module that is found earlier under the name of a source, another module put under its name, or a function of it that
is replaced for the whole run, at the import, in a hook or in a fixture that all tests have: the tests are green and say
nothing of the source. What a test or a fixture replaces for itself is the business of that test. Not on the hook path:
it is imported when a session wrote such a file.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import Any

from policy_engine.filesystem.file_system import FileSystem
from policy_engine.filesystem.paths import PathValue
from policy_engine.inline.python import parse_python
from policy_engine.model.undecided import ABSENT, Undecided
from policy_engine.test_runs.dynamic_names import ANY, Names, dotted
from policy_engine.test_runs.evidence import IF_ALONE, IF_NEW
from policy_engine.test_runs.runners import SUITE_FOLDERS
from policy_engine.test_runs.task_files import text_of

_LAYOUTS = ("src/", "", "lib/", "python/")
_SETTINGS = ("conftest.py", "pyproject.toml", "pytest.ini", "setup.cfg", "tox.ini")
_NAMES = 200  # files below one folder
_LONGEST = 200  # characters of a path in code
_NO_SOURCES = ("conftest", "setup.", "test_", "__", "noxfile", "tasks.")
_SEARCHES = re.compile(
    r"\bsys\.path\b|\baddsitedir\b|\b__path__\b|\bsyspath_prepend\b|\bspec_from_file_location\b|\bSourceFileLoader\b"
)


def why_replaces(relative: str, text: str, root: str, filesystem: FileSystem) -> str:
    """Return how a file, by its path below `root`, takes the place of a source; "" if it does not."""
    parts = relative.split("/")
    name, place = parts[-1], _Workspace(root, filesystem)
    suite = next((at for at, part in enumerate(parts[:-1]) if part in SUITE_FOLDERS), None)
    searched = _SEARCHES.search(text) is not None
    if name.endswith(".py") and suite is None and name != "conftest.py":
        sources = _Sources(place, "")
        found = sources.found_elsewhere(text, "/".join(parts[:-1])) if searched else ""
        return found or (sources.exchanged(text, relative) if "sys.modules" in text else "")
    if not name.endswith(".py"):
        return ""
    sources = _Sources(place, "/".join(parts[: suite or 0]))
    if suite is not None and (why := sources.shadowed(parts, suite, text)):
        return why
    if searched and (why := sources.found_elsewhere(text, "/".join(parts[:-1]))):
        return why
    if name == "conftest.py" and "sys.path" in text:
        for folder in place.names("/".join(parts[:-1])):
            if folder in text and (why := sources.shadowed_below([*parts[:-1], folder], suite or 0)):
                return f"it makes Python find a module elsewhere: {why}"
    return sources.replaced(text)


class _Workspace:
    """Look at what is there, by paths below the workspace."""

    def __init__(self, root: str, filesystem: FileSystem) -> None:
        self._root, self._filesystem = root.rstrip("/"), filesystem

    def path(self, relative: str) -> PathValue:
        real = f"{self._root}/{relative}".rstrip("/")
        return PathValue(real, real)

    def has(self, relative: str) -> bool:
        try:
            return self._filesystem.look(self.path(relative)) is not ABSENT
        except Undecided:
            return False

    def names(self, relative: str) -> list[str]:
        try:
            return self._filesystem.names(self.path(relative))[:_NAMES]
        except Undecided:
            return []

    def real(self, text: str, folder: str) -> str:
        """Return the path that a text names, seen from a folder of the workspace."""
        return posixpath.normpath(posixpath.join(self._root, folder, text))

    def has_real(self, real: str) -> bool:
        try:
            return self._filesystem.look(PathValue(real, real)) is not ABSENT
        except Undecided:
            return False

    def text(self, relative: str) -> str:
        return text_of(self.path(relative).real, self._filesystem)


class _Sources:
    """The sources of a project whose folder is `project`, "" for that of the workspace."""

    def __init__(self, place: _Workspace, project: str) -> None:
        self._place = place
        folders = ("", f"{project}/") if project else ("",)
        self._roots = [folder + layout for folder in folders for layout in _LAYOUTS]

    def shadowed(self, parts: list[str], suite: int, text: str = "?") -> str:
        """Return why a file of a suite is imported in the place of a source."""
        name = parts[-1]
        if name.startswith(("test_", "conftest.")) or (name == "__init__.py" and not text.strip()):
            return ""
        for at in range(suite + 1, len(parts) - (name == "__init__.py")):
            base, rest = "/".join(parts[:at]), "/".join(parts[at:])
            found = [rest, *([name.removesuffix(".py")] if at == len(parts) - 1 else [])]
            source = next((root + one for one in found for root in self._roots if self._place.has(root + one)), "")
            elsewhere = f"{base}/" not in self._roots and not self._place.has(f"{base}/__init__.py")
            if source and elsewhere and self._is_searched(base):
                return f"Python finds it in the place of the source `{source}`"
        return ""

    def shadowed_below(self, folder: list[str], suite: int) -> str:
        """The same of the files of a folder, two levels down."""
        for name in self._place.names("/".join(folder)):
            inner = [] if name.endswith(".py") else self._place.names("/".join([*folder, name]))
            for parts in ([*folder, name], *([*folder, name, one] for one in inner)):
                if parts[-1].endswith(".py") and (why := self.shadowed(parts, min(suite, len(folder) - 1))):
                    return f"`{'/'.join(parts[-2:])}`: {why}"
        return ""

    def _is_searched(self, base: str) -> bool:
        """Return whether a folder is one in which modules are looked for: it holds tests, or settings name it."""
        if any(
            name.startswith("test_") or name.endswith(("_test.py", "conftest.py")) for name in self._place.names(base)
        ):
            return True
        above, _, last = base.rpartition("/")
        while True:
            for name in _SETTINGS:
                text = self._place.text(f"{above}/{name}".lstrip("/"))
                if last in text and ("sys.path" in text or "pythonpath" in text):
                    return True
            if not above:
                return False
            above = above.rpartition("/")[0]

    def found_elsewhere(self, text: str, folder: str) -> str:
        """Return why code has Python look for the sources in another folder, which has some of their names."""
        tree = parse_python(text)
        names = Names()
        nodes = list(_below(tree.body)) if tree is not None else []
        for node in nodes:
            names.note(node)
        kinds = ("Constant", "BinOp", "JoinedStr")
        texts = {written for node in nodes if type(node).__name__ in kinds and (written := names.text(node))}
        own = {self._place.real(root, "") for root in self._roots}
        tops = self._tops("__path__" in text)
        for written in sorted(text for text in texts if len(text) < _LONGEST and "\n" not in text)[:_NAMES]:
            for real in {self._place.real(written, base) for base in (folder, "")}:
                if real in own and not self._is_covered(real, own):
                    continue
                if real.endswith(".py") and not any(real.startswith(f"{one}/") for one in own):
                    if self._place.has_real(real):
                        return f"{IF_NEW}it loads `{written}` from outside of the workspace"
                elif top := next((top for top in tops if self._place.has_real(f"{real}/{top}")), ""):
                    return f"{IF_NEW}it makes Python find `{top}` in `{written}`"
        return ""

    def _is_covered(self, real: str, own: set[str]) -> bool:
        """Return whether a folder of sources has a name that another one has as well."""
        return any(
            self._place.has_real(f"{real}/{top}") and self._place.has_real(f"{one}/{top}")
            for top in self._tops(False)
            for one in own - {real}
        )

    def _tops(self, within: bool) -> list[str]:
        """Return the files and folders that the sources are imported from, those `within` packages too."""
        found = [(root, name) for root in self._roots for name in self._place.names(root.rstrip("/"))]
        packages = [
            (root, name)
            for root, name in dict.fromkeys(found)
            if name not in SUITE_FOLDERS and self._place.has(f"{root}{name}/__init__.py")
        ]
        files = [name for _, name in found]
        files += [one for root, name in packages if within for one in self._place.names(f"{root}{name}")]
        modules = [name for name in files if name.endswith(".py") and not name.startswith(_NO_SOURCES)]
        return [*(name for _, name in packages), *modules]

    def exchanged(self, text: str, relative: str) -> str:
        """Return which other source a source puts something else in the place of, by its import alone."""
        tree = parse_python(text)
        names = Names()
        for node in _below(tree.body, False) if tree is not None else ():
            names.note(node)
            for owner, module, _ in _set_by(node, names):
                file = f"{module.replace('.', '/')}.py"
                found = next((root + file for root in self._roots if self._place.has(root + file)), relative)
                if dotted(owner) == "sys.modules" and module and found != relative:
                    return f"{IF_NEW}it puts something else in the place of the source `{found}`"
        return ""

    def _is_source(self, module: str) -> bool:
        top = module.partition(".")[0]
        if not top or top in SUITE_FOLDERS or module == ANY:
            return False
        return any(self._place.has(f"{root}{top}{end}") for root in self._roots for end in ("", ".py"))

    def _is_suite(self, owner: Any, module: str) -> bool:
        """Return whether an expression is a module of tests, whose names are those of what it imported."""
        root, _, last = dotted(owner).rpartition(".")
        if last in ("module", "__globals__") and root.partition(".")[0] in ("request", "item", "node", "function"):
            return True
        top = module.partition(".")[0]
        return top.startswith("test_") or top.endswith("_test") or top in SUITE_FOLDERS

    def _has(self, module: str, name: str) -> bool:
        """Return whether a source module defines a function or a class of this name."""
        file = f"{module.replace('.', '/')}.py"
        text = next((text for root in self._roots if module and (text := self._place.text(root + file))), "")
        return bool(name) and re.search(rf"(?m)^\s*(?:async\s+)?(?:def|class)\s+{re.escape(name)}\b", text) is not None

    def replaced(self, text: str) -> str:
        """Return which function of a source code replaces that runs by its import, or for every test."""
        tree = parse_python(text)
        names = Names()
        nodes = list(_below(tree.body)) if tree is not None else []
        functions = {node.name for node in nodes if type(node).__name__ in ("FunctionDef", "AsyncFunctionDef")}
        for node in nodes:
            names.note(node)
        looped = {
            dotted(node.target): [names.module(one) for one in getattr(node.iter, "elts", ())]
            for node in nodes
            if type(node).__name__ == "For" and bool(getattr(node.iter, "elts", None))
        }
        outer = set(map(id, _below(tree.body, False))) if tree is not None else set()
        always = {id(part) for node in nodes if _is_for_all(node) for part in _below(node.body)}
        for node in nodes:
            for owner, attribute, value in _set_by(node, names):
                if dotted(owner) == "sys.modules":
                    if id(node) in outer and self._is_source(attribute):
                        return f"it puts something else in the place of the source `{attribute}`"
                    continue
                module = owner.id if isinstance(owner, _Path) else names.module(owner)
                modules = looped.get(dotted(owner), [module])
                if not _is_function(value, functions) and not any(self._has(one, attribute) for one in modules):
                    continue
                if module == ANY or (id(node) in outer and any(map(self._is_source, modules))):
                    return f"it replaces `{dotted(owner) or modules[0]}.{attribute}`"
                if id(node) in always | outer and self._is_suite(owner, module):
                    return f"{IF_NEW}it replaces `{attribute}` of `{dotted(owner) or module}` for all tests"
                if id(node) in always and self._is_source(module):
                    return f"{IF_ALONE}it replaces `{attribute}` of `{dotted(owner) or module}` for all tests"
        return ""


def _is_function(value: Any, functions: set[str]) -> bool:
    made = dotted(getattr(value, "func", None)).rpartition(".")[2] if type(value).__name__ == "Call" else ""
    return (
        type(value).__name__ == "Lambda"
        or getattr(value, "id", None) in functions
        or made in ("Mock", "MagicMock", "AsyncMock", "partial")
    )


def _is_for_all(node: Any) -> bool:
    """Return whether a function runs for every test: a hook, a fixture that all have or that outlives a test."""
    if type(node).__name__ not in ("FunctionDef", "AsyncFunctionDef"):
        return False
    if node.name.startswith("pytest_"):
        return True
    for decorator in node.decorator_list:
        given = {word.arg: getattr(word.value, "value", True) for word in getattr(decorator, "keywords", ())}
        fixture = dotted(getattr(decorator, "func", decorator)).rpartition(".")[2] == "fixture"
        if fixture and (given.get("autouse") or given.get("scope", "function") in ("session", "package")):
            return True
    return False


def _set_by(node: Any, names: Names) -> Iterator[tuple[Any, str, Any]]:
    """Yield what a node sets: the owner, the name of its attribute or entry, and the value."""
    kind = type(node).__name__
    for target in node.targets if kind == "Assign" else ():
        if type(target).__name__ == "Attribute":
            yield target.value, target.attr, node.value
        elif type(target).__name__ == "Subscript":
            yield _holder(target.value) or target.value, names.text(target.slice) or "", node.value
    if kind == "Call" and getattr(node.func, "attr", "") in ("update", "__setitem__", "setdefault"):
        if (owner := _holder(node.func.value)) is not None:
            yield from ((owner, word.arg or "", word.value) for word in node.keywords)
            for given in node.args:
                pairs = zip(getattr(given, "keys", ()), getattr(given, "values", ()), strict=False)
                yield from ((owner, names.text(key) or "", value) for key, value in pairs if key is not None)
            if len(node.args) == 2:
                yield owner, names.text(node.args[0]) or "", node.args[1]
    if kind != "Call" or dotted(node.func).rpartition(".")[2] not in ("setattr", "setitem", "object", "patch"):
        return
    if len(node.args) == 3:
        yield node.args[0], names.text(node.args[1]) or "", node.args[2]
    elif len(node.args) == 2 and (path := names.text(node.args[0])):
        yield _Path(path.rpartition(".")[0]), path.rpartition(".")[2], node.args[1]


def _holder(node: Any) -> Any:
    """Return the module whose names an expression holds: of `vars(m)` and `m.__dict__` it is `m`; None of another."""
    if type(node).__name__ == "Call" and dotted(node.func) == "vars" and node.args:
        return node.args[0]
    return node.value if type(node).__name__ == "Attribute" and node.attr == "__dict__" else None


class _Path:
    """The owner of what `patch("package.module.name", …)` sets, in the form of a tree."""

    def __init__(self, module: str) -> None:
        self.id = module


def _below(body: list[Any], within: bool = True) -> Iterator[Any]:
    """The nodes of statements; those of functions only if `within`."""
    waiting = list(reversed(body))
    while waiting:
        node = waiting.pop()
        yield node
        if not within and type(node).__name__ in ("FunctionDef", "AsyncFunctionDef", "Lambda"):
            continue
        for field in getattr(node, "_fields", ()):
            value = getattr(node, field, None)
            waiting += [part for part in (value if isinstance(value, list) else [value]) if hasattr(part, "_fields")]
