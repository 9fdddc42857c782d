"""Runs of the whole that do not reach the package that a session changed, by the layout as it is committed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.attacks.session import Session
from tests.attacks.test_runs_of_tests import finish, ran, repository, write
from tests.attacks.test_tests_taken_out import with_commit

CARGO = "test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s"
GO = "ok  \tx/b\t0.002s"
NODE = "# tests 2\n# pass 2\n# fail 0\n"
MAVEN = "[INFO] Tests run: 1, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS"
DOTNET = "Passed!  - Failed:     0, Passed:     1, Skipped:     0, Total:     1, Duration: 5 ms - A.dll (net8.0)"
TEST = "#[test]\nfn a() {}\n"
PACKAGE = '[package]\nname = "acme-core"\n'
NODE_PACKAGE = '{"name": "%s", "scripts": {"test": "node --test"}}\n'


def crates(root: str, test: str = TEST) -> dict[str, str]:
    """A root package, and one below it."""
    return {"Cargo.toml": root, "src/a.rs": TEST, "core/Cargo.toml": PACKAGE, "core/src/lib.rs": f"x\n{test}"}


def scripts(script: str, below: str = NODE_PACKAGE % "a", more: str = "") -> dict[str, str]:
    """A root with a script of tests, and a package below it."""
    return {
        "package.json": f'{{"scripts": {{"test": "{script}"{more}}}}}\n', "src/a.js": "x\n", "test/a.test.js": "x\n",
        "packages/a/package.json": below, "packages/a/a.js": "x\n", "packages/a/a.test.js": "x\n",
    }  # fmt: skip


ROOT = '[package]\nname = "app"\n[workspace]\nmembers = ["core"]\n'
VIRTUAL = '[workspace]\nmembers = [\n  "c*",\n]\n'
MODULE = {"go.mod": "module x\n", "a.go": "package a\n", "a_test.go": "package a\n", "tools/go.mod": "module y\n",
          "tools/t.go": "package t\n", "tools/t_test.go": "package t\n"}  # fmt: skip
JVM = {"pom.xml": "<project><modules><module>web</module></modules></project>\n", "web/pom.xml": "<project/>\n",
       "web/src/test/java/WTest.java": "x\n", "core/pom.xml": "<project/>\n", "core/src/main/java/C.java": "x\n",
       "core/src/test/java/CTest.java": "x\n"}  # fmt: skip
LISTED = {**JVM, "pom.xml": JVM["pom.xml"].replace("<modules>", "<modules><module>core</module>")}
GRADLE = {"settings.gradle": "include ':web'\n", "build.gradle": "\n", "web/build.gradle": "\n",
          "web/src/test/java/WTest.java": "x\n", "core/build.gradle": "\n", "core/src/main/java/C.java": "x\n",
          "core/src/test/java/CTest.java": "x\n"}  # fmt: skip
SOLUTION = {"a.sln": 'P = "A", "A.Tests\\A.Tests.csproj", "1"\n', "A.Tests/A.Tests.csproj": "<Project/>\n",
            "A.Tests/ATests.cs": "x\n", "B/B.csproj": "<Project/>\n", "B/B.cs": "x\n",
            "B.Tests/B.Tests.csproj": '<ProjectReference Include="..\\B\\B.csproj"/>\n',
            "B.Tests/BTests.cs": "x\n"}  # fmt: skip
LIB, TOOL, JS, CORE = "core/src/lib.rs", "tools/t.go", "packages/a/a.js", "core/src/main/java/C.java"
GRADLED = "> Task :compileJava\n> Task :test\n\nBUILD SUCCESSFUL in 3s"
ROWS = [
    (crates(ROOT), LIB, "cargo test", CARGO, "refused"),
    (crates(ROOT), LIB, "cargo test --workspace", CARGO, "accepted"),
    (crates(ROOT), LIB, "cargo test && cargo test -p acme-core", CARGO, "accepted"),
    (crates(ROOT), "src/a.rs", "cargo test", CARGO, "accepted"),
    (crates(ROOT, ""), LIB, "cargo test", CARGO, "accepted"),
    (crates(ROOT + 'default-members = [".", "core"]\n'), LIB, "cargo test", CARGO, "accepted"),
    (crates(VIRTUAL), LIB, "cargo test", CARGO, "accepted"),
    (crates('[workspace]\nmembers = ["cli"]\n'), LIB, "cargo test", CARGO, "refused"),
    (crates('[workspace]\nmembers = ["cli"]\n[workspace.dependencies]\ncore = { path = "core" }\n'), LIB, "cargo test",
     CARGO, "accepted"),
    (MODULE, TOOL, "go test ./...", GO, "refused"),
    (MODULE, "a.go", "go test ./...", GO, "accepted"),
    (MODULE, TOOL, "go test ./... ./tools/...", GO, "accepted"),
    (MODULE, TOOL, "go test ./... && (cd tools && go test ./...)", GO, "accepted"),
    ({**MODULE, "tools/t_test.go": "x", "Makefile": "test:\n\tgo test ./...\n\tcd tools && go test ./...\n"}, TOOL,
     "make test", GO, "accepted"),
    (scripts("node --test test/*.test.js"), JS, "npm test", NODE, "refused"),
    (scripts("node --test test/"), JS, "npm test", NODE, "refused"),
    (scripts("node --test"), JS, "npm test", NODE, "accepted"),
    (scripts("node --test --import ./test/setup.js"), JS, "npm test", NODE, "accepted"),
    (scripts("node --test test/*.test.js", '{"type": "module"}'), JS, "npm test", NODE, "accepted"),
    (scripts("node --test test/*.test.js"), "src/a.js", "npm test", NODE, "accepted"),
    (scripts("node --test 'packages/*/*.test.js'"), JS, "npm test", NODE, "accepted"),
    (scripts("turbo run test"), JS, "npm test", NODE, "accepted"),
    (scripts("node --test test/ && npm test --workspaces"), JS, "npm test", NODE, "accepted"),
    (scripts("node --test test/", more=', "posttest": "npm test -w a"'), JS, "npm test", NODE, "accepted"),
    (scripts("node --test", more='}, "workspaces": {"packages": ["packages/b"]'), JS, "npm test -ws", NODE, "refused"),
    (scripts("node --test", more='}, "workspaces": {"packages": ["packages/*"]'), JS, "npm test -ws", NODE, "accepted"),
    (JVM, CORE, "mvn test", MAVEN, "refused"),
    (LISTED, CORE, "mvn test", MAVEN, "accepted"),
    (GRADLE, CORE, "gradle test", GRADLED, "refused"),
    ({**GRADLE, "settings.gradle": "include ':web', ':core'\n"}, CORE, "gradle test", GRADLED, "accepted"),
    (SOLUTION, "B/B.cs", "dotnet test", DOTNET, "refused"),
    (SOLUTION, "A.Tests/ATests.cs", "dotnet test", DOTNET, "accepted"),
    ({**SOLUTION, "a.sln": SOLUTION["a.sln"] + "B.Tests\\B.Tests.csproj\n"}, "B/B.cs", "dotnet test", DOTNET,
     "accepted"),
]  # fmt: skip


def changed(folder: Path, files: dict[str, str], name: str) -> Session:
    """A session that changed a source of a repository with these files in its commit."""
    session = with_commit(repository(folder, files), files, start=False)
    session.host.call(session.host.payload("SessionStart", source="startup"))
    write(session, name, f"{files[name]}\n")
    return session


def test_the_package_that_changed_is_told_apart_from_its_tests(tmp_path: Path) -> None:
    session = changed(tmp_path, SOLUTION, "B/B.cs")
    ran(session, "dotnet test", DOTNET)
    done = session.host.call(session.host.stop())
    told = done.out.decode() + done.err
    assert "does not reach the tests in `B.Tests` of `B`, which this session changed" in told, told


CASE = "import unittest\n\n\nclass A(unittest.TestCase):\n    pass\n"
UNITTEST = {"pyproject.toml": "[project]\nname = 'a'\n", "calc.py": "x = 1\n", "test_a.py": CASE,
            "tests/test_app.py": CASE}  # fmt: skip
RAN = "Ran 1 test in 0.001s\n\nOK\n"
MOCHA = {"package.json": '{"scripts": {"test": "mocha --recursive"}}\n', "calc.js": "x\n",
         "test/unit/a.spec.js": "x\n", "test/b.spec.js": "x\n"}  # fmt: skip
PASSING = "  2 passing (3ms)\n"
PYTEST = {"pyproject.toml": '[tool.pytest.ini_options]\ntestpaths = ["tests"]\n', "app.py": "x = 1\n",
          "tests/test_app.py": "def test_app(): ...\n", "packages/b/b.py": "x = 1\n",
          "packages/b/tests/test_b.py": "def test_b(): ...\n", "packages/c/c.py": "x = 1\n"}  # fmt: skip
EVERY = {**PYTEST, "pyproject.toml": '[tool.pytest.ini_options]\ntestpaths = [\n  "tests",\n  "packages/*/tests",\n]\n'}
PHPUNIT = {
    "composer.json": '{"require-dev": {"phpunit/phpunit": "^10"}}\n',
    "src/A.php": "<?php\n", "tests/ATest.php": "<?php\n",
    "phpunit.xml": "<phpunit><testsuite name='a'><directory>tests</directory></testsuite></phpunit>\n",
    "Modules/Pay/Pay.php": "<?php\n", "Modules/Pay/Tests/Unit/PayTest.php": "<?php\n",
}  # fmt: skip
MODULES = {**PHPUNIT, "phpunit.xml": PHPUNIT["phpunit.xml"].replace(
    "</testsuite>", "<directory suffix='Test.php'>./Modules/*/Tests/Unit</directory></testsuite>")}  # fmt: skip
OF_PHP = "OK (1 test, 1 assertion)"
GREEN = "1 passed in 0.01s"
FOUND = [
    (PHPUNIT, "Modules/Pay/Pay.php", "vendor/bin/phpunit", OF_PHP, "refused"),
    (PHPUNIT, "Modules/Pay/Pay.php", "vendor/bin/phpunit && vendor/bin/phpunit Modules/Pay/Tests",
     f"{OF_PHP}\n{OF_PHP}\n", "accepted"),
    (PHPUNIT, "src/A.php", "vendor/bin/phpunit", OF_PHP, "accepted"),
    (MODULES, "Modules/Pay/Pay.php", "vendor/bin/phpunit", OF_PHP, "accepted"),
    ({**PHPUNIT, "phpunit.xml": "<phpunit/>\n"}, "Modules/Pay/Pay.php", "vendor/bin/phpunit", OF_PHP, "accepted"),
    (PYTEST, "packages/b/b.py", "pytest -q", GREEN, "refused"),
    (PYTEST, "packages/b/b.py", "pytest -q && pytest -q packages/b/tests", f"{GREEN}\n{GREEN}\n", "accepted"),
    (PYTEST, "packages/b/b.py", "pytest tests packages/b/tests", GREEN, "accepted"),
    (PYTEST, "packages/c/c.py", "pytest -q", GREEN, "accepted"),
    (PYTEST, "app.py", "pytest -q", GREEN, "accepted"),
    (EVERY, "packages/b/b.py", "pytest -q", GREEN, "accepted"),
    ({**PYTEST, "pyproject.toml": "[project]\nname = 'a'\n"}, "packages/b/b.py", "pytest -q", GREEN, "accepted"),
    (UNITTEST, "calc.py", "python -m unittest", RAN, "refused"),
    (UNITTEST, "calc.py", "python -m unittest discover -s tests", RAN, "accepted"),
    ({**UNITTEST, "tests/__init__.py": ""}, "calc.py", "python -m unittest", RAN, "accepted"),
    ({**UNITTEST, "tests/test_app.py": "x = 1\n"}, "calc.py", "python -m unittest", RAN, "accepted"),
    (MOCHA, "calc.js", "npx mocha", PASSING, "refused"),
    (MOCHA, "calc.js", "npx mocha --recursive", PASSING, "accepted"),
    (MOCHA, "calc.js", "npm test", PASSING, "accepted"),
    ({**MOCHA, ".mocharc.json": '{"recursive": true}\n'}, "calc.js", "npx mocha", PASSING, "accepted"),
]  # fmt: skip


@pytest.mark.parametrize("row", range(len(FOUND)))
def test_a_runner_that_does_not_find_what_lies_deeper(tmp_path: Path, row: int) -> None:
    files, name, line, output, end = FOUND[row]
    session = changed(tmp_path, files, name)
    told = ran(session, line, output)
    assert finish(session) == end, told


def test_suites_of_phpunit_that_leave_out_a_module_since_the_session(tmp_path: Path) -> None:
    session = changed(tmp_path, MODULES, "src/A.php")
    write(session, "phpunit.xml", PHPUNIT["phpunit.xml"])
    told = ran(session, "vendor/bin/phpunit", OF_PHP)
    assert "this session changed `phpunit.xml`" in told, told
    assert finish(session) == "refused"
    write(session, "phpunit.xml", MODULES["phpunit.xml"].replace("<phpunit>", "<phpunit colors='true'>"))
    told = ran(session, "vendor/bin/phpunit", OF_PHP, "again")
    assert finish(session) == "accepted", told


@pytest.mark.parametrize("row", range(len(ROWS)))
def test_a_run_counts_for_the_packages_that_it_reaches(tmp_path: Path, row: int) -> None:
    files, name, line, output, end = ROWS[row]
    session = changed(tmp_path, files, name)
    told = ran(session, line, output)
    assert finish(session) == end, told


def test_a_run_of_the_rest_and_one_of_the_package_count_together(tmp_path: Path) -> None:
    session = changed(tmp_path, MODULE, TOOL)
    ran(session, "(cd tools && go test ./...)", GO, "one")
    assert finish(session) == "refused"
    ran(session, "go test ./...", GO, "two")
    assert finish(session) == "accepted"
    write(session, "a.go", "package a\n// new\n")
    ran(session, "(cd tools && go test ./...)", GO, "three")
    assert finish(session) == "refused"
    ran(session, "go test ./...", GO, "four")
    ran(session, "cd tools && go test ./...", GO, "five")
    assert finish(session) == "accepted"
