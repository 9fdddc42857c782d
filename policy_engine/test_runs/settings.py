"""Find the files by which a run of tests goes, and what in them chooses tests, or is no more than an environment.

Not on the hook path: it is imported when a run of tests passed.
"""

from __future__ import annotations

import itertools
import json
import re
from _blake2 import blake2b
from fnmatch import fnmatchcase

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.undecided import ABSENT, Undecided
from policy_engine.test_runs.run_variables import CHANGING, CHANGING_ENDS, CHANGING_STARTS, OPTION_VARIABLES
from policy_engine.test_runs.runners import (
    MANAGER_SETTINGS,
    RUNNERS,
    SUITE_FOLDERS,
)
from policy_engine.test_runs.task_files import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.test_runs.classify import Run

    Choice = tuple[str, tuple[str, ...]]
    """What is written in settings, and the folders to which that confines a run; none: it leaves tests out anyway."""

_OF_PYTEST = ("pytest.toml", ".pytest.toml", "pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg")
_CHOICE = re.compile(
    r"^[ \t]*(python_files|testpaths|norecursedirs|addopts|python_functions|python_classes)[ \t]*=[ \t]*"
    r"(\[[^\]]*\]|[^\n]*(?:\n[ \t]+[^\n=]+)*)",
    re.MULTILINE,
)
_SEARCHED = re.compile(r"^[ \t]*pythonpath[ \t]*=[ \t]*(\[[^\]]*\]|[^\n]*(?:\n[ \t]+[^\n=]+)*)", re.MULTILINE)
_CHOOSING = " ".join(RUNNERS["pytest"][column] for column in ("part", "informs")).split()
_LEAVES_OUT = re.compile(
    r"(?:^|[\s\"'])(?:@|-m[ =]?[\"']*\w|-p[ =]?no:"
    rf"|(?:{'|'.join(re.escape(one) for one in _CHOOSING if one not in ('-m', '-h'))})(?![\w-]))"
)
_ANY_TEST = ("test_qzx", "testQzx", "testqzx", "TestQzx", "Test_qzx")
_ANY_FILE = ("test_qzx.py", "qzx_test.py", "qzx_tests.py", "tests_qzx.py", "testqzx.py", "qzxtest.py", "TestQzx.py")
"""Names that a test of any subject may have."""
_WORD = re.compile(r"[^\s\"'\[\],]+")
_REPLACING = ("pythonpath", "alias", "moduleNameMapper", "automock", "resolver", "replacement", "#")
_RUNNING = ("testEnvironment", "snapshotEnvironment", "environment", "transform", "testRunner", "runner", "reporter",
            "testResultsProcessor", "testSequencer", "ui")  # fmt: skip
_DEPTH = 3  # parts of the path of a folder of tests that are kept
_MOST_FOLDERS = 64
_OF_JAVASCRIPT = (
    "jest.config.", "vitest.config.", "vite.config.", "vitest.workspace.", "vitest.projects.",
    "playwright.config.", ".mocharc",
    "ava.config.",
)  # fmt: skip
_SECTIONS = ("jest", "vitest", "mocha", "ava")
_JS_OTHER_SETTINGS = re.compile(
    r"\b(?:coverage|optimizeDeps|rollupOptions|define)['\"]?\s*:\s*\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}"
)
_JS_COMMENT = re.compile(r"^\s*//.*$|/\*(?:(?!\*/)[^'\"`])*\*/", re.MULTILINE)
_JS_NAMES = ("testNamePattern", "grep", "fgrep")
_JS_PASSES = re.compile(
    r"['\"]?\b(?:(?:automock|dangerouslyIgnoreUnhandledErrors|pass-on-failing-test-suite)['\"]?\s*:\s*true"
    r"|testFailureExitCode['\"]?\s*:\s*0|resolver['\"]?\s*:\s*['\"](?:<rootDir>|\.{0,2}/)[^'\"\n]*)"
)
"""Other settings of jest, vitest and mocha by which tests prove nothing."""
_OWN_FILE = r"['\"](?:\.{0,2}/|<rootDir>)[^'\"\n]*"
_JS_PARTS = re.compile(
    rf"['\"]?\b(?:testEnvironment|snapshotEnvironment|environment)\b['\"]?\s*:\s*{_OWN_FILE}"
    rf"|['\"]?\btransform\b['\"]?\s*:\s*\{{[^{{}}]*{_OWN_FILE}[^{{}}]*\}}"
    r"|\btransform\s*(?:\([^)\n]*\)\s*\{|:\s*(?:async\b\s*)?(?:function\b|\([^)\n]*\)\s*=>|\w+\s*=>))[^\n]*"
    r"|['\"]?\bui\b['\"]?\s*:\s*['\"]?\.{0,2}/[^'\"\n]*"
    r"|\breplacement['\"]?\s*:[^\n}]*['\"][^'\"\n]*\.[cm]?[jt]sx?['\"]"
)
"""Settings that name code of the workspace which runs the tests, or gives them other sources."""
_JS_NAMED_PARTS = re.compile(
    r"\b(?:testRunner|runner|reporters?|testResultsProcessor|testSequencer|testEnvironment|snapshotEnvironment|environment"
    r"|transform|resolver|ui)\b['\"]?\s*:\s*(?:\[[^\]]*\]|\{[^{}]*\}|['\"][^'\"\n]*['\"])"
)
_JS_IMPORTS = re.compile(
    r"['\"]#[^'\"\n]*['\"]\s*:\s*['\"]\./(?:[^'\"\n]*/)?(?:tests?|stubs?|mocks?|__mocks__)/[^'\"\n]*['\"]"
)
"""Names in package.json for what sources import, which lead to a folder beside the tests."""
_JS_LEFT_OUT = ("exclude", "testPathIgnorePatterns", "testIgnore", "ignore")
_JS_FOLDERS = ("roots", "dir", "rootDir", "root", "projects", "workspace")
_JS_CHOICE = re.compile(
    rf"['\"]?\b({'|'.join((*_JS_NAMES, *_JS_LEFT_OUT, *_JS_FOLDERS))}|testMatch|testRegex|include|spec)\b['\"]?\s*:\s*"
    r"(\[[^\]]*\]|['\"`][^\n]*|/[^\n]*|(?:\n\s*-[^\n]*)+|[^\s,{}\[][^\n,}]*)"
)
_FOLDERS_VALUE = re.compile(r"\[[^\]]*\]|['\"`][^'\"`\n]*['\"`]|(?:\s*-[^\n]*\n?)+|(?:new\s+)?[\w.]+\([^)]*")
_JS_PROJECTS = ("vitest.workspace.", "vitest.projects.")
_JS_IMPORT = re.compile(r"^\s*import\b[^;\n]*;?|\brequire\s*\([^)]*\)", re.MULTILINE)
_JS_COMPUTED = re.compile(
    r"(?<=[{,])\s*\[[^\]\n]+\]\s*:[^\n]*|\w\[[^\]\n]*(?:['\"]\s*\+|\+\s*['\"]|\$\{)[^\]\n]*\]\s*=(?!=)[^\n]*"
    r"|\\[ux][0-9a-fA-F{][\w{}\\]*['\"]?\s*:[^\n]*|\b(?:eval|atob|Buffer\.from|String\.fromCharCode)\s*\([^\n]*"
)
"""Settings whose names nobody reads."""
_JS_ALIASES = re.compile(r"['\"]?\b(?:alias|moduleNameMapper)\b['\"]?\s*:\s*(\{[^{}]*\}|\[(?:[^\[\]]|\[[^\]]*\])*\])")
_JS_KEY = re.compile(r"find\s*:\s*(?:/((?:\\.|[^/\n])+)/|['\"]([^'\"\n]+)['\"])|['\"]([^'\"\n]+)['\"]\s*:")
_RELATIVE = re.compile(r"\^?\.{1,2}\\?/[\w./\\-]+\$?")
"""A name by which a file imports one beside it: what an alias of it gives is another source."""
_JS_MAPPED = re.compile(r"['\"]([^'\"\n]+)['\"]\s*:\s*['\"]([^'\"\n$]+\.[cm]?[jt]sx?)['\"]")
"""A key of `moduleNameMapper` with the one file of code that takes the place of what it matches."""
_JS_ASSETS = re.compile(r"(?:css|less|s[ac]ss|svg|png|jpe?g|gif|json|md)\W*$")
_QUOTED = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"|`[^`\n]*`")
_JS_TEST = re.compile(r"(?i)(?:^|[^a-z])(?:tests?|specs?)(?:[^a-z]|$)")
_JS_OTHERS = re.compile(
    r"(?i)e2e|playwright|cypress|fixture|mock|snapshot|helper|node_modules|dist|build|bench|utils|setup"
)
_JS_ENDS = re.compile(r"[jt]s|test|spec")
_JS_USUAL = frozenset(
    "test tests spec specs js jsx ts tsx mjs cjs mts cts jt m c x s sx d e jest unit integration functional".split()
)
_XML_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_SUITES = re.compile(r"<testsuite\b.*?</testsuite>", re.DOTALL)
_PHP_LEFT_OUT = re.compile(r"<exclude>[^<]*</exclude>")
_DIRECTORY = re.compile(r"<directory[^>]*>([^<]*)<")
_PHP_GROUPS = re.compile(r"<groups>.*?</groups>", re.DOTALL)
_PHP_SUITE = re.compile(
    r"\b(?:defaultTestSuite|phpVersion)\s*=\s*['\"][^'\"]+['\"]|<testsuites>(?!.*<(?:directory|file)\b)", re.DOTALL
)
_SUFFIX = re.compile(r"\b(?:suffix|prefix)\s*=\s*['\"]([^'\"]*)['\"]")
_PHP_USUAL = ("test.php", "tests.php", ".php", "_test.php", "spec.php", "cest.php", "testcase.php", ".phpt", "test", "")
_ASSIGNMENT = re.compile(
    r"(?:export[ \t]+)?(?!PATH=|ENV=|BASH_ENV=|LD_|NODE_OPTIONS=|PYTEST_"
    r"|PYTHON(?!UNBUFFERED|DONTWRITE|WARNINGS|HASHSEED|IOENC|FAULTH|UTF8))\w+=[^`$();&|]*"
)
_OTHER_COMMANDS = ("alias ", "function ", ". ", "source ", "eval ", "PATH=/")


def settings_of(runs: Iterable[Run], filesystem: FileSystem) -> Iterator[str]:
    """The files of the workspace, and of the folders whose files runs use."""
    folders = {file.rpartition("/")[0] for run in runs for file in run.files}
    try:
        folders.add(filesystem.real_workspace.rstrip("/"))
        for folder in sorted(folders):
            yield from (f"{folder}/{name}" for name in filesystem.names(PathValue(folder, folder)))
    except Undecided:
        return


def why_chosen(
    run: Run, wrote: Callable[[str], bool], before: dict[str, Any], commit: str, filesystem: FileSystem
) -> str:
    """Return why settings that the session wrote keep a run from proving anything; "" if none do."""
    from policy_engine.test_runs.outside_settings import set_outside
    from policy_engine.test_runs.runner_files import set_in_session
    from policy_engine.test_runs.unregistered import searched_first

    for file, choice in _choosing(run, wrote, before, filesystem):
        bare = choice.lstrip(" \t'\"")
        does = "imports other sources" if bare.startswith(_REPLACING) else "leaves tests out"
        return _changed(file, "is or names a part of the test runner" if bare.startswith(_RUNNING) else does, choice)
    if run.searched:
        from policy_engine.test_runs.swapped import why_copied

        if why := why_copied(run, wrote, filesystem):
            return why
    if folder := searched_first(run, wrote, filesystem):
        return f"`-I {folder}` lets it take sources that this session wrote before those of the project"
    found = next(itertools.chain(set_in_session(run, commit, wrote, filesystem), set_outside(run, wrote, filesystem),
                                 _replacing_subjects(run, commit, wrote, before, filesystem)), None)  # fmt: skip
    return _changed(found[0], found[2], found[1]) if found else ""


def _replacing_subjects(
    run: Run, commit: str, wrote: Callable[[str], bool], before: dict[str, Any], filesystem: FileSystem
) -> Iterator[tuple[str, str, str]]:
    """Yield the files of the session by which tests of before are about something else than the source."""
    if not commit:
        return
    from policy_engine.test_runs.imported_settings import imported_settings
    from policy_engine.test_runs.led_elsewhere import led_elsewhere
    from policy_engine.test_runs.other_builds import other_in_tests
    from policy_engine.test_runs.replaced_modules import (
        led_in_javascript,
        replaced_in_javascript,
        replaced_in_php,
        shadowed_in_javascript,
    )
    from policy_engine.test_runs.replaced_subjects import led_in_python, replaced_in_python
    from policy_engine.test_runs.session_changes import Changes
    from policy_engine.test_runs.unregistered import unregistered

    about = "replaces for tests of before what they are about"
    readers = {
        "python": (replaced_in_python, about), "javascript": (replaced_in_javascript, about),
        "php": (replaced_in_php, about),
        "rust": (other_in_tests, "does something else where tests run"),
    }  # fmt: skip
    try:
        changes = Changes(commit, wrote, filesystem)
        for of, (read, does) in readers.items():
            yield from ((path, what, does) for path, what in (read(changes) if run.of in ("", of) else ()))
        yield from led_elsewhere(changes, run.of)
        yield from led_in_python(changes) if run.of in ("", "python") else ()
        yield from led_in_javascript(changes) if run.of in ("", "javascript") else ()
        if run.of in ("", "javascript"):
            beside = shadowed_in_javascript(changes)
            yield from ((path, what, "imports take in the place of a source") for path, what in beside)
        yield from unregistered(run, changes)
        if run.of in ("", "javascript"):
            lying = before.get("/javascript", ())

            def left_out(text: str) -> Iterator[Choice]:
                return ((one, ()) for one, those in _of_javascript(text) if not those or _leaves_out(those, lying))

            found = imported_settings(changes, _OF_JAVASCRIPT, left_out, filesystem)
            yield from ((path, what, "is a part of the settings of the test runner") for path, what in found)
    except Undecided:
        return


def _changed(file: str, does: str, choice: str) -> str:
    return f"this session changed `{file.rpartition('/')[2]}`, which {does} (`{' '.join(choice.split())[:80]}`)"


def _choosing(
    run: Run, wrote: Callable[[str], bool], before: dict[str, Any], filesystem: FileSystem
) -> Iterator[tuple[str, str]]:
    """The files of settings that the session wrote and in which tests are left out that were not before, or other
    sources are imported, and how.

    `before` is what `began_with` found when the session began.
    """
    from policy_engine.test_runs.outside_settings import folders_around

    try:
        root = filesystem.real_workspace.rstrip("/")
        suites = [f"{root}/{name}" for name in ("tests", "test")]  # `pytest tests` reads the settings there first
        chosen = [f"{root}/{one}" for one in run.targets if one[:1] not in ("", "~")]
        inside = dict.fromkeys((root, *chosen, *(one for one in suites if _is_there(one, filesystem))))
        for folder in (*inside, *folders_around(filesystem)):
            for name in filesystem.names(PathValue(folder, folder)) if folder in inside else _OF_PYTEST:
                of, read = _reader(name)
                if read is None or run.of not in ("", of):
                    continue
                if of == "javascript":
                    yield from _parts_written(folder, text_of(f"{folder}/{name}", filesystem), wrote, filesystem)
                if not wrote(f"{folder}/{name}"):
                    continue
                text = text_of(f"{folder}/{name}", filesystem)
                if of == "python":
                    yield from _doubling(f"{folder}/{name}", text, wrote, filesystem)
                # a worktree within the workspace has a copy of each file
                known = {mark for path, marks in before.items() if path.rpartition("/")[2] == name for mark in marks}
                base = f"{folder}/".removeprefix(f"{root}/")
                lying = [one for one in before.get(f"/{of}", ()) if f"{one}/".startswith(base)]
                of_folder = [f"{one}/".removeprefix(base).rstrip("/") for one in lying]
                for choice, folders in read(text):
                    left = not folders or (_leaves_out(folders, lying) and _leaves_out(folders, of_folder))
                    if left and _digest(choice) not in known:
                        yield f"{folder}/{name}", choice
    except Undecided:
        return


def _parts_written(
    folder: str, text: str, wrote: Callable[[str], bool], filesystem: FileSystem
) -> Iterator[tuple[str, str]]:
    """The files of the session that settings name as a part of the test runner, each with the setting."""
    for match in _JS_NAMED_PARTS.finditer(_JS_COMMENT.sub("", text)):
        for word in _QUOTED.findall(match[0]):
            place = word[1:-1].replace("<rootDir>", ".")
            if place[:1] == "." and wrote(real := filesystem.resolve(place, folder).real):
                yield real, match[0]


def _doubling(path: str, text: str, wrote: Callable[[str], bool], filesystem: FileSystem) -> Iterator[tuple[str, str]]:
    """The settings that let Python import other copies of the sources."""
    from policy_engine.test_runs.swapped import copied, doubled

    base = path.rpartition("/")[0]
    for match in _SEARCHED.finditer(text):
        places = (filesystem.resolve(word, base).real for word in _WORD.findall(match[1]))
        if any(doubled(place, filesystem) or copied(place, base, wrote, filesystem) for place in places):
            yield path, match[0]


def searched_folders(root: str, filesystem: FileSystem) -> set[str]:
    """Return the folders that settings of the workspace put before the installed packages of Python."""
    texts = (text_of(f"{root}/{name}", filesystem) for name in _OF_PYTEST if _is_there(f"{root}/{name}", filesystem))
    words = (word for text in texts for match in _SEARCHED.finditer(text) for word in _WORD.findall(match[1]))
    return {filesystem.resolve(word, root).real.rstrip("/") for word in words}


def _is_there(folder: str, filesystem: FileSystem) -> bool:
    return filesystem.present(PathValue(folder, folder))


def began_with(settings: Iterable[str], tests: Iterable[str], filesystem: FileSystem) -> dict[str, list[str]]:
    """Return what stands for the choices in files of settings, by file, and the folders of tests, by `/` and the
    ecosystem.
    """
    root = filesystem.real_workspace.rstrip("/")
    tests = tuple(tests)
    result = {f"/{of}": _folders(tests, of) for of in ("python", "javascript", "php")}
    for path in settings:
        _, read = _reader(path.rpartition("/")[2])
        if read is not None:
            result[path] = [_digest(choice) for choice, _ in read(text_of(f"{root}/{path}", filesystem))]
    return {name: value for name, value in result.items() if value}


def _folders(tests: Iterable[str], of: str) -> list[str]:
    """The folders, shortened, in which the tests of an ecosystem lie; those that are called so, if there are any."""
    parts = [tuple(path.split("/")[:-1]) for path in tests if _reader_of(path) == of]
    called = [one for one in parts if not SUITE_FOLDERS.isdisjoint(map(str.lower, one))]
    return sorted({"/".join(one[:_DEPTH]) for one in called or parts})[:_MOST_FOLDERS]


def _reader_of(path: str) -> str:
    ending = path.rpartition(".")[2]
    return {"py": "python", "php": "php"}.get(ending, "javascript" if ending[-2:] in ("js", "ts", "sx") else "")


def _leaves_out(chosen: Iterable[str], folders: Iterable[str]) -> bool:
    """Return whether tests of the session's start lie in none of the folders to which settings confine a run."""
    patterns = ["/".join(one.removeprefix("./").strip("/").split("/")[:_DEPTH]) for one in chosen]
    return any(not any(_lies_in(folder, one) for one in patterns) for folder in folders)


def _lies_in(folder: str, pattern: str) -> bool:
    if pattern.startswith("**/"):  # anywhere, perhaps deeper than what is kept of the folder
        return folder.count("/") == _DEPTH - 1 or fnmatchcase(f"/{folder}/", f"*{pattern[2:]}/*")
    return pattern in ("", ".") or fnmatchcase(folder, pattern) or fnmatchcase(folder, f"{pattern}/*")


def _digest(choice: str) -> str:
    """Return what stands for a text that is not kept."""
    return blake2b("".join(choice.split()).encode(), digest_size=8).hexdigest()


def _reader(name: str) -> tuple[str, Callable[[str], Iterator[Choice]] | None]:
    if name in _OF_PYTEST:
        return "python", _of_pytest
    if name.startswith(_JS_PROJECTS):
        return "javascript", _of_projects
    if name.startswith(_OF_JAVASCRIPT):
        return "javascript", _of_javascript
    if name == "package.json":
        return "javascript", _of_package
    if name in _OWN_READERS:
        return "javascript", _OWN_READERS[name]
    if name == "Cargo.toml":
        return "rust", _of_cargo
    if name.startswith("phpunit.") and name.endswith((".xml", ".xml.dist")):
        return "php", _of_phpunit
    return "", None


def _of_pytest(text: str) -> Iterator[Choice]:
    """Yield the settings of pytest that name single files of tests, or leave some out."""
    for match in _CHOICE.finditer(text):
        key, words = match[1], _WORD.findall(match[2])
        if key == "addopts":
            chosen = bool(_LEAVES_OUT.search(match[2])) or any(word.endswith(".py") for word in words)
        elif key == "norecursedirs":
            chosen = any(word.strip("*/") in SUITE_FOLDERS for word in words)
        elif key in ("python_functions", "python_classes"):
            chosen = not any(fnmatchcase(name, f"{word}*") for word in words for name in _ANY_TEST)
        elif key == "python_files":
            chosen = not any(fnmatchcase(name, word.rpartition("/")[2]) for word in words for name in _ANY_FILE)
        else:
            if words:
                yield match[0], tuple(words)
            continue
        if chosen:
            yield match[0], ()


def _of_javascript(text: str) -> Iterator[Choice]:
    """Yield the settings of jest, vitest, mocha and their kin that choose tests by name, or leave some out."""
    searched: list[Choice] = []
    plain = _JS_OTHER_SETTINGS.sub("", _JS_COMMENT.sub("", text))
    yield from ((match[0], ()) for match in _JS_COMPUTED.finditer(plain))
    for match in _JS_CHOICE.finditer(plain):
        key, words = match[1], [word[1:-1] for word in _QUOTED.findall(match[2])]
        if key in _JS_NAMES:
            chosen = True
        elif key in _JS_LEFT_OUT:
            chosen = any(_JS_TEST.search(word) and not _JS_OTHERS.search(word) for word in words)
        elif key in _JS_FOLDERS:
            value = _FOLDERS_VALUE.match(plain, match.start(2))
            words = [word[1:-1] for word in _QUOTED.findall(value[0])] if value else []
            if value and words and "{" not in _QUOTED.sub("", value[0]):
                yield f"{key}: {value[0]}", tuple(map(_project_of, words))
            continue
        else:
            chosen = bool(words) and all(map(_is_narrow, words))
            if words and not chosen and key != "testRegex" and not (key == "include" and _of_plugin(words, text)):
                searched.append((match[0], tuple(map(_folder_of, words))))
        if chosen:
            yield match[0], ()
    if searched:  # several projects may search a folder each
        yield "; ".join(choice for choice, _ in searched), tuple(one for _, folders in searched for one in folders)
    yield from ((match[0], ()) for pattern in (_JS_PASSES, _JS_PARTS) for match in pattern.finditer(text))
    for match in _JS_ALIASES.finditer(text):
        keys = (key[key.lastindex or 0] for key in _JS_KEY.finditer(match[1]))
        mapped = (one[1] for one in _JS_MAPPED.finditer(match[1]) if one[1][0] != "^" and match[0].find("Mapper") > 0)
        if any(not _JS_ASSETS.search(key) for key in (*filter(_RELATIVE.fullmatch, keys), *mapped)):
            yield match[0], ()


def _of_projects(text: str) -> Iterator[Choice]:
    """Yield the folders to which a list of projects confines a run, if it lists nothing but folders."""
    plain = _JS_IMPORT.sub("", _JS_COMMENT.sub("", text))
    words = [word[1:-1] for word in _QUOTED.findall(plain)]
    if words and "{" not in _QUOTED.sub("", plain):
        yield plain, tuple(_project_of(word) for word in words if word[:1] != "!")
    yield from ((word, ()) for word in words if word[:1] == "!")
    yield from _of_javascript(text)


def _project_of(word: str) -> str:
    """Return the folder of a project; one above that of the settings has all of them."""
    folder = _folder_of(word)
    return "." if folder.startswith("..") else folder


def _of_plugin(patterns: list[str], text: str) -> bool:
    """Return whether patterns may be those of the files that a plugin of vite reads."""
    return "plugins" in text and not any(_JS_TEST.search(one) or one.endswith(("*", "/")) for one in patterns)


def _folder_of(pattern: str) -> str:
    """Return the folder in which a pattern of files looks, "." for that of the settings."""
    parts = pattern.removeprefix("<rootDir>").strip("/").split("/")
    anywhere = "**/" if parts[0] == "**" and parts[1:2] and parts[1] not in SUITE_FOLDERS else ""
    parts = parts[1:] if anywhere else parts
    fixed = itertools.takewhile(lambda part: not set(part) & set("*?[]{}()!+@$"), parts)
    folder = "/".join(part for part in fixed if part != "." and not _JS_ENDS.search(part.partition(".")[2]))
    return f"{anywhere}{folder}" if folder else "."


def _of_bun(text: str) -> Iterator[Choice]:
    """Yield the folder to which bun confines its tests, and what it leaves out."""
    import tomllib

    try:
        tests = tomllib.loads(text).get("test", {})
    except (ValueError, RecursionError):
        return
    if type(tests) is dict and type(tests.get("root")) is str:
        yield f"root = {tests['root']}", (_folder_of(tests["root"]),)
    if type(tests) is dict and (left := tests.get("pathIgnorePatterns")):
        yield f"pathIgnorePatterns = {left}", ()


def _of_deno(text: str) -> Iterator[Choice]:
    """Yield what deno chooses among the tests: by `test`, and by what is left out of everything."""
    try:
        sections = json.loads(_JS_COMMENT.sub("", text))
        chosen = {name: sections[name] for name in ("test", "exclude") if name in sections}
    except (ValueError, TypeError, RecursionError):
        return
    yield from _of_javascript(json.dumps(chosen, indent=1))


def _of_package(text: str) -> Iterator[Choice]:
    try:
        sections = json.loads(text)
        text = "\n".join(json.dumps(sections[name], indent=1) for name in _SECTIONS if name in sections)
        imports = json.dumps(sections.get("imports", {}))
    except (ValueError, TypeError, AttributeError, RecursionError):
        return
    yield from _of_javascript(text)
    yield from ((match[0], ()) for match in _JS_IMPORTS.finditer(imports))


def _of_cargo(text: str) -> Iterator[Choice]:
    """Yield the settings of cargo that find no tests by themselves, or leave those of the library or a file out."""
    import tomllib

    try:
        manifest = tomllib.loads(text)
    except (ValueError, RecursionError):
        return
    package, library, tests = (manifest.get(name) for name in ("package", "lib", "test"))
    for where, table, keys in (
        ("package", package, ("autotests",)),
        ("lib", library, ("test", "harness")),
        *(("test", one, ("test", "harness")) for one in (tests if type(tests) is list else ())),
    ):
        for key in keys if type(table) is dict else ():
            if table.get(key) is False:
                yield f"[{where}] {table.get('name', '') if where == 'test' else ''} {key} = false", ()
        if where == "test" and type(table) is dict and table.get("required-features"):
            yield f"[test] {table.get('name', '')} required-features = {table['required-features']}", ()


_OWN_READERS = {"bunfig.toml": _of_bun, "deno.json": _of_deno, "deno.jsonc": _of_deno}


def _is_narrow(pattern: str) -> bool:
    """Return whether a pattern of files of tests asks for more than a folder and the usual endings."""
    base = pattern.rpartition("/")[2].replace("\\", "")
    if not _JS_ENDS.search(base.rpartition(".")[2]):
        return False
    words = [word for word in re.split(r"[^A-Za-z]+", base) if word]
    return any(word.lower() not in _JS_USUAL for word in words)


def _of_phpunit(text: str) -> Iterator[Choice]:
    """Yield the suites of phpunit that name single files, the endings that are none of tests, and chosen groups."""
    text = _XML_COMMENT.sub("", text)
    suites, folders = suites_of_phpunit(text)
    if folders or "<file" in suites:
        yield suites, folders
    for match in (*_PHP_LEFT_OUT.finditer(suites), *_PHP_GROUPS.finditer(text), *_PHP_SUITE.finditer(text)):
        yield match[0], ()
    for match in _SUFFIX.finditer(suites):
        if match[1].lower() not in _PHP_USUAL:
            yield match[0], ()


def suites_of_phpunit(text: str) -> tuple[str, tuple[str, ...]]:
    """Return what settings of phpunit say of suites, and the folders that they name."""
    suites = "".join(_SUITES.findall(_XML_COMMENT.sub("", text)))
    return suites, tuple(folder.strip() for folder in _DIRECTORY.findall(suites))


def is_environment(real: str, filesystem: FileSystem) -> bool:
    """Return whether a script only sets variables, or enters the virtual environment in which it lies."""
    if real.rpartition("/")[2] in MANAGER_SETTINGS:
        return False
    lines = [line.strip() for line in text_of(real, filesystem).split("\n")]
    lines = [line for line in lines if line and line[0] != "#"]
    if all(_ASSIGNMENT.fullmatch(line) and _is_harmless(line) for line in lines):
        return True
    folder = real.rpartition("/bin/activate")[0]
    try:
        if not folder or filesystem.look(PathValue(folder, f"{folder}/pyvenv.cfg")) is ABSENT:
            return False
    except Undecided:
        return False
    defined = {line.partition("(")[0].strip() for line in lines if line.partition("(")[2][:1] == ")"}
    return defined <= {"deactivate", "pydoc"} and not any(line.startswith(_OTHER_COMMANDS) for line in lines)


def _is_harmless(line: str) -> bool:
    name = line.removeprefix("export").partition("=")[0].strip()
    return not (name in CHANGING or name in OPTION_VARIABLES or name.startswith(CHANGING_STARTS)
                or name.endswith(CHANGING_ENDS))  # fmt: skip
