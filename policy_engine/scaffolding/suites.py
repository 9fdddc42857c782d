"""Find the test suites of a repository: in which folders, of which ecosystem, and the line that runs each.

Told by files alone: manifests, lock files, scripts, tasks, pipelines, and whether there are tests at all; nothing is
run. Where no file of tests is found no suite is: a rule that asks for it could not be satisfied. Folders are searched
a few levels down, so that the packages of a larger repository have suites of their own.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from policy_engine.scaffolding.pipelines import pipeline_runs

_READ = 1 << 20  # of one file that is looked into
_DEPTH = 3  # levels of folders that may hold a package
_FOLDERS = 4000  # folders that are looked at
_TEST_DEPTH = 8
_SKIPPED = frozenset(
    "node_modules vendor venv env site-packages dist build out target __pycache__ fixtures testdata examples example "
    "third_party external templates template coverage tmp docs Pods".split()
)
_BAZEL_TEST = re.compile(r"^\w+_test\(", re.MULTILINE)
_NO_TESTS = "no test specified"
_TASKS = (
    ("Makefile", "make test", ("\ntest:", "\ntest ")), ("makefile", "make test", ("\ntest:",)),
    ("GNUmakefile", "make test", ("\ntest:",)), ("justfile", "just test", ("\ntest:", "\ntest ")),
    ("Justfile", "just test", ("\ntest:", "\ntest ")), ("Taskfile.yml", "task test", ("\n  test:",)),
    ("mise.toml", "mise run test", ("[tasks.test]", '[tasks."test"]')), (".mise.toml", "mise run test",
        ("[tasks.test]",)), ("Makefile", "make check", ("\ncheck:", "\ncheck ")),
)  # fmt: skip
_SCRIPTS = (
    "script/test",
    "scripts/test",
    "scripts/test.sh",
    "test.sh",
    "run_tests.sh",
    "scripts/run-tests.sh",
    "bin/test",
)
GLOBS = {
    "python": ("*.{py,pyx,pxd,proto}",),
    "javascript": ("*.{js,jsx,ts,tsx,mjs,cjs,mts,cts,vue,svelte,astro,gts,gjs,graphql,gql,proto}",),
    "go": ("*.{go,proto,sql}",), "rust": ("*.{rs,proto,sql}",),
    "jvm": ("*.{java,kt,kts,scala,sc,groovy,gradle,clj,cljc,cljs,proto,sql}",),
    "dotnet": ("*.{cs,fs,vb,cshtml,razor,xaml,proto}",), "php": ("*.{php,phtml}",),
    "ruby": ("*.{rb,rake,gemspec,ru,erb,haml,slim,jbuilder}",), "swift": ("*.{swift,m,mm,proto}",),
    "dart": ("*.{dart,proto}",),
    "c": ("*.{c,h,cc,cpp,cxx,hh,hpp,hxx,ixx,cppm,inl,ipp,tpp,tcc,cu,cuh,S,m,mm,proto}",),
    "elixir": ("*.{ex,exs,eex,heex,leex,erl,hrl}",), "zig": ("*.zig",), "haskell": ("*.{hs,lhs,hsc,x,y}",),
    "shell": ("*.{sh,bash,bats}",),
    "": ("*.{c,h,cc,cpp,hpp,m,py,go,rs,js,jsx,mjs,cjs,ts,tsx,rb,php,java,kt,scala,clj,cs,swift,dart,sh,bash,pl,pm,lua,"
         "ml,mli,hs,erl,hrl,ex,exs,nim,zig,jl,R,r,d,v,sv,vhd,f,f90,adb,ads,lisp,el,scm,rkt,cr,tcl,sql,proto}",),
}  # fmt: skip
"""Ecosystem → the names of its source files."""
_TESTS = {ecosystem: re.compile(pattern) for ecosystem, pattern in {
    "python": r"test_.*\.py|.*_test\.py|tests?\.py",
    "javascript": r"((.*[._-])?(tests?|specs?|cy|e2e)|.*(Tests?|Spec)|tests?[._-].*)\.[cm]?[jt]sx?",
    "go": r".*_test\.go", "dotnet": r".*Tests?\.(cs|fs|vb)(proj)?", "ruby": r"(.*_)?(spec|test)\.rb|test_.*\.rb",
    "php": r".*(Test|\.phpt|Cest|\.pest)(\.php)?", "dart": r".*_test\.dart", "elixir": r".*_test\.exs",
}.items()}  # fmt: skip
"""Ecosystem → the names of its files of tests; those of the others may stand in any source file."""
_TEST_FOLDERS = frozenset("test tests spec specs __tests__".split())  # every file of JavaScript in them may be one
_NAME = re.compile(r"[\w@+.-]+( [\w@+.-]+)*")  # of a folder that a policy may name


@dataclass(frozen=True, slots=True)
class Suite:
    """A test suite: its `ecosystem` ("" where only a task is known), its `folder` ("" the root) and the line `run`."""

    ecosystem: str
    folder: str
    run: str


def find_suites(root: Path) -> list[Suite]:
    """The suites of the repository at `root`, the root's first; a package that the root's suite covers has none."""
    suites: dict[tuple[str, str], Suite] = {}
    piped = pipeline_runs(root)
    for folder in _folders(root):
        place = folder.relative_to(root).as_posix()
        place = "" if place == "." else place
        for ecosystem, find in _FINDERS.items():
            if _covered(ecosystem, place, suites):
                continue
            guess = _GUESSES.get(ecosystem, _no_guess)
            run = find(folder, root) or piped.get((ecosystem, place)) or guess(folder, root)
            if run and _has_tests(ecosystem, folder):
                suites[ecosystem, place] = Suite(ecosystem, place, run)
    if not any(not place for _, place in suites) and (run := _task(root) or piped.get(("", ""), "")):
        suites["", ""] = Suite("", "", run)
    return sorted(suites.values(), key=lambda suite: (suite.folder, suite.ecosystem))


def _covered(ecosystem: str, place: str, suites: dict[tuple[str, str], Suite]) -> bool:
    """Return whether a suite above runs the tests of this folder too."""
    above = [where for sort, where in suites if sort == ecosystem]
    return any(where != place and (not where or place.startswith(where + "/")) for where in above)


def _folders(root: Path) -> Iterator[Path]:
    waiting, seen = [(root, 0)], 0
    while waiting and seen < _FOLDERS:
        folder, depth = waiting.pop(0)
        seen += 1
        yield folder
        if depth < _DEPTH:
            waiting += [(below, depth + 1) for below in _below(folder)]


def _below(folder: Path) -> list[Path]:
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]
    except OSError:
        return []
    return [
        folder / name for name in sorted(names) if _NAME.fullmatch(name) and name[0] != "." and name not in _SKIPPED
    ]


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(_READ).decode("utf-8", "replace")
    except OSError:
        return ""


def _has(folder: Path, *names: str) -> bool:
    return any((folder / name).exists() for name in names)


def _holds(folder: Path, fits: Callable[[str], bool], depth: int = _TEST_DEPTH) -> bool:
    """Return whether a file below the folder bears such a name."""
    waiting, seen = [(folder, 0)], 0
    while waiting and seen < _FOLDERS:
        here, level = waiting.pop(0)
        seen += 1
        try:
            names = os.listdir(here)
        except OSError:
            continue
        if any(map(fits, names)):
            return True
        if level < depth:
            waiting += [(below, level + 1) for below in _below(here)]
    return False


def _has_tests(ecosystem: str, folder: Path) -> bool:
    """Return whether a run in the folder would find a test, as far as names of files tell."""
    fits = _TESTS.get(ecosystem)
    if fits is None or _holds(folder, lambda name: fits.fullmatch(name) is not None):
        return True
    if ecosystem == "javascript":
        return _holds(folder, _TEST_FOLDERS.__contains__) or _starts_own_file(folder)
    return ecosystem == "python" and bool(re.search(r"python_files\s*=", _python_settings(folder)))


_PYTHON_RUNNER = re.compile(r"\b(?:pytest|unittest|tox|nox|manage\.py test)\b")
_TEXTS = 50  # files of tests that are looked into
_OF_UNITTEST = re.compile(r"^(?:import|from) unittest\b", re.MULTILINE)
_OF_PYTEST = re.compile(r"^(?:(?:import|from) pytest\b|(?:async )?def test_)", re.MULTILINE)
_HATCH_SCRIPT = re.compile(r"^\[tool\.hatch\.envs\.default\.scripts\]\n(?:[^\[\n][^\n]*\n|\n)*?test *=", re.MULTILINE)
_NOX_SESSION = re.compile(r"^@nox\.session\b[^\n]*\n(?:@[^\n]*\n)*def (tests?|unit_?tests?)\b", re.MULTILINE)
_PYTHON = ("pyproject.toml", "setup.py", "setup.cfg", "pytest.ini", "tox.ini", "requirements.txt", "Pipfile",
    "requirements-dev.txt")  # fmt: skip


def _python_settings(folder: Path) -> str:
    return "".join(_text(folder / name) for name in _PYTHON)


def _python(folder: Path, root: Path) -> str:
    if not _has(folder, *_PYTHON, "manage.py"):
        return ""
    if _has(folder, "uv.lock") or (_has(root, "uv.lock") and "[tool.uv" in _text(root / "pyproject.toml")):
        return f"uv run {_python_runner(folder)}"
    for sign, run in (("poetry.lock", "poetry run"), ("pdm.lock", "pdm run"), ("Pipfile", "pipenv run")):
        if _has(folder, sign):
            return f"{run} {_python_runner(folder)}"
    settings = _python_settings(folder)
    if "[tool.hatch.envs.hatch-test" in settings:
        return "hatch test"
    if _HATCH_SCRIPT.search(settings):
        return "hatch run test"
    if "[testenv" in _text(folder / "tox.ini"):
        return "tox"
    if session := _NOX_SESSION.search(_text(folder / "noxfile.py")):
        return f"nox -s {session[1]}"
    for environment in (".venv", "venv"):
        if _has(folder, f"{environment}/bin/pytest"):
            return f"{environment}/bin/pytest -q"
    return "python manage.py test" if "pytest" not in settings and _has(folder, "manage.py") else ""


def _python_guess(folder: Path, root: Path) -> str:
    """Return the run of a project that has tests and does not say what runs them, but by a task."""
    if not _has(folder, *_PYTHON):
        return ""
    return _file_task(folder, _PYTHON_RUNNER) or ("nox" if _has(folder, "noxfile.py") else _python_runner(folder))


def _python_runner(folder: Path) -> str:
    """Return what runs the tests of a folder: unittest where they are written for nothing else."""
    if "pytest" in _python_settings(folder) or _has(folder, "pytest.ini", "conftest.py", "tests/conftest.py"):
        return "pytest -q"
    texts = [
        _text(path) for name in ("tests", "test", ".") for path in sorted((folder / name).glob("test*.py"))[:_TEXTS]
    ]
    if not any(_OF_UNITTEST.search(text) for text in texts) or any(_OF_PYTEST.search(text) for text in texts):
        return "pytest -q"
    name = next((name for name in ("tests", "test") if any((folder / name).glob("test*.py"))), "")
    apart = name and not _has(folder, f"{name}/__init__.py")
    return f"python -m unittest discover -s {name}" if apart else "python -m unittest"


def _javascript(folder: Path, root: Path) -> str:
    if _has(folder, "deno.json", "deno.jsonc") and not _has(folder, "package.json"):
        return "deno task test" if '"test"' in _text(folder / "deno.json") else "deno test"
    scripts = _table(_package(folder), "scripts")
    manager = _manager(folder) or _manager(root) or "npm"
    for name in ("test", "test:ci", "test:all", "tests", "test:run"):
        text = scripts.get(name)
        if type(text) is str and text.strip() and _NO_TESTS not in text:
            return f"{manager} run {name}" if name != "test" or manager == "bun" else f"{manager} test"
    return ""


def _javascript_guess(folder: Path, root: Path) -> str:
    package = _package(folder)
    needs = {**_table(package, "dependencies"), **_table(package, "devDependencies")}
    for tool, run in (("vitest", "npx vitest run"), ("jest", "npx jest"), ("mocha", "npx mocha"), ("ava", "npx ava")):
        if tool in needs:
            return run
    return ""


def _package(folder: Path) -> dict[str, Any]:
    try:
        package: Any = json.loads(_text(folder / "package.json") or "{}")
    except (ValueError, RecursionError):
        return {}
    return package if type(package) is dict else {}


def _starts_own_file(folder: Path) -> bool:
    """Return whether a script of tests names a file that is there."""
    text = " ".join(str(text) for name, text in _table(_package(folder), "scripts").items() if name.startswith("test"))
    return any("/" in word or "." in word for word in text.split() if os.path.isfile(folder / word))


def _table(package: dict[str, Any], name: str) -> dict[str, Any]:
    section = package.get(name)
    return section if type(section) is dict else {}


def _manager(folder: Path) -> str:
    """Return which package manager the lock file is of."""
    locks = {
        "pnpm": ("pnpm-lock.yaml",),
        "yarn": ("yarn.lock",),
        "bun": ("bun.lock", "bun.lockb"),
        "npm": ("package-lock.json",),
    }
    return next((name for name, files in locks.items() if _has(folder, *files)), "")


def _go(folder: Path, root: Path) -> str:
    return "go test ./..." if _has(folder, "go.mod") else ""


def _rust(folder: Path, root: Path) -> str:
    if not _has(folder, "Cargo.toml"):
        return ""
    if _has(folder, ".config/nextest.toml"):
        return "cargo nextest run"
    return "cargo test --workspace" if "[workspace]" in _text(folder / "Cargo.toml") else "cargo test"


def _jvm(folder: Path, root: Path) -> str:
    if _has(folder, "pom.xml"):
        return "./mvnw test" if _has(folder, "mvnw") else "mvn test"
    if _has(folder, "build.gradle", "build.gradle.kts"):
        return "./gradlew test" if _has(folder, "gradlew") else "gradle test"
    if _has(folder, "deps.edn") and ":test" in _text(folder / "deps.edn"):
        return "clojure -M:test"
    return "sbt test" if _has(folder, "build.sbt") else "lein test" if _has(folder, "project.clj") else ""


def _dotnet(folder: Path, root: Path) -> str:
    there = any(folder.glob("*.sln")) or any(folder.glob("*.slnx")) or any(folder.glob("*.csproj"))
    return "dotnet test" if there else ""


def _ruby(folder: Path, root: Path) -> str:
    if not _has(folder, "Gemfile", "Rakefile"):
        return ""
    if _has(folder, "spec"):
        return "bundle exec rspec"
    if _has(folder, "test"):
        return "bin/rails test" if _has(folder, "bin/rails") else "bundle exec rake test"
    return ""


def _php(folder: Path, root: Path) -> str:
    if not _has(folder, "composer.json"):
        return ""
    if _has(folder, "artisan"):
        return "php artisan test"
    if '"test"' in _text(folder / "composer.json"):
        return "composer test"
    return "vendor/bin/phpunit" if _has(folder, "phpunit.xml", "phpunit.xml.dist") else ""


def _native(folder: Path, root: Path) -> str:
    if _has(folder, "meson.build") and "test(" in _text(folder / "meson.build"):
        return "meson test -C build"
    made = _text(folder / "CMakeLists.txt")
    tests = "enable_testing" in made or "include(CTest)" in made
    return "cmake --build build && ctest --test-dir build" if tests else ""


def _swift(folder: Path, root: Path) -> str:
    return "swift test" if _has(folder, "Package.swift") and _has(folder, "Tests") else ""


def _dart(folder: Path, root: Path) -> str:
    if not _has(folder, "pubspec.yaml") or not _has(folder, "test"):
        return ""
    return "flutter test" if "flutter:" in _text(folder / "pubspec.yaml") else "dart test"


def _elixir(folder: Path, root: Path) -> str:
    return "mix test" if _has(folder, "mix.exs") and _has(folder, "test") else ""


def _zig(folder: Path, root: Path) -> str:
    return "zig build test" if '"test"' in _text(folder / "build.zig") else ""


def _haskell(folder: Path, root: Path) -> str:
    settings = "".join(_text(path) for path in (*sorted(folder.glob("*.cabal")), folder / "package.yaml"))
    if "test-suite " not in settings and "\ntests:" not in settings:
        return ""
    return "stack test" if _has(folder, "stack.yaml") else "cabal test"


def _shell(folder: Path, root: Path) -> str:
    for name in ("test", "tests"):
        if any((folder / name).glob("*.bats")):
            return f"bats {name}"
    return ""


_FINDERS: dict[str, Callable[[Path, Path], str]] = {
    "python": _python, "javascript": _javascript, "go": _go, "rust": _rust, "jvm": _jvm, "dotnet": _dotnet, "ruby":
    _ruby, "php": _php, "c": _native, "swift": _swift, "dart": _dart, "elixir": _elixir, "zig": _zig,
    "haskell": _haskell, "shell": _shell,
}  # fmt: skip


def _no_guess(folder: Path, root: Path) -> str:
    return ""


_GUESSES: dict[str, Callable[[Path, Path], str]] = {"python": _python_guess, "javascript": _javascript_guess}
"""What runs the tests where neither the repository's files nor its pipelines say it."""


def _task(root: Path) -> str:
    """The task or script that the repository calls its tests, or the tests that Bazel knows."""
    scripts = (f"./{name}" for name in _SCRIPTS if _has(root, name))
    return _file_task(root) or next(scripts, "") or ("bazel test //..." if _has_bazel(root) else "")


def _file_task(folder: Path, names: re.Pattern[str] | None = None) -> str:
    """Return the task for tests of a folder; with `names`, that of a file in which the pattern is found."""
    for name, run, signs in _TASKS:
        text = "\n" + _text(folder / name)
        if any(sign in text for sign in signs) and (names is None or names.search(text)):
            return run
    return ""


def _has_bazel(root: Path) -> bool:
    """Return whether Bazel builds the repository, and a file of it near the root declares a test."""
    if not _has(root, "MODULE.bazel", "WORKSPACE", "WORKSPACE.bazel"):
        return False
    names = ("BUILD", "BUILD.bazel")
    return any(_BAZEL_TEST.search(_text(folder / name)) for folder in _folders(root) for name in names)
