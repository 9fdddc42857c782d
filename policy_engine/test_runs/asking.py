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
    r"|\bprocess\s*\.\s*argv0?\b(?!\s*(?:\.\s*length|\[\s*[2-9]|\.\s*slice\s*\(\s*[2-9]))[^;\n]{0,120}?\.\s*length\s*[<>!=]"
    r"|\bnew\s+Error\([^()]*\)\s*\.\s*stack\b[^;\n]{0,80}?\.\s*length\s*[<>!=]"
    rf"|\.\s*stack\b{_NEAR}{_COMPARES}{_NEAR}{_TEXT}|{_TEXT}\s*\.\s*test\s*\([^;\n]{{0,60}}\.\s*stack\b"
    r"|\btypeof\s+(?:jest|vi|describe|it|beforeEach|afterEach|mocha)\s*[!=]="
    r"|\b(?:globalThis|global)\s*\.\s*(?:jest|describe|it|beforeEach|mocha|__vitest_\w+)\b(?!\s*=[^=])",
    "go": r"\btesting\.Testing\s*\(\s*\)|\bflag\.Lookup\s*\(\s*\"test\.|\"-?-?test\.(?:v|run|timeout|paniconexit0)\b"
    rf"|\bos\.(?:Args|Executable)\b(?!\s*\[\s*[1-9]){_NEAR}\"[^\"\n]*\.test\b|\bos\.Executable\b{_NEAR}\.test\""
    rf"|\bruntime\.(?:Callers?|FuncForPC|CallersFrames|Stack)\b[^}}]{{0,400}}?\"[^\"\n]*(?:_test\.go|Test|testing\.)",
    "ruby": r"\bcaller(?:_locations)?\b(?:\s*\([^()]*\))?\s*\.\s*(?:length|size|count)\s*[<>!=]"
    rf"|\b(?:defined\?|const_defined\?|const_get)[\s(]*['\":]*(?:::)?(?:RSpec|Mini[tT]est|Test::Unit|Cucumber)\b"
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
    r"|\bthread::current\s*\(\s*\)\s*\.\s*name\b[^;]{0,120}(?:\"[^\"\n]*test|[!=]=\s*(?:Some\()?\"main\")"
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
_TRAILING = re.compile(r"(?:^|\s)(?://|#(?![\[!{]|(?:if|else|elif|endif)\b|ifn?def\b)).*$", re.MULTILINE)
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
    if match := match or _answers(plain) or (None if helps else _works_otherwise(plain, language)):
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


_WHERE = re.compile(
    rf"{_IS_TEST}|(?:ENV|MODE|[eE]nv(?:ironment)?)\b[\w'\"\])(, ?]{{0,30}}?\s*(?:[!=]={{1,2}}|\.\s*[eE]quals\s*\()"
    r"\s*['\":](?:test(?:ing)?|prod(?:uction)?)\b['\"]?"
    r"|['\"](?:test(?:ing)?|prod(?:uction)?)['\"]\s*\.\s*equals\s*\(\s*System\s*\.\s*get(?:env|Property)\s*\([^)\n]{0,60}\)"
    r"|\bRails\.env\.production\?|\bIs(?:Environment\s*\(\s*\"\w{1,20}\"|Development\s*\(|Production\s*\()\s*\)"
    r"|\b(?:environ\.get|[gG]etenv|LookupEnv|ENV\.fetch|env)\s*\(\s*['\"](?:CI|GITHUB_ACTIONS)['\"][^)\n]{0,20}\)"
    r"|\b(?:environ|ENV)\s*\[\s*['\"](?:CI|GITHUB_ACTIONS)['\"]\s*\]|\bprocess\.env\.(?:CI|GITHUB_ACTIONS)\b"
    r"|\bimport\.meta\.env\.(?:DEV|PROD|TEST|SSR)\b"
    r"|\b(?:app|config|settings|Config)\.(?:testing|TESTING)\b"
    r"|^[ \t]*#if(?:n?def)?\s+!?(?:defined\s*\(?\s*)?(?!\w*_H\b)\w{0,40}(?:TEST|DEBUG)\w{0,40}\)?",
    re.MULTILINE,
)
"""What is otherwise where tests run than elsewhere, whichever side of it the tests are on."""
_GLOBAL = re.compile(
    r"(?<![\w.$'\"`-])(?:__[A-Z_]{1,40}__(?!\w)|[A-Z][A-Z0-9]+(?:_[A-Z0-9]+)*(?=\s*\)*\s*(?:\?(?![.?])|\{|return\b)))"
)
_DECLARED = re.compile(r"\b(?:const|let|var|enum|class|import|as)\s+(\w+)|[{,]\s*([A-Z]\w*)(?=\s*[,}:])")
_NAMED = re.compile(r"(?<![\w.$])([A-Za-z_$][\w$]*+)(?:\(\))?(?!\s*:?=[^=])")
_HELD = re.compile(
    r"(?<![.\w])([A-Za-z_$]\w*)[ \t]*(?::[ \t]*\w+[ \t]*)?:?=(?!=)[ \t(!]*(?:\)[ \t]*=>)?[ \t]*[\w.?>$(\['\"!-]{0,60}$"
    r"|\b(?:function|def|func|fun|fn)\s+(\w+)[^\n{:]{0,60}[:{]?\s*return[\s(!]+[\w.?>$(\['\"-]{0,60}$"
)
_SIDE = r"([^\n;?{}]{1,200}?)"
_NEXT = r"(?:[\s};#]|\belse\b:?|\{|\bend\b)*"
_ENDS = r"\s*(?:[;\n}]|\bend\b|$)"
_SET = r"(?:return\s+|(\w+)\s*[-+*/]?=\s*)?"
_CHOICE = re.compile(rf"[\s)]*\?\s*{_SIDE}\s*:\s*{_SIDE}\s*(?:[;\n,)}}]|$)")
_BRANCH = re.compile(rf"(?:[\s):{{,]|\bdo\b|\bthen\b|do:)*{_SET}{_SIDE}\s*[;\n}}]{_NEXT}{_SET}{_SIDE}{_ENDS}")
_BEHIND = re.compile(rf"\)?\s*(?:else\s+|\n(?:[\s}};]|\bend\b)*(?:return\s+)?){_SIDE}{_ENDS}")
"""What stands behind a condition C: `C ? A : B`, `if C: return A … return B`, and `return A if C … B`."""
_BEFORE = re.compile(r"(?:\breturn\b|=)\s*\(?([^\s;=][^\n;=]{0,200}?)\s+if\s[^\n]{0,60}$", re.MULTILINE)
_SUMS = re.compile(r"[\w)\]]\s*(?:\*\*|//|[-+*/%])\s*[\w($@&]|[-+*/]=")
_LITERAL = re.compile(rf"[-+]?\d[\d_.]*|{_NOTHING}|[tT]rue|[fF]alse|\[\]|\{{\}}")
_TUNES = re.compile(
    r"(?i)delay|timeout|wait|interval|retr(?:y|ies)|back_?off|ttl|jitter|sleep|\bms\b|seconds|workers|rounds|\bport\b"
)
_STANDS_IN = re.compile(
    r"(?i)fake|mock|stub|memory|local|test|sandbox|noop|null|silent|dummy|dev|sync|inline|cache|log"
)
_FUNCTION = re.compile(r"\b(?:function|def|func|fun|fn|const|int|double)\s+(\w+)")
_CALL = re.compile(r"(\w+)\s*(?:\(([^()]*)\))?")
_WINDOW = 700


def _works_otherwise(text: str, language: str) -> re.Match[str] | None:
    """Return where code does other work in the environment of tests than in others."""
    conditions = list(_WHERE.finditer(text))
    if language == "javascript":
        known = {one[1] or one[2] for one in _DECLARED.finditer(text)}
        conditions += [one for one in _GLOBAL.finditer(text) if one[0] not in known]
    code = (one for one in conditions if "#" not in one[0])
    held = (_HELD.search(text, max(0, one.start() - 200), one.start()) for one in code)
    if names := {one[1] or one[2] for one in held if one is not None}:
        conditions += [one for one in _NAMED.finditer(text) if one[1] in names]
    defined = set(_FUNCTION.findall(text)) if conditions else set()
    return next((one for one in conditions if _differs(one, text, defined)), None)


def _differs(condition: re.Match[str], text: str, defined: set[str]) -> bool:
    """Return whether what is computed on one side of a condition is another than on the other."""
    end = condition.end()
    start = max(text.rfind("\n", 0, condition.start()) + 1, condition.start() - 300)
    sides: list[str | None] = []
    if found := _CHOICE.match(text, end, end + _WINDOW):
        sides = [found[1], found[2]]
    elif before := _BEFORE.search(text, start, condition.start()):
        found = _BEHIND.match(text, end, end + _WINDOW)
        sides = [before[1], found[1]] if found else []
    elif re.search(r"\b(?:if|unless|ifn?def)\b", text[start:end]) and (
        found := _BRANCH.match(text, end, end + _WINDOW)
    ):
        sides = [found[2], found[4]] if found[1] == found[3] else []
    first, last = (one.strip() for one in sides if one) if all(sides) and sides else ("", "")
    return (
        first != last
        and _is_other_work(first, last, defined)
        and not _TUNES.search(text, max(0, start - 80), end + _WINDOW // 4)
    )


def _is_other_work(first: str, last: str, defined: set[str]) -> bool:
    sides = (first, last)
    if any(_LITERAL.fullmatch(one) or set(one) & set("'\"`") for one in sides):
        return False
    if any(map(_SUMS.search, sides)):
        return True
    calls = list(filter(None, map(_CALL.fullmatch, sides)))
    if len(calls) < len(sides) or calls[0][2] != calls[1][2] or calls[0][2] == "":
        return False
    return all(not _STANDS_IN.search(one[1]) and one[1] in defined for one in calls)


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
_ANY_WORD = re.compile(r"(?!__|<)..")
_BOTTOM = {
    "inspect.stack": -1, "inspect.getouterframes": -1, "traceback.extract_stack": 0, "traceback.format_stack": 0,
}  # fmt: skip
"""Which place of a stack is the frame of what the process was started with."""
_PRESENT = frozenset("exists is_dir is_file isdir isfile".split())
_TEST_PLACE = re.compile(r"(?:^|/)(?:tests?|spec|conftest\.py)(?:/|$)")
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
        self._stacks: set[str] = set()
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
        if _called(value, self._names) in _BOTTOM:
            self._stacks.update(targets)
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
            if kind == "Name" and (at.id in self._from or at.id == "__file__"):
                return self._from.get(at.id, _TEST_PLACE)
            if path == "__main__.__file__" or _is_bottom(at, self._names):
                return _ANY_WORD
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
        if called in _PRESENT:
            return self._origin(node) is _TEST_PLACE and self._says(node, _TEST_PLACE)
        return (kind == "Compare" and self._counts(node)) or (
            (kind == "Compare" or called in _ASKING) and self._asked(node)
        )

    def _counts(self, node: Any) -> bool:
        """Return whether a comparison asks how many callers there are."""
        sides = (node.left, *node.comparators)
        counted = [
            one.args[0] for one in sides if type(one).__name__ == "Call" and dotted(one.func) == "len" and one.args
        ]
        return any(getattr(one, "id", "") in self._stacks or _called(one, self._names) in _BOTTOM for one in counted)

    def _asked(self, node: Any) -> bool:
        parts = [node.left, *node.comparators] if type(node).__name__ == "Compare" else [node.func, *node.args]
        if not all(type(one).__name__ in ("Eq", "NotEq", "In", "NotIn") for one in getattr(node, "ops", ())):
            return False
        words = next(filter(None, map(self._origin, parts)), None)
        return words is not None and any(self._says(part, words) for part in parts)


def _is_bottom(node: Any, names: Names) -> bool:
    """Return whether an expression is the frame of what the process was started with."""
    if type(node).__name__ != "Subscript":
        return False
    index = node.slice
    sign = -1 if type(index).__name__ == "UnaryOp" else 1
    place = getattr(getattr(index, "operand", index), "value", None)
    return type(place) is int and _BOTTOM.get(_called(node.value, names)) == sign * place


def _called(node: Any, names: Names) -> str:
    """Return the path of what an expression calls, "" if it is no call."""
    return (names.module(node.func) or dotted(node.func)) if type(node).__name__ == "Call" else ""


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
