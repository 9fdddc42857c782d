"""Files that runners and build tools read by themselves, written in the session, and other commands behind starters."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.attacks.session import Session
from tests.attacks.test_runs_of_tests import finish, ran, repository, write
from tests.attacks.test_tests_taken_out import with_commit

JVM = {
    "pom.xml": "<project/>\n",
    "src/main/java/A.java": "class A {}\n",
    "src/test/java/ATest.java": "class ATest {}\n",
}
JS = {"package.json": '{"scripts": {"test": "jest"}, "devDependencies": {"jest": "1"}}', "src/a.js": "x\n",
      "test/a.test.js": "test('a', () => {});\n", "test/b.test.js": "test('b', () => {});\n"}  # fmt: skip
RUBY = {"Gemfile": 'gem "rspec"\n', "lib/a.rb": "x\n", "spec/a_spec.rb": "it('a') {}\n", "spec/spec_helper.rb": "\n"}
PYTHON = {"pyproject.toml": "[project]\nname = 'a'\n", "tox.ini": "[testenv]\ncommands = pytest\n",
          "src/a.py": "x = 1\n", "tests/test_a.py": "def test_a():\n    pass\n"}  # fmt: skip
MAVEN = "[INFO] Tests run: 1, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS"
JEST = "PASS test/a.test.js\n\nTests:       2 passed, 2 total"
GO = {"go.mod": "module x\n", "src/a.go": "package a\n", "src/a_test.go": "package a\n", "b/b_test.go": "package b\n"}
DOTNET = {"a.sln": 'P = "A", "src\\A.csproj", "1"\nP = "B", "old\\B.csproj", "2"\n', "src/A.cs": "x\n",
          "src/A.csproj": "<Project/>\n", "old/B.csproj": "<Project/>\n", "old/BTests.cs": "x\n"}  # fmt: skip
MODULES = {"pom.xml": "<project><module>src</module><module>b</module></project>\n", "src/A.java": "x\n",
           "b/BTest.java": "x\n", "b/pom.xml": "<project/>\n"}  # fmt: skip
CMAKE = {"CMakeLists.txt": "enable_testing()\nadd_test(NAME a COMMAND t)\n", ".gitignore": "build/\n",
         "src/a.c": "int a;\n", "tests/a_test.c": "int main() {}\n", "tests/b_test.c": "int main() {}\n"}  # fmt: skip
BUILT = ("cmake --build build && ctest --test-dir build", "100% tests passed, 0 tests failed out of 1")
PASSED = "Passed!  - Failed:     0, Passed:     1, Skipped:     0, Total:     1, Duration: 5 ms - A.dll (net8.0)"
OK = "ok  \tx/b\t0.002s"
PLAYED = {
    "sources": (JVM, "pom.xml", "<project><build><sourceDirectory>old</sourceDirectory></build></project>",
                "<project><build><sourceDirectory>src/main/kotlin</sourceDirectory></build></project>", "mvn test",
                MAVEN),
    "expected failure": (
        CMAKE, "CMakeLists.txt",
        "add_test(NAME a COMMAND t)\nset_tests_properties(a PROPERTIES WILL_FAIL TRUE)\n",
        'add_test(NAME a COMMAND t)\nset_tests_properties(a PROPERTIES PASS_REGULAR_EXPRESSION "sum: 3")\n', *BUILT,
    ),
    "ignored status": (CMAKE, "CMakeLists.txt", 'add_test(NAME a COMMAND sh -c "$<TARGET_FILE:t> || true")\n', None,
                       *BUILT),
    "tests of the build": (CMAKE, "build/CTestCustom.cmake", "set(CTEST_CUSTOM_TESTS_IGNORE a)\n", None, *BUILT),
    "module": (GO, "src/go.mod", "module y\n", None, "go test ./...", OK),
    "member": (MODULES, "pom.xml", "<project><module>src</module></project>",
               "<project><module>src</module><module>b</module><module>c</module></project>", "mvn test", MAVEN),
    "solution": (DOTNET, "a.sln", 'P = "A", "src\\A.csproj", "1"\n', DOTNET["a.sln"] + "\n", "dotnet test", PASSED),
    "target": (DOTNET, "Directory.Build.targets", '<Project><Target Name="VSTest"></Target></Project>',
               '<Project><Target Name="Docs"></Target></Project>', "dotnet test", PASSED),
    "words of a file": (PYTHON, "pytest.ini", "[pytest]\naddopts = @tests/args.txt\n", "[pytest]\naddopts = -q\n",
                        "pytest -q", "1 passed in 0.01s"),
    "maven": (JVM, ".mvn/maven.config", "-DskipTests\n", "-T1C\n", "mvn test", MAVEN),
    "junit": (JVM, "app/src/test/resources/junit-platform.properties",
              "junit.platform.execution.dryRun.enabled=true\n", "junit.jupiter.execution.parallel.enabled=true\n",
              "mvn test", MAVEN),
    "jest": (JS, "jest.config.js", "module.exports = { testMatch: ['<rootDir>/test/ok/**'] };\n",
             "module.exports = { testMatch: ['<rootDir>/test/**/*.js'] };\n", "npx jest --ci", JEST),
    "projects": (JS, "vitest.workspace.js", "export default ['extra'];\n", "export default ['test', 'extra'];\n",
                 "npx vitest run", " Test Files  2 passed (2)\n      Tests  2 passed (2)"),
    "root": (JS, "jest.config.js", "module.exports = { rootDir: 'extra' };\n",
             "module.exports = { rootDir: '.', verbose: true };\n", "npx jest --ci", JEST),
    "computed": (JS, "jest.config.js", "module.exports = { ['test' + 'Match']: ['**/a.test.js'] };\n",
                 "module.exports = { testMatch: ['**/*.test.js'] };\n", "npx jest --ci", JEST),
    "preset": (JS | {"jest.config.js": "module.exports = { preset: './tools/p' };\n"}, "tools/p/jest-preset.json",
               '{"testMatch": ["**/extra/**"]}\n', '{"testMatch": ["**/test/**"]}\n', "npx jest --ci", JEST),
    "interface": (JS, ".mocharc.json", '{"ui": "./tools/ui.js"}\n', '{"ui": "bdd"}\n', "npx mocha",
                  "  2 passing (3ms)"),
    "list": (PYTHON | {"run_tests.py": "pytest.main(open('tests.list').read().split())\n", "tests.list": "tests -q\n"},
             "tests.list", "tests/test_ok.py\n", "tests\n-q\n-x\n", "python run_tests.py", "1 passed in 0.01s"),
    "rspec": (RUBY, ".rspec", "--tag fast\n", "--format documentation\n", "bundle exec rspec",
              "1 example, 0 failures"),
    "script": (JS, "package.json", JS["package.json"].replace('"jest"}', '"jest test/a.test.js"}', 1),
               JS["package.json"].replace('"jest"}', '"jest", "test:a": "jest test/a.test.js"}', 1), "npm test", JEST),
    "script with a filter": (JS, "package.json", JS["package.json"].replace('"jest"}', '"jest -t one"}', 1),
                             JS["package.json"].replace('"jest"}', '"jest --ci --coverage"}', 1), "npm test", JEST),
    "script with code of its own": (
        {**JS, "package.json": '{"scripts": {"test": "node --test"}}'}, "package.json",
        '{"scripts": {"test": "node --test --import \'data:text/javascript,process.exit(0)\'"}}',
        '{"scripts": {"test": "node --import tsx --test"}}', "npm test", "# tests 2\n# pass 2\n# fail 0\n# skipped 0",
    ),
    "script with a pattern": (
        JS, "package.json", JS["package.json"].replace('"jest"}', '"mocha \'test/a*.js\'"}', 1),
        JS["package.json"].replace('"jest"}', '"mocha \'test/**/*.{test,spec}.js\'"}', 1), "npm test",
        "  2 passing (3ms)",
    ),
    "script that another starts": (
        JS, "package.json", '{"scripts": {"test": "jest a.test", "ci": "eslint . && npm test"}}',
        '{"scripts": {"test": "jest test", "ci": "eslint . && npm test"}}', "npm run ci", JEST,
    ),
    "assertions": (CMAKE, "CMakeLists.txt", CMAKE["CMakeLists.txt"] + "add_compile_definitions(NDEBUG)\n",
                   CMAKE["CMakeLists.txt"] + "add_compile_definitions($<$<CONFIG:Release>:NDEBUG>)\n", *BUILT),
    "pattern of rake": (RUBY, "Rakefile", "RSpec::Core::RakeTask.new(:spec) { |t| t.pattern = 'spec/ok_spec.rb' }\n",
                        "RSpec::Core::RakeTask.new(:spec) { |t| t.pattern = 'spec/**/*_spec.rb' }\n",
                        "bundle exec rake spec", "1 example, 0 failures"),
    "tox": (PYTHON, "tox.ini", "[testenv]\ncommands = python ok.py\n",
            "[testenv]\ndeps = pytest\ncommands = pytest {posargs}\n", "tox -q",
            "  py311: OK (0.10 seconds)\n  congratulations :) (0.12 seconds)"),
}  # fmt: skip


def changed(folder: Path, files: dict[str, str]) -> Session:
    """A session that changed a source of a repository with these files in its commit."""
    session = with_commit(repository(folder, files), files, start=False)
    session.host.call(session.host.payload("SessionStart", source="startup"))
    source = next(one for one in files if one.startswith(("src/", "lib/")))
    write(session, source, f"{files[source]}\n")
    assert finish(session) == "refused"
    return session


@pytest.mark.parametrize("what", PLAYED)
def test_settings_that_a_runner_reads_by_itself(tmp_path: Path, what: str) -> None:
    files, name, against, alone, line, output = PLAYED[what]
    session = changed(tmp_path, files)
    write(session, name, against)
    told = ran(session, line, output, "one")
    assert f"this session changed `{name.rpartition('/')[2]}`, which " in told, told
    assert finish(session) == "refused"
    if alone is None:
        (session.workspace / name).unlink()
    else:
        write(session, name, alone)
    told = ran(session, line, output, "two")
    assert finish(session) == "accepted", told


def test_settings_of_before_are_the_repositorys_own(tmp_path: Path) -> None:
    files = {**RUBY, ".rspec": "--tag fast\n"}
    session = changed(tmp_path, files)
    write(session, ".rspec", "--tag fast\n--color\n")
    told = ran(session, "bundle exec rspec", "1 example, 0 failures")
    assert finish(session) == "accepted", told


def test_a_script_of_before_may_be_narrow(tmp_path: Path) -> None:
    files = {**JS, "package.json": '{"scripts": {"test": "jest test/a.test.js"}}'}
    session = changed(tmp_path, files)
    write(session, "package.json", '{"scripts": {"test": "jest test/a.test.js --ci"}}')
    told = ran(session, "npm test", JEST)
    assert finish(session) == "accepted", told


def test_a_part_of_the_runner_that_the_session_wrote(tmp_path: Path) -> None:
    files = {
        **JS,
        "jest.config.js": "module.exports = { reporters: ['<rootDir>/tools/rep.js'] };\n",
        "tools/rep.js": "a\n",
    }
    session = changed(tmp_path, files)
    assert "does not count" not in ran(session, "npx jest --ci", JEST, "one")
    write(session, "tools/rep.js", "b\n")
    told = ran(session, "npx jest --ci", JEST, "two")
    assert "this session changed `rep.js`, which is or names a part of the test runner" in told, told
    assert finish(session) == "refused"


PY, GREEN = "pytest -q", "1 passed in 0.01s"
SPECS = ("bundle exec rspec", "1 example, 0 failures")
BROUGHT = {
    "script": (PYTHON, "fake/pyproject.toml", "[project]\nname = 'a'\n[project.scripts]\npytest = 'a:main'\n",
               "[project]\nname = 'a'\n[project.scripts]\na = 'a:main'\n", PY, GREEN),
    "script of the project": (PYTHON, "pyproject.toml", "[project]\nname = 'a'\nscripts = { 'pytest' = 'a:b' }\n",
                              "[project]\nname = 'a'\nscripts = { 'run' = 'a:b' }\n", PY, GREEN),
    "name": (PYTHON, "fake/setup.py", "setup(name='pytest', py_modules=['a'])\n", "setup(name='pytest-a')\n", PY,
             GREEN),
    "source": (PYTHON, "pyproject.toml", "[tool.uv.sources]\npytest = { path = 'build/fake' }\n",
               "[tool.uv.sources]\nlib = { path = 'lib' }\n", "uv run pytest -q", GREEN),
    "requirement": (PYTHON, "pyproject.toml", "[project]\ndependencies = ['pytest @ file:///tmp/fake']\n",
                    "[project]\ndependencies = ['pytest>=8', 'lib @ file:///tmp/lib']\n", PY, GREEN),
    "program": (JS, "fake/package.json", '{"name": "t", "bin": {"jest": "x.js"}}\n',
                '{"name": "t", "bin": {"t": "x.js"}}', "npx jest --ci", JEST),
    "file": (JS, "package.json", JS["package.json"].replace('"1"', '"file:build/fake"'),
             JS["package.json"].replace('"1"', '"2", "lib": "file:lib"'), "npx jest --ci", JEST),
    "gem": (RUBY, "Gemfile", "gem 'rspec', path: 'fake'\n", "gem 'rspec'\ngem 'lib', path: 'lib'\n",
            *SPECS),
    "gems of a folder": (RUBY, "Gemfile", "path 'fake' do\n  gem 'rspec-core'\nend\n",
                         "gem 'rspec'\npath 'lib' do\n  gem 'lib'\nend\n", *SPECS),
    "executable": (RUBY, "fake/a.gemspec", "Gem::Specification.new { |s| s.executables = ['rspec'] }\n",
                   "Gem::Specification.new { |s| s.executables = ['a']; s.add_development_dependency 'rspec' }\n",
                   *SPECS),
    "lock": (RUBY, "Gemfile.lock", "PATH\n  remote: fake\n  specs:\n    rspec (9.0)\n\nGEM\n  specs:\n",
             "PATH\n  remote: lib\n  specs:\n    lib (9.0)\n\nGEM\n  specs:\n    rspec (3.0)\n", *SPECS),
    "module": (GO, "go.mod", "module x\nreplace github.com/stretchr/testify => ./fake\n",
               "module x\nreplace x.example/lib => ./lib\n", "go test ./...", OK),
}  # fmt: skip


@pytest.mark.parametrize("what", BROUGHT)
def test_a_package_of_the_workspace_in_the_place_of_a_runner(tmp_path: Path, what: str) -> None:
    files, name, against, alone, line, output = BROUGHT[what]
    session = changed(tmp_path, files)
    write(session, name, against)
    told = ran(session, line, output, "one")
    assert "puts a package of the workspace in the place of a test runner" in told, told
    assert finish(session) == "refused"
    write(session, name, alone)
    told = ran(session, line, output, "two")
    assert finish(session) == "accepted", told


PHP = {"composer.json": '{"require-dev": {"phpunit/phpunit": "^10"}}\n', "phpunit.xml": "<phpunit/>\n",
       "src/Cart.php": "<?php\nclass Cart {}\n",
       "tests/CartTest.php": "<?php\nclass CartTest {}\n",
       "tests/bootstrap.php": "<?php\nrequire 'src/Cart.php';\n"}  # fmt: skip
LOADED = {
    "class": (PHP, "tests/stub.php", "<?php\nfinal class Cart {}\n", "<?php\nnamespace Fakes;\nfinal class Cart {}\n",
              "vendor/bin/phpunit", "vendor/bin/phpunit"),
    "settings": (JVM, "ci-settings.xml", "<settings/>\n", None, "mvn -s ci-settings.xml test", "mvn test"),
    "file": (RUBY, "x.rb", "exit\n", None, "bundle exec rspec -r ./x", "bundle exec rspec -r spec_helper"),
}  # fmt: skip
COUNTED = {"vendor/bin/phpunit": "OK (1 test, 1 assertion)", "mvn test": MAVEN}


@pytest.mark.parametrize("what", LOADED)
def test_a_file_of_the_session_that_a_run_loads(tmp_path: Path, what: str) -> None:
    files, name, against, alone, line, instead = LOADED[what]
    session = changed(tmp_path, files)
    write(session, name, against)
    told = ran(session, line, COUNTED.get(instead, SPECS[1]), "one")
    assert name.rpartition("/")[2] in told and "does not count" in told, told
    assert finish(session) == "refused"
    if alone:
        write(session, name, alone)
    told = ran(session, instead, COUNTED.get(instead, SPECS[1]), "two")
    assert finish(session) == "accepted", told


UNITTEST = {"src/app.py": "x = 1\n", "tests/__init__.py": "", "tests/base.py": "import unittest\n",
            "tests/test_app.py": "from tests.base import Base\n",
            "pyproject.toml": "[project]\nname = 'a'\n"}  # fmt: skip
SILENT = {
    "tests/__init__.py": (
        "def load_tests(loader, standard, pattern):\n    return loader.loadTestsFromName('tests.test_app.T.test_a')\n",
        "def load_tests(loader, standard, pattern):\n    standard.addTests(doctests())\n    return standard\n",
    ),
    "tests/base.py": (
        "import unittest\n\nclass Base(unittest.TestCase):\n    def assertEqual(self, a, b):\n"
        "        self.seen = a, b\n",
        "import unittest\n\nclass Base(unittest.TestCase):\n    def assertPair(self, a, b):\n"
        "        self.assertEqual(a, b)\n",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SILENT)
def test_files_that_leave_unittest_without_tests_or_assertions(tmp_path: Path, name: str) -> None:
    session = changed(tmp_path, UNITTEST)
    against, alone = SILENT[name]
    write(session, name, against)
    ran(session, "python -m unittest -v", "Ran 1 test in 0.001s\n\nOK", "one")
    assert finish(session) == "refused"
    write(session, name, alone)
    told = ran(session, "python -m unittest -v", "Ran 2 tests in 0.001s\n\nOK", "two")
    assert finish(session) == "accepted", told
