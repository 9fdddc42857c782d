"""Say where a source that a session wrote looks into what it does not import by name, so that a green run says nothing.

Code under test runs in the process of the runner. What goes through all modules or all objects, hooks into the
interpreter, takes functions of the system by names that are put together, replaces the code of functions, reads the
variables of its callers or asks whether a runner is there can end the run well, or bend what the runner finds, without
a word of it in the text. Honest programs do little of this, and what the commit had already is not the session's. Not
on the hook path: it is imported when a session wrote a source.
"""

from __future__ import annotations

import re
from typing import Any

from policy_engine.inline.python import parse_python
from policy_engine.test_runs.asking import ASKS, LANGUAGES, helps_tests, why_asks, why_python_asks
from policy_engine.test_runs.dynamic_names import Names, dotted, is_child, is_fork
from policy_engine.test_runs.python_tree import below, children_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_WORTH = re.compile(
    r"\bsys\b|\bgc\b|\bthreading\b|__code__|\bf_locals\b|\bf_globals\b|\bctypes\b|\bvars\b|__dict__|\bgetattr\b|PYTEST"
    r"|\b_exit\b|\bexec[vl]\w*\b|\bgetmembers\b|\binspect\b|\btraceback\b|test\b|\bnose|\bmock\b|__(?:eq|ne)__"
    r"|\bdup[23]?\b|\bclose(?:range)?\s*\(\s*[12]\b|\bos\.close|\bclose(?:range)?\b[^\n]*\bos\b|\bos\b[^\n]*\bclose"
    r"|\benviron\b|\bgetenv\b|[tT]esting\b|TESTING\b|production\b|\b__main__\b|['\"/]tests\b"
)
"""Without any of these words there is nothing to be found."""
_RUNNERS = ("pytest", "_pytest", "unittest", "pluggy", "nose", "nose2", "xdist")
_SYSTEM = ("os", "posix", "nt", "sys", "_posixsubprocess")
_HOOKS = {
    "sys.setprofile": "hooks into every call",
    "sys.settrace": "hooks into every line",
    "sys.addaudithook": "hooks into the interpreter",
    "threading.setprofile": "hooks into every call",
    "threading.settrace": "hooks into every line",
    "threading.setprofile_all_threads": "hooks into every call",
    "threading.settrace_all_threads": "hooks into every line",
    "sys.monitoring.register_callback": "hooks into the interpreter",
    "gc.get_objects": "goes through all objects of the interpreter",
    "gc.get_referrers": "goes through objects of the interpreter",
    "gc.get_referents": "goes through objects of the interpreter",
    "sys._current_frames": "looks into the frames of other code",
}
_SUMMARY = re.compile(r"(?:\d+|%[ds]|\{\w*\}) (?:passed|tests? OK|passing)|^OK$|Tests: +\d")
_ENDS = re.compile(r"\b(?:_exit|quick_exit|execv\w*|execl\w*)\b")
_DIRECT = re.compile(
    r"\bos\.(?:write|dup2?|fdopen|writev|pwrite)\b|__std(?:out|err)__|/dev/(?:fd|std|tty)|/proc/self/fd"
)
_SAVES = re.compile(r"\bos\.dup2?\b")
_JS_GLOBAL = r"(?:globalThis|global|process|self|window)"
_JS_MADE = r"[^\]\n]*(?:\+|\.\s*(?:join|concat|reverse|slice|replace\w*)\b|fromCharCode|atob|\$\{|Buffer)[^\]\n]*"
_JS = (
    (re.compile(r"\b(?:NODE_TEST_CONTEXT|NODE_TEST_WORKER_ID|JEST_WORKER_ID|VITEST(?:_\w+)?|MOCHA_\w+)\b"),
     ASKS),
    (re.compile(rf"\bReflect\s*\.\s*(?:get|apply|ownKeys|getOwnPropertyDescriptor)\s*\(\s*{_JS_GLOBAL}\b"
                rf"|\bObject\s*\.\s*(?:values|entries|getOwnPropertyDescriptors?|getOwnPropertyNames)\s*\(\s*"
                rf"(?:globalThis|global|process)\b"
                rf"|\b{_JS_GLOBAL}\s*(?:\?\.\s*)?\[{_JS_MADE}\]"),
     "takes what belongs to the process by a name that its text does not say"),
    (re.compile(r"\bObject\s*\.\s*(?:values|entries|keys)\s*\(\s*require\s*\.\s*cache\b"), "goes through all modules"),
    (re.compile(r"['\"`](?:node:)?inspector(?:/promises)?['\"`]|\bprocess\s*\.\s*(?:binding|_linkedBinding|dlopen)\b"
                r"|return\s+process\b\s*[;'\"`]"),
     "goes around what it may import"),
)  # fmt: skip
_JS_COMMENT = re.compile(r"^\s*(?://|\*|/\*).*$", re.MULTILINE)


def why_reaches(relative: str, text: str) -> tuple[str, int]:
    """Return what a source looks into, asks or gives, and the number of the line; or ("", 0)."""
    ending = relative.rpartition(".")[2]
    if ending == "py":
        return _python(text, helps_tests(relative)) if _WORTH.search(text) else ("", 0)
    for pattern, what in _JS if LANGUAGES[ending] == "javascript" else ():
        for match in pattern.finditer(text):
            start = text.rfind("\n", 0, match.start()) + 1
            if not _JS_COMMENT.match(text, start, match.end()):
                return what, text.count("\n", 0, match.start()) + 1
    return why_asks(ending, text, helps_tests(relative))


def _python(text: str, helps: bool) -> tuple[str, int]:
    tree = parse_python(text)
    if tree is None:
        return "", 0
    names, nodes = Names(), list(below(tree))
    for node in nodes:
        names.note(node)
    for node in nodes:
        if what := _reaches(node, names):
            return what, int(getattr(node, "lineno", 0) or getattr(getattr(node, "iter", None), "lineno", 0))
    if line := _closes_outputs(tree, text, nodes, names):
        return "writes what a run prints, and closes the way out of what comes behind it", line
    asked = why_python_asks(nodes, names, helps)
    asked = asked if asked[0] else why_asks("py", text, helps)
    return asked if asked[0] else _ends_unseen(text, nodes, names)


def _reaches(node: Any, names: Names) -> str:
    kind = type(node).__name__
    if kind in ("For", "AsyncFor", "comprehension"):
        over = _gone_through(node.iter, names)
        if over.endswith("f_locals"):
            return "goes through the variables of its callers"
        return "goes through all modules" if over == "sys.modules" else ""
    if kind == "Compare":
        asks = type(node.ops[0]).__name__ in ("In", "NotIn") and _of_system(node.comparators[0], names)
        return _asked(names.text(node.left)) if asks else ""
    if kind == "Subscript":
        if _of_system(node.value, names):
            return _asked(names.text(node.slice))
        return ""
    if kind == "Attribute":
        if node.attr == "__dict__" and names.module(node.value) in _SYSTEM:
            return f"takes what `{dotted(node.value)}` has by names that its text does not say"
        if names.module(node) == "ctypes.pythonapi":
            return "reaches into the interpreter by `ctypes`"
    if kind in ("Attribute", "Name") and (what := _HOOKS.get(names.module(node), "")):
        return what
    if kind in ("Assign", "AugAssign", "AnnAssign"):
        targets = node.targets if kind == "Assign" else [node.target]
        if any(getattr(one, "attr", "") == "__code__" for one in targets):
            return "replaces the code of a function"
    return _called(node, names) if kind == "Call" else ""


def _called(node: Any, names: Names) -> str:
    path, arguments = dotted(node.func), node.args
    name = path.rpartition(".")[2]
    if name == "setattr" and len(arguments) > 1 and names.text(arguments[1]) == "__code__":
        return "replaces the code of a function"
    if name in ("get", "getenv", "setdefault", "pop") and arguments:
        owner = node.func if name == "getenv" else getattr(node.func, "value", None)
        if _of_system(owner, names) or names.module(node.func) == "os.getenv":
            return _asked(names.text(arguments[0]))
    if name in ("getattr", "vars", "getmembers", "dir") and arguments and names.module(arguments[0]) in _SYSTEM:
        if name != "dir" and (name != "getattr" or (len(arguments) > 1 and names.text(arguments[1]) is None)):
            return f"takes what `{dotted(arguments[0])}` has by names that its text does not say"
    return ""


def _gone_through(node: Any, names: Names) -> str:
    """Return the table whose entries an expression goes over, whatever copies or sorts them."""
    while type(node).__name__ == "Call":
        method = type(node.func).__name__ == "Attribute" and node.func.attr in ("values", "items", "copy", "keys")
        if not method and not node.args:
            break
        node = node.func.value if method else node.args[0]
    return "sys.modules" if names.module(node) == "sys.modules" else dotted(node)


def _of_system(node: Any, names: Names) -> bool:
    """Return whether an expression is the table of modules, or of variables of the environment."""
    return dotted(node) == "sys.modules" or names.module(node) in ("sys.modules", "os.environ", "os.environb")


def _asked(text: str | None) -> str:
    asked = text is not None and (text.partition(".")[0] in _RUNNERS or text.startswith("PYTEST_"))
    return ASKS if asked else ""


def _closes_outputs(tree: Any, text: str, nodes: list[Any], names: Names) -> int:
    """Return the line where the standard output or error is closed or leads elsewhere, 0 if nothing does that: while
    the file is loaded, or where it writes a summary or past what captures its output. Who starts a process of its own
    there may do so.
    """
    shows = any(one and _SUMMARY.search(one) for one in _texts(nodes, names)) or _DIRECT.search(_SAVES.sub("", text))
    for body in [tree, *(node for node in nodes if type(node).__name__ in ("FunctionDef", "AsyncFunctionDef"))]:
        own = list(_inside(body))
        over = {name.id for node in own if type(node).__name__ == "For" and _is_numbers(node.iter)
                for name in below(node.target) if type(name).__name__ == "Name"}  # fmt: skip
        line = next((node.lineno for node in own if type(node).__name__ == "Call" and _closes(node, over, names)), 0)
        forks = any(getattr(one, "attr", getattr(one, "id", "")) in ("fork", "setsid", "forkpty") for one in own)
        if line and (body is tree or (shows and not forks)):
            return int(line)
    return 0


def _inside(node: Any) -> Iterator[Any]:
    """Yield what is done in a block, and not in the functions that it defines, nor in a process that it makes."""
    waiting = list(children_of(node))
    given = [one for one in below(node) if type(one).__name__ == "Assign" and is_fork(one.value)]
    made = {target.id for one in given for target in one.targets if type(target).__name__ == "Name"}
    while waiting:
        at = waiting.pop()
        if type(at).__name__ == "If" and is_child(at.test, made):
            waiting.extend(at.orelse)
        elif type(at).__name__ not in ("FunctionDef", "AsyncFunctionDef", "Lambda"):
            yield at
            waiting.extend(children_of(at))


def _closes(node: Any, over: set[str], names: Names) -> bool:
    """Return whether a call closes descriptor 1 or 2, perhaps of a loop over numbers, or makes it another one."""
    path, arguments = names.module(node.func), node.args
    if path in ("os.closerange", "posix.closerange"):
        return True
    place = {"os.close": 0, "posix.close": 0, "os.dup2": 1, "posix.dup2": 1}.get(path)
    if place is None or len(arguments) <= place:
        return dotted(node.func) in ("sys.stdout.close", "sys.stderr.close", "sys.__stdout__.close")
    given = arguments[place]
    if type(given).__name__ == "Constant":
        return given.value in (1, 2)
    if type(given).__name__ == "Name":
        return place == 1 or given.id in over
    return "std" in dotted(getattr(given, "func", None))


def _is_numbers(node: Any) -> bool:
    """Return whether a loop goes over numbers."""
    kind = type(node).__name__
    return (kind == "Call" and dotted(node.func) == "range") or (
        kind in ("Tuple", "List", "Set") and all(type(getattr(one, "value", None)) is int for one in node.elts)
    )


def _texts(nodes: list[Any], names: Names) -> Iterator[str | None]:
    """Yield the texts that a file puts together."""
    return (names.text(node) for node in nodes if type(node).__name__ in ("BinOp", "JoinedStr", "Call", "Constant"))


def _ends_unseen(text: str, nodes: list[Any], names: Names) -> tuple[str, int]:
    """Return whether the file ends the process and writes past what captures its output, or writes a summary that it
    puts together."""
    end = _ENDS.search(text)
    if end is None:
        return "", 0
    line = text.count("\n", 0, end.start()) + 1
    if (_DIRECT.search(text) and "fork" not in text) or any(
        one and _SUMMARY.search(one) for one in _texts(nodes, names)
    ):
        return "ends the process, and writes past what captures its output", line
    return "", 0
