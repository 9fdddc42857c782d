"""Find names that tests of before used, and that lead to something else than the source since the session.

A file of tests that the session wrote declares a function or a class of a source that the session changed, or imports
its name from elsewhere: the tests are green, and say nothing of the source. Only names count which a test of the commit
uses and which the source had there and still has: helpers and doubles of other things, tests that moved and modules
that were renamed cost nothing. What each language calls a declaration and an import is data. Python is read by its
syntax, in `replaced_subjects`. Not on the hook path: it is imported when a run of tests passed.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from policy_engine.test_runs.asking import helps_tests

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from policy_engine.test_runs.session_changes import Changes

_GIVEN = (
    r"(?:(?:async|function|func|fn|lambda|proc|move)\b|->|\|\w|\[[^\]\n]{0,40}\]\s*\(|\([^()\n]{0,200}\)\s*(?::[^=\n]{0,80})?=>"
    r"|\w+\s*=>|\{\s*(?:\$\d|\(|\w[\w, :]{0,80}(?:->|\bin\b))|&?[A-Za-z_][\w.$:]*[ \t]*;?[ \t]*$)"
)
"""What is given to a name that is then called: a function of the place, or another name."""
_TYPED = r"(?::[^\n]{0,200}?)?=(?![=>])\s*"
_BODY = r"\([^;{}()]{1,300}\)[^;{}()]{0,100}?(?:\{|=>)"
_NO_TYPE = r"(?!(?:return|new|throw|else|assert|await|yield|case)\b)"
_SIGNED = rf"{_NO_TYPE}(?:[\w.<>\[\],?]+[ \t]+){{1,6}}(?P<f>\w+)\s*{_BODY}"


class _Row(NamedTuple):
    """A language: its ecosystem and its endings; what declares, by its groups (_KINDS), behind its indentation; what
    imports (`n` is the own name of what `m` says, where it is given); whether a declaration holds for other files: ""
    no, "types" or "all"; whether an import of one name stands before what needs none; and what says of a declaration
    that it holds for no other file."""

    of: str
    endings: tuple[str, ...]
    declares: str
    imports: str
    shared: str = ""
    first: bool = False
    private: str = r"(?!)"


_ROWS = (
    _Row(
        "javascript", ("js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts"),
        r"(?:export\s+)?(?:(?:default\s+)?(?:async\s+)?function\b\s*\*?\s*(?P<f>\w+)|(?:abstract\s+)?class\s+(?P<t>\w+)"
        rf"|(?:const|let|var)\s+(?P<v>\w+)\s*{_TYPED}{_GIVEN}"
        r"|(?:const|let|var)\s*\{(?P<l>[^{}\n]*)\}\s*=\s*[\w.$]+\s*;?[ \t]*$"
        rf"|(?P<w>\w+)\s*=\s*{_GIVEN})",
        r"(?!)",
    ),
    _Row(
        "rust", ("rs",),
        r"(?:pub(?:\([^()\n]*\))?\s+)?(?:(?:(?:const|async|unsafe)[ \t]+)*fn\s+(?P<f>\w+)"
        r"|(?:struct|enum|trait|union|type)\s+(?P<t>\w+)"
        rf"|let\s+(?:mut\s+)?(?P<v>\w+)\s*{_TYPED}{_GIVEN}|macro_rules!\s*(?P<w>\w+))",
        r"(?:pub(?:\([^()\n]*\))?\s+)?use\s+(?P<m>[\w:]+(?:\{[^{}]{0,300}\}|\*)?)(?:\s+as\s+(?P<n>\w+))?",
    ),
    _Row(
        "go", ("go",),
        rf"(?:func\s+(?P<f>\w+)\s*[\[(]|func\s+\([^()\n]*\)\s*(?P<x>\w+)\s*\(|type\s+(?P<t>\w+)"
        rf"|(?:var\s+)?(?P<v>\w+)(?:\s+func\b[^=\n]*)?\s*:?=\s*{_GIVEN})",
        r"(?:import\s+)?(?P<n>[\w.]+[ \t]+)?\"(?P<m>[\w./~-]+)\"[ \t]*$",
    ),
    _Row(
        "c", ("c", "h", "cc", "cpp", "cxx", "hh", "hpp"),
        rf"(?:#\s*define\s+(?P<a>\w+)|(?:struct|class|enum|union)\s+(?P<t>\w+)[^;{{}}()]{{0,200}}\{{|auto\s+(?P<v>\w+)\s*=\s*{_GIVEN}"
        rf"|{_NO_TYPE}(?:[\w:<>,]+[ \t*&]+){{1,6}}(?:__wrap_)?(?P<f>\w+)"
        r"\s*\([^;{}]{0,300}\)\s*(?:const|noexcept)?\s*\{)",
        r"#\s*include\s+[\"<](?P<m>[\w./+-]+)[\">]",
        "all", private=r"\bstatic\b",
    ),
    _Row(
        "jvm", ("java", "kt", "scala", "groovy"),
        r"(?:(?:@\w+|public|private|protected|internal|static|final|abstract|sealed|open|data|override"
        r"|inline|case|companion)[ \t]+)*"
        r"(?:(?:class|interface|enum|record|object|trait)\s+(?P<t>\w+)|(?:fun|def)\s+(?:<[^>\n]*>\s*)?(?P<w>\w+)\s*\(\s*[^)\s]"
        rf"|va[lr]\s+(?P<v>\w+)\s*{_TYPED}{_GIVEN}|typealias\s+(?P<a>\w+)\s*=|{_SIGNED})",
        r"import\s+(?:static\s+)?(?P<m>[\w.]+(?:\.\*)?)(?:\s+as\s+(?P<n>\w+))?",
        "types", True,
    ),
    _Row(
        "dotnet", ("cs",),
        r"(?:(?:public|private|protected|internal|static|sealed|abstract|partial|readonly|async|override|virtual"
        r"|file)[ \t]+)*"
        rf"(?:(?:class|struct|interface|enum|record(?:\s+struct)?)\s+(?P<t>\w+)|global\s+using\s+(?P<a>\w+)\s*=|{_SIGNED})",
        r"(?:global\s+)?using\s+(?:static\s+)?(?:(?P<n>\w+)\s*=\s*)?(?P<m>[\w.]+)\s*;",
        "types", True,
    ),
    _Row(
        "php", ("php",),
        r"(?:(?:final|abstract|readonly|public|private|protected|static)[ \t]+)*"
        r"(?:(?:class|trait|interface|enum)\s+(?P<t>\w+)|function\s+&?(?P<f>\w+)\s*\("
        r"|class_alias\s*\([^\n]{0,200}?['\"][\w\\]*?(?P<a>\w+)['\"]\s*(?:,\s*\w+\s*)?\))",
        r"use\s+(?:function\s+)?(?P<m>[\w\\]+)(?:\s+as\s+(?P<n>\w+))?\s*;",
        "types", True,
    ),
    _Row(
        "ruby", ("rb",),
        r"(?:(?:class|module)\s+(?P<t>[\w:]+)|def\s+self\.(?P<x>\w+[?!]?)|def\s+(?P<f>\w+[?!]?)|stub_const\s*\(?\s*['\"](?P<a>[\w:]+)['\"]"
        r"|(?P<b>[A-Z]\w*)\s*=(?![=~>])|Object\s*\.\s*const_set\s*\(?\s*[:'\"]+(?P<c>\w+)"
        r"|(?P<d>[A-Z][\w:]*)\s*\.\s*(?:(?:singleton_class\s*\.\s*)?prepend|class_eval|class_exec|define_(?:singleton_)?method)\b"
        r"|[^#\n]{0,60}?\ballow(?:_any_instance_of)?\s*\(\s*(?P<o>[\w:]+)\s*\)\s*\.\s*to\s+receive\s*\(?\s*:(?P<p>\w+)"
        r"(?![^\n]*and_(?:call|wrap)_original))",
        r"require(?:_relative)?\s*\(?\s*['\"](?P<m>[\w./-]+)['\"]",
        "types",
    ),
    _Row(
        "elixir", ("ex", "exs"),
        r"(?:defmodule\s+(?P<t>[\w.]+)|defp?\s+(?P<f>\w+[?!]?)\s*[(,])",
        r"(?:alias|import)\s+(?P<m>[\w.]+)(?:\s*,\s*as:\s*(?P<n>\w+))?",
        "types", True,
    ),
    _Row(
        "swift", ("swift",),
        r"(?:(?:public|private|fileprivate|internal|open|static|final|class|mutating|override|@\w+)[ \t]+)*"
        r"(?:func\s+(?P<f>\w+)\s*(?:<[^>\n]*>)?\(\s*[^)\s]|(?:class|struct|enum|actor|protocol)\s+(?P<t>\w+)|typealias\s+(?P<a>\w+)\s*="
        rf"|(?:let|var)\s+(?P<v>\w+)\s*{_TYPED}{_GIVEN})",
        r"(?:@testable\s+)?import\s+(?:(?:func|class|struct|enum)\s+)?(?P<m>[\w.]+)",
        "all", private=r"\b(?:private|fileprivate)\b",
    ),
)  # fmt: skip
_KINDS = {**dict.fromkeys("fvwl", "function"), **dict.fromkeys("tabcdo", "type"), "x": "member"}
_TEST = re.compile(r"\s*(?:it|test|specify|scenario|example)\b.*(?:do|\{)\s*(?:\|[^|]*\|)?\s*$")
_FUNCTION = re.compile(
    r"(?i)\s*(?:[\w@]+[ \t]+)*(?:fn|func|fun|def|function|void)\s+(?!set_?up|init\b|before)\w.*[{)=o]\s*$"
)
_COMPILED: dict[str, tuple[re.Pattern[str], re.Pattern[str]]] = {}
_PLACE = re.compile(r"^\s*(?:<\?php\s+)?(?:package|namespace)\s+([\w.\\]+)", re.MULTILINE)
_MODULE_OF_TESTS = re.compile(r"^#\[cfg\(test\)\]\s*(?:#\[[^\]\n]*\]\s*)*mod\s+\w+\s*\{", re.MULTILINE)
_GROUP = re.compile(r"\s*(?:\w+\s+)*(?:class|module|defmodule|trait|impl|interface|struct|object|enum)\s+([\w:.]+)")
_DESCRIBED = re.compile(r"^(?:RSpec\.)?(?=describe\s+([A-Z][\w:]*))", re.MULTILINE)
_SAYS = r"\b(?:void|fun|func|def|fn|function|Task|async)\s+"
_NESTED = ("ruby", "elixir")
"""Where a type is named with the modules around it, and may be opened again to put other things into it."""
_OWN = frozenset(("crate", "super", "self", "src", "lib", "main", "mod", "index"))


class _Declared(NamedTuple):
    """A name, with those of the types around it before it, where it stands, and the method of it that is replaced."""

    name: str
    full: str
    kind: str
    at: int
    text: str
    alias: bool
    member: str


class _File(NamedTuple):
    """A file of tests, or the tests in a file of Rust, now and in the commit."""

    path: str
    now: str
    then: str
    start: int


def led_elsewhere(changes: Changes, of: str) -> Iterator[tuple[str, str, str]]:
    """Yield the files by which tests of the commit use another thing than that of a source, with the line and what it
    does; of the languages of an ecosystem, "" is any."""
    rows = [row for row in _ROWS if of in ("", row.of)]
    differing = {
        path.rpartition(".")[2] for path in changes.differing(f"*.{one}" for row in rows for one in row.endings)
    }
    for row in rows:
        files = changes.files(row.endings) if differing & {*row.endings} else []
        texts = {path: (_parted(changes.now(path))[0], _parted(changes.then(path))[0]) for path in files
                 if not helps_tests(path)}  # fmt: skip
        subjects = _Subjects(row, {path: both for path, both in texts.items() if both[1]})
        for file in _tests(row, files, changes) if subjects.of else ():
            yield from _declares(file, row, subjects, changes)
            yield from _imports(file, row, subjects, files, changes)


class _Subjects:
    """Hold what the changed sources declared in the commit, and still do: by name, with the source."""

    def __init__(self, row: _Row, sources: dict[str, tuple[str, str]]) -> None:
        self.texts = {path: now for path, (now, _) in sources.items()}
        self.of: dict[str, str] = {}
        self.types: dict[str, str] = {}
        self.members: dict[str, set[str]] = {}
        for path, (now, then) in sources.items():
            kept = {one.name for one in _declared(now, row)}
            found = [one for one in _declared(then, row) if one.name in kept]
            self.members[path] = {one.full for one in found if one.kind != "type"}
            self.of.update((name, path) for one in found for name in (one.name, one.name.rpartition(".")[2]))
            self.types.update((one.full, path) for one in found if one.kind == "type")


def _tests(row: _Row, files: list[str], changes: Changes) -> Iterator[_File]:
    for path in files:
        text, then = changes.now(path), changes.then(path)
        if helps_tests(path):
            yield _File(path, text, changes.before(path)[1], 0)
        elif row.of == "rust" and (before := _parted(then)[1]):
            plain, now = _parted(text)
            yield _File(path, now, before, plain.count("\n"))


def _parted(text: str) -> tuple[str, str]:
    """Return a text up to its module of tests, if it has one as sources of Rust do, and that."""
    start = _MODULE_OF_TESTS.search(text) if "#[cfg(test)]" in text else None
    return (text[: start.start()], text[start.start() :]) if start else (text, "")


def _patterns(row: _Row) -> tuple[re.Pattern[str], re.Pattern[str]]:
    if row.of not in _COMPILED:
        _COMPILED[row.of] = (
            re.compile(rf"^[ \t]*{row.declares}", re.MULTILINE), re.compile(rf"^[ \t]*{row.imports}", re.MULTILINE),
        )  # fmt: skip
    return _COMPILED[row.of]


def _declared(text: str, row: _Row) -> list[_Declared]:
    """Return what a text declares; the types and modules around it are told by the indentation."""
    result: list[_Declared] = []
    around: list[tuple[int, str]] = []
    subject = _DESCRIBED.search(text) if row.of == "ruby" else None
    described = {"described_class": subject[1]} if subject else {}
    for match in _patterns(row)[0].finditer(text):
        depth = len(match[0]) - len(match[0].lstrip())
        while around and around[-1][0] >= depth:
            around.pop()
        groups = {
            key: described.get(value, value).replace("::", ".") for key, value in match.groupdict().items() if value
        }
        before = f"{around[-1][1]}." if around else ""
        for key in (key for key in groups if key in _KINDS):
            for name in re.findall(r"(\w+)\s*(?:,|$)", groups[key]) if key == "l" else [groups[key]]:
                full = name if key in "abcdo" else before + name
                result.append(
                    _Declared(name, full, _KINDS[key], match.start(), match[0], key in "abcdo", groups.get("p", ""))
                )
        if "t" in groups:
            around.append((depth, before + groups["t"]))
    return result


# ---- declarations ----------------------------------------------------------------------------------------------------


def _declares(file: _File, row: _Row, subjects: _Subjects, changes: Changes) -> Iterator[tuple[str, str, str]]:
    """Yield what a file of tests declares in the place of what a source declares."""
    known = {(one.name, one.member) for one in _declared(file.then, row)}
    declared = _declared(file.now, row)
    names = {one.full for one in declared if one.kind != "type"}
    for one in declared:
        last = one.name.rpartition(".")[2]
        source = subjects.of.get(one.name) or subjects.of.get(last, "")
        if not source or (one.name, one.member) in known or one.kind == "member" or last in _OWN:
            continue
        if _is_for_a_new_test(one, file) or (one.kind == "function" and _is_member(one, file.now, row)):
            continue
        if one.member and f"{one.full}.{one.member}" not in subjects.members[source]:
            continue
        whole = one.full in subjects.types and (
            one.alias or any(full.startswith(f"{one.full}.") for full in names & subjects.members[source])
        )
        own = whole if row.of in _NESTED else True
        if file.then and own and _is_used(last, one.kind, file.then, row):
            yield _told(file, one.at, last, source)
            continue
        outer = whole if one.kind == "type" else row.shared == "all" and not any(True for _ in _around(one, file.now))
        if not row.shared or not outer or re.search(row.private, one.text):
            continue
        for other in changes.holding(last, "", row.endings):
            if other != file.path and helps_tests(other) and changes.is_there(other):
                then = changes.then(other)
                if _is_used(last, one.kind, then, row) and _is_near(file.now, then, subjects.texts[source]):
                    yield _told(file, one.at, last, source)
                    break


def _told(file: _File, at: int, name: str, source: str) -> tuple[str, str, str]:
    start = at + len(file.now[at:]) - len(file.now[at:].lstrip())
    line = file.start + file.now.count("\n", 0, start) + 1
    text = file.now[start:].partition("\n")[0]
    return file.path, text, told(line, name, source)


def told(line: int, name: str, source: str) -> str:
    """Return what is said of a line that gives tests of before another thing of that name."""
    return f"gives tests of before another `{name}` than that of `{source}` in line {line}"


def _is_used(name: str, kind: str, text: str, row: _Row) -> bool:
    """Return whether a text uses a name which it does not declare itself."""
    word = re.escape(name)
    if kind == "type":
        called = rf"(?<![\w.$]){word}\b"
    else:
        called = rf"(?<![\w.$@:>\\]){word}\s*(?:::)?(?:<[^<>()\n]{{0,80}}>\s*)?\("
    own = any(one.name == name for one in _declared(text, row)) or re.search(rf"{_SAYS}{word}\s*\(\s*\)", text)
    return bool(text) and not own and re.search(called, text) is not None


def _is_near(text: str, *others: str) -> bool:
    """Return whether what a file declares is found by one of others without an import."""
    place = _PLACE.search(text)
    places = [found[1] for one in others if (found := _PLACE.search(one))]
    return not places or place is None or any(f"{one}.".startswith(f"{place[1]}.") for one in places)


def _around(one: _Declared, text: str) -> Iterator[str]:
    """Yield the lines in whose blocks a declaration stands, the nearest first, by their indentation."""
    depth, end = len(one.text) - len(one.text.lstrip()), one.at - 1
    while depth and end > 0:
        start = text.rfind("\n", 0, end) + 1
        line, end = text[start:end], start - 1
        bare = line.lstrip()
        if bare and len(line) - len(bare) < depth:
            if bare[0] not in "}{)":
                yield line
            depth = len(line) - len(bare) + (bare[0] == "{")


def _is_member(one: _Declared, text: str, row: _Row) -> bool:
    """Return whether a function is a method, which needs something before it to be called."""
    calls_own = row.of in ("jvm", "dotnet", "swift", "ruby")
    return not calls_own and _GROUP.match(next(_around(one, text), "")) is not None


def _is_for_a_new_test(one: _Declared, file: _File) -> bool:
    """Return whether a declaration stands in a test that came with it, or in another function that did."""
    kinds = (_TEST, _FUNCTION) if one.kind == "function" else (_TEST,)
    return any(line.strip() not in file.then for line in _around(one, file.now) if any(of.match(line) for of in kinds))


# ---- imports ---------------------------------------------------------------------------------------------------------


def _imported(text: str, row: _Row) -> dict[str, tuple[str, int]]:
    """Return what is imported, by its own name here where there is one, with its place in the text."""
    result = {}
    for match in _patterns(row)[1].finditer(text):
        given = match.groupdict()
        spec, name = given["m"], (given.get("n") or "").strip()
        result[name if name not in ("", ".", "_") else spec] = (spec, match.start())
    return result


def _words(spec: str) -> list[str]:
    return [word for word in re.findall(r"[\w-]+", re.sub(r"\.\w+$", "", spec) if "/" in spec else spec) if word]


def _imports(
    file: _File, row: _Row, subjects: _Subjects, files: Iterable[str], changes: Changes
) -> Iterator[tuple[str, str, str]]:
    """Yield the imports of a file of tests that lead to something else than what they led to."""
    now, then = _imported(file.now, row), _imported(file.then, row)
    before = {spec for spec, _ in then.values()}
    for own, (spec, at) in now.items():
        if not file.then or (spec in before and own in then):
            continue
        words = _words(spec)
        name = own if own != spec else words[-1] if words else ""
        for source in subjects.texts:
            found = _led(file, row, (name, words), source, [one for one in files if one != source], subjects, changes)
            kept = name in subjects.of and subjects.of[name] == source and _is_used(name, "type", file.then, row)
            if not found and kept and own != spec and own not in then and row.first:
                found = "" if _leads(words, source, subjects) else name
            elif not found and kept and row.first and own == spec and not _leads(words, source, subjects):
                found = name
            if found:
                yield _told(file, at, found, source)
                break


def _leads(words: list[str], source: str, subjects: _Subjects) -> bool:
    """Return whether an import leads to a source: to its file, or to what it declares in its package."""
    text = subjects.texts[source]
    place = _PLACE.search(text)
    package = re.findall(r"\w+", place[1]) if place else []
    if place:
        inner = words[len(package) :]
        return words[: len(package)] == package and all(subjects.of.get(one) == source for one in inner)
    parts = re.findall(r"\w+", source.rpartition(".")[0])
    return all(one in parts or one in _OWN for one in words[:-1]) or ".".join(words) in text


def _led(
    file: _File, row: _Row, name: tuple[str, list[str]], source: str, files: list[str], subjects: _Subjects,
    changes: Changes,
) -> str:  # fmt: skip
    """Return the name of a source that another file of the session declares, to which an import leads."""
    own, words = name
    last = next((word for word in reversed(words) if word not in subjects.of), "")
    for path in files:
        folder, _, base = path.rpartition("/")
        stem, text = base.partition(".")[0], _parted(changes.now(path))[0]
        place = _PLACE.search(text)
        named = {stem, folder.rpartition("/")[2]} & {last, *words[-1:]} or stem in words
        if path == file.path or not (named or (place and re.findall(r"\w+", place[1]) == words)):
            continue
        declared = _declared(text, row)
        names = {one.full for one in declared if one.kind != "type"} & subjects.members[source]
        for one in declared:
            if one.kind == "type" and not any(full.startswith(f"{one.full}.") for full in names):
                continue
            if one.kind == "member" or subjects.of.get(one.name) != source or one.name in _OWN:
                continue
            called = re.search(rf"\b{re.escape(own)}\s*(?:\.|::)\s*{re.escape(one.name)}\s*\(", file.then)
            if called or _is_used(one.name, one.kind, file.then, row):
                return one.name
    return ""
