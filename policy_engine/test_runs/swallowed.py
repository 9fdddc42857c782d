"""Find assertions of tests whose failure goes no further: a `try` goes on after it, or what caught it is dropped.

A handler that fails, raises or keeps the failure for an assertion after it drops nothing, and neither does one of
errors that assertions do not raise. What tries again until an assertion holds is no such handler either. Not on the
hook path: it is imported when an edit touches a file of tests, or when a run of tests passed.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from policy_engine.test_runs.dynamic_names import dotted
from policy_engine.test_runs.python_tree import below
from policy_engine.test_runs.source_texts import end_of, masked
from policy_engine.test_runs.switch_words import language_of
from policy_engine.test_runs.switches import Switch, cut, names_of_tests, test_around

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_FUNCTIONS = ("FunctionDef", "AsyncFunctionDef")
_ASSERTS = re.compile(r"(?:assert|fail|expect|should|verify|check)", re.IGNORECASE)
_OF_ASSERTIONS = frozenset("Exception BaseException AssertionError failureException Failed".split())
_NOBODY = frozenset(("", "self", "cls", "print", "log", "logger", "logging", "time", "warnings", "sys", "traceback"))
_LOOPS = ("For", "AsyncFor", "While")


def swallowed_in_python(path: str, before: Any, after: Any) -> Iterator[Switch]:
    """Yield the tests of before, and what they call, that go on now after an assertion failed."""
    then = {one.name: len(list(_dropped(one))) for one in below(before) if type(one).__name__ in _FUNCTIONS}
    functions = [one for one in below(after) if type(one).__name__ in _FUNCTIONS]
    for one in functions:
        words = list(_dropped(one))
        if len(words) <= then.get(one.name, 0):
            continue
        users = (user for user in functions if user.name in then and user is not one)
        if one.name in then or any(one.name == dotted(node).rpartition(".")[2] for user in users
                                   for node in below(user)):  # fmt: skip
            yield Switch(path, one.name, f"{one.name}, which goes on when an assertion fails ({words[-1]})", True)


def _dropped(function: Any) -> Iterator[str]:
    """Yield what drops a failed assertion of a function."""
    waiting, asserted = [(function, False)], _last_assertion(function)
    while waiting:
        node, tries_again = waiting.pop()
        kind = type(node).__name__
        if kind in _LOOPS:
            tries_again = bool(node.orelse) or asserted > max(getattr(one, "lineno", 0) for one in below(node))
        elif kind in ("Try", "TryStar") and not tries_again and any(map(is_assertion, _of(node.body))):
            handlers = [one for one in node.handlers if _catches(one.type)]
            if handlers and not any(_tells(one, function) for one in handlers[:1]):
                yield "except"
        elif kind in ("With", "AsyncWith") and any(map(_suppresses, node.items)):
            if any(map(is_assertion, _of(node.body))):
                yield "suppress"
        waiting += [(part, tries_again) for field in ("body", "orelse", "finalbody", "handlers")
                    for part in getattr(node, field, None) or () if type(part).__name__ not in _FUNCTIONS]  # fmt: skip


def _of(body: list[Any]) -> Iterator[Any]:
    return (part for node in body for part in below(node))


def is_assertion(node: Any) -> bool:
    """Return whether a node of Python asserts, by its kind or by what it calls."""
    kind = type(node).__name__
    called = dotted(node.func).rpartition(".")[2] if kind == "Call" else ""
    return kind == "Assert" or bool(_ASSERTS.match(called))


def _last_assertion(function: Any) -> int:
    ends = (node.lineno for node in below(function) if type(node).__name__ == "Raise" or is_assertion(node))
    return max(ends, default=0)


def _catches(caught: Any) -> bool:
    """Return whether a handler is one of failed assertions too."""
    named = getattr(caught, "elts", [caught])
    return caught is None or any(dotted(one).rpartition(".")[2] in _OF_ASSERTIONS for one in named)


def _suppresses(item: Any) -> bool:
    call = item.context_expr
    if type(call).__name__ != "Call" or dotted(call.func).rpartition(".")[2] != "suppress":
        return False
    return any(map(_catches, call.args))


def _tells(handler: Any, function: Any) -> bool:
    """Return whether a handler fails itself, or keeps the failure for what is asserted, asked or returned elsewhere."""
    inside = list(_of(handler.body))
    kept = set[str]()
    for node in inside:
        kind = type(node).__name__
        if kind == "Raise" or is_assertion(node) or (kind == "Call" and _leaves(node)):
            return True
        if kind == "Return" and not function.name.startswith("test") and getattr(node.value, "value", 0) is not None:
            return True
        if type(getattr(node, "ctx", None)).__name__ == "Store":
            kept.add(dotted(node))
        elif kind == "Call":
            kept.add(dotted(node.func).rpartition(".")[0])
    kept -= _NOBODY
    own = {id(node) for node in inside}
    asked = (_asked(node) for node in below(function) if id(node) not in own)
    return any(dotted(part) in kept for node in asked if node is not None for part in below(node))


def _asked(node: Any) -> Any:
    """Return what of a node decides about what follows, None for another node."""
    kind = type(node).__name__
    if kind in ("If", "While"):
        return node.test
    return node if kind in ("Return", "Raise") or is_assertion(node) else None


def _leaves(call: Any) -> bool:
    name = dotted(call.func).rpartition(".")[2]
    return name in ("exit", "_exit", "skip", "xfail", "skipTest") or ("error" in name.lower() and name != "error")


# ---- languages with braces, Ruby -------------------------------------------------------------------------------------

_TRY = re.compile(r"\btry\b\s*(?:\([^{}]*\)\s*)?\{")
_CATCH = re.compile(r"\s*catch\b\s*(?:\(([^{}]*?)\)\s*)?(?:when\b[^{}]*)?\{\s*(?:(case)\b([^{}]*?)=>)?")
_ASSERTION = re.compile(
    r"(?<![\w$])(?:assert\w*|expect\w*|verify\w*|Assert(?:ions)?\s*\.\s*\w+|XCTAssert\w*)(?:\s*\.\s*\w+)*\s*[(!<]"
    r"|\.(?:should\b|Should\()|(?<![\w$])(?:should\w*|t\.(?:is|true|equal|same|deepEqual|like|ok))\s*\(|\bshould(?:Be|Equal)\b"
)
_ALL_CAUGHT = re.compile(
    r"^$|\b(?:Throwable|AssertionError|AssertionFailedError|AssertionException|Assert\w*Exception|ComparisonFailure|XunitException"
    r"|ExpectationFailedException|ExpectationFailed\w*|TestFailure)\b"
)
_ERRORS_CAUGHT = {"dotnet": r"\bException\b(?!\.)", "php": r"\\?Exception\b", "jvm": r"(?<![\w.])Error\b"}
_FAILS = re.compile(
    r"(?i)throw|fail|assert|expect|reject|raise|(?<!\.)\bdone\b|exit|(?<!console\.)(?<!log\.)(?<!logger\.)\berror\b|=(?![=>])|\.push\(|\.add\("
    r"|return\s+(?!(?:null|undefined|void)\b)[\w(\[{'\"]|\bskip\b"
)
_RETRIES = re.compile(
    r"\b(?:for|while|do|repeat|retry|poll\w*|waitFor\w*|eventually|until)\b[^{}]{0,120}$", re.IGNORECASE
)
_DROPPED_PROMISE = re.compile(
    r"(?<![\w$])(?:expect|assert)\b.*\.catch\(\s*(?:\(\w*\)|\w+)\s*=>\s*(?:\{\s*\}|null|undefined|void 0|0)\s*\)"
)
_RESCUE = re.compile(
    r"^(\s*)rescue\b\s*(?:(?:::)?(?:Exception|Minitest::Assertion|Test::Unit::AssertionFailedError"
    r"|RSpec::Expectations::ExpectationNotMetError)\b|(?=$|=>|;))"
)
_RUBY_ASSERTION = re.compile(r"^\s*(?:assert\w*|refute\w*|expect|\w+\.(?:should|must_\w+))\b")
_CAUGHT = re.compile(r"\bcatch_unwind\s*\(|\bthread::spawn\s*\(")
_UNUSED = re.compile(
    r"(?:\blet\s+(?:mut\s+)?(_\w*)\s*(?::[^=;{}]*)?=|\bdrop\s*\(|[;{}])\s*(?:std\s*::\s*)?(?:panic\s*::\s*)?$|^\s*$"
)
_DROPS = re.compile(
    r"(?P<joined>\s*\.\s*join\s*\(\s*\))?\s*(?:\.\s*(?:ok|err|is_ok|is_err|unwrap_or_default|unwrap_or(?:_else)?)\s*"
    r"\((?:\s*\|\w*\|)?\s*(?:\(\)|\{\s*\})?\s*\)\s*)*\)?\s*;"
)
_LANGUAGES = frozenset(("javascript", "jvm", "dotnet", "php", "dart"))


def swallowed_in_text(path: str, then: str, now: str) -> Iterator[Switch]:
    """Yield the same of a file of another language."""
    language = language_of(path)
    found = _in_rust if language == "rust" else _in_ruby if language == "ruby" else _in_braces
    if language not in _LANGUAGES | {"rust", "ruby"}:
        return
    places = list(found(now, language))
    if not places:
        return
    lines, old, known = cut(now), set(names_of_tests(then, path)), _by_test(found(then, language), then, path)
    for at, word in places:
        if (name := test_around(lines, at, path)) in old and not known[name]:
            yield Switch(path, name, f"{name}, which goes on when an assertion fails ({word})", True)
        known[name] -= 1 if known[name] else 0


def _by_test(places: Iterator[tuple[int, str]], text: str, path: str) -> Counter[str]:
    lines = cut(text)
    return Counter(test_around(lines, at, path) for at, _ in places)


def _line_of(text: str, place: int) -> int:
    return text.count("\n", 0, place)


def _in_braces(text: str, language: str) -> Iterator[tuple[int, str]]:
    plain = masked(text)
    caught_too = re.compile(_ERRORS_CAUGHT.get(language, r"(?!)"))
    for found in _TRY.finditer(plain):
        end = end_of(plain, found.end(), "{}")
        handler = _CATCH.match(plain, end)
        if handler is None or not _ASSERTION.search(plain, found.end(), end):
            continue
        caught = (handler[1] or handler[3] or "").strip()
        every = language in ("javascript", "dart") or _ALL_CAUGHT.search(caught) or caught_too.search(caught)
        if not every or _FAILS.search(plain, handler.end(), end_of(plain, handler.end(), "{}") - 1):
            continue
        if not _tries_again(plain, found.start(), end):
            yield _line_of(plain, found.start()), "catch"
    for at, line in enumerate(plain.split("\n") if language == "javascript" else ()):
        if _DROPPED_PROMISE.search(line):
            yield at, "catch"


def _tries_again(text: str, start: int, end: int) -> bool:
    """Return whether a `try` stands in a loop that it leaves when all is well, and behind which something fails."""
    depth = 0
    for place in range(start - 1, -1, -1):
        depth += (text[place] == "}") - (text[place] == "{")
        if depth < 0:
            if not _RETRIES.search(text, max(0, place - 200), place):
                return False
            after = end_of(text, end, "{}")
            rest = text[after : end_of(text, after, "{}")]
            return bool(_FAILS.search(rest) or _ASSERTION.search(rest))
    return False


def _in_ruby(text: str, _: str) -> Iterator[tuple[int, str]]:
    lines = text.split("\n")
    for at, line in enumerate(lines):
        if _RUBY_ASSERTION.match(line) and re.search(r"\brescue\s+(?:nil|false|true)\b", line):
            yield at, "rescue"
        if not (found := _RESCUE.match(line)):
            continue
        indent = len(found[1])
        tried = _until(reversed(lines[:at]), indent)
        handled = "\n".join(_until(lines[at + 1 :], indent))
        if any(map(_RUBY_ASSERTION.match, tried)) and not _FAILS.search(f"{handled}\n".replace("=> e", "")):
            if not re.search(r"\bretry\b", handled):
                yield at, "rescue"


def _until(lines: Sequence[str] | Iterator[str], indent: int) -> list[str]:
    result = []
    for line in lines:
        if line.strip() and len(line) - len(line.lstrip()) <= indent:
            break
        result.append(line)
    return result


def _in_rust(text: str, _: str) -> Iterator[tuple[int, str]]:
    plain = masked(text, "rust")
    for found in _CAUGHT.finditer(plain):
        end = end_of(plain, found.end(), "()")
        dropped = _DROPS.match(plain, end)
        unused = _UNUSED.search(plain, max(0, found.start() - 120), found.start())
        if dropped is None or unused is None or not re.search(r"\b\w*assert\w*!", plain[found.end() : end]):
            continue
        named = unused[1] or "_"
        used = named != "_" and re.search(rf"\b{named}\b", plain[end:])
        if not used and (dropped["joined"] or "spawn" not in found[0]):
            yield _line_of(plain, found.start()), found[0].rstrip("( ")
