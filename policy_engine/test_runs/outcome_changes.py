"""Say why a file that a session wrote can make a run of tests say something else than what its tests did.

Tests may be wrong or few, which is for people to see; what is looked for here is code that ends the run with a good
status, or changes the outcomes of others: hooks of pytest that set or replace them, functions of a runner that are
replaced, calls that leave the interpreter. What cannot be read for certain is not held against a file, except in a
`conftest.py`, which has no business with code that is put together at run time. Not on the hook path: it is imported
when a session wrote such a file.
"""

from __future__ import annotations

import re
from typing import Any

from policy_engine.inline.python import named_coding, parse_python
from policy_engine.test_runs.dynamic_names import ANY, Names, dotted, is_child, is_fork
from policy_engine.test_runs.evidence import IF_LOADED, IF_NEW, IF_SILENT
from policy_engine.test_runs.other_outcomes import why_other
from policy_engine.test_runs.outcome_parts import (
    OF_SESSION,
    RUNNERS,
    SKIPS,
    alters_test,
    calls_test,
    empties,
    ends_well,
    hook_of,
    ignores_test,
    is_arguments,
    is_automatic,
    is_failure,
    is_false,
    is_main,
    is_none,
    is_of_session,
    leaves_out,
    may_name_test,
    sets_unnamed,
    skips_by_name,
    swallows,
    tries_yield,
)
from policy_engine.test_runs.python_tree import below, own_parts, tells_nothing
from policy_engine.test_runs.runners import SUITE_FOLDERS

MOST = 262_144  # bytes that are read of a file
TOO_LARGE = f"it has more than {MOST} bytes, so that nobody looked at it"
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
_AROUND_TESTS = frozenset(
    "pytest_runtest_setup pytest_runtest_teardown pytest_runtest_call pytest_fixture_setup".split()
)
_OFTEN_ANSWERED = frozenset(("pytest_pycollect_makeitem", "pytest_collection"))
_HARMLESS = frozenset(("maxDiff", "longMessage", "_MAX_LENGTH"))
_PUBLIC = frozenset(("fail", "raises", "exit", "skip", "main", "Item", "Function", "Session", "Module", "Class"))
_LEAVES = frozenset(("_exit", "quick_exit", "reallyExit"))
_LIBRARIES = frozenset(("CDLL", "PyDLL", "LoadLibrary"))
_DECIDING = frozenset(
    "__import__ isinstance issubclass compile exec eval len all any sum abs bool type repr sorted SystemExit".split()
)
"""Builtins by which tests tell that something is wrong, beside the exceptions."""
_METHODS = frozenset(
    (
        "runtest obj _obj _testfunc runtestprotocol call_and_report runner run collect perform wasSuccessful addFailure"
        " addError addSubTest fail raises hook ihook _hookexec _inner_hookexec exitstatus testsfailed outcome passed"
        " failed longrepr main console_main repr_failure excinfo debug assertEqual assertTrue __call__"
    ).split()
)
"""What decides how tests end, of objects that only running would tell."""
_OWN_CALLS = frozenset(("runtest", "obj", "_obj"))
_IGNORING = frozenset(("collect_ignore", "collect_ignore_glob"))
_CHOOSING = frozenset(
    "keyword markexpr collectonly lf failedfirst last_failed deselect ignore ignore_glob setuponly setupplan pyargs "
    "file_or_dir runxfail stepwise maxfail continue_on_collection_errors".split()
)
"""Options of pytest that choose tests."""
_ADDS = frozenset(("append", "extend", "insert", "clear", "remove", "pop"))
_MAKERS = frozenset("type ModuleType SimpleNamespace make_dataclass new_class dict Mock MagicMock".split())
_SCOPES = frozenset(("globals", "locals", "vars"))
_READS = frozenset(("get", "items", "keys", "values", "copy"))
_SUSPECT = re.compile(
    r"\bpytest_(?:runtest|pyfunc|cmdline_main|collection|make|ignore)\w*|\b_exit\b|\bexitstatus\b|\b_pytest\b"
    r"|\bglobals\b|\bexec\b|\bsetattr\b"
)
_FROM_SCRATCH = re.compile(
    r"(?:\bfrom|\bimport|\brequire|\brun_path|_from_file_location|FileLoader|\bsys\.path\b|\baddsitedir|\b__path__|\bdofile"
    r"|\binclude(?:_once)?|\bload)\b[^'\"\n;]{0,40}['\"](?:file://)?(/(?:tmp|var/tmp|dev/shm)/[^'\"\n]*)"
)
"""Code that is taken from where nobody keeps any: a run of tests says nothing of what will be there."""
_TEST_NAME = re.compile(r"(?:^|[._-])(?:test|spec)s?(?:[._-]|$)")


def why_changes(relative: str, text: str) -> tuple[str, str]:
    """Return the ecosystem of a file, by its path in the workspace, and how it can change what a run says; or ("", "").

    A reason that begins with IF_LOADED, IF_SILENT or IF_NEW holds under that condition.
    """
    folder, _, name = relative.rpartition("/")
    stem, _, ending = name.rpartition(".")
    is_test = bool(set(folder.split("/")) & SUITE_FOLDERS or _TEST_NAME.search(stem))
    if ending == "py":
        found = "python", _python(text, name == "conftest.py", is_test)
        is_test = is_test or name == "conftest.py"
    else:
        helps = is_test or any(word in stem for word in ("setup", "helper", "bootstrap", "jest", "vitest", "Test"))
        found = why_other(name, ending, text, helps)
    from policy_engine.test_runs.asking import LANGUAGES

    if ending in LANGUAGES and not found[1] and (scratch := _FROM_SCRATCH.search(text)):
        return LANGUAGES[ending], f"{IF_NEW}it takes code from `{scratch[1][:80]}`, outside of the workspace"
    from policy_engine.test_runs.reaching import why_reaches

    if is_test or ending not in LANGUAGES or (found[1] and found[1][0] not in IF_LOADED + IF_SILENT):
        return found
    what, line = why_reaches(relative, text)
    return (LANGUAGES[ending], f"{IF_NEW}it {what} (line {line})") if what else found


def why_conftest(text: str) -> str:
    """Return how a file of Python changes what a run says that loads it as a plugin."""
    return _python(text, True, True)


def _python(text: str, is_conftest: bool, is_test: bool) -> str:
    if coding := named_coding(text):
        return f"it is written in the encoding `{coding}`, which is not read"
    tree = parse_python(text)
    if tree is None:
        return "it is no Python that can be read here" if is_conftest and _SUSPECT.search(text) else ""
    reader = _Reader(is_conftest, is_test, bool(_SUMMARY.search(text)))
    why = reader.read(tree)
    return why if is_conftest or is_test or not why or reader.certain else IF_LOADED + why


class _Reader:
    """One Python file. `certain`: what was found takes effect by the import alone."""

    def __init__(self, is_conftest: bool, is_test: bool, shows_summary: bool) -> None:
        self._is_conftest = is_conftest
        self._loaded = is_conftest or is_test
        self._shows_summary = shows_summary
        self._names = Names()
        self._children: set[str] = set()  # names that hold what `os.fork()` gave
        self._processes: set[str] = set()  # names that hold the library of the process
        self._functions: dict[str, Any] = {}
        self._loads_itself = False
        self.certain = False

    def read(self, tree: Any) -> str:
        for node in below(tree):
            kind = type(node).__name__
            self._names.note(node)
            if kind in ("FunctionDef", "AsyncFunctionDef"):
                self._functions[node.name] = node
            elif kind == "Attribute" and node.attr in ("pluginmanager", "get_objects", "get_referrers"):
                self._loads_itself = True
            elif kind == "Assign":
                names = {target.id for target in node.targets if type(target).__name__ == "Name"}
                self._children |= names if is_fork(node.value) else set()
                self._processes |= names if self._is_process(node.value) else set()
        why = self._block(tree.body, "", True)
        self.certain = self.certain or self._loads_itself
        return why

    def _of_runner(self, node: Any) -> bool:
        """Return whether an expression is a part of the runner."""
        path = self._names.module(node)
        return path.partition(".")[0] in RUNNERS and "mock" not in path

    def _replaces(self, owner: Any, attribute: str | None, shown: str) -> str:
        """Return why setting an attribute of an object changes the runner; None is one that only running would tell."""
        path = self._names.module(owner)
        first, _, rest = path.partition(".")
        if dotted(owner) == "__builtins__" or path == "builtins":
            if attribute is not None and attribute not in _DECIDING and not attribute.endswith(("Error", "Exception")):
                return ""
            self.certain = True
            return f"it replaces `{shown}`"
        if path == ANY:
            unknown = attribute is None and not self._loaded
            if unknown or attribute in _METHODS or (attribute or "").startswith("pytest_"):
                self.certain = True
                return f"it replaces `{shown}` of what its text does not name"
            return ""
        rewrites = self._is_conftest and first == "ast"  # by which pytest rewrites assertions
        if (first not in RUNNERS and not rewrites) or "mock" in path or attribute in _HARMLESS:
            return ""
        if rest or first not in ("pytest", "unittest") or attribute is None or attribute in _PUBLIC:
            self.certain = True
            return f"it replaces `{shown}`"
        return ""

    def _block(self, body: list[Any], hook: str, outside: bool) -> str:
        """Return why statements change outcomes; `hook` is the hook of pytest that they are in, `outside` of any
        function.
        """
        for node in body:
            why = self._statement(node, hook, outside)
            if why:
                return why
        return ""

    def _statement(self, node: Any, hook: str, outside: bool) -> str:
        kind = type(node).__name__
        if kind in ("FunctionDef", "AsyncFunctionDef"):
            name = hook_of(node)
            if why := tells_nothing(node):
                self.certain = True
                return why
            if self._is_conftest and outside and node.name in ("__getattr__", "__dir__"):
                return f"`{node.name}` defines what its text does not name"
            always = name in _AROUND_TESTS or any(map(is_automatic, node.decorator_list))
            if self._is_conftest and always and skips_by_name(list(below(node))):
                return f"`{node.name}` skips tests by what they are called"
            at_exit = any(dotted(one).endswith("atexit.register") for one in node.decorator_list)
            return (self._hook(node, name) if name else "") or self._block(node.body, name or hook, at_exit)
        if kind == "If" and (is_main(node.test) or is_child(node.test, self._children)):
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
        """Return what a statement does by itself, without the blocks in it."""
        for target in getattr(node, "targets", ()) or ([node.target] if hasattr(node, "target") else ()):
            if why := self._assigned(target, node, hook):
                return why
        if kind == "Raise" and self._is_conftest and ends_well(node.exc):
            return "it ends the run with status 0"
        if kind == "Raise" and (why := self._skips(getattr(node.exc, "func", node.exc))):
            return why
        if kind == "ImportFrom" and self._is_conftest:
            for alias in node.names:
                if alias.asname in _HOOKS and alias.asname != alias.name:
                    return f"`{alias.asname}` takes the place of what pytest does"
        for part in own_parts(node):
            if why := self._expression(part, hook, outside):
                return why
        return ""

    def _assigned(self, target: Any, node: Any, hook: str) -> str:
        kind = type(target).__name__
        name = target.id if kind == "Name" else target.attr if kind == "Attribute" else ""
        value = getattr(node, "value", None)  # `del` and `for` give none
        if name in _HOOKS and (why := self._named_hook(name, value)):
            return why
        if kind == "Name" and name in _IGNORING and self._is_conftest and value is not None and self._ignores(value):
            return f"`{name}` leaves tests out"
        part = target.value if kind == "Subscript" else target
        if self._is_conftest and is_of_session(part, hook) and (part.attr != "items" or leaves_out(node)):
            return f"it sets `{dotted(part)}`, which chooses the tests"
        if kind == "Subscript":
            if hook == "pytest_collection_modifyitems" and leaves_out(node):
                return f"`{hook}` leaves tests out"
            if self._is_conftest and (
                getattr(target.value, "attr", "") == "_inicache" or is_arguments(target.value, hook)
            ):
                return "it changes which tests run"
            return self._keyed(target)
        if kind != "Attribute":
            return ""
        if hook and target.attr in _OUTCOMES:
            return f"`{hook}` sets `{target.attr}`"
        if self._is_conftest and target.attr in _CHOOSING and getattr(target.value, "attr", "") == "option":
            return f"it sets `{dotted(target)}`, which chooses the tests"
        if self._is_conftest and target.attr in _OWN_CALLS and ignores_test(value, self._functions):
            return f"it replaces `{dotted(target)}`"
        if self._is_conftest and alters_test(target.value, target.attr, value):
            return f"it sets `{dotted(target)}` of tests"
        if dotted(target) == "sys.exit":
            return "it replaces `sys.exit`"
        return self._replaces(target.value, target.attr, dotted(target))

    def _ignores(self, value: Any) -> bool:
        """Return whether a list of files that are left out may name tests; what only running would tell may."""
        parts = value.elts if type(value).__name__ in ("List", "Tuple", "Set") else [value]
        for part in parts:
            texts = [self._names.text(one) for one in below(part) if type(one).__name__ in ("Constant", "Name")]
            if not any(texts) or any(map(may_name_test, filter(None, texts))):
                return True
        return False

    def _keyed(self, target: Any) -> str:
        """Return why an assignment to an entry matters: of a namespace, or of the modules that are loaded."""
        owner, key = target.value, self._names.text(target.slice)
        if dotted(owner) == "sys.modules":
            if key is not None and key.partition(".")[0] in RUNNERS and "mock" not in key:
                self.certain = True
                return f"it puts something else in the place of the module `{key}`"
            return ""
        called = dotted(owner.func) if type(owner).__name__ == "Call" else ""
        if called in _SCOPES and not owner.args:
            owner.handled = True
            return self._defines(key)
        if called == "vars" or getattr(owner, "attr", "") == "__dict__":
            inner = owner.args[0] if called else owner.value
            return self._replaces(inner, key, dotted(inner)) or (self._defines(key) if self._own(inner) else "")
        return ""

    def _own(self, node: Any) -> bool:
        """Return whether an expression is the module of the file itself, or may be."""
        return "__name__" in {getattr(part, "id", "") for part in below(node)} or self._names.module(node) == ANY

    def _defines(self, key: str | None) -> str:
        if self._is_conftest and key in _IGNORING:
            return f"`{key}` leaves tests out"
        if self._is_conftest and (key is None or key.startswith("pytest_")):
            return "it defines hooks that its text does not name" if key is None else f"it defines `{key}` by its name"
        return ""

    def _named_hook(self, name: str, value: Any) -> str:
        """Return why what is put under the name of a hook changes outcomes."""
        for part in below(value) if value is not None else ():
            kind = type(part).__name__
            if kind == "Lambda" and not is_none(part.body):
                return f"`{name}` takes the place of what pytest does"
            if kind == "Name" and part.id in self._functions and (why := self._hook(self._functions[part.id], name)):
                return why
        return ""

    def _skips(self, node: Any) -> str:
        """Return why code that is no test, and skips or ends tests, hides how they would end."""
        if self._loaded or node is None:
            return ""
        first, *parts = self._names.module(node).split(".")
        path = ".".join((first, *parts))
        if first in RUNNERS and not SKIPS.isdisjoint(parts) and "mark" not in parts:
            self.certain = True
            return f"it skips or ends tests from outside of them (`{path}`)"
        return ""

    def _hook(self, function: Any, name: str) -> str:
        """Return why a hook of pytest changes what the runner says of tests."""
        nodes = list(below(function))
        wraps = any(type(node).__name__ == "Yield" for node in nodes)
        goes_on = any(type(node).__name__ == "Try" and swallows(node) for node in nodes)
        if name == "pytest_collection_modifyitems":
            return f"`{name}` leaves tests out" if any(map(empties, nodes)) or skips_by_name(nodes) else ""
        if name not in _HOOKS:
            return ""
        if any(map(sets_unnamed, nodes)):
            return f"`{name}` sets what its text does not name"
        returned = [node.value for node in nodes if type(node).__name__ == "Return" and not is_none(node.value)]
        if wraps:
            made = any(type(value).__name__ not in ("Name", "Yield") for value in returned)
            return f"`{name}` changes the outcome of tests" if made or (goes_on and tries_yield(nodes)) else ""
        if name in _AROUND_TESTS:
            return ""
        if name == "pytest_ignore_collect":
            return "" if all(map(is_false, returned)) else f"`{name}` leaves tests out"
        if name == "pytest_pycollect_makeitem" and any(
            type(part).__name__ in ("List", "Tuple") and not part.elts for value in returned for part in below(value)
        ):
            return f"`{name}` leaves tests out"
        if returned and (goes_on or not (name in _OFTEN_ANSWERED or any(map(calls_test, nodes)))):
            return f"`{name}` takes the place of what pytest does"
        return ""

    def _expression(self, node: Any, hook: str, outside: bool) -> str:
        kind = type(node).__name__
        if kind == "Call":
            return self._call(node, hook, outside)
        if kind == "NamedExpr":
            return self._assigned(node.target, node, hook)
        if kind in ("Subscript", "Attribute") and type(node.value).__name__ == "Call" and not node.value.args:
            if kind == "Subscript" or node.attr in _READS:
                node.value.handled = True  # looks names up, and defines none
                if why := self._skips(node.value.func):
                    return why
        if kind in ("Attribute", "Name") and (why := self._skips(node)):
            return why
        named = {"Attribute": "attr", "Name": "id", "Constant": "value"}.get(kind)
        value = getattr(node, named, None) if named else None
        return self._leaves(outside) if isinstance(value, str) and value in _LEAVES else ""

    def _call(self, node: Any, hook: str, outside: bool) -> str:
        path = dotted(node.func)
        name = path.rpartition(".")[2]
        arguments = node.args
        if name in _LEAVES:
            if arguments and is_failure(arguments[0]):
                node.func.handled = True
                return ""
            return self._leaves(outside)
        if name.startswith(("execv", "execl")) and path.partition(".")[0] in ("os", "posix", name):
            return self._leaves(outside)
        if name in _FORCED and hook:
            return f"`{hook}` changes the outcome of tests"
        if why := self._sets(node, path, hook) or self._skips(node.func):
            return why
        if path == "getattr" and len(arguments) > 1 and dotted(arguments[0]) in ("os", "posix", "sys"):
            given = self._names.text(arguments[1])
            if given in _LEAVES and not self._loaded:
                return self._leaves(outside)
            if (given is None or given in _LEAVES) and type(arguments[1]).__name__ != "Constant" and self._loaded:
                return "it calls what its text does not name"
        if path == "getattr" and len(arguments) > 1 and self._is_process(arguments[0]):
            given = self._names.text(arguments[1])
            if given is None or given in _LEAVES or given == "exit":
                self.certain = True
                return "it calls a function of the process that its text does not name"
        written = self._names.text(arguments[0]) if arguments else None
        if name in ("exec", "eval") and self._is_conftest and written is None:
            return "it runs code that cannot be read"
        if name == "exec" and written is not None:
            tree = parse_python(written)
            return self._block(tree.body, hook, outside) if tree is not None else ""
        if self._is_conftest and (ends_well(node) or (why := self._names_hook(node, name))):
            return why if not ends_well(node) else "it ends the run with status 0"
        return ""

    def _sets(self, node: Any, path: str, hook: str) -> str:
        """Return why a call that sets an attribute or an entry by its name changes what the runner says."""
        name, arguments = path.rpartition(".")[2], node.args
        owned = len(arguments) > 1 and self._names.text(arguments[0]) is None
        if owned and name in ("setattr", "delattr", "__setattr__", "object"):
            given = self._names.text(arguments[1])
            if hook and given in _OUTCOMES:
                return f"`{hook}` sets `{given}`"
            if self._is_conftest and given in _OWN_CALLS and ignores_test(arguments[-1], self._functions):
                return f"it replaces `{given}` of tests"
            if self._is_conftest and given in OF_SESSION and hook:
                return f"it sets `{given}`, which chooses the tests"
            if self._is_conftest and alters_test(arguments[0], given, arguments[-1]):
                return f"it sets `{given}` of tests"
            patches = path in ("monkeypatch.setattr", "mock.patch.object", "patch.object")
            if patches and not self._of_runner(arguments[0]):
                return ""
            if why := self._replaces(arguments[0], given, dotted(arguments[0]) or (given or "")):
                return why
            return self._defines(given) if self._own(arguments[0]) else ""
        if name in ("patch", "setattr") and arguments:
            given = self._names.text(arguments[0]) or ""
            if given.partition(".")[0] in RUNNERS - {"unittest"}:
                self.certain = True
                return f"it replaces `{given}`"
        if self._is_conftest and name in _ADDS and path.rpartition(".")[0] in _IGNORING:
            return f"`{path.rpartition('.')[0]}` leaves tests out"
        changed = getattr(node.func, "value", None)
        if self._is_conftest and name in _ADDS and (is_arguments(changed, hook) or is_of_session(changed, hook)):
            return "it changes which tests run"
        registers = name == "register" and self._names.module(getattr(node.func, "value", None)) == ANY
        if (registers or path.endswith("pluginmanager.register")) and not self._loaded and not hook:
            self.certain = True
            return "it registers a plugin with the test runner"
        return ""

    def _names_hook(self, node: Any, name: str) -> str:
        """Return why a call of a `conftest.py` defines hooks that the file does not show as functions."""
        if name in _SCOPES and not node.args:
            return "" if getattr(node, "handled", False) else "it defines what its text does not name"
        if name not in _MAKERS:
            return ""
        words = [word.arg for word in node.keywords]
        words += [self._names.text(key) for part in node.args if type(part).__name__ == "Dict" for key in part.keys]
        if any(word in _HOOKS for word in words) or (name == "type" and None in words and len(node.args) == 3):
            return "it defines hooks that its text does not show as functions"
        return ""

    def _leaves(self, outside: bool) -> str:
        """Return why a call that leaves the interpreter, maybe with status 0, matters in this file."""
        if self._loaded or self._shows_summary or outside:
            self.certain = True
            return "it can end the interpreter before the tests are over"
        return ""

    def _is_process(self, node: Any) -> bool:
        """Return whether an expression is the library of the process itself: `ctypes.CDLL(None)`."""
        if type(node).__name__ == "Name":
            return node.id in self._processes
        called = type(node).__name__ == "Call" and dotted(node.func).rpartition(".")[2] in _LIBRARIES
        return dotted(node).endswith("ctypes.pythonapi") or (called and (not node.args or is_none(node.args[0])))
