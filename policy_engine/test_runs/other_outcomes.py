"""Say why a file of JavaScript, Go, Ruby, PHP or Rust that a session wrote can change what a run of tests says.

Looked for are calls that end the process with a good status, functions of a runner that are replaced, and runners or
reporters of the workspace's own that a configuration names. Not on the hook path: it is imported when a session wrote
such a file.
"""

from __future__ import annotations

import re
from collections.abc import Callable

ENDS = "it ends the process with status 0"
_COMMENT = re.compile(r"^\s*(?://|#(?!\[)).*$", re.MULTILINE)
_JS_ENDS = re.compile(
    r"process\s*(?:\?\.|\.|\[\s*['\"`])\s*(?:exit(?:['\"`]\s*\])?\s*\(\s*0?\s*\)|reallyExit|exitCode['\"`\]\s]*=\s*0)"
    r"|process\s*\[(?!\s*['\"`]\w+['\"`]\s*\])|\{[^{}\n]*\bexit\b[^{}\n]*\}\s*=\s*(?:process\b|require\(['\"](?:node:)?process)"
    r"|Reflect\s*\.\s*(?:get|apply)\s*\(\s*process\b"
)
_JS_NAMES = r"(?:expect|test|it|describe|beforeEach|afterEach|assert)"
_JS_REPLACES = re.compile(
    rf"\b(?:globalThis|global|window|self)\s*(?:\.\s*{_JS_NAMES}|\[\s*['\"`]{_JS_NAMES}['\"`]\s*\])\s*=[^=]"
    r"|\bassert\s*\.\s*(?:equal|strictEqual|deepEqual|deepStrictEqual|ok|throws|rejects|fail|match)\s*=[^=]"
    r"|\b(?:process\s*\.\s*(?:exit|reallyExit|emit)|(?:Assertion|Matchers|Runner|Test|Suite)\s*\.\s*prototype\s*\.\s*\w+)\s*=[^=]"
    rf"|(?:defineProperty|assign)\s*\(\s*(?:(?:globalThis|global)\s*,\s*(?:['\"`]{_JS_NAMES}['\"`]|\{{\s*{_JS_NAMES}\b)|assert\b|process\b|expect\b)"
)
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
    r"|flunk|fail\w*|passed\?|record|matches\?|to|not_to|handle_failure|example_failed|finish|exit_code)\b"
    rf"|{_RUBY_RUNNER}[\w:]*\.(?:class_eval|module_eval|class_exec|prepend|define_method|send\s*\(?\s*:define_method"
    r"|remove_method|alias_method|instance_variable_set)",
    re.MULTILINE | re.DOTALL,
)
_GO_START = re.compile(r"^func (TestMain|init)\(.*?^}", re.MULTILINE | re.DOTALL)
_GO_VARIABLE = re.compile(r"^var\b[^\n]*\bfunc\s*\(.*?^}", re.MULTILINE | re.DOTALL)
_GO_ENDS = re.compile(r"\b(?:os|syscall|unix)\.Exit(?:Group)?\(\s*0\s*\)|\bsyscall\.Exec\(")
_GO_FLAGS = re.compile(r"\bflag\.(?:Set|Lookup)\(\s*\"test\.|\bos\.Args\s*=[^=]")
_RUST_REPLACES = re.compile(r"\bmacro_rules!\s*(?:assert(?:_eq|_ne)?|panic|unreachable)\b")
_RUST_ENDS = re.compile(r"\bprocess::exit\(\s*0\s*\)|\blibc::_?exit\(\s*0\s*\)")
_RUST_STARTS = re.compile(r"#\[(?:ctor|test)\b|\.init_array")
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
    why = read(_COMMENT.sub("", text), helps)
    return (ecosystem, why) if why else ("", "")


_SETTING = "it names a runner or a reporter of the workspace"


def _javascript(text: str, helps: bool) -> str:
    if _JS_REPLACES.search(text):
        return "it replaces a function of the test runner"
    if not helps:
        return "it uses the inside of the test runner" if _JS_RUNNER.search(text) else ""
    if _JS_SETTINGS.search(text):
        return _SETTING
    return ENDS if _JS_ENDS.search(text) else ""


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
    return ENDS if any(_GO_ENDS.search(match[0]) for match in _GO_VARIABLE.finditer(text)) else ""


def _rust(text: str, helps: bool) -> str:
    if _RUST_REPLACES.search(text):
        return "it defines a macro of the name of an assertion"
    return ENDS if _RUST_ENDS.search(text) and (helps or _RUST_STARTS.search(text)) else ""


_PLAIN: dict[str, tuple[str, Callable[[str, bool], str]]] = {
    **dict.fromkeys(("js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts"), ("javascript", _javascript)),
    "php": ("php", _php), "rb": ("ruby", _ruby), "go": ("go", _go), "rs": ("rust", _rust),
}  # fmt: skip
ENDINGS = tuple(f".{ending}" for ending in _PLAIN)
"""How the names of the files end that are looked at, beside those of Python."""
