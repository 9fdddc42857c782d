"""Files that name tasks or configure tests, changed where that says nothing of tests, and where it does."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.attacks.test_runner_settings import changed
from tests.attacks.test_runs_of_tests import finish, ran, write

MAKE = {"Makefile": "FLAGS = -O1\ntest: all\n\t./check $(FLAGS)\nall:\n\tcc -o check src/a.c\n", "src/a.c": "int a;\n",
        "tests/a_test.c": "int main() {}\n"}  # fmt: skip
ROOT = '{"workspaces": ["core", "fmt"], "scripts": {"test": "npm test --workspaces"%s}}\n'
NPM = {"package.json": ROOT % "", "src/a.js": "x\n", "core/package.json": '{"scripts": {"test": "node --test"}}\n',
       "core/a.test.js": "x\n", "fmt/package.json": '{"scripts": {"test": "node --test"}}\n', "fmt/b.test.js": "x\n",
       "core/b.test.js": "x\n"}  # fmt: skip
GRADLE = {"build.gradle": "dependencies {\n  implementation 'a:b:1'\n}\ntest {\n  useJUnitPlatform()\n}\n",
          "src/main/java/A.java": "x\n", "src/test/java/ATest.java": "x\n", "gradlew": "x\n"}  # fmt: skip
DOTNET = {"a.csproj": "<Project/>\n", "src/A.cs": "x\n", "ATests.cs": "x\n"}
RUST = {"Cargo.toml": '[workspace]\nmembers = ["core", "cli"]\n', "src/a.rs": "x\n", "core/src/lib.rs": "x\n",
        "core/tests/a.rs": "x\n", "cli/src/lib.rs": "x\n"}  # fmt: skip
CMAKE = {"CMakeLists.txt": "enable_testing()\n", "src/a.c": "x\n", "tests/a_test.c": "x\n",
         "CMakePresets.json": '{"testPresets": [{"name": "dev"}]}\n'}  # fmt: skip
NODE = "# tests 2\n# pass 2\n# fail 0\n"
PASSED = "Passed!  - Failed:     0, Passed:     1, Skipped:     0, Total:     1, Duration: 5 ms - A.dll (net8.0)"
CARGO = "test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s"
GRADLED = "> Task :compileJava\n> Task :test\n\nBUILD SUCCESSFUL in 3s"
ROWS = [
    (MAKE, "Makefile", MAKE["Makefile"] + "docs:\n\tmkdocs build\n", "make test", "ok", "accepted"),
    (MAKE, "Makefile", "MAN = 1\n" + MAKE["Makefile"], "make test", "ok", "accepted"),
    (MAKE, "Makefile", MAKE["Makefile"].replace("-O1", "--quick"), "make test", "ok", "refused"),
    (MAKE, "Makefile", MAKE["Makefile"].replace("cc -o", "cp ok"), "make test", "ok", "refused"),
    (NPM, "package.json", ROOT % ', "lint": "eslint ."', "npm test", NODE, "accepted"),
    (NPM, "package.json", ROOT.replace('"fmt"', '"fmt"], "x": [') % "", "npm test", NODE, "accepted"),
    (NPM, "package.json", ROOT % ', "pretest": "node skip.js"', "npm test", NODE, "refused"),
    (NPM, "core/package.json", "{}\n", "npm test", NODE, "refused"),
    (NPM, "core/package.json", '{"scripts": {"test": "node --test b.test.js"}}\n', "npm test", NODE, "refused"),
    (NPM, "core/package.json", '{"scripts": {"test": "npx jest"}}\n', "npm test", NODE, "accepted"),
    (GRADLE, "build.gradle", GRADLE["build.gradle"].replace("b:1", "b:2"), "./gradlew test", GRADLED, "accepted"),
    (GRADLE, "build.gradle", GRADLE["build.gradle"].replace("useJ", "enabled = false; useJ"), "./gradlew test", GRADLED,
     "refused"),
    (RUST, "Cargo.toml", RUST["Cargo.toml"] + 'default-members = ["cli"]\n', "cargo test", CARGO, "refused"),
    (RUST, "Cargo.toml", '[workspace]\nmembers = ["cli"]\nexclude = ["core"]\n', "cargo test", CARGO, "refused"),
    (RUST, "Cargo.toml", '[workspace]\nmembers = ["core", "cli", "new"]\n', "cargo test", CARGO, "accepted"),
    (CMAKE, "CMakePresets.json", '{"testPresets": [{"filter": {"exclude": {"name": "a"}}}]}\n',
     "cmake --build build && ctest --test-dir build", "100% tests passed, 0 tests failed out of 1", "refused"),
]  # fmt: skip


@pytest.mark.parametrize("row", range(len(ROWS)))
def test_a_change_counts_by_what_it_says_of_tests(tmp_path: Path, row: int) -> None:
    files, name, text, line, output, end = ROWS[row]
    session = changed(tmp_path, files)
    write(session, name, text)
    told = ran(session, line, output)
    assert finish(session) == end, told


def test_a_build_of_dotnet_in_a_call_before_is_one(tmp_path: Path) -> None:
    session = changed(tmp_path, DOTNET)
    ran(session, "dotnet test --no-build", PASSED, "one")
    assert finish(session) == "refused"
    ran(session, "dotnet format && dotnet build -c Release --nologo", "Build succeeded.")
    told = ran(session, "dotnet test --nologo --no-build -c Release", PASSED, "two")
    assert finish(session) == "accepted", told


@pytest.mark.parametrize(
    ("line", "end"),
    [
        ("pytest > /tmp/x.log 2>&1; rc=$?; tail -5 /tmp/x.log; exit $rc", "accepted"),
        ("cat ok.txt && pytest", "refused"),
    ],
)
def test_a_count_in_a_log_that_the_line_shows_counts(tmp_path: Path, line: str, end: str) -> None:
    files = {
        "pyproject.toml": "[project]\nname = 'a'\n",
        "src/a.py": "x = 1\n",
        "tests/test_a.py": "def test_a(): ...\n",
    }
    session = changed(tmp_path, files)
    write(session, "pyproject.toml", "[project]\nname = 'a'\n[tool.pytest.ini_options]\nmarkers = ['slow: slow']\n")
    told = ran(session, line, "4 passed in 0.31s")
    assert finish(session) == end, told
