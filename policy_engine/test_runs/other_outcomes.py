"""Say why a file of JavaScript, Go, Ruby, PHP or Rust that a session wrote can change what a run of tests says.

Looked for are calls that end the process with a good status, functions of a runner that are replaced, and runners or
reporters of the workspace's own that a configuration names. Not on the hook path: it is imported when a session wrote
such a file.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from policy_engine.test_runs.evidence import IF_NEW, IF_SILENT
from policy_engine.test_runs.source_texts import JS_MODULES

ENDS = "it ends the process with status 0"
_COMMENT = re.compile(r"^\s*(?://(?!go:)|#(?!\[)).*$", re.MULTILINE)
_BREAK = re.compile("\r\n?|[\u2028\u2029]")
_ESCAPE = re.compile(r"\\u(?:\{([0-9a-fA-F]{1,5})\}|([0-9a-fA-F]{4}))")
_JS_ENDS = re.compile(
    r"process\s*(?:\?\.|\.|\[\s*['\"`])\s*(?:exit(?:['\"`]\s*\])?\s*\(\s*0?\s*\)|reallyExit|exitCode['\"`\]\s]*=\s*0)"
    r"|process\s*\[(?!\s*['\"`]\w+['\"`]\s*\])|\{[^{}\n]*\bexit\b[^{}\n]*\}\s*=\s*(?:process\b|require\(['\"](?:node:)?process)"
    r"|Reflect\s*\.\s*(?:get|apply)\s*\(\s*process\b"
)
_JS_COMPUTED = re.compile(r"\bprocess\s*(?:\?\.\s*)?\[(?!\s*(['\"`])\w+\1\s*\])[^\]\n]*\]\s*(?:\?\.\s*)?\(")
_JS_NAMES = r"(?:expect|test|it|describe|beforeEach|afterEach|assert)"
_JS_REPLACES = re.compile(
    rf"\b(?:globalThis|global|window|self)\s*(?:\.\s*{_JS_NAMES}|\[\s*['\"`]{_JS_NAMES}['\"`]\s*\])\s*=[^=]"
    r"|\bassert\s*\.\s*(?:equal|strictEqual|deepEqual|deepStrictEqual|ok|throws|rejects|fail|match)\s*=[^=]"
    r"|\b(?:process\s*\.\s*(?:exit|reallyExit|emit)|(?:Assertion|Matchers|Runner|Test|Suite)\s*\.\s*prototype\s*\.\s*\w+)\s*=[^=]"
    rf"|(?:defineProperty|assign)\s*\(\s*(?:(?:globalThis|global)\s*,\s*(?:['\"`]{_JS_NAMES}['\"`]|\{{\s*{_JS_NAMES}\b)|assert\b|process\b|expect\b)"
)
_JS_LOADED = rf"(?:\w+\s*\.\s*)?[\w$]+\s*(?:\([^()\n]{{0,80}}\)\s*)?\(\s*{JS_MODULES}\s*\)"
_JS_UNKNOWN = r"(?:require|import)\s*\(\s*(?:['\"`][^()'\"`\n]{0,99}['\"`]\s*\+|(?!['\"`]))[^()\n]{0,200}\)"
_JS_HELD = re.compile(
    rf"(?:\b([\w$]+)|\{{[^{{}}]{{0,200}}?\b([\w$]+)\s*\}})\s*=\s*(?:await\s+)?(?:{_JS_LOADED}|({_JS_UNKNOWN}))"
    rf"|\bimport\s+(?:\*\s*as\s+)?([\w$]+)[^;'\"]{{0,200}}\bfrom\s*{JS_MODULES}"
)
_JS_SET = r"(?!\s*\.\s*config\b)(?:\s*(?:\.\s*[\w$]+|\[[^\]\n]*\]))+\s*=(?![=>])"
_JS_SET_LOADED = re.compile(
    rf"{_JS_LOADED}\)*{_JS_SET}|\brequire\s*\.\s*cache\s*\[[^\n]*\]{_JS_SET}"
    r"|\b(?:_load|_resolveFilename|prototype\s*\.\s*(?:require|_compile))\s*=(?![=>])"
)
_JS_SET_FUNCTION = (
    r"(?:\s*\[[^\]\n]*\]\s*=\s*(?:async\b\s*)?(?:function\b|\([^()\n]*\)\s*=>|\w+\s*=>)"
    r"|(?:\s*\.\s*[\w$]+)*?\s*\.\s*(?:\w*[eE]qual|ok|throws|rejects|match|fail)\s*=(?![=>]))"
)
_JS_GIVEN = (
    r"\b(?:Object\s*\.\s*(?:assign|definePropert(?:y|ies)|setPrototypeOf)|Reflect\s*\.\s*(?:set|defineProperty)"
    r"|sinon\s*\.\s*\w+|mock\s*\.\s*method|spyOn|stub)\s*\(\s*"
)
_JS_CAST = re.compile(
    r"(?<![\w$])\(\s*(?:<[\w<>, ]+>\s*)?([\w$.\[\]'\"]+)(?:\s+as\s+(?:unknown\s+as\s+)?[^()=;]{1,80})?\s*\)(?=\s*[.\[])"
    r"|(?<=[\w\])])\s+as\s+(?:any|unknown)\b"
)
_JS_PARTS = r"(?:\s*\.\s*(?:default|strict|prototype|Assertion|assert|expect))"
_JS_NAMED = re.compile(rf"\bimport\s*\{{([^{{}}]*)\}}\s*from\s*{JS_MODULES}")
_JS_TABLE = re.compile(
    rf"\bimport\s+(?:\*\s*as\s+)?([\w$]+)\s*(?:,\s*\{{[^{{}}]*\}}\s*)?from\s*{JS_MODULES}"
    rf"|([\w$]+)\s*=\s*(?:await\s+)?{_JS_LOADED}{_JS_PARTS}*\s*(?=[;\n]|$)"
)
"""A name that holds a module of assertions."""
_JS_TEXT = re.compile(r"//[^\n]*|/\*.*?\*/|(['\"`])(?:\\.|(?!\1)[^\\\n])*\1", re.DOTALL)
_JS_STEPS = 4  # names that are given one another
_JS_SHARES = re.compile(r"^[ \t]*(?:import\b|export\b|module\.exports\b)[^\n;]*", re.MULTILINE)
_JS_EXTENDS = re.compile(r"\bexpect\s*\.\s*extend\s*\(")
_JS_MATCHERS = re.compile(
    r"\bto(?:Be|Equal|StrictEqual|Throw|Contain|Match|HaveLength|BeCloseTo|BeTruthy|BeFalsy|BeDefined|BeNull)\b['\"]?"
    r"\s*(?::|\([^()\n]*\)\s*\{)"
)
_JS_ADDS = re.compile(
    r"\boverwrite(?:Method|Property|ChainableMethod)\s*\("
    r"|\badd(?:Method|Property|ChainableMethod)\s*\([^()'\"`]*['\"`](?:to[A-Z]\w*|equals?|eq|eqls?|deep|ok|true|false|not"
    r"|throws?|include|contain|match|lengthOf|above|below|within|null|undefined|exist)['\"`]"
)
"""Calls by which a plugin of chai takes the place of an assertion."""
_JS_HOOK = re.compile(
    r"\b(?:(?:before|after|around)(?:Each|All)?|onTest(?:Finished|Failed))"
    r"\s*\(\s*(?:['\"`][^'\"`]*['\"`]\s*,\s*)?(?:async\b\s*)?(?:function\b\s*\w*\s*)?\(?\s*(\w+|\{[^{}]*\})?"
)
_JS_TASK = re.compile(r"\b(task)\b(?:\s*:\s*(\w+))?")
_JS_CHAIN = r"(?:\s*[?!]?(?:\.\s*(?!(?:meta|timeout|slow|retries|annotations)\b)\w+|\.?\[[^\]\n]*\]))"
_JS_CURRENT = r"this\s*\.\s*(?:currentTest|test)"
_JS_HOOK_LENGTH = 1200
_JS_RUNNER = re.compile(
    r"(?:require|import)\s*\(?[^;\n]{0,200}['\"](?:jest-circus|jest-runner|jest-jasmine2|@jest/\w[\w-]*|@vitest/runner"
    r"|vitest/runners|vitest/reporters|mocha/lib)(?:/[^'\"]*)?['\"]"
)
_JS_SETTINGS = re.compile(
    r"['\"]?\b(?:testRunner|runner|reporters?|testResultsProcessor|testSequencer|dependencyExtractor)\b['\"]?\s*:"
    r"\s*\[*\s*['\"](?:\.{0,2}/|<rootDir>)"
)
_PHP_ENDS = re.compile(r"\b(?:exit|die)\s*(?:\(\s*0?\s*\))?\s*;")
_PHP_REPLACES = re.compile(
    r"^\s*namespace\s+PHPUnit\\|class_alias\s*\([^;]*PHPUnit|^\s*namespace\s+Pest\b", re.MULTILINE
)
_RUBY_ENDS = re.compile(r"\bexit!?[ (]\s*(?:0|true)\b")
_RUBY_RUNNER = r"(?:::)?(?:Minitest|RSpec|Test::Unit|MiniTest)\b"
_RUBY_REPLACES = re.compile(
    rf"^\s*(?:class|module)\s+{_RUBY_RUNNER}(?:(?!^end).)*?^\s*def\s+(?:self\.)?(?:run\w*|assert\w*|refute\w*|expect"
    r"|flunk|fail\w*|passed\?|record|matches\?|to|not_to|handle_failure|example_failed|finish|exit_code)(?!\w)"
    rf"|{_RUBY_RUNNER}[\w:]*\.(?:class_eval|module_eval|class_exec|prepend|define_method|send\s*\(?\s*:define_method"
    r"|remove_method|alias_method|instance_variable_set)",
    re.MULTILINE | re.DOTALL,
)
_GO_START = re.compile(r"^func (TestMain|init)\((?:[^\n]*\}[ \t]*$|.*?^})", re.MULTILINE | re.DOTALL)
_GO_VARIABLE = re.compile(r"^var\b[^\n]*\bfunc\s*\(.*?^}", re.MULTILINE | re.DOTALL)
_GO_ENDS = re.compile(r"\b(?:os|syscall|unix)\.Exit(?:Group)?\(\s*0\s*\)|\bsyscall\.Exec\(")
_GO_RAW = re.compile(
    r"\b(?:syscall|unix)\.(?:Raw)?Syscall\w*\(\s*(?!(?:syscall|unix)\.SYS_(?!EXIT)|[\w.]+\.Addr\(\))"
    r"|^//go:linkname[^\n]*\b(?:os|runtime|syscall)\.\w*[eE]xit\w*",
    re.MULTILINE,
)
"""A call of the system that ends the process, or whose name the text does not say."""
_GO_FLAGS = re.compile(r"\bflag\.(?:Set|Lookup)\(\s*\"test\.|\bos\.Args\s*=[^=]")
_RUST_REPLACES = re.compile(r"\bmacro_rules!\s*(?:assert(?:_eq|_ne)?|panic|unreachable)\b")
_RUST_ENDS = re.compile(r"\bprocess::exit\(\s*0\s*\)|\blibc::_?exit\(\s*0\s*\)")
_RUST_SUMMARY = re.compile(r"\btest result: ")
_RUST_HOOK = re.compile(r"\bset_hook\s*\(")
_RUST_LEAVES = re.compile(r"\b(?:_?exit|_Exit|quick_exit|exit_group)\s*\(\s*(?:0|EXIT_SUCCESS)\b")
_RUST_RAW = re.compile(
    r"^[^\n\"]*\bfn\s+(?:_?exit|_Exit|quick_exit)\s*\(\s*\w+\s*:\s*(?:[\w:]*c_int|i32)\s*\)[^;{}\n]*;"
    r"|\blibc::(?:_?exit|_Exit|quick_exit)\(\s*0\b|\bSYS_exit\w*|\basm!\s*\(\s*\"(?:syscall|svc|ecall|int 0x80)",
    re.MULTILINE,
)
"""A way out of the process below the standard library."""
_RUST_STARTS = re.compile(r"#\[(?:ctor|test)\b|\.init_array")
_C_SWITCHES = re.compile(r"^[ \t]*#[ \t]*(?:define[ \t]+(?:NDEBUG|assert)\b|undef[ \t]+assert\b)", re.MULTILINE)
_C_CATCHES = re.compile(r"\b(?:signal|sigaction)\s*\(\s*SIGABRT\b")
_C_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_C_FATAL = r"(?:__assert\w*|abort|raise|_?exit|_Exit|quick_exit|__cxa_throw|__cxa_pure_virtual|gsignal|t?g?kill)"
_C_OWN = re.compile(
    rf"^(?!\s*(?:static|inline|return|else|case)\b)(?:[\w\"]+[\s*]+|__attribute__\s*\(\([^;{{}}]*?\)\)\s*|\[\[\w+\]\]\s*)+?{_C_FATAL}"
    rf"\s*\([^;{{}}]*\)\s*(?:noexcept\b[^;{{}}]*|__attribute__[^;{{}}]*)?(?:\{{|[^;{{}}]*\b(?:alias|ifunc)\b)"
    rf"|\b(?:asm|__asm__)\s*(?:volatile\s*)?\(\s*\"_?{_C_FATAL}\"",
    re.MULTILINE,
)
"""A function of the name of one by which an assertion ends the process."""
_C_ENDS = re.compile(
    r"(?<![\w.>\"])(?:exit|_exit|_Exit|quick_exit)\s*\(\s*(?:0|EXIT_SUCCESS)\s*\)|\bsyscall\s*\(\s*(?:SYS|__NR)_exit\w*\s*,\s*0"
    r"|(?<![\w.>\"])exec[lv]p?e?\s*\(\s*\""
)
_C_LOADED = re.compile(r"\bconstructor\b(?=[^;{}]*(?:\)\s*\)|\]\s*\]))|\.(?:pre)?init_array\b")
_C_MAIN = re.compile(r"^(?![^\n]*\bweak\b)[\w \t*]*\bmain\s*\([^;{}]*\)\s*\{", re.MULTILINE)
_C_IF, _C_ENDIF = re.compile(r"^[ \t]*#[ \t]*if", re.MULTILINE), re.compile(r"^[ \t]*#[ \t]*endif", re.MULTILINE)
_C_HEADER = re.compile(r"\b(?!(?:if|for|while|switch|catch)\b)(\w+)\s*\([^;{}]*\)[\w\s]*(?::[^;{}]*)?\{")
_C_LEAVING = re.compile(
    r"(?i)usage|help|version|args|argv|opts?(?:ions?)?(?:_|$)|cli(?:_|$)|cmd|command|main|quit|exit|shutdown|signal|handler"
    r"|sig_?(?:int|term)|daemon"
)
"""Functions that programs of a command line end in."""
_CARGO_RUNNER = re.compile(r"^\s*(?:runner|rustc-wrapper|rustc-workspace-wrapper|rustc)\s*=", re.MULTILINE)


def why_other(name: str, ending: str, text: str, helps: bool) -> tuple[str, str]:
    """Return the ecosystem of a file, and how it can change what a run says; or ("", "").

    `helps` says that it is a test, or is loaded beside tests.
    """
    if name == "package.json":
        return ("javascript", _SETTING) if _JS_SETTINGS.search(text) else ("", "")
    if ending == "toml":
        return ("rust", "it names another program to run the tests with") if _CARGO_RUNNER.search(text) else ("", "")
    reason = _PLAIN.get(ending)
    if reason is None:
        return "", ""
    ecosystem, read = reason
    bare = text if ecosystem == "c" else _COMMENT.sub("", _plain(text) if ecosystem == "javascript" else text)
    why = read(bare, helps)
    return (ecosystem, why) if why else ("", "")


def _plain(text: str) -> str:
    """JavaScript with one way to end a line, and its characters as they are."""
    text = _JS_CAST.sub(lambda match: match[1] or "", _BREAK.sub("\n", text))
    return _ESCAPE.sub(lambda match: chr(int(match[1] or match[2], 16)), text) if "\\u" in text else text


_SETTING = "it names a runner or a reporter of the workspace"


def _javascript(text: str, helps: bool) -> str:
    if "expect" in text and _JS_EXTENDS.search(text) and _JS_MATCHERS.search(text):
        return "it replaces a matcher of the test runner"
    if _JS_REPLACES.search(text) or _sets_assertions(text):
        return "it replaces a function of the test runner"
    if not helps and _hands_on(text):
        return f"{IF_NEW}it hands the assertions of the tests to other code, which can change them"
    if _JS_ADDS.search(text):
        return f"{IF_NEW}it replaces an assertion"
    if helps and _sets_results(text):
        return f"{IF_NEW}it changes the results of tests in a hook"
    if _JS_COMPUTED.search(text):
        return "it calls a function of the process that its text does not name"
    if not helps and _JS_RUNNER.search(text):
        return "it uses the inside of the test runner"
    if not helps:
        return f"{IF_SILENT}{ENDS}, and a file of tests passed that shows no test" if _JS_ENDS.search(text) else ""
    if _JS_SETTINGS.search(text):
        return _SETTING
    return ENDS if _JS_ENDS.search(text) else ""


def _sets_assertions(text: str) -> bool:
    """Return whether code sets a member of a module of assertions, or a function of one whose name only running would
    tell.
    """
    if _JS_SET_LOADED.search(text):
        return True
    known: set[str] = set()
    unknown: set[str] = set()
    for match in _JS_HELD.finditer(text):
        (unknown if match[3] else known).update(re.escape(one) for one in (match[1], match[2], match[4]) if one)
    for match in _JS_NAMED.finditer(text):
        known.update(re.escape(one.split()[-1]) for one in match[1].split(",") if one.strip())
    known |= _aliases(known, text)
    return any(
        names and re.search(rf"(?<![\w$.])(?:{'|'.join(sorted(names))}){ways}", text)
        for names, ways in ((known, _JS_SET), (unknown, _JS_SET_FUNCTION))
    ) or bool(known and re.search(rf"{_JS_GIVEN}(?:{'|'.join(sorted(known))})\b", text))


def _aliases(known: set[str], text: str) -> set[str]:
    """Return the names that are given what others hold, or a part of it."""
    found: set[str] = set()
    for _ in range(_JS_STEPS):
        held = "|".join(sorted(known | found))
        given = (
            rf"(?<![\w$.])(?:([\w$]+)|\{{[^{{}}]*?\b([\w$]+)\s*\}})\s*=\s*(?:{held})(?:\s*\.\s*[\w$]+)*\s*(?=[;,)\n]|$)"
        )
        more = {re.escape(match[1] or match[2]) for match in re.finditer(given, text)} if held else set()
        if more <= found:
            break
        found |= more
    return found


def _hands_on(text: str) -> bool:
    """Return whether code hands a module of assertions to other code, which can change it."""
    tables = {re.escape(match[1] or match[2]) for match in _JS_TABLE.finditer(text)}
    tables |= {name for name in ("Assertion",) if any(name in match[1] for match in _JS_NAMED.finditer(text))}
    if not tables:
        return False
    bare = _JS_SHARES.sub("", _JS_TEXT.sub("''", text))
    return re.search(rf"(?<![\w$.])(?:{'|'.join(sorted(tables))}){_JS_PARTS}*\s*(?=[,)\]}}])", bare) is not None


def _sets_results(text: str) -> bool:
    """Return whether a hook sets, takes away or exchanges what the runner keeps of a test."""
    for match in _JS_HOOK.finditer(text):
        given = match[1] or ""
        names = [_JS_CURRENT]
        if given[:1] == "{":
            names += [one[2] or one[1] for one in _JS_TASK.finditer(given)]
        elif given:
            names.append(rf"{given}\s*\.\s*(?:task|currentTest|test)")
        body = text[match.end() : match.end() + _JS_HOOK_LENGTH]
        end = re.search(r"\b(?:it|test|describe)\s*\(|^\}\)", body, re.MULTILINE)
        kept = rf"(?<![\w.$])(?:{'|'.join(names)})"
        if re.search(
            rf"{kept}{_JS_CHAIN}+\s*(?:=(?![=>])|\.\s*(?:splice|pop|shift|length\s*=(?!=))\b)"
            rf"|\bdelete\s+{kept}{_JS_CHAIN}|\b(?:Object|Reflect)\s*\.\s*\w+\s*\(\s*{kept}(?:{_JS_CHAIN}*)\s*,",
            body[: end.start()] if end else body,
        ):
            return True
    return re.search(rf"{_JS_CURRENT}{_JS_CHAIN}+\s*=(?![=>])", text) is not None


def _php(text: str, helps: bool) -> str:
    if _PHP_REPLACES.search(text):
        return "it declares what belongs to the test runner"
    return ENDS if helps and _PHP_ENDS.search(text) else ""


def _ruby(text: str, helps: bool) -> str:
    if _RUBY_REPLACES.search(text):
        return "it replaces a method of the test runner"
    return ENDS if helps and _RUBY_ENDS.search(text) else ""


def _go(text: str, _: bool) -> str:
    for match in _GO_START.finditer(text):
        if _GO_ENDS.search(match[0]):
            return f"`{match[1]}` ends the process with status 0"
        if _GO_FLAGS.search(match[0]):
            return f"`{match[1]}` sets which tests run"
        if match[1] == "TestMain" and ".Run()" not in match[0]:
            return "`TestMain` does not run the tests"
    if _GO_RAW.search(text):
        return f"{IF_NEW}it may end the process by a call of the system"
    return ENDS if any(_GO_ENDS.search(match[0]) for match in _GO_VARIABLE.finditer(text)) else ""


def _rust(text: str, helps: bool) -> str:
    if _RUST_REPLACES.search(text):
        return "it defines a macro of the name of an assertion"
    if helps and _RUST_SUMMARY.search(text):
        return "it prints what the test runner says"
    raw = _RUST_RAW.search(text) and not re.search(r"\bfn\s+main\s*\(", text)
    if raw or (_RUST_HOOK.search(text) and _RUST_LEAVES.search(text)):
        return f"{IF_NEW}{ENDS}"
    return ENDS if _RUST_ENDS.search(text) and (helps or _RUST_STARTS.search(text)) else ""


def _c(text: str, helps: bool) -> str:
    if _C_SWITCHES.search(text):
        return f"{IF_NEW}it switches assertions off"
    if _C_CATCHES.search(text):
        return f"{IF_NEW}it catches the end of a failing assertion"
    bare = _C_COMMENT.sub("", text)
    if _C_OWN.search(bare):
        return f"{IF_NEW}it defines a function by which a failing assertion ends the process"
    return f"{IF_NEW}{ENDS}" if _c_ends(bare) else ""


def _c_ends(text: str) -> bool:
    """Return whether code that tests link ends the process well: none with `main`, and not where a program's own
    command line ends, or a child.
    """
    ends = list(_C_ENDS.finditer(text))
    if not ends:
        return False
    if _C_LOADED.search(text):
        return True
    if any(
        len(_C_IF.findall(text, 0, main.start())) == len(_C_ENDIF.findall(text, 0, main.start()))
        for main in _C_MAIN.finditer(text)
    ):
        return False
    headers = list(_C_HEADER.finditer(text))
    for end in ends:
        above = [header for header in headers if header.end() <= end.start()]
        if above and re.search(r"\bv?fork\s*\(", text[above[-1].start() : end.start()]):
            continue
        if not _C_LEAVING.search(above[-1][1] if above else "") or end[0][:1] != "e":
            return True
    return False


_PLAIN: dict[str, tuple[str, Callable[[str, bool], str]]] = {
    **dict.fromkeys(("js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts"), ("javascript", _javascript)),
    "php": ("php", _php), "rb": ("ruby", _ruby), "go": ("go", _go), "rs": ("rust", _rust),
    **dict.fromkeys(("c", "h", "cc", "cpp", "cxx", "hh", "hpp"), ("c", _c)),
}  # fmt: skip
ENDINGS = tuple(f".{ending}" for ending in _PLAIN)
"""How the names of the files end that are looked at, beside those of Python."""
