"""Look at parts of the syntax tree of a file that may change what a run of tests says.

Not on the hook path: it is imported when a session wrote such a file.
"""

from __future__ import annotations

import re
from typing import Any

from policy_engine.test_runs.dynamic_names import dotted
from policy_engine.test_runs.python_tree import below

RUNNERS = frozenset(("pytest", "_pytest", "pluggy", "unittest"))
SKIPS = frozenset(
    "skip xfail exit importorskip SkipTest Skipped Exit XFailed skipTest OutcomeException outcomes".split()
)
OF_SESSION = frozenset(
    (
        "args args_source invocation_params inicfg known_args_namespace items testscollected testsfailed shouldstop "
        "shouldfail _initialpaths _initial_parts _collection_cache _notfound collect perform_collect genitems"
    ).split()
)
"""Attributes of pytest's session and of its configuration that choose tests, or say how the run ended."""
_ARGUMENTS = frozenset(("pytest_load_initial_conftests", "pytest_cmdline_preparse"))


def hook_of(function: Any) -> str:
    """The hook of pytest that a function is, by its name or by what its decorator says; empty if it is none."""
    for decorator in function.decorator_list:
        for word in getattr(decorator, "keywords", ()):
            if word.arg == "specname":
                return str(getattr(word.value, "value", ""))
    name: str = function.name
    return name if name.startswith("pytest_") else ""


def _root(node: Any) -> tuple[str, int]:
    """The name at which a chain of attributes begins, and how many there are."""
    depth = 0
    while type(node).__name__ in ("Attribute", "Subscript"):
        depth += 1
        node = node.value
    return (node.id, depth) if type(node).__name__ == "Name" else ("", depth)


def is_none(node: Any) -> bool:
    return node is None or (type(node).__name__ == "Constant" and node.value is None)


def is_false(node: Any) -> bool:
    return type(node).__name__ == "Constant" and not node.value


_NO_TESTS = frozenset("doc docs example examples script scripts build dist tool tools bench benchmarks vendor".split())


def may_name_test(text: str) -> bool:
    """Return whether a path or glob of files that are left out may name a test, by the names that tests have."""
    folders, _, last = text.rpartition("/")
    if not any(sign in text for sign in "*?["):
        return "test" in text
    if folders.partition("/")[0] in _NO_TESTS:
        return False
    start = re.split(r"[*?\[]", last, maxsplit=1)[0]
    return "test" in text or ((last[-1:] in ("*", "]", "?") or last.endswith(".py")) and "test_"[: len(start)] == start)


def is_failure(node: Any) -> bool:
    """Return whether an exit status is certainly none of success."""
    if type(node).__name__ == "UnaryOp":
        node = node.operand
    return type(node).__name__ == "Constant" and isinstance(node.value, int | str) and bool(node.value)


def ends_well(node: Any) -> bool:
    """Return whether an expression, called or raised, ends the run with status 0."""
    called = type(node).__name__ == "Call"
    path = dotted(node.func if called else node)
    arguments = node.args if called else []
    if path == "pytest.exit":
        given = [word.value for word in node.keywords if word.arg == "returncode"] if called else []
        return any(getattr(one, "value", None) == 0 for one in (*given, *arguments[1:2]))
    if path in ("sys.exit", "exit", "quit") and not called:
        return False
    if path not in ("sys.exit", "exit", "quit", "SystemExit"):
        return False
    first: Any = arguments[0] if arguments else None
    return is_none(first) or (type(first).__name__ == "Constant" and first.value in (0, False))


def is_main(test: Any) -> bool:
    return type(test).__name__ == "Compare" and getattr(test.left, "id", "") == "__name__"


def swallows(node: Any) -> bool:
    """Return whether a `try` goes on after a failure of any kind."""
    for handler in node.handlers:
        broad = handler.type is None or dotted(handler.type) in ("Exception", "BaseException", "AssertionError")
        if broad and not any(type(part).__name__ == "Raise" for part in below(handler)):
            return True
    return False


_INNER = frozenset(("__dict__", "__setattr__", "__setstate__", "__class__", "__init__"))


def sets_unnamed(node: Any) -> bool:
    """Return whether an expression reaches all attributes of an object at once: `vars(report)`, `report.__dict__`."""
    if type(node).__name__ == "Call" and dotted(node.func) == "vars":
        return bool(node.args)
    return type(node).__name__ == "Attribute" and node.attr in _INNER and dotted(node.value) != "super"


def tries_yield(nodes: list[Any]) -> bool:
    return any(
        type(node).__name__ == "Try" and swallows(node) and any(type(part).__name__ == "Yield" for part in below(node))
        for node in nodes
    )


def calls_test(node: Any) -> bool:
    """Return whether a call runs what it was given: the function of a test, its protocol, or the coroutine of it."""
    if type(node).__name__ != "Call":
        return False
    words = {part.attr for part in below(node) if type(part).__name__ == "Attribute"}
    words |= {part.id for part in below(node) if type(part).__name__ == "Name"}
    return bool(words & {"obj", "function", "runtest", "runtestprotocol", "from_item_and_call", "testfunction"})


def is_of_session(node: Any, hook: str) -> bool:
    """Return whether an expression is an attribute of pytest's session or configuration that chooses tests."""
    if type(node).__name__ != "Attribute" or node.attr not in OF_SESSION:
        return False
    return bool(hook) or dotted(node.value).rpartition(".")[2] in ("session", "config")


def is_arguments(node: Any, hook: str) -> bool:
    """Return whether an expression is the command line that a hook of pytest is given."""
    path = dotted(node)
    names = ("args", "known_args", "invocation_params")
    return path == "config.args" or (hook in _ARGUMENTS and path.rpartition(".")[2] in names)


def ignores_test(value: Any, functions: dict[str, Any]) -> bool:
    """Return whether what is put in the place of a test's function does not call it, or goes on after failures."""
    if function := functions.get(getattr(value, "id", "")):
        return any(type(part).__name__ == "Try" and swallows(part) for part in below(function))
    return type(value).__name__ == "Lambda" and not any(map(calls_test, below(value.body)))


def alters_test(owner: Any, attribute: str | None, value: Any) -> bool:
    """Return whether the function of a test gets other code or is none any more, or its module another function."""
    part = dotted(owner).rpartition(".")[2]
    is_test = attribute == "__test__" and part in ("function", "obj", "_obj", "cls", "module")
    return attribute == "__code__" or is_test or (part == "module" and type(value).__name__ == "Lambda")


def empties(node: Any) -> bool:
    """Return whether a statement or call takes all tests out of a list, or expects them to fail."""
    kind = type(node).__name__
    if kind == "Call":
        path = dotted(node.func)
        if path.endswith(("items.clear", "items.pop", "items.remove")):
            return True
        return path.endswith(".add_marker") and any(
            dotted(part).endswith("mark.xfail") for one in node.args for part in below(one)
        )
    return kind == "Delete" and any(_root(target)[0] == "items" for target in node.targets)


def leaves_out(node: Any) -> bool:
    """Return whether what is put in the place of all tests may be fewer: anything but another order of them."""
    value: Any = getattr(node, "value", None)
    ordered = type(value).__name__ == "Call" and dotted(value.func) in ("sorted", "reversed", "list", "random.sample")
    return not ordered and type(value).__name__ != "BinOp"


def skips_by_name(nodes: list[Any]) -> bool:
    """Return whether tests are skipped by what they are called, and by nothing that they were marked with."""
    words = {node.attr for node in nodes if type(node).__name__ == "Attribute"}
    chosen = words & {"name", "nodeid", "originalname", "fspath", "path", "location", "module", "cls", "function"}
    marked = words & {"getoption", "keywords", "get_closest_marker", "iter_markers", "own_markers", "environ"}
    called = {dotted(node.func).rpartition(".")[2] for node in nodes if type(node).__name__ == "Call"}
    raised = (getattr(node.exc, "func", node.exc) for node in nodes if type(node).__name__ == "Raise" and node.exc)
    called |= {dotted(one).removesuffix(".Exception").rpartition(".")[2] for one in raised}
    called |= {last for first, _, last in (dotted(node).partition(".") for node in nodes) if first in RUNNERS}
    return bool(chosen) and not marked and ({"add_marker", "skip"} <= words or bool(called & SKIPS))


def is_automatic(decorator: Any) -> bool:
    """Return whether a decorator makes a fixture that each test has."""
    return any(word.arg == "autouse" and not is_false(word.value) for word in getattr(decorator, "keywords", ()))
