"""Find what a file of tests puts in the place of the assertions that its tests use: a local object, function or macro.

Sought are names that the file used before and did not define: those of a framework, by how frameworks call what
asserts. What asserts itself, throws, or hands the call on is a helper; and what has another name is no stand-in. Not on
the hook path: it is imported when an edit touches a file of tests, or when a run of tests passed.
"""

from __future__ import annotations

import posixpath
import re
from typing import Any, NamedTuple

from policy_engine.inline.python import parse_python
from policy_engine.test_runs.dynamic_names import dotted
from policy_engine.test_runs.python_tree import below
from policy_engine.test_runs.source_texts import JS_MODULES, end_of, masked
from policy_engine.test_runs.switch_words import language_of
from policy_engine.test_runs.switches import Switch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Set

    Read = Callable[[str], str]

_ASSERTING = re.compile(
    r"(?i)\b(?:throw|raise|panic|abort|super|parent|flunk|refute\w*|XCT\w+|must_\w+)\b"
    r"|(?:fail|assert|expect|should|verify|check|require|raises)\w*\s*[.(!:<\[{]|\bassert\b|\bexit\s*\(\s*[1-9]|\breturn\s+Err\b"
    r"|(?:fail|error)\w*\s*(?:\+\+|\+=)|\.(?:Error|Fatal|Fail)\w*\(|\bequals?\s*\("
)
"""What a helper does that asserts itself or hands on to what does."""
_HEADER = re.compile(
    r"(?<![\w$])(?!(?:if|for|while|switch|catch)\b)\w+[!?]?\s*(?:<[^<>\n]*>)?\s*\((?:[^(){};]|\([^()]*\))*\)\s*(?:[:\w<>?\s]*)(?=\{|=>|=\s)"
    r"|(?<![\w$.])\w+\s*:\s*(?=[(\w{]|function)|\b(?:function|fun|func|def|class|object)\s+\w+"
)
"""How a member is named; its name alone asserts nothing."""


def stand_ins(path: str, then: str, now: str, read: Read) -> Iterator[Switch]:
    """Yield the names by which the tests of a file asserted, and which mean something local now that asserts nothing.

    `read` gives the text of another file, "" where there is none.
    """
    language = language_of(path)
    if language == "python":
        found = _in_python(then, now, path, read)
    elif language == "javascript":
        found = _in_javascript(then, now, path, read)
    elif language == "go":
        found = _in_go(then, now)
    elif language in _RULES:
        found = _in_text(language, then, now)
    else:
        return
    yield from (Switch(path, name, f"{name}, in the place of what asserts", True) for name in dict.fromkeys(found))


def asserts(text: str) -> bool:
    """Return whether a body asserts something, the names of what it defines aside."""
    return _ASSERTING.search(_HEADER.sub(" ", text)) is not None


# ---- languages of which a definition shows by its words --------------------------------------------------------------


class _Rule(NamedTuple):
    """Tell how tests of a language name what asserts, how they use it, and how one defines it; `NAME` is the name."""

    names: str
    used: str
    defined: str
    ends: str = "{}"


_PARAMETERS = r"\((?:[^(){};]|\([^()]*\))*\)"
_WORDS = r"(?:assert\w*|Assert\w*|fail|expect\w*|verify\w*|should\w*)"
_TYPE = r"|\b(?:class|object|interface|struct|record|enum|trait|actor)\s+NAME\b[^;{}]*\{"
_LOCAL = r"|\b(?:val|var|let|final)\s+NAME\s*(?::[^=\n]*)?="
_METHOD = r"(?<![\w$.])(?!(?:return|else|new|throw|await|in|case)\b)[\w\]>?]+\s+"
_HEAD = rf"NAME\s*(?:<[^>\n]*>|\[[^\]\n]*\])?\s*{_PARAMETERS}[^;{{}}=()\n]*(?:\{{|=>?)"
_UPPER = r"(?:(?:TEST_|CU_|CPPUNIT_|BOOST_|MUNIT_)?(?:ASSERT|EXPECT|CHECK|REQUIRE|FAIL)\w*|(?:ck_|munit_|g_)?assert\w*)"
_OF_RUBY = r"(?:assert\w*|refute\w*|expect|should\w*|must_\w+|flunk|is_expected|eq)"
_RULES = {
    "jvm": _Rule(
        _WORDS, r"(?<![\w$])(?:this\.)?(NAME)\s*(?:[.(<{]|(?=\s\w))|(?<=[\w)\"])\s(should\w*)\s",
        rf"(?:\bfun\s+(?:<[^>\n]*>\s*)?(?:[\w<>?.]+\.)?|\bdef\s+|{_METHOD}){_HEAD}{_TYPE}{_LOCAL}",
    ),
    "dotnet": _Rule(
        _WORDS, r"(?<![\w.])(?:this\.)?(NAME)\s*[.(<]|\.(Should\w*)\(",
        rf"{_METHOD}{_HEAD}{_TYPE}",
    ),
    "php": _Rule(
        r"(?:assert\w*|expect\w*|fail)", r"(?:\$this->|self::|static::|parent::|(?<![\w>:$]))(NAME)\s*\(|\b(Assert)::",
        rf"\bfunction\s+NAME\s*\([^{{;]*\{{{_TYPE}",
    ),
    "swift": _Rule(
        r"(?:XCT\w+|expect|fail|require)", r"(?<![\w.])(NAME)\s*\(", rf"\bfunc\s+NAME\b[^{{;]*\{{{_TYPE}"
    ),
    "dart": _Rule(
        r"(?:expect\w*|fail|verify\w*)", r"(?<![\w.])(NAME)\s*\(", rf"^[ \t]*(?:static\s+)?{_METHOD}{_HEAD}{_LOCAL}"
    ),
    "c": _Rule(_UPPER, r"(?<![\w.])(NAME)\s*\(", r"^[ \t]*#[ \t]*define[ \t]+NAME\b", "define"),
    "rust": _Rule(
        r"(?:\w*assert\w*|check|matches)", r"(?<![\w.])(NAME)!?\s*[(\[{]",
        r"\bmacro_rules!\s*NAME\s*\{|\bfn\s+NAME\b[^;{]*\{",
    ),
    "ruby": _Rule(
        _OF_RUBY, r"(?<![\w.:@])(NAME)(?![\w=?!])|\.(must_\w+|should\w*|to)\b",
        r"^[ \t]*(?:\w+\s+)?def\s+(?:self\.)?NAME(?!\w)|\bdefine_method\s*\(?\s*:NAME\b"
        r"|\balias(?:_method)?\s*\(?\s*:?NAME\b", "end",
    ),
    "elixir": _Rule(
        r"(?:assert\w*|refute\w*|flunk)", r"(?<![\w.:@])(NAME)\b", r"^[ \t]*def(?:p|macro|macrop)?\s+NAME\b", "end"
    ),
}  # fmt: skip


def _in_text(language: str, then: str, now: str) -> Iterator[str]:
    rule = _RULES[language]
    kind = language if language == "rust" else rule.ends
    before, after = masked(then, kind), masked(now, kind)
    used = (
        found
        for match in re.finditer(rule.used.replace("NAME", rule.names), before)
        for found in match.groups()
        if found
    )
    for name in dict.fromkeys(used):
        pattern = re.compile(rule.defined.replace("NAME", re.escape(name)), re.MULTILINE)
        if pattern.search(before):
            continue
        if any(not asserts(_body(rule, after, found)) for found in pattern.finditer(after)):
            yield name


def _body(rule: _Rule, text: str, found: re.Match[str]) -> str:
    """Return what a definition does."""
    if rule.ends == "define":
        end = re.compile(r"(?<!\\)(?:\n|$)").search(text, found.end())
        return text[found.end() : end.start() if end else len(text)]
    if rule.ends == "end":
        line, _, rest = text[found.end() :].partition("\n")
        start = text.rfind("\n", 0, found.start() + 1) + 1
        indent = re.match(r"[ \t]*", text[max(start, found.start()) :])
        if re.search(r"\bend\b|=(?![=>])|\bdo:|,\s*:|^\s+:?\w+\s*$|\}\s*$", line):
            return line
        closes = re.search(rf"^{indent[0] if indent else ''}end\b", rest, re.MULTILINE)
        return f"{line}\n{rest[: closes.start()] if closes else rest}"
    if text[found.end() - 1] == "{":
        return text[found.end() : end_of(text, found.end(), "{}")]
    return _value(text, found.end())


def _value(text: str, start: int) -> str:
    """Return an expression, up to the end of its statement."""
    depth, place = 0, start
    for place in range(start, len(text)):
        sign = text[place]
        depth += (sign in "([{") - (sign in ")]}")
        if depth < 0 or (depth == 0 and sign in ";\n" and text[start:place].strip()):
            return text[start:place]
    return text[start : place + 1]


# ---- Go --------------------------------------------------------------------------------------------------------------

_GO_TEST = re.compile(r"\bfunc\s*\(?[^()\n]*\(?[^()\n]*\b(\w+)\s+\*?testing\.(?:[TBF]|TB)\b")
_GO_FAKE = (
    r"(?<![\w.])NAME\s*:?=\s*(?:new\(\s*testing\.[TBF]\b|&?\s*testing\.[TBF]\{)|\bvar\s+NAME\s+\*?testing\.[TBF]\b"
)
_GO_MADE = r"(?<![\w.])NAME\s*:?=\s*(?:new\(\s*|&?\s*)(\w+)\s*[{)]|\bvar\s+NAME\s+\*?(\w+)\s*$"
_GO_PACKAGE = re.compile(r"\"(?:[\w.-]+/)+(assert|require|is|must|check|quicktest|gomega)(?:/v\d+)?\"")
_GO_LOCAL = r"^(?:var|const|func)\s+NAME\b(?P<value>.*)$|^\s+NAME\s*:=\s*(?P<local>.*)$"


def _in_go(then: str, now: str) -> Iterator[str]:
    before, after = masked(then), masked(now)
    for name in dict.fromkeys(_GO_TEST.findall(before)):
        if not re.search(rf"(?<![\w.]){name}\.(?:Error|Fatal|Fail|Run)|[(,]\s*{name}\s*[,)]", before):
            continue
        fake = re.compile(_GO_FAKE.replace("NAME", name), re.MULTILINE)
        made = re.compile(_GO_MADE.replace("NAME", name), re.MULTILINE)
        if any(True for _ in _go_anew(fake, before, after)) or any(
            _go_is_quiet(match[1] or match[2], after) for match in _go_anew(made, before, after)
        ):
            yield name
    for name in dict.fromkeys(_GO_PACKAGE.findall(then)):
        local = re.compile(_GO_LOCAL.replace("NAME", name), re.MULTILINE)
        known = {match[0] for match in local.finditer(before)}
        for match in local.finditer(after):
            value = match["value"] or match["local"] or ""
            if match[0] not in known and not re.search(rf"\.New\w*\(|\bnew\w*\(|{name}\.", value, re.IGNORECASE):
                end = end_of(after, after.find("{", match.start()) + 1, "{}") if "{" in value else match.end()
                if not asserts(after[match.end() : end]):
                    yield name


def _go_anew(pattern: re.Pattern[str], before: str, after: str) -> Iterator[re.Match[str]]:
    """Yield what a function that was there before holds now and did not, or what stands outside of any."""
    known = [_go_function(before, match.start()) for match in pattern.finditer(before)]
    for match in pattern.finditer(after):
        function = _go_function(after, match.start())
        if function in known:
            known.remove(function)
        elif not function or re.search(rf"^func {function}\(", before, re.MULTILINE):
            yield match


def _go_function(text: str, place: int) -> str:
    start = text.rfind("\nfunc ", 0, place)
    named = re.compile(r"\nfunc (\w+)\(").match(text, start) if start > text.rfind("\n}", 0, place) else None
    return named[1] if named else ""


def _go_is_quiet(kind: str, text: str) -> bool:
    """Return whether a type of the file has a method by which tests fail, and which does nothing."""
    method = re.compile(rf"\bfunc\s*\(\s*(?:\w+\s+)?\*?{kind}\s*\)\s*(?:Error|Fatal|Fail)\w*\s*\([^)]*\)\s*\{{")
    return any(not asserts(text[one.end() : end_of(text, one.end(), "{}")]) for one in method.finditer(text))


# ---- JavaScript ------------------------------------------------------------------------------------------------------

_JS_USUAL = ("assert", "expect", "should", "chai")
_JS_NAMES = re.compile(
    rf"\bimport\s+(?:\*\s*as\s+)?(\w+)?\s*,?\s*(?:\{{([^{{}}]*)\}})?\s*from\s*{JS_MODULES}"
    rf"|\b(?:const|let|var)\s+(?:(\w+)|\{{([^{{}}]*)\}})\s*=\s*(?:await\s+)?(?:require|import)\s*\(\s*{JS_MODULES}"
)
_JS_DEFINES = (
    r"\b(?:const|let|var)\s+(?:NAME\b[^=;\n]*|\{[^{}]*(?<!\w)NAME\b(?!\s*:)[^{}]*\}\s*)=(?![=>])"
    r"|^\s*NAME\s*=(?![=>])|\bfunction\s*\*?\s*NAME\s*\([^{]*\{|\bclass\s+NAME\b[^{]*\{"
    r"|\bimport\s+(?:\*\s*as\s+)?[^;'\"]*(?<!\w)NAME\b[^;'\"]*\bfrom\b"
)
_JS_FROM = re.compile(r"\s*(?:await\s+)?(?:require|import)?\s*\(?\s*(['\"`])([^'\"`\n]+)\1")
_JS_ROOT = re.compile(r"\s*(?:await\s+)?(?:new\s+)?([\w$]+)")
_JS_LITERAL = re.compile(
    r"\s*(?:await\s+)?(?:[{(\[]|async\b|function\b|class\b|\w+\s*=>|null\b|undefined\b|new\s+Proxy\b)"
)
_JS_MOCKS = re.compile(
    r"\s*(?:new\s+)?(?:console\b|(?:jest|vi|sinon|mock|td)\s*\.\s*(?:fn|stub|fake|spy|mock|object|func)\b)"
)
_JS_SPREAD = re.compile(r"\.\.\.\s*(?:await\s+)?[\w.$]*(?:assert|expect|chai|should|require|import)", re.IGNORECASE)
_JS_ENDINGS = ("", ".js", ".ts", ".mjs", ".cjs", ".jsx", ".tsx", "/index.js", "/index.ts")
_JS_STEPS = 4


def _in_javascript(then: str, now: str, path: str, read: Read) -> Iterator[str]:
    before, after = masked(then), masked(now)
    names = dict.fromkeys(_JS_USUAL)
    for match in _JS_NAMES.finditer(then):
        parts = [match[1] or match[3] or "", *re.split(r"\s*,\s*", match[2] or match[4] or "")]
        names.update(dict.fromkeys(re.split(r"\s*(?:\bas\b|:)\s*", one.strip())[-1] for one in parts if one.strip()))
    for name in names:
        if not re.search(rf"(?<![\w$.]){re.escape(name)}\s*[.(]", before):
            continue
        known = {then[match.start() :].partition("\n")[0] for match in _js_defined(name, before)}
        for match in _js_defined(name, after):
            if now[match.start() :].partition("\n")[0] not in known and not _js_asserts(match, now, after, path, read):
                yield name


def _js_defined(name: str, text: str) -> Iterator[re.Match[str]]:
    return re.finditer(_JS_DEFINES.replace("NAME", re.escape(name)), text, re.MULTILINE)


def _js_asserts(match: re.Match[str], text: str, plain: str, path: str, read: Read, step: int = 0) -> bool:
    """Return whether what a name means is a library of assertions, or asserts itself; True where nobody can say."""
    if plain[match.end() - 1] == "{":
        return asserts(plain[match.end() : end_of(plain, match.end(), "{}")])
    if module := _JS_FROM.match(text, match.end()):
        return module[2][:1] != "." or _js_file_asserts(module[2], path, read)
    value = _value(plain, match.end())
    if _JS_MOCKS.match(value):
        return False
    if _JS_LITERAL.match(value):
        handed_on = _JS_SPREAD.search(value) and not re.search(r"\{\s*\}", value)
        return bool(handed_on) or asserts(re.sub(r"\brequire\b", "", value))
    root = _JS_ROOT.match(value)
    if root is None or step == _JS_STEPS:
        return True
    others = [one for one in _js_defined(root[1], plain) if one.start() != match.start()]
    return all(_js_asserts(one, text, plain, path, read, step + 1) for one in others)


def _js_file_asserts(name: str, path: str, read: Read) -> bool:
    whole = posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
    text = next((found for ending in _JS_ENDINGS if (found := read(f"{whole}{ending}"))), "")
    taken = re.search(r"(?:\bfrom\s*|\brequire\s*\(\s*|\bimport\s*\(\s*)['\"][^.'\"][^'\"]*['\"]|\bexport\s*\*", text)
    return not text or taken is not None or asserts(masked(text))


# ---- Python ----------------------------------------------------------------------------------------------------------

_PYTHON_WORDS = re.compile(r"assert\w*|raises|warns|expect|should|fail|approx|eq_|ok_|pytest|unittest|deprecated_call")
_PYTHON_ASSERTS = re.compile(
    r"(?i)assert|raises|expect|should|fail|verify|check|approx|warns|exit|pytest|unittest|super|^eq_$"
)
_FUNCTIONS = ("FunctionDef", "AsyncFunctionDef")


def _in_python(then: str, now: str, path: str, read: Read) -> Iterator[str]:
    before, after = parse_python(then), parse_python(now)
    if before is None or after is None:
        return
    used = {name for node in below(before) if (name := _called(node)) and _PYTHON_WORDS.fullmatch(name)}
    used -= {name for name, node in _defined(before) if type(node).__name__ != "ImportFrom"}
    known = {(name, node.module) for name, node in _defined(before) if type(node).__name__ == "ImportFrom"}
    for name, node in _defined(after):
        if name not in used:
            continue
        if type(node).__name__ != "ImportFrom":
            if not python_asserts(node):
                yield name
        elif (name, node.module) not in known and (file := _python_file(node, path, read)):
            tree = parse_python(file)
            theirs = [one for given, one in _defined(tree)] if tree is not None else []
            named = [one for one in theirs if getattr(one, "name", "") == name]
            if named and not any(python_asserts(one) for one in named):
                yield name


def _called(node: Any) -> str:
    """Return the name by which a call, or a manager of a context, reaches what it calls; "" of another node."""
    if type(node).__name__ != "Call":
        return ""
    first, _, rest = dotted(node.func).partition(".")
    return rest if first in ("self", "cls") and "." not in rest else first


def _defined(tree: Any) -> Iterator[tuple[str, Any]]:
    """Yield the names that a module gives a meaning, each with what defines it."""
    for node in below(tree):
        kind = type(node).__name__
        if kind in _FUNCTIONS or kind == "ClassDef":
            yield node.name, node
        elif kind == "Assign":
            for target in node.targets:
                path = dotted(target)
                if path and path.partition(".")[0] in (path, "self", "cls"):
                    yield path.rpartition(".")[2], node.value
        elif kind == "ImportFrom":
            yield from ((one.asname or one.name, node) for one in node.names)


def python_asserts(node: Any) -> bool:
    """Return whether a node of Python asserts something, or names what a library calls so."""
    return _asserts(list(below(node)), frozenset())


def asserts_in_test(nodes: list[Any]) -> bool:
    """Return whether statements of a test assert something; a value that they name `expected` does not."""
    parts = [part for node in nodes for part in below(node)]
    called = {id(part) for one in parts if type(one).__name__ == "Call" for part in below(one.func)}
    plain = [part for part in parts if type(part).__name__ == "Name" and id(part) not in called]
    stored = {part.id for part in plain if type(part.ctx).__name__ == "Store"}
    return _asserts(parts, {id(part) for part in plain if part.id in stored or part.id.isupper()})


def _asserts(parts: list[Any], values: Set[int]) -> bool:
    if any(type(part).__name__ in ("Raise", "Assert") for part in parts):
        return True
    named = [part for part in parts if id(part) not in values]
    words = [word for part in named for field in ("id", "attr") if isinstance(word := getattr(part, field, None), str)]
    return any(map(_PYTHON_ASSERTS.search, words))


def _python_file(node: Any, path: str, read: Read) -> str:
    """Return the text of the module of the project that a statement imports from, "" of another."""
    module = (node.module or "").replace(".", "/")
    folder = path.rpartition("/")[0]
    for _ in range((node.level or 1) - 1):
        folder = folder.rpartition("/")[0]
    places = [folder] if node.level else [folder, ""]
    return next((text for one in places if (text := read(f"{one}/{module}.py".lstrip("/")))), "")
