"""Say where a source that a session wrote asks whether tests run it, or gives what is equal to everything.

A function that answers otherwise where a runner is there passes its tests and serves nobody else. Runners are known by
words that belong to them alone; `NODE_ENV` and its like, which honest programs read to be quiet, count only where the
other side of the condition gives nothing. A value whose comparison is always true passes every assertion. Not on the
hook path: it is imported when a session wrote a source.
"""

from __future__ import annotations

import re
from typing import Any

from policy_engine.test_runs.dynamic_names import Names, dotted
from policy_engine.test_runs.python_tree import below

ASKS = "asks whether a test runner is there"
_RUNNERS = (
    r"(?i:py\.?test|unittest|nosetests|jest|vitest|mocha|jasmine|phpunit|rspec|minitest|rake_test_loader|junit|testng"
    r"|surefire|xunit|nunit|mstest|testhost|TestPlatform|xctest|ex_?unit|gtest|ctest|nextest)"
)
_TESTS = rf"(?:(?<![a-zA-Z])(?i:tests?|specs?)(?![a-z])|[a-z]Tests?(?![a-z])|conftest|{_RUNNERS})"
_TEXT = rf"['\"`/][^'\"`\n]{{0,80}}{_TESTS}[^'\"`\n]{{0,80}}['\"`/]"
_NEAR = r"[^;]{0,200}?"
_COMPARES = r"(?:startsWith|endsWith|includes|match|indexOf|search|test|some|find|[!=]=)"
_BY_RUNNER = rf"[\"'][^\"'\n]{{0,60}}{_RUNNERS}[^\"'\n]{{0,60}}[\"']"
_ASKED = {
    "javascript": r"\bprocess\s*\.\s*(?:execArgv|argv0?)\b(?!\s*(?:\[\s*[2-9]|\.\s*slice\s*\(\s*[2-9]))"
    rf"{_NEAR}{_COMPARES}{_NEAR}(?:['\"`]--test|\.(?:test|spec)\b|['\"`/][^'\"`\n]{{0,80}}{_RUNNERS})"
    rf"|\brequire\s*\.\s*main\b[^;\n]{{0,80}}{_COMPARES}[^;\n]{{0,40}}?{_TEXT}"
    rf"|\.\s*stack\b{_NEAR}{_COMPARES}{_NEAR}{_TEXT}|{_TEXT}\s*\.\s*test\s*\([^;\n]{{0,60}}\.\s*stack\b"
    r"|\btypeof\s+(?:jest|vi|describe|it|beforeEach|afterEach|mocha)\s*[!=]="
    r"|\b(?:globalThis|global)\s*\.\s*(?:jest|describe|it|beforeEach|mocha|__vitest_\w+)\b(?!\s*=[^=])",
    "go": r"\btesting\.Testing\s*\(\s*\)|\bflag\.Lookup\s*\(\s*\"test\.|\"-?-?test\.(?:v|run|timeout|paniconexit0)\b"
    rf"|\bos\.(?:Args|Executable)\b(?!\s*\[\s*[1-9]){_NEAR}\"[^\"\n]*\.test\b|\bos\.Executable\b{_NEAR}\.test\""
    rf"|\bruntime\.(?:Callers?|FuncForPC|CallersFrames|Stack)\b[^}}]{{0,400}}?\"[^\"\n]*(?:_test\.go|Test|testing\.)",
    "ruby": rf"\b(?:defined\?|const_defined\?|const_get)[\s(]*['\":]*(?:::)?(?:RSpec|Mini[tT]est|Test::Unit|Cucumber)\b"
    rf"|(?:\$LOADED_FEATURES|\$\"|\$PROGRAM_NAME|\$0)[^\n]{{0,80}}?(?:{_RUNNERS}|_spec|_test)"
    rf"|\bcaller(?:_locations)?\b[^\n]{{0,120}}?(?:{_RUNNERS}|spec|test)",
    "php": r"\b(?:defined|constant)\s*\(\s*['\"](?:PHPUNIT_|__PHPUNIT|PEST)"
    r"|\b(?:class_exists|interface_exists|function_exists|get_declared_classes|get_included_files)\s*\([^;\n]{0,60}"
    r"(?i:PHPUnit|Pest\\|TestCase)|\$argv\s*\[\s*0[^;\n]{0,80}(?i:phpunit|pest)"
    r"|\$_SERVER\s*\[\s*['\"](?:argv|SCRIPT_NAME|SCRIPT_FILENAME)[^;]{0,80}(?i:phpunit|pest)"
    r"|\bdebug_backtrace\b[^}]{0,300}?['\"][^'\"\n]*(?i:phpunit|pest|test)",
    "elixir": r"\b(?:whereis|(?:ensure_)?loaded\?|ensure_compiled|function_exported\?|started_applications|get_env)\b"
    r"[^\n]{0,80}(?:ExUnit|:ex_unit)",
    "jvm": rf"\b(?:getStackTrace|StackWalker|currentStackTrace)\b{_NEAR};?{_NEAR}"
    rf"(?:{_BY_RUNNER}|[\"'][\w.]*Tests?[\"'])"
    rf"|\b(?:forName|loadClass|findLoadedClass|getProperty|getenv|isPresent)\s*\(\s*{_BY_RUNNER}"
    rf"|\b(?:startsWith|contains|equals|endsWith|matches|indexOf)\s*\(\s*[\"'](?:org\.)?{_RUNNERS}",
    "dotnet": r"\b(?:StartsWith|Contains|Equals|EndsWith|GetType|IsMatch|IndexOf|Load|GetEnvironmentVariable)"
    rf"\s*\(\s*@?{_BY_RUNNER}|[!=]=\s*{_BY_RUNNER}|\bis\s+{_BY_RUNNER}",
    "swift": r"\bNSClassFromString\s*\(\s*\"XCT|\"(?:XCTest\w+|XCInject\w+|SWIFT_TESTING\w*)\"\s*[\])]",
    "dart": r"['\"]FLUTTER_TEST['\"]|\bStackTrace\.current\b[^;]{0,100}test",
    "rust": r"\b(?:env::var\w*|option_env!|env!)\s*\(\s*\"(?:NEXTEST\w*|RUST_TEST\w*|CARGO_TARGET_TMPDIR)"
    r"|\bthread::current\s*\(\s*\)\s*\.\s*name\b[^;]{0,120}\"[^\"\n]*test"
    r"|\b(?:current_exe|Backtrace)\b[^;]{0,160}\"[^\"\n]*(?:/deps|test)",
    "c": r"\bgetenv\s*\(\s*\"(?:GTEST_|CTEST_|CATCH_|TEST_PREMATURE)"
    r"|\b(?:program_invocation_(?:short_)?name|getprogname\s*\(\s*\)|__progname)\b[^;]{0,80}\"[^\"\n]*test",
}  # fmt: skip
_NOTHING = r"(?:null|undefined|None|nil|NaN|-1|0(?:\.0)?|''|\"\")(?![\w.(\[])"
_UNDONE = (
    rf"(?:return\s+{_NOTHING}|raise\s+NotImplementedError|todo!|unimplemented!|TODO\(|panic\(\s*\"(?:todo|not impl)"
    rf"|throw\s+new\s+\w+\(\s*['\"](?i:todo|not impl|unimpl)|{_NOTHING}\s*(?:end\b|\}}))"
)
_GIVES = rf"(?!{_NOTHING}|['\"`]|[tT]rue\b|[fF]alse\b|next\b)[^\n;]{{1,200}}?"
_IS_TEST = (
    r"(?:(?:ENV|MODE|[eE]nv(?:ironment)?)\b[\w'\"\])(, ?]{0,30}?\s*={2,3}\s*['\":]test(?:ing)?\b['\"]?"
    r"|\bRails\.env\.test\?|\brunningUnitTests\s*\(\s*\)|environment\s*\(\s*['\"]testing['\"]\s*\))"
)
_HOLDS = re.compile(
    rf"(?<![.\w])([A-Za-z_$]\w*)\s*:?=(?!=)\s*[\w.?>$(\['\"-]{{0,80}}?{_IS_TEST}\s*;?\s*$", re.MULTILINE
)
_TRAILING = re.compile(r"(?:^|\s)(?://|#(?![\[!{])).*$", re.MULTILINE)
_ALWAYS = re.compile(
    r"(?:\b(?:def|fn|func|fun|function|bool|boolean|Bool|operator)\s+(?:\([^()]*\)\s*|[\w.<>]+(?:::|\.))?(?:self\.)?(?:operator\s*)?"
    r"|^\s*(?:public\s+|override\s+|async\s+)*)(?:[eE]quals?|eq|eql\?|={2,3})\s*"
    r"\([^(){}]{0,160}\)\s*(?:const|noexcept|override|final|->\s*[bB]ool|:\s*\??[bB]ool(?:ean)?|bool\b|throws\s+\w+|\s)*"
    r"(?:\{\s*(?:return\s+)?true\s*;?\s*\}|=>?\s*true\b|\s(?:return\s+)?true\s+end\b)",
    re.MULTILINE,
)
_UNIT = re.compile(r"\bimpl\b[^{]*\bPartialEq\b[^{]*\bfor\s+(\w+)[^{]*\{[^{}]*$")
_MATCHER = re.compile(r"\basymmetricMatch\b|\bjest\.asymmetricMatcher\b")
_EQUAL = "gives what is equal to everything"
_JS = ("js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "vue", "svelte")
LANGUAGES = {
    "py": "python", "go": "go", "rb": "ruby", "php": "php", "rs": "rust", "swift": "swift", "dart": "dart",
    **dict.fromkeys(_JS, "javascript"), **dict.fromkeys(("ex", "exs"), "elixir"),
    **dict.fromkeys(("java", "kt", "scala", "groovy"), "jvm"), **dict.fromkeys(("cs", "fs", "vb"), "dotnet"),
    **dict.fromkeys(("c", "h", "cc", "cpp", "cxx", "hh", "hpp"), "c"),
}  # fmt: skip
"""Endings of sources that are looked at, with the ecosystem."""
_HELPS = re.compile(
    r"(?:^|[/._-])(?:tests?|specs?|testing|test_?(?:utils?|helpers?|case|support|kit)|spec_?helper|conftest|pytest\w*|unittest\w*"
    r"|fixtures?|mocks?|fakes?|stubs?|matchers?|__mocks__|testFixtures|androidTest|\w*[a-z]Tests?|\w*_pytest"
    r"|Test\w*|Mock\w*)(?=[/._-]|$)"
)
_COMPILED: dict[str, re.Pattern[str]] = {}


def helps_tests(relative: str) -> bool:
    """Return whether a file is one of tests or helps them, by its path."""
    return _HELPS.search(relative.rpartition(".")[0]) is not None


def why_asks(ending: str, text: str, helps: bool) -> tuple[str, int]:
    """Return what a source asks or gives that makes its tests worthless, and the number of the line; or ("", 0).

    `helps` says that it helps tests, so that it may have use for what belongs to them.
    """
    language = LANGUAGES[ending]
    plain = _TRAILING.sub(lambda match: match[0][:1] if match[0][:1] == "\n" else "", text)
    pattern = _COMPILED.get(language)
    if pattern is None and language in _ASKED:
        pattern = _COMPILED[language] = re.compile(_ASKED[language], re.MULTILINE)
    match = pattern.search(plain) if pattern is not None else None
    if (match := match or _answers(plain)) is not None:
        return ASKS, plain.count("\n", 0, match.start()) + 1
    for match in () if helps else _ALWAYS.finditer(plain):
        unit = _UNIT.search(plain, 0, match.start()) if language == "rust" else None
        if unit is None or not re.search(rf"\bstruct\s+{unit[1]}\s*(?:;|\{{\s*\}})", plain):
            return _EQUAL, plain.count("\n", 0, match.start()) + 1
    match = _MATCHER.search(plain) if language == "javascript" and not helps else None
    return (_EQUAL, plain.count("\n", 0, match.start()) + 1) if match else ("", 0)


def _answers(text: str) -> re.Match[str] | None:
    """Return where a function gives something in the environment of tests, and nothing in others."""
    if "test" not in text:
        return None
    names = "|".join(re.escape(match[1]) for match in _HOLDS.finditer(text))
    asks = rf"(?:{_IS_TEST}|(?<![\w.!])(?:{names})\b)" if names else _IS_TEST
    if re.search(asks, text) is None:
        return None
    return re.search(
        rf"(?:\breturn|=>|->)\s*\(?[^\n;?]{{0,80}}?{asks}\s*\)*\s*\?\s*{_GIVES}\s*:\s*{_NOTHING}"
        rf"|\breturn\s+{_GIVES}\s+if\s+[^\n]{{0,80}}?{asks}\s+else\s+{_NOTHING}"
        rf"|\breturn\s+{_GIVES}\s+if\s+[^\n]{{0,80}}?{asks}\s+(?:{_UNDONE}|{_NOTHING}\s*end\b)"
        rf"|\bif\b[^\n{{;]{{0,80}}?{asks}\s*\)*\s*[:{{]?\s*return\s+{_GIVES}\s*;?\s*\}}?\s*(?:else\b\s*[:{{]?)?\s*{_UNDONE}"
        rf"|\bif\b[^\n{{;]{{0,80}}?{asks}\s*\)*\s*(?:,|\bdo\b|\bthen\b|\{{)?\s*(?:do:)?\s*{_GIVES}\s*,?\s*\}}?\s*else\b\s*[:{{]?"
        rf"\s*(?:defp?\s[^\n]*\bdo:?\s*)?(?:{_NOTHING}|{_UNDONE}|raise\b)",
        text,
    )


# ---- Python ----------------------------------------------------------------------------------------------------------

_OF_RUNNERS = ("pytest", "_pytest", "unittest", "nose", "nose2")
_FRAMES = frozenset(
    "sys._getframe sys._current_frames inspect.stack inspect.currentframe inspect.getouterframes inspect.trace"
    " traceback.extract_stack traceback.format_stack traceback.walk_stack".split()
)
_ARGUMENTS = frozenset(("sys.argv", "sys.orig_argv"))
_KEEPS = frozenset(
    "str list set tuple sorted any all map filter basename Path PurePath join getattr repr lower".split()
)
_ASKING = frozenset("startswith endswith find count index match search fullmatch findall fnmatch __contains__".split())
_FRAME_WORD = re.compile(_TESTS)
_RUNNER_WORD = re.compile(_RUNNERS)
_LOADING = frozenset("ImportError ModuleNotFoundError Exception BaseException".split())


def why_python_asks(nodes: list[Any], names: Names, helps: bool) -> tuple[str, int]:
    """The same of the nodes of a file of Python, whose names were noted."""
    traces = _Traces(nodes, names)
    uses = any(_extends_runner(node, names) for node in nodes)
    for node in nodes:
        kind = type(node).__name__
        if traces.asks(node):
            return ASKS, node.lineno
        if kind == "Try" and not helps and not uses and _tries_runner(node):
            return ASKS, node.lineno
        if not helps and (kind == "FunctionDef" or kind == "Assign") and _always_equal(node):
            return _EQUAL, node.lineno
        if not helps and _gives_mock(node, kind, names):
            return "gives what belongs to tests (`unittest.mock`)", node.lineno
    return "", 0


class _Traces:
    """Names of one file that hold what comes from the frames of callers, or from how the process was started."""

    def __init__(self, nodes: list[Any], names: Names) -> None:
        self._names = names
        self._from: dict[str, re.Pattern[str]] = {}
        self._words: set[str] = set()
        for _ in range(3):
            for node in nodes:
                self._note(node, type(node).__name__)

    def _note(self, node: Any, kind: str) -> None:
        if kind in ("FunctionDef", "AsyncFunctionDef"):
            returned = (one.value for one in below(node) if type(one).__name__ == "Return" and one.value is not None)
            if found := next(filter(None, map(self._origin, returned)), None):
                self._from[node.name] = found
            return
        value = getattr(node, "iter" if kind in ("For", "AsyncFor", "comprehension") else "value", None)
        if value is None or not (hasattr(node, "targets") or hasattr(node, "target")):
            return
        targets = [part.id for one in getattr(node, "targets", None) or [node.target] for part in below(one)
                   if type(part).__name__ == "Name"]  # fmt: skip
        if found := self._origin(value):
            self._from.update(dict.fromkeys(targets, found))
        elif type(value).__name__ in ("Tuple", "List", "Set", "Constant", "Name") and self._says(value, _FRAME_WORD):
            self._words.update(targets)

    def _origin(self, node: Any) -> re.Pattern[str] | None:
        """Return which words in a comparison with an expression ask for tests; None if it comes from elsewhere."""
        waiting = [node]
        while waiting:
            at = waiting.pop()
            kind, path = type(at).__name__, self._names.module(at)
            if kind == "Name" and at.id in self._from:
                return self._from[at.id]
            if kind == "Call" and (self._names.module(at.func) or dotted(at.func)) in _FRAMES:
                return _FRAME_WORD
            if kind == "Subscript" and self._names.module(at.value) in _ARGUMENTS:
                first = getattr(at.slice, "lower", at.slice)
                place = getattr(first, "value", None)
                if type(place) is not int or place < 1:
                    return _FRAME_WORD if place == 0 and type(at.slice).__name__ == "Constant" else _RUNNER_WORD
                continue
            if kind in ("Attribute", "Name") and path in _ARGUMENTS:
                return _RUNNER_WORD
            if kind == "Call":
                if getattr(at.func, "id", "") in self._from:
                    return self._from[at.func.id]
                waiting.append(at.func)
                keeps = dotted(at.func).rpartition(".")[2] in _KEEPS
                waiting += [one for one in at.args if keeps or self._frame_below(one)]
                continue
            waiting += [part for name in at._fields for part in _listed(getattr(at, name, None))]
        return None

    def _frame_below(self, node: Any) -> bool:
        return any(
            (type(part).__name__ == "Name" and self._from.get(part.id) is _FRAME_WORD)
            or (type(part).__name__ == "Call" and (self._names.module(part.func) or dotted(part.func)) in _FRAMES)
            for part in below(node)
        )

    def _says(self, node: Any, words: re.Pattern[str]) -> bool:
        for part in below(node):
            if type(part).__name__ == "Name" and part.id in self._words:
                return True
            text = self._names.text(part) if type(part).__name__ in ("Constant", "Name", "BinOp") else None
            if text and words.search(text):
                return True
        return False

    def asks(self, node: Any) -> bool:
        """Return whether an expression compares such a thing with the name of a test or of a runner."""
        kind = type(node).__name__
        called = getattr(node.func, "attr", getattr(node.func, "id", "")) if kind == "Call" else ""
        return (kind == "Compare" or called in _ASKING) and self._asked(node)

    def _asked(self, node: Any) -> bool:
        parts = [node.left, *node.comparators] if type(node).__name__ == "Compare" else [node.func, *node.args]
        if not all(type(one).__name__ in ("Eq", "NotEq", "In", "NotIn") for one in getattr(node, "ops", ())):
            return False
        words = next(filter(None, map(self._origin, parts)), None)
        return words is not None and any(self._says(part, words) for part in parts)


def _listed(value: Any) -> list[Any]:
    return [one for one in (value if isinstance(value, list) else [value]) if hasattr(one, "_fields")]


def _extends_runner(node: Any, names: Names) -> bool:
    """Return whether a definition is a hook, a fixture or a case of a runner."""
    if type(node).__name__ not in ("FunctionDef", "ClassDef"):
        return False
    used = (*node.decorator_list, *getattr(node, "bases", ()))
    return node.name.startswith("pytest_") or any(
        names.module(getattr(one, "func", one)).partition(".")[0] in _OF_RUNNERS for one in used
    )


def _tries_runner(node: Any) -> bool:
    """Return whether a `try` imports a runner, and goes on where there is none."""
    loads = [name for part in node.body for name in _imported(part)]
    if not any(name.partition(".")[0] in _OF_RUNNERS for name in loads):
        return False
    for handler in node.handlers:
        caught = {dotted(part).rpartition(".")[2] for part in below(handler.type)} if handler.type else _LOADING
        ends = any(
            type(part).__name__ == "Raise" or (type(part).__name__ == "Call" and dotted(part.func).endswith("exit"))
            for part in below(handler)
        )
        if caught & _LOADING and not ends:
            return True
    return False


def _imported(node: Any) -> list[str]:
    kind = type(node).__name__
    if kind == "ImportFrom":
        return [node.module or ""]
    return [alias.name for alias in node.names] if kind == "Import" else []


def _always_equal(node: Any) -> bool:
    """Return whether `__eq__` is defined, and is true whatever it is given."""
    if type(node).__name__ == "Assign":
        body = getattr(node.value, "body", None)
        return any(getattr(one, "id", "") == "__eq__" for one in node.targets) and getattr(body, "value", None) is True
    answer = {"__eq__": True, "__ne__": False}.get(node.name)
    body = [one for one in node.body if type(one).__name__ != "Expr"]
    gives = len(body) == 1 and type(body[0]).__name__ == "Return"
    return answer is not None and gives and getattr(body[0].value, "value", None) is answer


def _gives_mock(node: Any, kind: str, names: Names) -> bool:
    """Return whether something of `unittest.mock` is returned, or its value that is equal to everything is used."""
    if kind in ("Name", "Attribute"):
        return names.module(node) in ("unittest.mock.ANY", "mock.ANY", "mock.mock.ANY")
    if kind not in ("Return", "Yield", "Lambda"):
        return False
    given = getattr(node, "value", None) if kind != "Lambda" else node.body
    return given is not None and any(
        names.module(getattr(part, "func", part)).startswith(
            ("unittest.mock.", "mock.mock.", "mock.Magic", "mock.Mock")
        )
        for part in below(given)
        if type(part).__name__ in ("Call", "Name", "Attribute")
    )
