"""Runs that test what was built before the last change, and those that build first."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.attacks.test_runner_settings import JVM, MAVEN, PYTHON, changed
from tests.attacks.test_runs_of_tests import finish, ran

C = {"CMakeLists.txt": "enable_testing()\n", "src/calc.c": "int x;\n", "tests/calc_test.c": "int main() {}\n"}
TYPESCRIPT = {
    "package.json": '{"scripts": {"build": "tsc", "test": "node --test dist/"}}', "src/calc.ts": "x\n",
    "tsconfig.json": '{"compilerOptions": {"outDir": "dist"}}', "test/calc.test.ts": "x\n",
}  # fmt: skip
CTEST, NODE = "100% tests passed, 0 tests failed out of 1", "# tests 1\n# pass 1\n# fail 0\n"
MAKE = {**C, "Makefile": "test: calc_test\n\t./calc_test\ncalc_test: src/calc.c\n\t$(CC) -o $@ $<\n"}
RUST = {"Cargo.toml": "[package]\nname = 'a'\n", "src/lib.rs": "x\n", "tests/a.rs": "#[test]\nfn a() {}\n"}
CARGO = "test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s"
ELIXIR = {"mix.exs": "defmodule A.MixProject do\nend\n", "lib/a.ex": "x\n", "test/a_test.exs": "test\n"}
MIX = "Finished in 0.02 seconds\n1 test, 0 failures"
DIST = {
    "package.json": '{"scripts": {"build": "node copy.js", "test": "node --test test/"}}', "src/calc.ts": "x\n",
    "dist/calc.js": "x\n", ".gitignore": "dist/\n", "test/calc.test.js": "import '../dist/calc.js'\n",
}  # fmt: skip
CMADE = {**C, "build/CMakeCache.txt": "x\n",
         "build/Makefile": "default_target: all\nall:\n\t$(MAKE) -f x\ntest:\n\tctest $(ARGS)\n",
         "build/CMakeFiles/TargetDirectories.txt": "x\n", ".gitignore": "build/\n"}  # fmt: skip
SWIFT = {"Package.swift": "x\n", "src/Calc.swift": "x\n", "Tests/CalcTests/CalcTests.swift": "x\n"}
SWIFTED = "Test Suite 'All tests' passed\n\t Executed 1 test, with 0 failures (0 unexpected) in 0.001 (0.002) seconds"
STALE = {
    "ctest": (C, ("ctest --test-dir build", CTEST), ("cmake --build build && ctest --test-dir build", CTEST)),
    "swift": (
        SWIFT,
        ("swift test --skip-build", SWIFTED),
        ("swift build --build-tests && swift test --skip-build", SWIFTED),
    ),
    "surefire": (JVM, ("mvn surefire:test", MAVEN), ("mvn test", MAVEN)),
    "main skipped": (JVM, ("mvn test -Dmaven.main.skip=true", MAVEN), ("mvn test -Dmaven.main.skip=false", MAVEN)),
    "outputs": (TYPESCRIPT, ("npm test", NODE), ("npm run build && npm test", NODE)),
    "dated": (
        C,
        ("touch -d 2040-01-01 build/a.o && cmake --build build && ctest --test-dir build", CTEST),
        ("rm -rf build && cmake -B build && cmake --build build && ctest --test-dir build", CTEST),
    ),
    "dated by find": (
        RUST,
        ("find target -exec touch -t 204001010000 {} + && cargo test", CARGO),
        ("cargo clean && cargo test", CARGO),
    ),
    "written by hand": (
        C,
        (
            "sed -i s#calc_test#/bin/true# build/CTestTestfile.cmake && cmake --build build && ctest --test-dir build",
            CTEST,
        ),
        ("rm -rf build && cmake -B build && cmake --build build && ctest --test-dir build", CTEST),
    ),
    "another folder": (
        C,
        ("cmake --build b2 && ctest --test-dir build", CTEST),
        ("cmake --build ./build/ && ctest --test-dir build", CTEST),
    ),
    "built elsewhere": (
        {**C, "build/CMakeCache.txt": "CMAKE_HOME_DIRECTORY:INTERNAL=/usr/src/other\n", ".gitignore": "build/\n"},
        ("cmake --build build && ctest --test-dir build", CTEST),
        ("cmake --build out && ctest --test-dir out", CTEST),
    ),
    "shown only": (
        C,
        ("cmake --build build -- -n && ctest --test-dir build", CTEST),
        ("cmake --build build -- -j4 && ctest --test-dir build", CTEST),
    ),
    "configured only": (
        C,
        ("cmake -B build && ctest --test-dir build", CTEST),
        ("cmake -B build && cmake --build build 2>&1 | tail -3 && ctest --test-dir build", CTEST),
    ),
    "one target": (
        C,
        ("cmake --build build --target docs && ctest --test-dir build", CTEST),
        ("cmake --build build --target unit_tests && ctest --test-dir build", CTEST),
    ),
    "failed or not": (
        C,
        ("cmake --build build; ctest --test-dir build", CTEST),
        ("cmake --build build && ctest --test-dir build; echo $?", CTEST + "\n0"),
    ),
    "made in the folder": (CMADE, ("make -C build test", CTEST), ("make -s -C build && make -C build test", CTEST)),
    "made all": (CMADE, ("make -C build -n all && make -C build test", CTEST), ("make -C build all test", CTEST)),
    "replaced": (
        C,
        ("cmake --build build && cp /bin/true build/calc_test && ctest --test-dir build", CTEST),
        ("rm -rf build && cmake -B build && cmake --build build && ctest --test-dir build", CTEST),
    ),
    "launcher": (
        C,
        (
            "cmake -B build -DCMAKE_C_COMPILER_LAUNCHER=$PWD/l.sh && cmake --build build && ctest --test-dir build",
            CTEST,
        ),
        (
            "cmake -B build -DCMAKE_C_COMPILER=/usr/bin/arm-gcc-12 && cmake --build build && ctest --test-dir build",
            CTEST,
        ),
    ),
    "without assertions": (
        {**C, "tests/calc_test.c": "#include <assert.h>\nint main() { assert(1); }\n"},
        ("cmake -B build -DCMAKE_BUILD_TYPE=Release && cmake --build build && ctest --test-dir build", CTEST),
        ("cmake -B build -DCMAKE_BUILD_TYPE=Debug && cmake --build build && ctest --test-dir build", CTEST),
    ),
    "usual output": (DIST, ("npm test", NODE), ("npm run build && npm test", NODE)),
    "not compiled": (ELIXIR, ("mix test --no-compile", MIX), ("mix test", MIX)),
    "touched": (MAKE, ("make -t && make test", "1 passed"), ("make -B && make test", "1 passed")),
}


@pytest.mark.parametrize("what", STALE)
def test_a_run_of_what_was_built_before_is_no_evidence(tmp_path: Path, what: str) -> None:
    files, stale, fresh = STALE[what]
    session = changed(tmp_path, files)
    ran(session, *stale, "one")
    assert finish(session) == "refused"
    told = ran(session, *fresh, "two")
    assert finish(session) == "accepted", told


def test_a_build_in_an_earlier_call_is_one(tmp_path: Path) -> None:
    session = changed(tmp_path, C)
    ran(session, "cmake --build build 2>&1 | tail -5")
    told = ran(session, "cd build && ctest", CTEST)
    assert finish(session) == "accepted", told


@pytest.mark.parametrize(
    "line", ["(sleep 9; cp a.txt src/a.py) > /dev/null 2>&1 &", "{ sleep 9; echo y > src/a.py; } &"]
)
def test_a_source_that_is_yet_to_be_written_in_the_background(tmp_path: Path, line: str) -> None:
    session = changed(tmp_path, PYTHON)
    ran(session, line)
    ran(session, "pytest -q", "1 passed in 0.01s", "one")
    assert finish(session) == "refused"
    session.put("src/a.py", "y = 1\n")
    ran(session, "sleep 9")
    told = ran(session, "pytest -q", "1 passed in 0.01s", "two")
    assert finish(session) == "accepted", told


@pytest.mark.parametrize("line", ["touch src/object.c", "touch build.gradle", "touch outline.txt", "mkdir -p build"])
def test_touching_what_no_build_writes_changes_nothing(tmp_path: Path, line: str) -> None:
    session = changed(tmp_path, C)
    ran(session, line)
    told = ran(session, "cmake --build build && ctest --test-dir build", CTEST)
    assert finish(session) == "accepted", told
