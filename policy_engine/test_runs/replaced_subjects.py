"""Find what takes the place of the source that tests of Python are about, in tests, fixtures and files that set up.

A mock of the network, of the time or of a module beside is what tests are made of. What is looked for is narrower: a
function of a source that this session changed, which a test of the first commit calls by its name, and which something
that came in the session replaces for that very test. What a new test replaces for itself is its own business. Not on
the hook path: it is imported when a run of tests passed.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from policy_engine.inline.python import parse_python
from policy_engine.test_runs.dynamic_names import ANY, Names, dotted
from policy_engine.test_runs.led_elsewhere import told
from policy_engine.test_runs.python_tree import below, children_of
from policy_engine.test_runs.runners import SUITE_FOLDERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from policy_engine.test_runs.session_changes import Changes

_WORTH = re.compile(r"\bpatch\b|set(?:attr|item)\b|\bsys\.modules\b|\.\w+\s*=[^=]|\b(?:for|as) \w+\.|__dict__|\bvars\("
                    r"|^def (?!test)|^\w+ = ", re.MULTILINE)  # fmt: skip
_SETS_UP = re.compile(r"(?:async)?set[uU]p(?:_?(?:class|Class|module|Module|method|function))?|pytest_\w+")
_TEST_FILE = re.compile(r"(?:test_.*|.*_tests?|tests)\.py")
_INSIDE = ("__code__", "__defaults__", "__kwdefaults__", "__wrapped__", "__globals__")
_ITSELF = "@"
"""Before the name of what is replaced in the module of the tests itself."""
_MADE = ("Mock", "MagicMock", "AsyncMock", "partial")


class _Unit(NamedTuple):
    """A function, with those of its class, or the statements outside of any: the words in it, what it replaces, what of
    that nothing puts back before the next file of tests, what it calls, and whether each test has it."""

    name: str
    words: set[str]
    replaced: set[str]
    lasting: set[str]
    calls: set[str]
    always: bool


def replaced_in_python(changes: Changes) -> Iterator[tuple[str, str]]:
    """Yield the files that replace what tests of the commit call, each with the path of that."""
    files = changes.files(("py",))
    suite = [path for path in files if _is_suite(path)]
    sources = {path: changes.now(path) for path in files if path not in suite}
    for path in suite if sources else ():
        text = changes.now(path)
        if not _WORTH.search(text):
            continue
        known = {one for unit in _units(changes.then(path), path) for one in unit.replaced}
        units = _units(text, path)
        for unit in units:
            for target in sorted(unit.replaced - known):
                if target[0] != _ITSELF and not _is_of(target, sources):
                    continue
                lasting = target in unit.lasting
                reached, for_all = (set(), True) if lasting else _reached(unit, units)
                if for_all and unit.name and target[0] != _ITSELF and path.endswith("conftest.py"):
                    yield path, target
                elif any(
                    _tests(one, target, reached, for_all, sources, changes)
                    for one in _scope(path, target, lasting, changes)
                ):
                    yield path, target.lstrip(_ITSELF)


def _is_suite(path: str) -> bool:
    folder, _, name = path.rpartition("/")
    return name == "conftest.py" or bool(_TEST_FILE.fullmatch(name)) or not SUITE_FOLDERS.isdisjoint(folder.split("/"))


def _scope(path: str, target: str, lasting: bool, changes: Changes) -> Iterator[str]:
    """Yield the files of tests that what a file replaces may hold for: all of a run, where it outlives its file."""
    folder, _, name = path.rpartition("/")
    if _TEST_FILE.fullmatch(name):
        yield path
        if not lasting or target[0] == _ITSELF:
            return
    folder = f"{folder}/" if name == "conftest.py" and folder and not lasting else ""
    word = target.lstrip(_ITSELF).rpartition(".")[2]
    yield from (one for one in changes.holding(word, folder, ("py",)) if _TEST_FILE.fullmatch(one.rpartition("/")[2]))


# ---- one file --------------------------------------------------------------------------------------------------------


def _units(text: str, path: str) -> list[_Unit]:
    tree = parse_python(text) if text else None
    if tree is None:
        return []
    names = Names()
    for node in below(tree):
        names.note(node)
    result: list[_Unit] = []
    outer: list[Any] = []
    kept = _Kept(tree, names)
    _collect(tree.body, [], kept, result, outer)
    unit = _unit("", outer, kept, True)
    if _TEST_FILE.fullmatch(path.rpartition("/")[2]):
        defined = {
            one.name for one in tree.body if type(one).__name__ in ("FunctionDef", "AsyncFunctionDef", "ClassDef")
        }
        defined |= {
            target.id for one in outer if type(one).__name__ == "Assign" and _is_made(one.value)
            for target in one.targets if type(target).__name__ == "Name"
        }  # fmt: skip
        unit.replaced.update(f"{_ITSELF}{name}" for name in defined if not name.lower().startswith("test"))
    return [*result, unit]


def _collect(body: list[Any], around: list[Any], kept: _Kept, result: list[_Unit], outer: list[Any]) -> None:
    """Take the functions of a body apart; `around` are the decorators and statements of the class around it."""
    for node in body:
        kind = type(node).__name__
        if kind == "ClassDef":
            plain = [one for one in node.body if type(one).__name__ not in ("FunctionDef", "AsyncFunctionDef")]
            _collect([one for one in node.body if one not in plain], [*node.decorator_list, *node.bases, *plain],
                     kept, result, outer)  # fmt: skip
        elif kind in ("FunctionDef", "AsyncFunctionDef"):
            fixture = next(
                (one for one in node.decorator_list if dotted(getattr(one, "func", one)).endswith("fixture")), None
            )
            given = {word.arg: getattr(word.value, "value", True) for word in getattr(fixture, "keywords", ())}
            always = bool(given.get("autouse")) or bool(_SETS_UP.fullmatch(node.name))
            unit = _unit(node.name, [node, *around], kept, always)
            if given.get("scope") in ("session", "package"):
                unit.lasting.update(unit.replaced)
            result.append(unit)
        elif kind in ("If", "Try", "With"):
            _collect([part for part in children_of(node) if hasattr(part, "lineno")], around, kept, result, outer)
        else:
            outer.append(node)


def _unit(name: str, parts: list[Any], kept: _Kept, always: bool) -> _Unit:
    unit = _Unit(name, set(), set(), set(), set(), always)
    names, back = kept.names, kept.put_back(parts)
    for node in (one for part in parts for one in below(part)):
        kind = type(node).__name__
        unit.words.update(
            value
            for field in ("id", "attr", "arg", "value")
            if type(value := getattr(node, field, None)) is str and value
        )
        replaced = set(filter(None, _replaced(node, kind, names)))
        unit.replaced.update(replaced)
        if replaced and kept.lasts(node):
            unit.lasting.update(replaced - back)
        if kind == "Call":
            unit.calls.add(names.module(node.func) or dotted(node.func))
            unit.calls.add(f".{getattr(node.func, 'attr', '')}")
            if type(node.func).__name__ == "Name":
                unit.calls.add(f"{_ITSELF}{node.func.id}")
    return unit


def _is_made(value: Any) -> bool:
    return type(value).__name__ == "Lambda" or dotted(getattr(value, "func", None)).rpartition(".")[2] in _MADE


def _replaced(node: Any, kind: str, names: Names) -> Iterator[str]:
    """Yield the paths of what a node puts something else in the place of."""
    if type(getattr(node, "ctx", None)).__name__ == "Store":
        if kind == "Attribute":
            yield _owned(node.value, node.attr, names)
        elif kind == "Subscript" and dotted(node.value) == "sys.modules":
            yield names.text(node.slice) or ""
        elif kind == "Subscript" and (owner := _space_of(node.value)) is not None:
            yield _owned(owner, names.text(node.slice) or "", names)
    called = _last(node)
    words = [word.arg for word in node.keywords] if called else []
    if not called or not node.args or "wraps" in words:
        return
    first, text = node.args[0], names.text(node.args[0])
    second = names.text(node.args[1]) if len(node.args) > 1 else None
    if called in ("setattr", "patch", "object") and text:
        yield _named(text)
    elif called in ("setattr", "__setattr__", "object") and second:
        yield _owned(first, second, names)
    elif called == "multiple":
        yield from (_named(f"{text}.{word}") if text else _path(first, word or "", names) for word in words)
    elif called == "setitem" and dotted(first) == "sys.modules" and second:
        yield second
    elif called == "dict" and (text or dotted(first)) == "sys.modules" and len(node.args) > 1:
        yield from (names.text(key) or "" for key in getattr(node.args[1], "keys", ()))


def _last(node: Any) -> str:
    """Return the name of what a call calls, "" of what is none."""
    return dotted(getattr(node, "func", None)).rpartition(".")[2]


def _space_of(node: Any) -> Any:
    """Return the object whose names a dictionary holds: `module.__dict__`, `vars(module)`; None of another."""
    if getattr(node, "attr", "") == "__dict__":
        return node.value
    return node.args[0] if _last(node) == "vars" and node.args else None


def _owned(owner: Any, name: str, names: Names) -> str:
    """Return the path of an attribute, or of the function whose inside it is."""
    if name not in _INSIDE:
        return _path(owner, name, names)
    return _path(owner.value, owner.attr, names) if hasattr(owner, "attr") else _named(names.module(owner))


def _path(owner: Any, name: str, names: Names) -> str:
    module = names.module(owner)
    if module == ANY or dotted(owner).startswith(("request.module", "request.node.module")):
        return f"{_ITSELF}{name}"
    return _named(f"{module}.{name}") if module else ""


def _named(path: str) -> str:
    """Return a path; of what a module of tests has it is the name alone."""
    module, _, name = path.rpartition(".")
    last = module.rpartition(".")[2]
    return f"{_ITSELF}{name}" if last and _TEST_FILE.fullmatch(f"{last}.py") else path


# ---- what outlives a file -------------------------------------------------------------------------------------------


class _Kept:
    """The things that one file sets and nothing puts back: by statements, started patches, an own MonkeyPatch."""

    def __init__(self, tree: Any, names: Names) -> None:
        self.names = names
        nodes = list(below(tree))
        calls = [node for node in nodes if type(node).__name__ == "Call"]
        self._given = [(dotted(target), node.value) for node in nodes if type(node).__name__ == "Assign"
                       for target in node.targets]  # fmt: skip
        self._first: dict[str, int] = {}
        for node in nodes:
            for path in _replaced(node, type(node).__name__, names):
                self._first[path] = min(node.lineno, self._first.get(path, node.lineno))
        reached = [node for node in nodes if type(node).__name__ == "Attribute"]
        self._started = [node.value for node in reached if node.attr in ("start", "__enter__")]
        self._ended = {dotted(node.value) for node in reached if node.attr in ("stop", "undo", "__exit__")}
        self._all_ended = any(node.attr == "stopall" for node in reached)
        handed = [node.args for node in calls if _last(node) in _CLEANS_UP and node.args]
        self._last = [node for args in handed for node in args[:1]]
        self._last += [node for node in nodes if getattr(node, "name", None) in {dotted(args[0]) for args in handed}
                       or (hasattr(node, "body") and _TEARS_DOWN.match(getattr(node, "name", None) or ""))]  # fmt: skip
        cleaned = [(_owned(args[1], names.text(args[2]) or "", names), args[3]) for args in handed
                   if dotted(args[0]) == "setattr" and len(args) > 3]  # fmt: skip
        self._cleaned = {path for path, value in cleaned if self._is_saved(value, path)}

    def lasts(self, node: Any) -> bool:
        """Return whether what a node replaces stays so, if the file does not put it back itself."""
        if type(node).__name__ != "Call":
            return True
        called, owner = _last(node), getattr(node.func, "value", None)
        if called in ("setattr", "__setattr__", "setitem"):
            by = [value for name, value in self._given if name and name == dotted(owner)] or [owner]
            own = any(_last(value) == "MonkeyPatch" for value in by)
            return owner is None or called == "__setattr__" or (own and dotted(owner) not in self._ended)
        held = {name for name, value in self._given if value is node and name}
        started = any(one is node or (dotted(one) in held) for one in self._started)
        return started and not self._all_ended and self._ended.isdisjoint(held)

    def put_back(self, parts: list[Any]) -> set[str]:
        """Return the paths that get back what they were at the end of a unit, or of all."""
        ends = list(self._last)
        for node in (one for part in parts for one in below(part)):
            ends += getattr(node, "finalbody", ())
            body = getattr(node, "body", ())
            for place, part in enumerate(body if isinstance(body, list) else ()):
                if any(type(one).__name__ in ("Yield", "YieldFrom") for one in below(part)):
                    ends += body[place + 1 :]
        back = set(self._cleaned)
        for node in (one for end in ends for one in below(end)):
            if type(node).__name__ == "Assign":
                set_ = [(one, node.value) for target in node.targets
                        for one in _replaced(target, type(target).__name__, self.names)]  # fmt: skip
            elif _last(node) in ("setattr", "setitem") and len(node.args) > 2:
                set_ = [(one, node.args[2]) for one in _replaced(node, "Call", self.names)]
            else:
                continue
            back.update(path for path, value in set_ if self._is_saved(value, path))
        return back

    def _is_saved(self, value: Any, path: str) -> bool:
        """Return whether a name was given what a path led to, before anything was put there."""
        return any(
            name == dotted(value) and given.lineno <= self._first.get(path, 0) and self._leads(given, path)
            for name, given in self._given
            if name
        )

    def _leads(self, given: Any, path: str) -> bool:
        module = self.names.module(given)
        module = module.rpartition(".")[0] if module.endswith(_INSIDE) else module
        return _named(module) == path or (_last(given) in ("get", "pop") and dotted(given.func.value) == "sys.modules")


_CLEANS_UP = ("addCleanup", "addClassCleanup", "addModuleCleanup", "addfinalizer", "callback")
_TEARS_DOWN = re.compile(r"tear_?down", re.IGNORECASE)


# ---- names -----------------------------------------------------------------------------------------------------------


class _Bound(NamedTuple):
    """A name with the path of what it is given, "" for what the file makes itself, its line, and the test it is for."""

    name: str
    origin: str
    line: int
    test: str


def led_in_python(changes: Changes) -> Iterator[tuple[str, str, str]]:
    """Yield the files of tests in which a name that led to a source leads elsewhere, for tests of the commit."""
    files = changes.files(("py",))
    sources = {path: {*_DEFINED.findall(changes.now(path))} for path in files
               if not _is_suite(path) and changes.then(path)}  # fmt: skip
    for path in filter(_is_suite, files) if sources else ():
        now, (place, then) = changes.now(path), changes.before(path)
        known = list(_spread(_bindings(then, place), sources))
        led = {
            one.name: (one.origin, home) for one in known if one.origin and (home := _home(one.origin, sources, True))
        }
        before = {(one.name, one.origin) for one in known}
        old = {unit.name: unit for unit in _units(then, path)} if led else {}
        uses = {call.lstrip(_ITSELF).partition(".")[0] for unit in old.values() for call in unit.words | unit.calls}
        for one in _spread(_bindings(now, path), _made(files, sources, changes)) if led else ():
            if one.name not in led or one.name not in uses or (one.name, one.origin) in before:
                continue
            if one.test and (one.test not in old or one.name not in old[one.test].words):
                continue
            origin, home = led[one.name]
            if not _leads_home(one.origin, origin, home, path, sources, changes):
                yield path, now.split("\n")[one.line - 1].strip(), told(one.line, one.name, home)


def _made(files: list[str], sources: dict[str, set[str]], changes: Changes) -> dict[str, set[str]]:
    """Return what the files of the session define, by file."""
    return {path: sources.get(path) or {*_DEFINED.findall(changes.now(path))} for path in files}


def _spread(bounds: list[_Bound], defined: dict[str, set[str]]) -> Iterator[_Bound]:
    """Yield names, and in the place of a `*` those that the module defines, if it is one of these."""
    for one in bounds:
        yield one
        home = _home(one.origin.removesuffix(".*"), defined) if one.name == "*" else ""
        for name in sorted(defined.get(home, ())):
            yield one._replace(name=name, origin=f"{one.origin[:-1]}{name}")


def _bindings(text: str, path: str) -> list[_Bound]:
    tree = parse_python(text) if text else None
    names = Names()
    result: list[_Bound] = []
    waiting: list[tuple[Any, str, frozenset[str]]] = (
        [(node, "", frozenset()) for node in reversed(tree.body)] if tree else []
    )
    while waiting and len(result) < _MOST_NAMES:
        node, function, outer = waiting.pop()
        kind = type(node).__name__
        names.note(node)
        for name, origin in _given(node, kind, names, path):
            result.append(_Bound(name, origin, node.lineno, "" if name in outer else function))
        inner, shared = function, outer
        if kind in ("FunctionDef", "AsyncFunctionDef"):
            inner = node.name
            shared = frozenset(name for one in below(node) if type(one).__name__ == "Global" for name in one.names)
            if inner.startswith("test"):
                result += [_Bound(one.arg, "", node.lineno, inner) for one in node.args.args]
        body = [part for part in children_of(node) if hasattr(part, "lineno")]
        waiting += [(part, inner, shared) for part in reversed(body) if kind != "ClassDef" or hasattr(part, "body")]
    return result


_MOST_NAMES = 5_000
_DEFINED = re.compile(r"^(?:(?:async )?def |class |(?=\w+ = lambda\b))(\w+)", re.MULTILINE)


def _given(node: Any, kind: str, names: Names, file: str) -> Iterator[tuple[str, str]]:
    """Yield the names that a statement gives a value, each with the path of that."""
    if kind in ("Import", "ImportFrom"):
        level = getattr(node, "level", 0) or 0
        above = file.split("/")[:-level] if level else []
        start = ".".join([*above, *filter(None, [getattr(node, "module", "")])])
        for alias in node.names:
            path = f"{start}.{alias.name}" if start else alias.name
            yield (
                alias.asname or alias.name.partition(".")[0],
                path if alias.asname or start else path.partition(".")[0],
            )
    elif kind in ("Assign", "AnnAssign", "NamedExpr"):
        for target in getattr(node, "targets", None) or [node.target]:
            for part in (target, *getattr(target, "elts", ())):
                if type(part).__name__ == "Name" and node.value is not None:
                    yield part.id, names.module(node.value)
                elif type(part).__name__ == "Subscript" and dotted(getattr(part.value, "func", None)) == "globals":
                    yield names.text(part.slice) or "", names.module(node.value)
    elif kind in ("With", "AsyncWith", "For", "AsyncFor"):
        for target in [one.optional_vars for one in node.items] if "With" in kind else [node.target]:
            for part in (target, *getattr(target, "elts", ())):
                if type(part).__name__ == "Name":
                    yield part.id, ""


def _home(origin: str, sources: dict[str, set[str]], passed_on: bool = False) -> str:
    """Return the source that a path of Python leads to: its module, or what it defines; or what its package, perhaps,
    passes on."""
    module, _, name = origin.rpartition(".")
    for file, defined in sources.items():
        own = "." + file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        if own.endswith(f".{origin}") or (module and own.endswith(f".{module}") and name in defined):
            return file
        if passed_on and module and module.partition(".")[0] in own.split(".")[:-1] and name in defined:
            return file
    return ""


def _leads_home(origin: str, before: str, home: str, path: str, sources: dict[str, set[str]], changes: Changes) -> bool:
    """Return whether a path leads to the same source, by itself or through another module of the project."""
    if origin == before or _home(origin, {home: sources[home]}):
        return True
    stem = home.removesuffix(".py").removesuffix("/__init__").rpartition("/")[2]
    module, _, name = origin.rpartition(".")
    file = module.replace(".", "/")
    for one in changes.paths([f"{file.rpartition('/')[2]}.py", "__init__.py"]) if module else ():
        if f"/{one}".endswith((f"/{file}.py", f"/{file}/__init__.py")) and one != path and not _is_suite(one):
            takes = re.compile(rf"^\s*(?:from|import)\b[^\n]*\b{re.escape(stem)}\b", re.MULTILINE)
            text = changes.now(one)
            return not _defines(text, name) and takes.search(text) is not None
    return False


# ---- what is tested --------------------------------------------------------------------------------------------------


def _reached(unit: _Unit, units: list[_Unit]) -> tuple[set[str], bool]:
    """Return the names of the functions that come to a function, and whether each test does."""
    reached, for_all, more = {unit.name}, unit.always, True
    while more and not for_all:
        users = [one for one in units if one.name not in reached and one.words & reached]
        for_all = any(one.always for one in users)
        more = bool(users)
        reached |= {one.name for one in users}
    return reached, for_all


def _tests(path: str, target: str, reached: set[str], for_all: bool, sources: dict[str, str], changes: Changes) -> bool:
    """Return whether a test of the commit calls what is replaced for it now."""
    then, now = changes.then(path), changes.now(path)
    before = {one.name: one for one in _units(then, path) if one.name.startswith("test")}
    for unit in _units(now, path):
        old = before.get(unit.name)
        if old is None or target in old.replaced or not (for_all or unit.name in reached or unit.words & reached):
            continue
        if any(_is_subject(call, old, target, sources) for call in old.calls):
            return True
    return False


def _is_subject(call: str, test: _Unit, target: str, sources: dict[str, str]) -> bool:
    if target[0] == _ITSELF:
        name = target[1:]
        own = any(
            one.endswith(f".{name}") and one[0] not in f".{_ITSELF}" and _is_of(one, sources) for one in test.calls
        )
        return call == target and own
    if call[:1] in (".", _ITSELF):
        return False
    module, _, name = target.rpartition(".")
    if call == target or call.startswith(f"{target}."):
        return True
    if call == module or f"{call}.{name}" == target:  # a class, and its method
        return f".{name}" in test.calls
    above, _, last = call.rpartition(".")
    return last == name and bool(above) and f"{module}.".startswith(f"{above}.")


def _is_of(path: str, sources: dict[str, str]) -> bool:
    """Return whether a path names a module that the session changed, or what one of its package defines."""
    parts = path.split(".")
    for file, text in sources.items():
        own = file.removesuffix(".py").removesuffix("/__init__").split("/")
        for count in range(len(parts), 0, -1):
            if own[-count:] == parts[:count]:
                if count == len(parts) or _defines(text, parts[count]):
                    return True
        if len(parts) > 1 and parts[0] in own and _defines(text, parts[-1]):
            return True
    return False


def _defines(text: str, name: str) -> bool:
    return bool(re.search(rf"^(?:(?:async )?def|class) {re.escape(name)}\b", text, re.MULTILINE))
