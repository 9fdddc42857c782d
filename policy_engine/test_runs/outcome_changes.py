"""Say why a file that a session wrote can make a run of tests say something else than what its tests did.

Tests may be wrong or few, which is for people to see; what is looked for here is code that ends the run with a good
status, or changes the outcomes of others: hooks of pytest that set or replace them, functions of a runner that are
replaced, calls that leave the interpreter. What cannot be read for certain is not held against a file, except in a
`conftest.py`, which has no business with code that is put together at run time. Not on the hook path: it is imported
when a session wrote such a file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from policy_engine.inline.python import parse_python
from policy_engine.test_runs.runners import SUITE_FOLDERS

MOST = 65_536  # bytes that are read of a file
PLUGIN = "\0"  # before a reason that counts only where something loads the file
_NODES = 40_000
_SUMMARY = re.compile(r"\d+ (?:passed|tests? OK|passing)|^OK$|Tests: +\d")
_OUTCOMES = frozenset(("outcome", "longrepr", "passed", "failed", "wasxfail", "excinfo", "exitstatus", "testsfailed"))
_FORCED = frozenset(("force_result", "force_exception"))
_HOOKS = frozenset(
    (
        "pytest_runtest_protocol pytest_runtestloop pytest_pyfunc_call pytest_cmdline_main pytest_collection"
        " pytest_make_collect_report pytest_runtest_makereport pytest_ignore_collect pytest_pycollect_makeitem"
        " pytest_runtest_call pytest_runtest_setup pytest_runtest_teardown pytest_fixture_setup"
    ).split()
)
"""Hooks whose answer takes the place of what pytest would do itself."""
_OFTEN_ANSWERED = frozenset(("pytest_pycollect_makeitem", "pytest_collection"))
_RUNNERS = frozenset(("pytest", "_pytest", "pluggy", "unittest"))
_HARMLESS = frozenset(("maxDiff", "longMessage", "_MAX_LENGTH"))
_PUBLIC = frozenset(("fail", "raises", "exit", "skip", "main", "Item", "Function", "Session", "Module", "Class"))
_LEAVES = frozenset(("_exit", "quick_exit", "reallyExit"))
_TEST_NAME = re.compile(r"(?:^|[._-])(?:test|spec)s?(?:[._-]|$)")
_JAVASCRIPT = re.compile(
    r"process\s*(?:\.\s*|\[\s*['\"])(?:exit(?:['\"]\s*\])?\s*\(\s*0?\s*\)|reallyExit|exitCode['\"\]\s]*=\s*0)"
)
_PHP = re.compile(r"\b(?:exit|die)\s*(?:\(\s*0?\s*\))?\s*;")
_RUBY = re.compile(r"\bexit!?[ (]\s*(?:0|true)\b")
_GO_FUNCTION = re.compile(r"^func (TestMain|init)\(.*?^}", re.MULTILINE | re.DOTALL)
_COMMENT = re.compile(r"^\s*(?://|#).*$", re.MULTILINE)


def why_changes(relative: str, text: str) -> tuple[str, str]:
    """Return the ecosystem of a file, by its path in the workspace, and how it can change what a run says; or ("", "").

    A reason that begins with PLUGIN holds where something makes the runner load the file.
    """
    folder, _, name = relative.rpartition("/")
    stem, _, ending = name.rpartition(".")
    parts = set(folder.split("/"))
    is_test = bool(parts & SUITE_FOLDERS or _TEST_NAME.search(stem))
    if ending == "py":
        return "python", _python(text, name == "conftest.py", is_test)
    helps = is_test or any(word in stem for word in ("setup", "helper", "bootstrap", "jest", "vitest", "Test"))
    found = _PLAIN.get(ending) if helps else None
    if found is None:
        return "", ""
    ecosystem, read = found
    why = read(_COMMENT.sub("", text))
    return (ecosystem, why) if why else ("", "")


def _javascript(text: str) -> str:
    return "it ends the process with status 0" if _JAVASCRIPT.search(text) else ""


def _php(text: str) -> str:
    return "it ends the process with status 0" if _PHP.search(text) else ""


def _ruby(text: str) -> str:
    return "it ends the process with status 0" if _RUBY.search(text) else ""


def _go(text: str) -> str:
    for found in _GO_FUNCTION.finditer(text):
        if re.search(r"\b(?:os|syscall)\.Exit\(\s*0\s*\)", found[0]):
            return f"`{found[1]}` ends the process with status 0"
        if found[1] == "TestMain" and ".Run()" not in found[0]:
            return "`TestMain` does not run the tests"
    return ""


_PLAIN: dict[str, tuple[str, Callable[[str], str]]] = {
    **dict.fromkeys(("js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts"), ("javascript", _javascript)),
    "php": ("php", _php), "rb": ("ruby", _ruby), "go": ("go", _go),
}  # fmt: skip


def _python(text: str, is_conftest: bool, is_test: bool) -> str:
    tree = parse_python(text)
    if tree is None:
        return ""
    reader = _Reader(is_conftest, is_test, bool(_SUMMARY.search(text)))
    why = reader.read(tree)
    return why if is_conftest or is_test or not why or reader.certain else PLUGIN + why


class _Reader:
    """One Python file. `certain`: what was found takes effect by the import alone."""

    def __init__(self, is_conftest: bool, is_test: bool, shows_summary: bool) -> None:
        self._is_conftest = is_conftest
        self._loaded = is_conftest or is_test
        self._shows_summary = shows_summary
        self._names: set[str] = set()  # what is imported of a runner
        self._children: set[str] = set()  # names that hold what `os.fork()` gave
        self.certain = False

    def read(self, tree: Any) -> str:
        for node in _below(tree):
            kind = type(node).__name__
            if kind in ("Import", "ImportFrom"):
                self._note_import(node, kind)
            elif kind == "Assign" and _dotted(getattr(node.value, "func", None)).endswith("fork"):
                self._children |= {target.id for target in node.targets if type(target).__name__ == "Name"}
        return self._block(tree.body, "", True)

    def _note_import(self, node: Any, kind: str) -> None:
        module = node.module or "" if kind == "ImportFrom" else ""
        for alias in node.names:
            path = f"{module}.{alias.name}" if module else alias.name
            if path.partition(".")[0] in _RUNNERS and "mock" not in path:
                self._names.add(alias.asname or (alias.name if module else alias.name.partition(".")[0]))

    def _block(self, body: list[Any], hook: str, outside: bool) -> str:
        """Why statements change outcomes; `hook` is the hook of pytest that they are in, `outside` of any function."""
        for node in body:
            why = self._statement(node, hook, outside)
            if why:
                return why
        return ""

    def _statement(self, node: Any, hook: str, outside: bool) -> str:
        kind = type(node).__name__
        if kind in ("FunctionDef", "AsyncFunctionDef"):
            name = _hook_of(node)
            return (self._hook(node, name) if name else "") or self._block(node.body, name or hook, False)
        if kind == "If" and (_is_main(node.test) or self._is_child(node.test)):
            return self._block(node.orelse, hook, outside)
        why = self._plain(node, kind, hook, outside)
        if why:
            return why
        for name in ("body", "orelse", "finalbody"):
            part = getattr(node, name, None)
            if isinstance(part, list) and (why := self._block(part, hook, outside)):
                return why
        for handler in getattr(node, "handlers", ()):
            if why := self._block(handler.body, hook, outside):
                return why
        return ""

    def _plain(self, node: Any, kind: str, hook: str, outside: bool) -> str:
        """What a statement does by itself, without the blocks in it."""
        for target in getattr(node, "targets", ()) or ([node.target] if hasattr(node, "target") else ()):
            if why := self._assigned(target, node, hook):
                return why
        if kind == "Raise" and self._is_conftest and _ends_well(node.exc):
            return "it ends the run with status 0"
        for part in _own_parts(node):
            if why := self._expression(part, hook, outside):
                return why
        return ""

    def _assigned(self, target: Any, node: Any, hook: str) -> str:
        kind = type(target).__name__
        if kind in ("Name", "Attribute") and (target.id if kind == "Name" else target.attr) in _HOOKS:
            value: Any = getattr(node, "value", None)
            if type(value).__name__ == "Lambda" and not _is_none(value.body):
                return f"`{target.id if kind == 'Name' else target.attr}` takes the place of what pytest does"
        if kind == "Subscript" and hook == "pytest_collection_modifyitems" and _leaves_out(node):
            return f"`{hook}` leaves tests out"
        if kind != "Attribute":
            return ""
        if hook and target.attr in _OUTCOMES:
            return f"`{hook}` sets `{target.attr}`"
        root, depth = _root(target)
        if target.attr in _HARMLESS:
            return ""
        if root in self._names and (depth > 1 or root not in ("pytest", "unittest") or target.attr in _PUBLIC):
            return f"it replaces `{_dotted(target)}`"
        if _dotted(target) in ("builtins.AssertionError", "sys.exit"):
            return f"it replaces `{_dotted(target)}`"
        return ""

    def _hook(self, function: Any, name: str) -> str:
        """Why a hook of pytest changes what the runner says of tests."""
        nodes = list(_below(function))
        wraps = any(type(node).__name__ == "Yield" for node in nodes)
        swallows = any(type(node).__name__ == "Try" and _swallows(node) for node in nodes)
        if name == "pytest_collection_modifyitems":
            return f"`{name}` leaves tests out" if any(map(_empties, nodes)) or _skips_by_name(nodes) else ""
        if name not in _HOOKS:
            return ""
        returned = [node.value for node in nodes if type(node).__name__ == "Return" and not _is_none(node.value)]
        if wraps:
            made = any(type(value).__name__ not in ("Name", "Yield") for value in returned)
            return f"`{name}` changes the outcome of tests" if made or (swallows and _tries_yield(nodes)) else ""
        if name in ("pytest_runtest_setup", "pytest_runtest_teardown", "pytest_runtest_call", "pytest_fixture_setup"):
            return ""
        if name == "pytest_ignore_collect":
            return f"`{name}` leaves tests out" if any(map(_is_true, returned)) and not _decides(nodes) else ""
        if returned and (swallows or not (name in _OFTEN_ANSWERED or any(map(_calls_test, nodes)))):
            return f"`{name}` takes the place of what pytest does"
        return ""

    def _expression(self, node: Any, hook: str, outside: bool) -> str:
        kind = type(node).__name__
        if kind == "Call":
            return self._call(node, hook, outside)
        named = {"Attribute": "attr", "Name": "id", "Constant": "value"}.get(kind)
        value = getattr(node, named, None) if named else None
        return self._leaves(outside) if isinstance(value, str) and value in _LEAVES else ""

    def _call(self, node: Any, hook: str, outside: bool) -> str:
        path = _dotted(node.func)
        name = path.rpartition(".")[2]
        arguments = node.args
        if name in _LEAVES:
            if arguments and _is_failure(arguments[0]):
                node.func.handled = True
                return ""
            return self._leaves(outside)
        if name.startswith(("execv", "execl")) and path.partition(".")[0] in ("os", "posix", name):
            return self._leaves(outside)
        if name in _FORCED and hook:
            return f"`{hook}` changes the outcome of tests"
        if name == "setattr" and len(arguments) == 3:
            given = getattr(arguments[1], "value", None)
            if hook and given in _OUTCOMES:
                return f"`{hook}` sets `{given}`"
            if _root(arguments[0])[0] in self._names and given not in _HARMLESS:
                return f"it replaces a part of `{_dotted(arguments[0])}`"
        if path == "getattr" and arguments and _dotted(arguments[0]) in ("os", "posix", "sys"):
            if len(arguments) > 1 and type(arguments[1]).__name__ not in ("Constant", "Name") and self._loaded:
                return "it calls what its text does not name"
        written = isinstance(getattr(arguments[0] if arguments else None, "value", None), str)
        if name in ("exec", "eval") and self._is_conftest and not written:
            return "it runs code that cannot be read"
        if name == "exec" and written:
            tree = parse_python(arguments[0].value)
            return self._block(tree.body, hook, outside) if tree is not None else ""
        if self._is_conftest and _ends_well(node):
            return "it ends the run with status 0"
        return ""

    def _leaves(self, outside: bool) -> str:
        """Why a call that leaves the interpreter, maybe with status 0, matters in this file."""
        if self._loaded or self._shows_summary or outside:
            self.certain = True
            return "it can end the interpreter before the tests are over"
        return ""

    def _is_child(self, test: Any) -> bool:
        """Whether a condition holds only in a process that the code itself made."""
        if type(test).__name__ == "UnaryOp" and type(test.op).__name__ == "Not":
            return _is_fork(test.operand) or getattr(test.operand, "id", None) in self._children
        if type(test).__name__ != "Compare" or type(test.ops[0]).__name__ != "Eq":
            return False
        zero = getattr(test.comparators[0], "value", None) == 0
        return zero and (_is_fork(test.left) or getattr(test.left, "id", None) in self._children)


# ---- parts of a syntax tree ------------------------------------------------------------------------------------------


def _children_of(node: Any) -> Iterator[Any]:
    for field in getattr(node, "_fields", ()):
        value = getattr(node, field, None)
        for part in value if isinstance(value, list) else (value,):
            if hasattr(part, "_fields"):
                yield part


def _below(node: Any) -> Iterator[Any]:
    """A node and all below it."""
    waiting, seen = [node], 0
    while waiting and seen < _NODES:
        at = waiting.pop()
        seen += 1
        yield at
        waiting.extend(_children_of(at))


def _own_parts(node: Any) -> Iterator[Any]:
    """The expressions of a statement, without those of the statements in it; what a call was judged by is left out."""
    blocks = ("body", "orelse", "finalbody", "handlers", "targets", "target")
    waiting = [part for part in _children_of(node) if not any(part in _listed(node, name) for name in blocks)]
    if type(node).__name__ == "ClassDef":
        return
    while waiting:
        at = waiting.pop()
        if getattr(at, "handled", False):
            continue
        yield at
        waiting.extend(_children_of(at))


def _listed(node: Any, name: str) -> list[Any]:
    value = getattr(node, name, None)
    return value if isinstance(value, list) else []


def _hook_of(function: Any) -> str:
    """The hook of pytest that a function is, by its name or by what its decorator says; empty if it is none."""
    for decorator in function.decorator_list:
        for word in getattr(decorator, "keywords", ()):
            if word.arg == "specname":
                return str(getattr(word.value, "value", ""))
    name: str = function.name
    return name if name.startswith("pytest_") else ""


def _dotted(node: Any) -> str:
    parts: list[str] = []
    while type(node).__name__ == "Attribute":
        parts.append(node.attr)
        node = node.value
    if type(node).__name__ == "Name":
        parts.append(node.id)
    return ".".join(reversed(parts))


def _root(node: Any) -> tuple[str, int]:
    """The name at which a chain of attributes begins, and how many there are."""
    depth = 0
    while type(node).__name__ in ("Attribute", "Subscript"):
        depth += 1
        node = node.value
    return (node.id, depth) if type(node).__name__ == "Name" else ("", depth)


def _is_none(node: Any) -> bool:
    return node is None or (type(node).__name__ == "Constant" and node.value is None)


def _is_true(node: Any) -> bool:
    return type(node).__name__ == "Constant" and node.value is True


def _is_failure(node: Any) -> bool:
    """Whether an exit status is certainly none of success."""
    if type(node).__name__ == "UnaryOp":
        node = node.operand
    return type(node).__name__ == "Constant" and isinstance(node.value, int | str) and bool(node.value)


def _ends_well(node: Any) -> bool:
    """Whether an expression, called or raised, ends the run with status 0."""
    called = type(node).__name__ == "Call"
    path = _dotted(node.func if called else node)
    arguments = node.args if called else []
    if path == "pytest.exit":
        given = [word.value for word in node.keywords if word.arg == "returncode"] if called else []
        return any(getattr(one, "value", None) == 0 for one in (*given, *arguments[1:2]))
    if path in ("sys.exit", "exit", "quit") and not called:
        return False
    if path not in ("sys.exit", "exit", "quit", "SystemExit"):
        return False
    first: Any = arguments[0] if arguments else None
    return _is_none(first) or (type(first).__name__ == "Constant" and first.value in (0, False))


def _is_main(test: Any) -> bool:
    return type(test).__name__ == "Compare" and getattr(test.left, "id", "") == "__name__"


def _is_fork(node: Any) -> bool:
    return type(node).__name__ == "Call" and _dotted(node.func).endswith("fork")


def _swallows(node: Any) -> bool:
    """Whether a `try` goes on after a failure of any kind."""
    for handler in node.handlers:
        broad = handler.type is None or _dotted(handler.type) in ("Exception", "BaseException", "AssertionError")
        if broad and not any(type(part).__name__ == "Raise" for part in _below(handler)):
            return True
    return False


def _tries_yield(nodes: list[Any]) -> bool:
    return any(
        type(node).__name__ == "Try"
        and _swallows(node)
        and any(type(part).__name__ == "Yield" for part in _below(node))
        for node in nodes
    )


def _calls_test(node: Any) -> bool:
    """Whether a call runs what it was given: the function of a test, its protocol, or the coroutine of it."""
    if type(node).__name__ != "Call":
        return False
    words = {part.attr for part in _below(node) if type(part).__name__ == "Attribute"}
    words |= {part.id for part in _below(node) if type(part).__name__ == "Name"}
    return bool(words & {"obj", "function", "runtest", "runtestprotocol", "from_item_and_call", "testfunction"})


def _decides(nodes: list[Any]) -> bool:
    return any(type(node).__name__ in ("If", "IfExp") for node in nodes)


def _empties(node: Any) -> bool:
    """Whether a statement or call takes all tests out of a list, or expects them to fail."""
    kind = type(node).__name__
    if kind == "Call":
        path = _dotted(node.func)
        if path.endswith("items.clear"):
            return True
        return path.endswith(".add_marker") and any(
            _dotted(part).endswith("mark.xfail") for one in node.args for part in _below(one)
        )
    return kind == "Delete" and any(_root(target)[0] == "items" for target in node.targets)


def _leaves_out(node: Any) -> bool:
    """Whether what is put in the place of all tests may be fewer: anything but another order of them."""
    value: Any = getattr(node, "value", None)
    ordered = type(value).__name__ == "Call" and _dotted(value.func) in ("sorted", "reversed", "list", "random.sample")
    return not ordered and type(value).__name__ != "BinOp"


def _skips_by_name(nodes: list[Any]) -> bool:
    """Whether tests are skipped by what they are called, and by nothing that they were marked with."""
    words = {node.attr for node in nodes if type(node).__name__ == "Attribute"}
    chosen = words & {"name", "nodeid", "originalname", "fspath", "path", "location"}
    marked = words & {"getoption", "keywords", "get_closest_marker", "iter_markers", "own_markers", "environ"}
    return bool(chosen) and not marked and {"add_marker", "skip"} <= words
