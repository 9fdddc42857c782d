"""Find what files of builds name no more, or in the place of something else, since the commit of a session's start.

A test of C that is there and that no build registers any more is not missed by any runner; a source of the session of
the name of another one, which a build takes instead, is what the tests are about then. Not on the hook path: it is
imported when a run of tests passed.
"""

from __future__ import annotations

import posixpath
import re

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.test_runs.classify import Run
    from policy_engine.test_runs.session_changes import Changes

_BUILDS = ("CMakeLists.txt", "*.cmake", "meson.build", "Makefile.am", "BUILD", "BUILD.bazel", "*.csproj", "*.fsproj")
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
_INSTEAD = re.compile(r"\bCompile\s+Remove\b|\bEnableDefaultCompileItems>\s*false")
_LEAVES_OUT, _ELSEWHERE = "leaves tests out", "takes the sources from elsewhere"
_GLOBS = ("GLOB", "glob(")


def unregistered(run: Run, changes: Changes) -> Iterator[tuple[str, str, str]]:
    """Yield the files of builds with the test, or the source, and what becomes of it."""
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
        if path.endswith("proj") and (_INSTEAD.search(text) or _references(then) - _references(text)):
            for one in named:
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


def _references(text: str) -> set[str]:
    return set(re.findall(r"<ProjectReference\s+Include=[\"']([^\"']+)", text))


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
