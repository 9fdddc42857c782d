"""Find what takes the place of the source that tests of JavaScript are about, in tests and in files that set them up.

The same as for Python: a module that this session changed, of which a test of the first commit calls a function, and
which `vi.mock`, `jest.mock`, a spy that answers by itself or an assignment of the session replaces for that test. Not
on the hook path: it is imported when a run of tests passed.
"""

from __future__ import annotations

import json
import posixpath
import re
from typing import NamedTuple

from policy_engine.test_runs.asking import helps_tests
from policy_engine.test_runs.led_elsewhere import told
from policy_engine.test_runs.runners import SUITE_FOLDERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from policy_engine.test_runs.session_changes import Changes

ENDINGS = ("js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts")
_END = re.compile(r"(?:/index)?(?:\.[cm]?[jt]sx?)?$")
_ALIAS = re.compile(r"[@~]/|#|(?=src/)")
_TEST_FILE = re.compile(r"(?:^|[._-])(?:tests?|specs?)\.[cm]?[jt]sx?$")
_SETS_UP = re.compile(r"(?i)setup|mock|helper|jest|vitest|preload|bootstrap")
_MOCKS = re.compile(
    r"\b(?:vi|vitest|jest|mock)\s*\.\s*(mock|doMock|unstable_mockModule|setMock|module)\s*\(\s*(?:import\s*\(\s*)?"
    r"(['\"`])([^'\"`\n]+)\2"
)
_STUBS = re.compile(
    r"\b(?:(?:vi|jest)\s*\.\s*(spyOn|replaceProperty)|sinon\s*\.\s*(?:stub|replace)|(?:sandbox|mock)\s*\.\s*(?:stub|method)"
    r"|Object\s*\.\s*defineProperty)\s*\(\s*(\w+)(?:\s*\.\s*prototype)?\s*,\s*['\"`](\w+)['\"`]"
    r"|^[ \t]*(\w+)(?:\s*\.\s*prototype)?\s*\.\s*(\w+)\s*=(?![=>])",
    re.MULTILINE,
)
_ANSWERS = r"\.\s*mock(?:Implementation|Return|Resolved|Rejected)"
_ACTUAL = re.compile(r"\b(?:importActual|importOriginal|requireActual|spy\s*:\s*true)\b|await\s+\w+\s*\(\s*\)")
_IMPORTS = re.compile(
    r"\bimport\s+(?!type\b)([^'\";]+?)\s+from\s*['\"]([^'\"\n]+)['\"]"
    r"|\b(?:const|let|var)\s+(\{[^{}]*\}|\w+)\s*=\s*(?:await\s+)?(?:require|import)\s*\(\s*['\"]([^'\"\n]+)['\"]\s*\)"
)
_TOKEN = re.compile(r"//[^\n]*|/\*.*?\*/|'(?:\\.|[^'\\\n])*'|\"(?:\\.|[^\"\\\n])*\"|`(?:\\.|[^`\\])*`|[{}]", re.DOTALL)
_TEST = re.compile(r"\b(?:it|test|specify)\b[\w.]*\s*(?:\([^()]*\)\s*)?\(\s*(['\"`])(.*?)\1", re.DOTALL)
_BEFORE = re.compile(r"\b(?:before|beforeEach|beforeAll|setup|suiteSetup)\s*\([^()]*(?:\([^()]*\))?[^()]*$")
_AFTER = re.compile(r"\bafter(?:Each|All)?\s*\(|\bteardown\s*\(")
_HELPER = re.compile(
    r"\bfunction\s+(\w+)\s*\([^()]*\)\s*$|\b(?:const|let|var)\s+(\w+)\s*=\s*(?:async\s*)?\([^()]*\)\s*=>\s*$"
)
_RESTORES = re.compile(r"\.\s*(?:restore|restoreAll|mockRestore|restoreAllMocks|reset)\s*\(")
_ONE_PROCESS = re.compile(r"\b(?:mocha|jasmine|bun test)\b|isolation=none|--no-isolate\b")
_ALL, _NEVER = "", "\0"
_DEPTH = 3
_LONGEST = 4000  # characters of a factory


class _Replaced(NamedTuple):
    """The module, by its path without ending, and what of it: "" is all but what `kept` says; the test that it is
    for, _ALL for each one; whether nothing puts it back before the next file."""

    module: str
    name: str
    kept: str
    test: str
    lasting: bool = False


def replaced_in_javascript(changes: Changes) -> Iterator[tuple[str, str]]:
    """Yield the files that replace what tests of the commit call, each with the name of that."""
    files = changes.files(ENDINGS)
    suite = {path: text for path in files if _may_replace(path, text := changes.now(path))}
    sources = {_END.sub("", path): changes.now(path) for path in files if not _is_suite(path)}
    for path, text in suite.items() if sources else ():
        known = {one[:2] for one in _replacements(changes.then(path), path)}
        for one in _replacements(text, path):
            replaced = {source: body for source, body in sources.items() if _is_same(one.module, source)}
            if not replaced or one[:2] in known:
                continue
            scope = [path] if _TEST_FILE.search(path) else _others(one, changes)
            if one.lasting and _TEST_FILE.search(path) and _shares(changes):
                one, scope = one._replace(test=_ALL), _others(one, changes)
            if any(_tests(test, one, replaced, changes) for test in scope):
                yield path, f"{one.module.rpartition('/')[2]}{'.' if one.name else ''}{one.name}"


def _is_suite(path: str) -> bool:
    folder, _, name = path.rpartition("/")
    in_suite = not SUITE_FOLDERS.isdisjoint(folder.split("/")) or "__mocks__" in folder
    return bool(_TEST_FILE.search(name)) or in_suite or bool(_SETS_UP.search(name))


def _may_replace(path: str, text: str) -> bool:
    return bool(_MOCKS.search(text)) or (_is_suite(path) and bool(_STUBS.search(text)))


def _shares(changes: Changes) -> bool:
    """Return whether files of tests run in one process, in which a module is the same for all of them."""
    return _ONE_PROCESS.search(changes.now("package.json")) is not None


def _others(one: _Replaced, changes: Changes) -> list[str]:
    word = one.module.rpartition("/")[2]
    return [path for path in changes.holding(word, "", ENDINGS) if _TEST_FILE.search(path)]


# ---- one file --------------------------------------------------------------------------------------------------------


def _aliases(path: str, changes: Changes) -> dict[str, str]:
    """Return the paths, without an ending, that `imports` of the nearest `package.json` gives to names."""
    folder = posixpath.dirname(path)
    while not (text := changes.now(posixpath.join(folder, "package.json"))) and folder:
        folder = posixpath.dirname(folder)
    try:
        named = json.loads(text).get("imports", {}) if '"imports"' in text else {}
    except (ValueError, AttributeError, RecursionError):
        return {}
    result = {}
    for name, value in named.items() if type(named) is dict else ():
        places = value.values() if type(value) is dict else [value]
        first = next((one for one in places if type(one) is str and one[:2] == "./"), "")
        if first and "*" not in first:
            result[name] = _END.sub("", posixpath.normpath(posixpath.join(folder, first)))
    return result


def _module(name: str, path: str, aliases: dict[str, str] | None = None) -> str:
    """Return the path of a module that a file imports, without an ending; of an alias, with `*` before it."""
    if aliases and name in aliases:
        return aliases[name]
    if name[:1] == ".":
        return _END.sub("", posixpath.normpath(posixpath.join(posixpath.dirname(path), name)))
    alias = _ALIAS.match(name)
    return "*/" + _END.sub("", name[alias.end() :]) if alias else f":{name}"


def _bindings(text: str, path: str, aliases: dict[str, str] | None = None) -> dict[str, tuple[str, str]]:
    """Return the module and the name there of each name that a file imports; "" is the module as a whole."""
    result = {}
    for match in _IMPORTS.finditer(text):
        named, module = match[1] or match[3], _module(match[2] or match[4], path, aliases)
        listed = re.search(r"\{([^{}]*)\}", named)
        for part in listed[1].split(",") if listed else ():
            words = re.split(r"\s+as\s+|\s*:\s*", part.strip())
            if words[0] and not words[0].startswith("type "):
                result[words[-1]] = module, words[0]
        whole = re.match(r"(?:\*\s*as\s+)?(\w+)", named)
        if whole:
            result[whole[1]] = module, ""
    return result


def _replacements(text: str, path: str) -> list[_Replaced]:
    result = []
    for match in _MOCKS.finditer(text):
        given = _argument(text, match.end())
        kept = given if _ACTUAL.search(given) else _ALL
        if re.search(r"\bspy\s*:\s*true", given):
            continue
        hoisted = match[1] in ("mock", "unstable_mockModule")
        for test in [_ALL] if hoisted else _places(text, match.start()):
            result.append(_Replaced(_module(match[3], path), "", kept, test))
    bindings = _bindings(text, path)
    for match in _STUBS.finditer(text):
        owner, name = match[2] or match[4], match[3] or match[5]
        module, _ = bindings.get(owner, ("", ""))
        if module and (match[1] != "spyOn" or _answers(text, match)):
            lasting = not (_is_put_back(text, owner, name) if match[4] else _RESTORES.search(text))
            result += [_Replaced(module, name, "", test, lasting) for test in _places(text, match.start())]
    return result


def _is_put_back(text: str, owner: str, name: str) -> bool:
    """Return whether a name that was given what a module had is given back to it, after a test or in `finally`."""
    own = rf"\b{owner}\s*\.\s*{name}"
    first = re.search(rf"{own}\s*=(?![=>])", text)
    for saved in re.finditer(rf"(\w+)\s*=\s*{own}\b(?!\s*=)", text[: first.start()] if first else ""):
        for back in re.finditer(rf"{own}\s*=\s*{saved[1]}\b", text):
            if not _places(text, back.start()) or re.search(r"\bfinally\s*\{[^{}]*$", text[: back.start()]):
                return True
    return False


def _answers(text: str, match: re.Match[str]) -> bool:
    """Return whether a spy is told what to answer; else it calls what it watches."""
    if re.match(rf"\s*\)\s*{_ANSWERS}", text[match.end() : match.end() + 200]):
        return True
    held = re.search(r"(\w+)\s*=\s*$", text[: match.start()])
    return bool(held and re.search(rf"\b{held[1]}\s*{_ANSWERS}", text))


def _argument(text: str, start: int) -> str:
    """Return what else a call is given."""
    depth = 1
    for at in range(start, min(len(text), start + _LONGEST)):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if not depth:
            return text[start:at]
    return text[start : start + _LONGEST]


def _places(text: str, place: int, depth: int = 0) -> list[str]:
    """Return the tests for which the code at a place runs: one by its name, _ALL, _NEVER."""
    headers: list[str] = []
    last = 0
    for token in _TOKEN.finditer(text):
        if token.start() >= place:
            break
        if token[0] == "{":
            headers.append(text[last : token.start()][-300:])
        if token[0] in "{}":
            last = token.end()
        if token[0] == "}" and headers:
            headers.pop()
    for header in reversed(headers):
        line = header.rpartition(";")[2] if "(" in header.rpartition(";")[2] else header
        if tests := list(_TEST.finditer(line)):
            return [tests[-1][2]]
        if _BEFORE.search(line):
            return [_ALL]
        if _AFTER.search(line):
            return []
        if helper := _HELPER.search(line):
            calls = re.finditer(
                rf"(?<!function )\b{helper[1] or helper[2]}\s*\(|\(\s*{helper[1] or helper[2]}\s*\)", text
            )
            return [one for call in calls for one in _places(text, call.start(), depth + 1)] if depth < _DEPTH else []
    return [_ALL]


# ---- what is tested --------------------------------------------------------------------------------------------------


def _tests(path: str, one: _Replaced, replaced: dict[str, str], changes: Changes) -> bool:
    """Return whether a test of the commit calls what is replaced for it now."""
    then, now = changes.then(path), changes.now(path)
    parts = re.split(r"(?=\b(?:it|test|specify)\b[\w.]*\s*\(\s*['\"`])", then)
    tests = [part for part in parts[1:] if (called := _TEST.match(part)) and called[2] in now
             and one.test in (_ALL, called[2])]  # fmt: skip
    for name, (module, imported) in _bindings(then, path).items():
        texts = [text for source, text in replaced.items() if _is_same(module, source)]
        calls = re.compile(rf"(?<![\w.$]){re.escape(name)}(?:\s*\.\s*(\w+))*\s*(?:<[^<>()]*>)?\(")
        for match in (match for part in tests for match in calls.finditer(part)) if texts else ():
            function = match[1] or imported or name
            among = not one.kept or re.search(rf"(?:^|[{{,\s]){re.escape(function)}\s*(?::|\(|,|\}})", one.kept)
            if among and (not one.name or one.name in (function, imported)) and _speaks(function, texts):
                return True
    return False


def _is_same(module: str, source: str) -> bool:
    """Return whether what is imported is a source, or a folder with it."""
    if module[:2] == "*/":
        return source.endswith(module[1:])
    return source == module or source.startswith(f"{module}/")


def _speaks(name: str, texts: list[str]) -> bool:
    return any(re.search(rf"\b{re.escape(name)}\b|\bexport\s+default\b|module\.exports\s*=", text) for text in texts)


# ---- imports ---------------------------------------------------------------------------------------------------------


def led_in_javascript(changes: Changes) -> Iterator[tuple[str, str, str]]:
    """Yield the files of tests that import from elsewhere what tests of the commit took from a source, which has it."""
    files = changes.files(ENDINGS)
    sources = {_END.sub("", path): path for path in files if not helps_tests(path) and changes.then(path)}
    for path in filter(helps_tests, files) if sources else ():
        (place, then), now = changes.before(path), changes.now(path)
        bindings = _bindings(now, path, _aliases(path, changes)) if then else {}
        for name, (module, imported) in _bindings(then, place).items():
            here, of = bindings.get(name, ("", ""))
            source = next((one for one in sources if _is_same(module, one) and (
                not imported or _exports(changes.now(sources[one]), imported))), "")  # fmt: skip
            if (
                not here
                or not source
                or (_is_same(here, source) and not _ends_otherwise(path, name, sources[source], changes))
            ):
                continue
            if not _is_same(here, source) and _passes_on(here, of or name, source, changes):
                continue
            at = next((one.start() for one in _IMPORTS.finditer(now) if name in _bindings(one[0], path)), 0)
            yield path, now[at:].partition("\n")[0], told(now.count("\n", 0, at) + 1, name, sources[source])


def _ends_otherwise(path: str, name: str, source: str, changes: Changes) -> bool:
    """Return whether a test imports a name from a new file beside the source that has another ending."""
    spec = next(
        (one[2] or one[4] for one in _IMPORTS.finditer(changes.now(path)) if name in _bindings(one[0], path)), ""
    )
    new = posixpath.normpath(posixpath.join(posixpath.dirname(path), spec))
    is_new = new != source and changes.is_there(new) and not changes.then(new)
    return is_new and not _takes(new, name, _END.sub("", source), changes)


def _exports(text: str, name: str) -> bool:
    """Return whether a source defines what it exports under a name, other than by passing it on."""
    word = re.escape(name)
    return bool(re.search(rf"\b(?:function\b\s*\*?|class|const|let|var)\s+{word}\b|\bexports\.{word}\s*=", text)) or (
        name == "default" and "export default" in text
    )


def _passes_on(module: str, name: str, source: str, changes: Changes) -> bool:
    """Return whether a module is another of the project that takes a name from the source."""
    if module[:1] == ":":
        return False
    ends = [f"{stem}.{one}" for stem in (module, f"{module}/index") for one in ENDINGS]
    path = next((one for one in ends if changes.is_there(one) and not helps_tests(one)), "")
    return bool(path) and _takes(path, name, source, changes)


def _takes(path: str, name: str, source: str, changes: Changes) -> bool:
    """Return whether a file takes from the source what it exports under a name."""
    text = changes.now(path)
    taken = re.findall(r"\bfrom\s*['\"]([^'\"\n]+)['\"]|\brequire\s*\(\s*['\"]([^'\"\n]+)", text)
    return not _exports(text, name) and any(_is_same(_module(a or b, path), source) for a, b in taken)


# ---- a file that is found first --------------------------------------------------------------------------------------

_ORDERS = (
    ("mjs", "js", "mts", "ts", "jsx", "tsx", "cjs", "cts"),
    ("js", "mjs", "cjs", "jsx", "ts", "tsx", "mts", "cts"),
)
"""In which order vite and jest look for a module of which no ending is named."""
_WRITTEN_FOR = {"js": ("ts", "tsx", "jsx"), "mjs": ("mts",), "cjs": ("cts",), "jsx": ("tsx",)}
"""The endings of sources that an import may mean by that of what is compiled from them."""


def shadowed_in_javascript(changes: Changes) -> Iterator[tuple[str, str]]:
    """Yield the new files that imports of the commit take in the place of a source beside them."""
    for path in changes.files(ENDINGS):
        stem, _, ending = path.rpartition(".")
        if _is_suite(path) or stem.endswith(".d") or changes.then(path):
            continue
        beside = [other for other in _after(ending, stem) if changes.is_there(other) and changes.then(other)]
        if beside and (found := _imported(stem, ending, beside, changes)):
            yield path, found


def _after(ending: str, stem: str) -> list[str]:
    """Return the files that are found no more because of one."""
    later = {one for order in _ORDERS for one in order[order.index(ending) + 1 :]}
    return [*(f"{stem}.{one}" for one in later), *(f"{stem}/index.{one}" for one in ENDINGS)]


def _imported(stem: str, ending: str, beside: list[str], changes: Changes) -> str:
    """Return the source in whose place an import of the commit takes a file, "" if none does."""
    base = stem.rpartition("/")[2]
    for importer in changes.holding(base, "", ENDINGS):
        text = changes.then(importer)
        for match in re.finditer(rf"['\"`]([^'\"`\n]*\b{re.escape(base)}(?:\.{ending})?)['\"`]", text):
            module = _module(match[1], importer)
            if not (_is_same(module, stem) and (module[:1] == "*" or module == stem)):
                continue
            meant = [one for one in beside if not match[1].endswith(f".{ending}")
                     or one.rpartition(".")[2] in _WRITTEN_FOR.get(ending, ())]  # fmt: skip
            if meant and importer not in beside:
                return meant[0].rpartition("/")[2]
    return ""


# ---- PHP -------------------------------------------------------------------------------------------------------------

_PHP_NAMED = re.compile(
    r"^\s*(?:(?:final|abstract|readonly)\s+)*(?:class|trait|interface|enum|function)\s+&?(\w+)", re.MULTILINE
)
_NAMESPACE = re.compile(r"^\s*(?:<\?php\s+)?namespace\s+([\w\\]+)", re.MULTILINE)


def replaced_in_php(changes: Changes) -> Iterator[tuple[str, str]]:
    """Yield the files beside the tests that define what a source of the commit defines, each with the name of that."""
    for path in changes.files(("php",)):
        text = changes.now(path) if _is_beside_tests(path) else ""
        known = set(php_names(changes.then(path))) if text else set()
        for name in (one for one in php_names(text) if one not in known):
            for other in changes.holding(name.rpartition("\\")[2], "", ("php",)):
                there = not _is_beside_tests(other) and "vendor/" not in other and changes.is_there(other)
                if there and name in php_names(changes.then(other)):
                    yield path, name


def _is_beside_tests(path: str) -> bool:
    return not SUITE_FOLDERS.isdisjoint(path.lower().split("/")[:-1])


def php_names(text: str) -> list[str]:
    """Return the classes and functions that a file defines, with their namespaces."""
    namespace = _NAMESPACE.search(text)
    return [f"{namespace[1] if namespace else ''}\\{name}" for name in _PHP_NAMED.findall(text)]
