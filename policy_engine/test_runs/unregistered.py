"""Find what files of builds name no more, or in the place of something else, since the commit of a session's start.

A test of C that is there and that no build registers any more is not missed by any runner; a source of the session of
the name of another one, which a build takes instead, is what the tests are about then. Not on the hook path: it is
imported when a run of tests passed.
"""

from __future__ import annotations

import json
import posixpath
import re

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.undecided import Undecided
from policy_engine.test_runs.replaced_modules import php_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.test_runs.classify import Run
    from policy_engine.test_runs.session_changes import Changes

_BUILDS = ("CMakeLists.txt", "*.cmake", "meson.build", "Makefile.am", "BUILD", "BUILD.bazel", "*.csproj", "*.fsproj",
           "Directory.Build.props", "Directory.Build.targets", "*.props", "*.targets")  # fmt: skip
_OF_PROJECTS = ("proj", ".props", ".targets")
_COMMENT = re.compile(r"^\s*#[^\n]*|<!--.*?-->", re.MULTILINE | re.DOTALL)
_REGISTERS = re.compile(
    r"\badd_test\s*\(\s*(?:NAME\s+)?[\w.-]+\s+(?:COMMAND\s+)?(?:\$<TARGET_FILE:)?([\w./-]+)"
    r"|\b(?:gtest_discover_tests|gtest_add_tests|catch_discover_tests|doctest_discover_tests|cxxtest_add_test"
    r"|ecm_add_test|qt_add_test)\s*\(\s*(?:TARGET\s+)?(\w+)|(?<![\w.])test\s*\(\s*'[^']*'\s*,\s*(\w+)"
)
"""What is registered as a test: a target of cmake or meson."""
_BUILT = r"\b(?:add_executable|qt_add_executable)\s*\(\s*{0}\b|\b{0}\s*=\s*executable\b"
_SOURCE = re.compile(r"[\w./\\${}-]*\w\.(?:c|cc|cpp|cxx|m|mm|cs|fs)\b")
_IS_TEST = re.compile(r"(?i)(?:^|/)(?:tests?|specs?)/|(?:^|[/._-])(?:test|spec)s?(?:[._-]|$)|Tests?\.")
_VARIABLE = re.compile(r"\$\{?\w+\}?/")
_INCLUDED = re.compile(r"\bCompile\s+(?:Include|Update)\s*=\s*[\"']([^\"']*)[\"']")
_REMOVED = re.compile(r"\bCompile\s+Remove\s*=\s*[\"']([^\"']*)[\"']")
_INSTEAD = re.compile(r"\bCompile\s+Remove\b|\bEnableDefaultCompileItems>\s*false")
_LEAVES_OUT, _ELSEWHERE = "leaves tests out", "takes the sources from elsewhere"
_GLOBS = ("GLOB", "glob(")


def unregistered(run: Run, changes: Changes) -> Iterator[tuple[str, str, str]]:
    """Yield the files of builds with the test, or the source, and what becomes of it."""
    if run.of in ("", "swift"):
        yield from _targets(changes)
    if run.of in ("", "php"):
        yield from _autoloaded(changes)
    if run.of not in ("", "c", "dotnet"):
        return
    texts = {path: (_plain(changes.then(path)), _plain(changes.now(path))) for path in changes.named(_BUILDS)}
    now = "\n".join(text for _, text in texts.values())
    registered = set(_registered(now))
    for path, (then, text) in texts.items():
        for target in dict.fromkeys(_registered(then)):
            base = target.rpartition("/")[2]
            if target not in registered and re.search(_BUILT.format(re.escape(base)), now):
                yield path, f"{base} is no test any more", _LEAVES_OUT
        named, before = _sources(path, text), _sources(path, then)
        bases = {one.rpartition("/")[2] for one in _sources(path, now)}
        for one in before:
            base = one.rpartition("/")[2]
            if one in named or not changes.is_there(one):
                continue
            instead = next((other for other in named if other not in before and other.endswith(f"/{base}")), "")
            if instead and not changes.then(instead):
                yield path, instead, _ELSEWHERE
            elif _IS_TEST.search(one) and base not in bases and not any(sign in text for sign in _GLOBS):
                yield path, f"{one} is not built any more", _LEAVES_OUT
        if path.endswith(_OF_PROJECTS) and (_INSTEAD.search(text) or _references(then) - _references(text)):
            yield from ((path, f"Compile Remove {one}", _ELSEWHERE) for one in _removed(text, then, changes))
            for one in (*named, *_included(text, then, changes)):
                kept = [other for other in changes.committed(one.rpartition("/")[2]) if other != one]
                if one not in before and kept and not changes.then(one):
                    yield path, one, _ELSEWHERE


def _plain(text: str) -> str:
    return _COMMENT.sub("", text)


def _registered(text: str) -> list[str]:
    return [next(filter(None, found.groups()), "") for found in _REGISTERS.finditer(text)]


def _sources(path: str, text: str) -> list[str]:
    """Return the sources that a file of a build names, by their paths below the root."""
    folder = posixpath.dirname(path)
    words = (_VARIABLE.sub("", match[0].replace("\\", "/")) for match in _SOURCE.finditer(text))
    return list(dict.fromkeys(posixpath.normpath(posixpath.join(folder, word)) for word in words))


def _included(text: str, then: str, changes: Changes) -> list[str]:
    """Return the new sources that a project takes in by a pattern since the session."""
    known = set(_INCLUDED.findall(then))
    words = [one.replace("\\", "/") for one in _INCLUDED.findall(text) if one not in known and "*" in one]
    folders = {_VARIABLE.sub("", word).partition("*")[0].strip("./").rpartition("/")[2] for word in words}
    return [path for path in (changes.files(("cs", "fs", "vb")) if words else ())
            if not changes.then(path) and not folders.isdisjoint(("", *path.split("/")))]  # fmt: skip


def _removed(text: str, then: str, changes: Changes) -> list[str]:
    """Return the sources that the session changed and that a project compiles no more."""
    known = set(_REMOVED.findall(then))
    words = [word for one in _REMOVED.findall(text) if one not in known for word in one.replace("\\", "/").split(";")]
    names = {word.rpartition("/")[2] for word in words}
    return [path for path in (changes.files(("cs", "fs", "vb")) if words else ())
            if path.rpartition("/")[2] in names and changes.then(path)]  # fmt: skip


def _references(text: str) -> set[str]:
    return set(re.findall(r"<ProjectReference\s+Include=[\"']([^\"']+)", text))


# ---- targets of Swift, and classes of PHP ---------------------------------------------------------------------------

_TARGET = re.compile(
    r"\.(target|executableTarget|testTarget)\s*\(((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*)\)"
)
_SWIFT_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_AUTOLOADS = ("psr-4", "psr-0", "classmap", "files")


def _targets(changes: Changes) -> Iterator[tuple[str, str, str]]:
    """Yield the packages of Swift in which a target has another folder, though that of before is there."""
    for path in changes.named(("Package.swift",)):
        now, then = (_folders(_SWIFT_COMMENT.sub("", text)) for text in (changes.now(path), changes.then(path)))
        base = posixpath.dirname(path)
        for (kind, name), folder in then.items():
            after = now.get((kind, name), "")
            tests = kind == "testTarget"
            moved = after != folder if after else tests and folder not in now.values()
            if moved and changes.listed(posixpath.join(base, folder), "*.swift"):
                yield path, f"{name}: {after or 'none'}", _LEAVES_OUT if tests else _ELSEWHERE


def _folders(text: str) -> dict[tuple[str, str], str]:
    """Return the folder of each target."""
    result = {}
    for kind, inner in _TARGET.findall(text):
        name, path = (re.search(rf"\b{key}\s*:\s*\"([^\"]*)\"", inner) for key in ("name", "path"))
        if name:
            usual = f"{'Tests' if kind == 'testTarget' else 'Sources'}/{name[1]}"
            result[kind, name[1]] = posixpath.normpath(path[1] if path else usual)
    return result


def _autoloaded(changes: Changes) -> Iterator[tuple[str, str, str]]:
    """Yield the packages of PHP that load classes from a place that they did not name, though a source defines them."""
    for path in changes.named(("composer.json",)):
        base = posixpath.dirname(path)
        known = _loaded(changes.then(path))
        for place in (one for one in _loaded(changes.now(path)) if one not in known):
            real = posixpath.normpath(posixpath.join(base, place))
            files = [real] if real.endswith(".php") else changes.listed(real, "*.php")
            for name in (name for file in files for name in php_names(changes.now(file))):
                for other in changes.holding(name.rpartition("\\")[2], "", ("php",)):
                    apart = other != real and not other.startswith((f"{real}/", "vendor/")) and changes.is_there(other)
                    if apart and name in php_names(changes.then(other)):
                        yield path, f"{name}: {place}", _ELSEWHERE


def _loaded(text: str) -> list[str]:
    """Return the places from which a package of PHP loads classes."""
    try:
        read = json.loads(text)
        kinds = [read.get(section, {}).get(kind, ()) for section in ("autoload", "autoload-dev") for kind in _AUTOLOADS]
    except (ValueError, TypeError, AttributeError, RecursionError):
        return []
    values = (value for kind in kinds for value in (kind.values() if type(kind) is dict else kind))
    return [str(one) for value in values for one in (value if type(value) is list else [value])]


# ---- folders that the line of a run names ----------------------------------------------------------------------------

_RUBY_FOLDER = re.compile(r"(?<!\S)-I[ =]?(?!(?:\./)?(?:lib|spec|app|test|\.)(?:[/:\s]|$))([\w./-]+)")


def searched_first(run: Run, wrote: Callable[[str], bool], filesystem: FileSystem) -> str:
    """Return the folder of the session that a run of Ruby searches before those of the project, "" if none."""
    for match in _RUBY_FOLDER.finditer(run.line) if run.of in ("", "ruby") and "-I" in run.line else ():
        try:
            place = filesystem.resolve(match[1], filesystem.real_workspace)
            waiting = [place.real]
            for folder in waiting[:8]:
                names = [f"{folder}/{name}" for name in filesystem.names(PathValue(folder, folder))]
                if any(one.endswith(".rb") and wrote(one) for one in names):
                    return match[1]
                waiting += [one for one in names if "." not in one.rpartition("/")[2]]
        except Undecided:
            continue
    return ""
