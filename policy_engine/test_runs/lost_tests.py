"""Find tests of a commit that are still written down and that nothing runs any more, or that cannot fail.

Tests of Rust behind a feature that is not on, in a file that no `mod` names or cargo does not build, without their
mark, or expected to panic as they were; tests of Python and Ruby that a second definition of their name hides; tests
that Python's runners collect no more or do not wait for, or that lost the attribute of a test; lists of cases that are
empty now. Not on the hook path: it is imported when a run of tests passed.
"""

from __future__ import annotations

import itertools
import re
from typing import Any, NamedTuple

from policy_engine.inline.python import parse_python
from policy_engine.model.undecided import Undecided
from policy_engine.test_runs.dynamic_names import dotted
from policy_engine.test_runs.python_tree import below, children_of, tells_nothing
from policy_engine.test_runs.runners import SUITE_FOLDERS
from policy_engine.test_runs.session_changes import Changes
from policy_engine.test_runs.stand_ins import stand_ins
from policy_engine.test_runs.swallowed import swallowed_in_python, swallowed_in_text
from policy_engine.test_runs.switches import Switch, cut, declared, is_marked, name_of
from policy_engine.test_runs.without_assertions import emptied_in_python, emptied_in_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from policy_engine.filesystem.file_system import FileSystem

FEATURE = "feature "
"""Before the name of a feature, as what a switch is about."""
_OTHERS = ("dart", "c", "cc", "cpp", "cxx", "exs")
_DATA = ("json", "yaml", "yml", "csv", "toml")
_MARKED = ("java", "kt", "scala", "groovy", "cs", "fs", "swift", "php")
_ENDINGS = ("rs", "py", "js", "jsx", "mjs", "cjs", "ts", "tsx", "go", "rb", *_MARKED, *_OTHERS, *_DATA)
_OF_CASES = re.compile(r"(?i)(?:case|data|param|vector|sample|example|input)s?[^/]*$")
_USES = (
    r"\bparametrize\([^()]*(?:\([^()]*\)[^()]*)*\b{0}\b|\bfor\b[^\n]*\b(?:in|of|range)\s+[&*]*(?:\w+\()?{0}\b"
    r"|\bparams\s*=\s*{0}\b|\beach\(\s*{0}\b|\b{0}\s*\.\s*(?:forEach|map|iter|into_iter)\b"
)
"""Where tests are made of the entries of a list; its name stands where `{0}` does."""
_FEW = 20
_NAMED = re.compile(r"(?i)(?:^|[._-])(?:test|spec|conftest)s?(?:[._-]|$)|Tests?\.|Spec\.")
_RUST = re.compile(
    r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])'|(?P<attribute>#!?\[(?:[^\[\]]|\[[^\]]*\])*\])"
    r"|\b(?P<kind>mod|fn)\s+(?P<name>\w+)\s*(?P<end>;)?|[{};]",
    re.DOTALL,
)
_FEATURE = re.compile(r"#!?\[cfg\((?!any\()[^\]]*(?<!not\()\bfeature\s*=\s*\"([\w-]+)\"")
_IS_TEST = re.compile(r"#\[(?:\w+::)*\w*(?:test|check)\w*\b")
_ROOTS = ("lib.rs", "main.rs", "mod.rs")
_EMPTY = {
    "js": r"\b(?:const|let|var)\s+{0}\b[^=\n]*=\s*\[\s*\]",
    "go": r"\b{0}\s*:?=\s*(?:\[\]|map\[\w+\])(?:struct\s*\{{[^{{}}]*\}}|[\w.*]+)\s*\{{\s*\}}",
    "rs": r"\b{0}\b[^=;]*=\s*&?(?:vec!)?\[\s*\]",
}
"""How a list without entries is written, by language; the name stands where `{0}` does."""
_LISTS = re.compile(r"\b(?:const|let|var|static)\s+(?:mut\s+)?(\w+)\b[^=\n;]*=|\b(\w+)\s*:=")
_RUBY = re.compile(r"^\s*(class|module|describe|context)\b|^\s*def\s+(test_\w+)")
_INNER = re.compile(r"\b(?:private|protected|abstract|fileprivate)\s|\bstatic\s+(?:void|fun|async)\b")
_FUNCTIONS = ("FunctionDef", "AsyncFunctionDef")
_BLOCKS = ("body", "orelse", "finalbody", "handlers")
_NOT_WAITING = ("TestCase", "unittest.TestCase", "object")
_WAITING = re.compile(r"\b(?:asyncio|anyio|trio|twisted|tornado|gen_test|curio|inlineCallbacks)\w*$")
_RUNS_NOTHING = re.compile(r"(?:pytest\.)?mark\.|(?:\w+\.)*(?:patch|skip|skipIf|skipUnless|expectedFailure)(?:\.\w+)*$")
_PLUGIN = re.compile(
    r"\b(?:asyncio_mode|anyio_mode|trio_mode)\s*=\s*[\"']?(?:auto|true)|--asyncio-mode[= ]auto|pytest_pyfunc_call"
    r"|pytest_collection_modifyitems|\b(?:pytest[-_](?:aiohttp|asyncio[-_]cooperative|tornasync|twisted|sanic)|alt-pytest)"
)
"""What runs tests that are asynchronous without a mark: settings, hooks, plugins that a manifest names."""
_SETTINGS = (
    "pyproject.toml pytest.ini .pytest.ini tox.ini setup.cfg setup.py conftest.py noxfile.py Makefile Pipfile"
    " requirements.txt requirements-dev.txt dev-requirements.txt requirements/dev.txt requirements/test.txt"
    " requirements_test.txt test-requirements.txt"
).split()
_NOTHING = ("", "[]", "{}", "null", "---", "--- []", "[\n]")


class Texts(NamedTuple):
    """Tell what `Changes` tells, of a file whose text before and after is at hand; others are as on the disk."""

    path: str
    before: str
    after: str
    on_disk: Callable[[str], str]

    def then(self, path: str) -> str:
        """Return the text of a file before, "" of another than the one at hand."""
        return self.before if path == self.path else ""

    def now(self, path: str) -> str:
        """Return the text of a file after."""
        return self.after if path == self.path else self.on_disk(path)

    def holding(self, word: str, folder: str, endings: Iterable[str]) -> Iterator[str]:
        """Yield nothing: of other files nobody knows."""
        yield from ()

    def listed(self, folder: str, name: str) -> list[str]:
        """Return nothing, for the same reason."""
        return []


class _Test(NamedTuple):
    """The attributes of a function or of a module without a body, those around it among them, and its text."""

    marks: tuple[str, ...]
    body: str


def lost_tests(commit: str, filesystem: FileSystem) -> list[Switch]:
    """Return what takes tests of a commit out of the runs since, each as what switches them off."""
    try:
        changes = Changes(commit, lambda _: True, filesystem)
        files = changes.files(_ENDINGS)
        return [one for path in files for one in _lost(path, files, changes)]
    except Undecided:
        return []


def lost_in(texts: Texts) -> list[Switch]:
    """Return what a new text of a file takes out of the runs."""
    return list(_lost(texts.path, [texts.path], texts))


def _lost(path: str, files: list[str], changes: Changes | Texts) -> Iterator[Switch]:
    ending = path.rpartition(".")[2]
    of_tests = bool(_NAMED.search(path.rpartition("/")[2])) or not SUITE_FOLDERS.isdisjoint(path.split("/")[:-1])
    then = changes.then(path) if of_tests or ending == "rs" else ""
    if ending == "rs":
        if then:
            yield from _of_rust(path, then, changes.now(path), files, changes)
        elif (where := _unbuilt(path, changes)) and _IS_TEST.search(now := changes.now(path)):
            yield from _moved(path, where, now, changes)
    if not then:
        return
    yield from stand_ins(path, then, changes.now(path), changes.now)
    if ending != "py":
        yield from swallowed_in_text(path, then, changes.now(path))
        yield from emptied_in_text(path, then, changes.now(path))
    if ending == "py":
        yield from _of_python(path, then, changes.now(path), changes)
    elif ending == "rb":
        yield from (Switch(path, name, f"{name}, hidden by another of its name", True)
                    for name in _twice(changes.now(path)) - _twice(then))  # fmt: skip
    elif ending in _MARKED:
        yield from _of_marked(path, then, changes.now(path))
    elif ending in _DATA:
        if _OF_CASES.search(path) and then.strip() not in _NOTHING and changes.now(path).strip() in _NOTHING:
            yield Switch(path, "", f"{path.rpartition('/')[2]} without data", True)
    elif _NAMED.search(path) or of_tests:
        yield from _emptied(path, _EMPTY.get(ending, _EMPTY["js"]), then, changes)


# ---- Rust ------------------------------------------------------------------------------------------------------------


def _of_rust(path: str, then: str, now: str, files: list[str], changes: Changes | Texts) -> Iterator[Switch]:
    before, after = _tests_of(then), _tests_of(now)
    on = None
    for name, old in before.items():
        new = after.get(name)
        was_test = bool(_IS_TEST.search(" ".join(old.marks)))
        if name[:4] == "mod " and new is None:
            if _is_left(path, name[4:], now, files, changes):
                yield Switch(path, name, f"{name}; is gone", True)
            continue
        if new is None or not (was_test or (name[:4] == "mod " and any(_with_tests(path, name[4:], changes)))):
            continue
        on = _defaults(path, changes) if on is None else on
        marks = [one for one in new.marks if one not in old.marks]
        for feature in (found[1] for one in marks if (found := _FEATURE.match(one)) and found[1] not in on):
            yield Switch(path, f"{FEATURE}{feature}", f"{name}: feature {feature}", True)
        if was_test and not _IS_TEST.search(" ".join(new.marks)):
            yield Switch(path, name, f"{name} without #[test]", True)
        if any(one.startswith("#[should_panic") for one in marks) and new.body == old.body:
            if not any(one.startswith("#[should_panic") for one in old.marks):
                yield Switch(path, name, f"{name}: #[should_panic]", True)


def _tests_of(text: str) -> dict[str, _Test]:
    """Return the functions of a file of Rust, and its modules without a body, by name."""
    result: dict[str, _Test] = {}
    marks: list[str] = []
    around: list[tuple[str, ...]] = [()]
    pending: tuple[str, int] | None = None
    opened: list[tuple[str, int, int]] = []
    for token in _RUST.finditer(text):
        if attribute := token["attribute"]:
            if attribute[1] == "!":
                around[0] = (*around[0], attribute)
            else:
                marks.append(" ".join(attribute.split()))
        elif token["kind"]:
            name = token["name"] if token["kind"] == "fn" else f"mod {token['name']}"
            every = (*(one for marks_of in around for one in marks_of), *marks)
            if token["kind"] == "fn" or token["end"]:
                result[name] = _Test(every, "")
            pending = None if token["end"] else (name, token.end())
            if token["end"]:
                marks = []
        elif token[0] == "{":
            if pending and pending[0][:4] != "mod ":
                opened.append((pending[0], token.end(), len(around)))
            around.append(tuple(marks) if pending and pending[0][:4] == "mod " else ())
            marks, pending = [], None
        elif token[0] == "}" and len(around) > 1:
            around.pop()
            marks = []
            if opened and opened[-1][2] == len(around):
                name, start, _ = opened.pop()
                result[name] = result[name]._replace(body="".join(text[start : token.start()].split()))
        elif token[0] == ";":
            marks, pending = [], None
    return result


def _defaults(path: str, changes: Changes | Texts) -> set[str]:
    """Return the features that are on without an option, of the nearest manifest."""
    import tomllib

    folder = path.rpartition("/")[0]
    while True:
        if text := changes.now(f"{folder}/Cargo.toml".lstrip("/")):
            try:
                features = tomllib.loads(text).get("features", {})
            except (ValueError, RecursionError):
                return set()
            features = features if type(features) is dict else {}
            waiting, on = ["default"], set[str]()
            while waiting:
                named = features.get(waiting.pop(), ())
                for one in named if type(named) is list else ():
                    if type(one) is str and one not in on:
                        on.add(one)
                        waiting.append(one)
            return on
        if not folder:
            return set()
        folder = folder.rpartition("/")[0]


def _is_left(path: str, name: str, now: str, files: list[str], changes: Changes | Texts) -> bool:
    """Return whether a module that a file names no more is there, with tests, and no file of the session names it."""
    left = any(_with_tests(path, name, changes))
    named = re.compile(rf"\bmod\s+{name}\b|[\"/]{name}(?:/mod)?\.rs\"")
    others = (changes.now(one) for one in files if one.endswith(".rs") and one != path)
    return left and not named.search(now) and not any(map(named.search, others))


def _with_tests(path: str, name: str, changes: Changes | Texts) -> Iterator[bool]:
    """Yield whether the files that may be a module hold tests."""
    folder, _, last = path.rpartition("/")
    outer = "/tests/" in f"/{path}"
    base = folder if last in _ROOTS or outer else f"{folder}/{last[:-3]}"
    for one in (f"{base}/{name}.rs", f"{base}/{name}/mod.rs"):
        yield bool(_IS_TEST.search(changes.now(one.lstrip("/"))))


def _unbuilt(path: str, changes: Changes | Texts) -> str:
    """Return the folder of `tests/` in which cargo builds nothing by itself, and in which a file lies; "" if none."""
    parts = path.split("/")
    at = next((number for number, part in enumerate(parts[:-2]) if part == "tests"), None)
    if at is None or "src" in parts[:at]:
        return ""
    folder = "/".join(parts[: at + 2])
    return "" if changes.now(f"{folder}/main.rs") else folder


def _moved(path: str, where: str, now: str, changes: Changes | Texts) -> Iterator[Switch]:
    """Yield the tests of a new file in such a folder that the commit had elsewhere, if no file beside it names it."""
    suite, _, folder = where.rpartition("/")
    stem = path.rpartition("/")[2].removesuffix(".rs")
    named = re.compile(rf"\bmod\s+(?:{folder}|{stem})\b|[\"/]{stem}\.rs\"")
    beside = [one for one in changes.listed(suite, "*.rs") if one.count("/") == suite.count("/") + 1]
    if any(named.search(changes.now(one)) for one in beside) or f'"{path.removeprefix(f"{suite}/")}"' in changes.now(
        f"{suite.rpartition('/')[0]}/Cargo.toml".lstrip("/")
    ):
        return
    for name, test in _tests_of(now).items():
        if _IS_TEST.search(" ".join(test.marks)):
            had = list(changes.holding(name, "", ("rs",)))
            if had and not any(name in _tests_of(changes.now(one)) for one in had):
                yield Switch(path, name, f"{name} in {where}, which cargo does not build", True)


def _twice(text: str) -> set[str]:
    """Return the methods of Ruby that are tests, and that a class has twice."""
    seen, result, owner = set[tuple[str, str]](), set[str](), ""
    for line in text.split("\n"):
        found = _RUBY.match(line)
        if found and found[2]:
            if (owner, found[2]) in seen:
                result.add(found[2])
            seen.add((owner, found[2]))
        elif found:
            owner = line
    return result


# ---- what attributes make tests --------------------------------------------------------------------------------------


def _of_marked(path: str, then: str, now: str) -> Iterator[Switch]:
    """Yield the functions that were tests by an attribute, and have it no more, or that no runner may call."""
    before, after = _functions(then, path), _functions(now, path)
    for name, (line, is_test) in before.items():
        if not is_test or name not in after:
            continue
        there, still = after[name]
        if not still:
            yield Switch(path, name, f"{name}, no test any more", True)
        elif _INNER.search(there) and not _INNER.search(line):
            yield Switch(path, name, there.strip(), True)


def _functions(text: str, path: str) -> dict[str, tuple[str, bool]]:
    """Return the functions of a text by name, each with its line, and whether it is a test."""
    result: dict[str, tuple[str, bool]] = {}
    lines = cut(text)
    for at, line in enumerate(lines):
        if name := name_of(lines, at):
            is_test = is_marked(lines, at, path) or (name.startswith("test") and path.endswith(".php"))
            if is_test or name not in result:
                result[name] = line, is_test
    return result


# ---- Python, and data ------------------------------------------------------------------------------------------------


def _of_python(path: str, then: str, now: str, changes: Changes | Texts) -> Iterator[Switch]:
    before, after = parse_python(then), parse_python(now)
    if before is None or after is None:
        return
    known, old = set(_hidden(before)), _lengths(before)
    for name in _hidden(after):
        if name not in known:
            yield Switch(path, name, f"{name}, hidden by another of its name", True)
    yield from _left_alone(path, before, after, changes)
    yield from swallowed_in_python(path, before, after)
    yield from emptied_in_python(path, before, after)
    if then.count('"""') + then.count("'''") != now.count('"""') + now.count("'''"):
        stands = {declared(line) for line in now.split("\n")} - {one.name for one in _definitions(after)}
        lost = sorted(stands & set(_collected(before)))
        yield from (Switch(path, name, f"{name}, within a text", True) for name in lost)
    undone, named = dict(_undone(before)), {one.name for one in _definitions(before)}
    for name, by in _undone(after):
        if name in named and name not in undone:
            yield Switch(path, name, f"{name}, which `{by}` replaces", True)
    for name, length in _lengths(after).items():
        if not length and old.get(name) and _is_gone_through(name, then, changes):
            yield Switch(path, name, f"{name} without entries", True)


def _left_alone(path: str, before: Any, after: Any, changes: Changes | Texts) -> Iterator[Switch]:
    """Yield the tests that are still written down, and that Python's runners collect no more, or do not wait for."""
    old, new = _collected(before), _collected(after)
    generates = "yield" in changes.now(path)
    empty = {one.name for one in _definitions(before) if _tells_nothing(one)}
    for node in _definitions(after):
        if type(node).__name__ in _FUNCTIONS and node.name in old and node.name not in new:
            yield Switch(path, node.name, f"{node.name}, where it is not collected", True)
            new[node.name] = _Collected(node, "")
        elif node.name not in empty and (why := _tells_nothing(node)):
            yield Switch(path, node.name, why.replace("`", ""), True)
    for name, one in new.items():
        then = old.get(name)
        if then is None or type(one.node).__name__ == type(then.node).__name__:
            if then is not None and generates and _yields(one.node) and not _yields(then.node):
                yield Switch(path, name, f"{name}, a generator", True)
        elif type(one.node).__name__ == "AsyncFunctionDef" and not _is_waited_for(path, one, after, changes):
            unittest = "TestCase" in one.bases
            yield Switch(path, name, f"async def {name}, which nothing waits for", unittest)


def _tells_nothing(node: Any) -> str:
    """Return why a function takes tests or an assertion away, "" of another function and of classes."""
    named = type(node).__name__ == "FunctionDef" and (node.name == "load_tests" or node.name[:6] == "assert")
    return tells_nothing(node) if named else ""


class _Collected(NamedTuple):
    """A test of Python, and what its class inherits from."""

    node: Any
    bases: str


def _collected(tree: Any) -> dict[str, _Collected]:
    """Return the functions that Python's runners take for tests, by name."""
    result: dict[str, _Collected] = {}
    waiting: list[tuple[Any, str]] = [(tree, "")]
    inherited = {dotted(base) for one in _definitions(tree) if type(one).__name__ == "ClassDef" for base in one.bases}
    while waiting:
        at, bases = waiting.pop()
        for node in (part for block in _BLOCKS for part in getattr(at, block, ()) or ()):
            kind = type(node).__name__
            if kind in _FUNCTIONS and node.name.startswith("test") and not any(map(_is_no_test, node.decorator_list)):
                result[node.name] = _Collected(node, bases)
            elif kind == "ClassDef":
                inherits = " ".join(map(dotted, node.bases))
                own = [one.name for one in node.body if type(one).__name__ in _FUNCTIONS]
                if (
                    inherits
                    or node.name in inherited
                    or (node.name.startswith("Test") and not {"__init__", "__new__"} & set(own))
                ):
                    waiting.append((node, inherits or "-"))
            elif kind in ("If", "Try", "With", "For", "ExceptHandler", "TryStar"):
                never = kind == "If" and _never_holds(node.test)
                waiting.append((_Block(node.orelse) if never else node, bases))
    return result


def _definitions(tree: Any) -> Iterator[Any]:
    """Yield the functions and classes of a tree, however deep, without looking into expressions."""
    waiting = [tree]
    while waiting:
        at = waiting.pop()
        if type(at).__name__ in (*_FUNCTIONS, "ClassDef"):
            yield at
        waiting.extend(part for block in _BLOCKS for part in getattr(at, block, ()) or () if hasattr(part, "_fields"))


class _Block(NamedTuple):
    """Statements of which only these may run."""

    body: list[Any]


def _never_holds(test: Any) -> bool:
    kind = type(test).__name__
    if kind == "BoolOp" and type(test.op).__name__ == "And":
        return any(map(_never_holds, test.values))
    if kind == "UnaryOp" and type(test.op).__name__ == "Not":
        return bool(getattr(test.operand, "value", False)) and type(test.operand).__name__ == "Constant"
    return (kind == "Constant" and not test.value) or dotted(test).rpartition(".")[2] == "TYPE_CHECKING"


def _is_no_test(decorator: Any) -> bool:
    """Return whether a decorator makes something else of a function: a fixture, nothing."""
    called = getattr(decorator, "func", decorator)
    return type(called).__name__ == "Lambda" or dotted(called).rpartition(".")[2] in ("fixture", "nottest", "property")


def _yields(function: Any) -> bool:
    """Return whether a function is a generator, which no runner goes through."""
    waiting = list(function.body)
    while waiting:
        node = waiting.pop()
        kind = type(node).__name__
        if kind in ("Yield", "YieldFrom"):
            return True
        if kind not in (*_FUNCTIONS, "ClassDef", "Lambda"):
            waiting.extend(children_of(node))
    return False


def _is_waited_for(path: str, one: _Collected, tree: Any, changes: Changes | Texts) -> bool:
    """Return whether something may run a test that is asynchronous: its class, a decorator, a plugin."""
    if one.bases not in ("", "-") and not any(base in _NOT_WAITING for base in one.bases.split()):
        return True
    if one.bases not in ("", "-"):
        return False
    named = [dotted(getattr(mark, "func", mark)) for mark in one.node.decorator_list]
    if any(_WAITING.search(name) or not _RUNS_NOTHING.match(name) for name in named):
        return True
    marks = (part for node in below(tree) for part in [dotted(node)] if part.startswith(("pytest.mark.", "mark.")))
    if any(map(_WAITING.search, marks)):
        return True
    folders, folder = [], path.rpartition("/")[0]
    while folder:
        folders.append(f"{folder}/")
        folder = folder.rpartition("/")[0]
    return any(_PLUGIN.search(changes.now(f"{place}{name}")) for place in (*folders, "") for name in _SETTINGS)


def _hidden(tree: Any) -> Iterator[str]:
    """Yield the tests that another definition of the same body hides."""
    for block in (one.body for one in (tree, *_definitions(tree)) if type(one).__name__ in ("Module", "ClassDef")):
        seen = set[str]()
        for node in block:
            kind = type(node).__name__
            if kind in ("FunctionDef", "AsyncFunctionDef", "ClassDef"):
                names = (
                    [] if any(getattr(one, "attr", "") == "register" for one in node.decorator_list) else [node.name]
                )
            elif kind == "Assign":
                used = {getattr(one, "id", "") for one in below(node.value)}
                names = [one.id for one in node.targets if type(one).__name__ == "Name" and one.id not in used]
            else:
                continue
            yield from (name for name in names if name in seen)
            seen.update(name for name in names if kind != "Assign" and name.lower().startswith("test"))


def _undone(tree: Any) -> Iterator[tuple[str, str]]:
    """Yield the tests, and the classes of tests, with a decorator of the file that does not use what it is given."""
    functions = {node.name: node for node in tree.body if type(node).__name__ == "FunctionDef"}
    lambdas = [one for one in tree.body if type(one).__name__ == "Assign" and type(one.value).__name__ == "Lambda"]
    functions |= {dotted(one.targets[0]): one.value for one in lambdas}
    for node in _definitions(tree):
        for one in node.decorator_list if node.name.lower().startswith("test") else ():
            by = dotted(getattr(one, "func", one))
            made = functions.get(by)
            if made is not None and hasattr(one, "func"):  # it makes the decorator
                inner = (part for part in below(made) if part is not made and _takes_one(part))
                made = next(inner, None)
            if made is not None and _takes_one(made) and not _uses(made, made.args.args[0].arg):
                yield node.name, by


def _takes_one(node: Any) -> bool:
    return type(node).__name__ in ("FunctionDef", "Lambda") and len(node.args.args) == 1


def _uses(made: Any, name: str) -> bool:
    """Return whether a name is used in a function, other than to take over what a function is called."""
    copied = {
        id(part) for node in below(made) if type(node).__name__ == "Call"
        and dotted(node.func).rpartition(".")[2] in ("wraps", "update_wrapper") for part in below(node)
    }  # fmt: skip
    return any(getattr(node, "id", "") == name and id(node) not in copied for node in below(made))


def _lengths(tree: Any) -> dict[str, int]:
    """Return how many entries the lists have that stand outside of functions; 0 too where all are taken out again."""
    result: dict[str, int] = {}
    blocks = (one.body for one in (tree, *_definitions(tree)) if type(one).__name__ in ("Module", "ClassDef"))
    for node in (part for block in blocks for part in block):
        kind = type(node).__name__
        targets = node.targets if kind in ("Assign", "Delete") else [getattr(node, "target", None)]
        name = next((dotted(one) for one in targets if type(one).__name__ == "Name"), "")
        value: Any = getattr(node, "value", None)
        entries = getattr(value, "elts", None)
        entries = getattr(value, "keys", None) if entries is None else entries
        if kind in ("Assign", "AnnAssign") and name and isinstance(entries, list):
            result[name] = len(entries)
        elif kind in ("Assign", "AnnAssign") and name and _is_nothing(value):
            result[name] = 0
        elif kind == "Expr" and (called := dotted(getattr(value, "func", None))).endswith(".clear"):
            result[called.removesuffix(".clear")] = 0
        elif kind == "Delete" and type(node.targets[0]).__name__ == "Subscript":
            result[getattr(node.targets[0].value, "id", "")] = 0
    return result


def _is_nothing(value: Any) -> bool:
    """Return whether an expression makes a list without entries: `list()`, `CASES[:0]`, or a search with no result."""
    kind = type(value).__name__
    if kind == "Subscript":
        return getattr(getattr(value.slice, "upper", None), "value", None) == 0
    if kind in ("ListComp", "SetComp"):
        return any(getattr(test, "value", True) in (False, 0, None) for one in value.generators for test in one.ifs)
    return kind == "Call" and getattr(value.func, "id", "") in ("list", "tuple", "set", "dict") and not value.args


def _is_gone_through(name: str, then: str, changes: Changes | Texts) -> bool:
    """Return whether tests of the commit are made of the entries of a list."""
    used = re.compile(_USES.format(re.escape(name)))
    others = itertools.islice(changes.holding(name, "", _ENDINGS[:9]), _FEW)
    return bool(used.search(then)) or any(used.search(changes.then(path)) for path in others if _NAMED.search(path))


def _emptied(path: str, empty: str, then: str, changes: Changes | Texts) -> Iterator[Switch]:
    now = changes.now(path)
    for name in dict.fromkeys(found[1] or found[2] for found in _LISTS.finditer(then)):
        pattern = re.compile(empty.format(re.escape(name)))
        if pattern.search(now) and not pattern.search(then) and _is_gone_through(name, then, changes):
            yield Switch(path, name, f"{name} without entries", True)


def is_on(switch: Switch, line: str) -> bool:
    """Return whether a run has the feature that a switch is about."""
    if not switch.about.startswith(FEATURE):
        return False
    feature = switch.about.removeprefix(FEATURE)
    return "--all-features" in line or bool(re.search(rf"(?:--features|-F)[ =]\S*\b{re.escape(feature)}\b", line))
