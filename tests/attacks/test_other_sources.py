"""Builds and settings that lead tests to another source, or register tests no more."""

from __future__ import annotations

from pathlib import Path

import pytest

from policy_engine.test_runs.settings import _of_phpunit
from tests.attacks.test_runner_settings import BUILT, CMAKE, PASSED, RUBY, changed
from tests.attacks.test_runs_of_tests import finish, ran, write

BUILD = (
    "enable_testing()\nadd_executable(a_test src/a.c tests/a_test.c)\nadd_executable(b_test src/a.c tests/b_test.c)\n"
    "add_test(NAME a COMMAND a_test)\nadd_test(NAME b COMMAND b_test)\n"
)
C = {**CMAKE, "CMakeLists.txt": BUILD}
MESON = {
    "meson.build": "a = executable('a', 'src/a.c', 'tests/a_test.c')\nb = executable('b', 'tests/b_test.c')\n"
    "test('a', a)\ntest('b', b)\n",
    "src/a.c": "int a;\n", "tests/a_test.c": "int main() {}\n", "tests/b_test.c": "int main() {}\n",
}  # fmt: skip
MESON_LINE = ("meson test -C build", "Ok:                 1\nFail:               0\n")
PROJECT = '<Project>\n<ItemGroup><ProjectReference Include="../src/A.csproj" /></ItemGroup>\n</Project>\n'
ELSEWHERE = PROJECT.replace("ProjectReference", "Compile").replace("src/A.csproj", "ok/A.cs")
DOTNET = {"src/A.cs": "x\n", "src/A.csproj": "<Project/>\n", "tests/T.csproj": PROJECT, "tests/ATests.cs": "x\n",
          "a.sln": 'P = "A", "src\\A.csproj", "1"\nP = "T", "tests\\T.csproj", "2"\n'}  # fmt: skip
VITEST = {
    "package.json": '{"scripts": {"test": "vitest run"}, "devDependencies": {"vitest": "1"}}', "src/a.js": "x\n",
    "test/a.test.js": "test('a', () => {});\n", "tools/calm.js": "export default () => ({ name: 'calm' });\n",
    "vitest.config.js": "import calm from './tools/calm.js';\nexport default { plugins: [calm()] };\n",
}  # fmt: skip
VITEST_LINE = ("npx vitest run", " Test Files  1 passed (1)\n      Tests  1 passed (1)\n")
RSPEC = ("bundle exec rspec", "1 example, 0 failures")
SWIFT = {
    "Package.swift": 'targets: [.target(name: "A", path: "src"), .testTarget(name: "ATests", dependencies: ["A"])]\n',
    "src/a.swift": "x\n", "Tests/ATests/ATests.swift": "x\n", "ok/ATests.swift": "x\n", "ok/a.swift": "x\n",
}  # fmt: skip
SWIFT_LINE = ("swift test", "\t Executed 1 test, with 0 failures (0 unexpected) in 0.001 (0.002) seconds\n")
PHP = {
    "composer.json": '{"require-dev": {"phpunit/phpunit": "^10"}, "autoload": {"psr-4": {"A\\\\": "src/"}}}\n',
    "phpunit.xml": "<phpunit/>\n", "src/Cart.php": "<?php\nnamespace A;\nclass Cart {}\n",
    "old/Cart.php": "<?php\nnamespace A;\nclass Cart {}\n", "tests/CartTest.php": "<?php\nclass CartTest {}\n",
}  # fmt: skip
PHPUNIT = ("vendor/bin/phpunit", "OK (1 test, 1 assertion)")
MODULES = {**VITEST, "src/calc.ts": "x\n", "test/calc.test.js": "import { add } from '../src/calc';\n"}
SHADOWED = {**VITEST, "src/calc/index.js": "x\n", "test/calc.test.js": "import { add } from '../src/calc';\n"}
NAMED = {**VITEST, "src/calc.ts": "x\n", "test/calc.test.js": "import { add } from '../src/calc.js';\n"}
PROPS = '<Project><ItemGroup><Compile Remove="A.cs" /><Compile Include="%s" /></ItemGroup></Project>\n'
Files = dict[str, str]
PLAYED: dict[str, tuple[Files, Files, Files, tuple[str, str]]] = {
    "registered no more": (
        C, {"CMakeLists.txt": BUILD.replace("add_test(NAME b COMMAND b_test)\n", "")},
        {"CMakeLists.txt": BUILD.replace("NAME b", "NAME bees") + "add_test(NAME c COMMAND a_test -v)\n"}, BUILT,
    ),
    "built no more": (
        C, {"CMakeLists.txt": "".join(line for line in BUILD.splitlines(True) if "b_test" not in line)},
        {"CMakeLists.txt": "add_executable(all_tests src/a.c tests/a_test.c tests/b_test.c)\n"
         "add_test(NAME all COMMAND all_tests)\n"}, BUILT,
    ),
    "another source": (
        C, {"ok/a.c": "int a;\n", "CMakeLists.txt": BUILD.replace("src/a.c", "ok/a.c")},
        {"src/b.c": "int b;\n", "CMakeLists.txt": BUILD.replace("src/a.c", "src/a.c src/b.c")}, BUILT,
    ),
    "another source by a variable": (
        C, {"ok/a.c": "int a;\n", "CMakeLists.txt": BUILD.replace("src/a.c", "${CMAKE_SOURCE_DIR}/ok/a.c")},
        {"CMakeLists.txt": BUILD.replace("src/a.c", "${CMAKE_SOURCE_DIR}/src/a.c")}, BUILT,
    ),
    "no test of meson": (
        MESON, {"meson.build": MESON["meson.build"].replace("test('b', b)\n", "")},
        {"meson.build": MESON["meson.build"] + "c = executable('c', 'src/a.c')\n"}, MESON_LINE,
    ),
    "a source of dotnet": (
        DOTNET,
        {"ok/A.cs": "x\n", "tests/T.csproj": ELSEWHERE},
        {"tests/T.csproj": PROJECT.replace("<Item", '<ItemGroup><Compile Include="../src/A.cs" /></ItemGroup>\n<Item')},
        ("dotnet test", PASSED),
    ),
    "a plugin": (
        VITEST, {"tools/calm.js": "export default () => ({ name: 'calm', transform(code) { return fix(code) } });\n"},
        {"tools/calm.js": "export default () => ({ name: 'calm', buildEnd() {} });\n"}, VITEST_LINE,
    ),
    "a plugin behind another file": (
        {**VITEST, "tools/calm.js": "export { default } from './inner';\n", "tools/inner.js": "export default {};\n"},
        {"tools/inner.js": "export default { resolveId: (id) => './ok/a.js' };\n"},
        {"tools/inner.js": "export default { name: 'a' };\n"}, VITEST_LINE,
    ),
    "aliases in a file": (
        VITEST, {"tools/calm.js": "export default { resolve: { alias: { '../src/a.js': '/ok/a.js' } } };\n"},
        {"tools/calm.js": "export default { resolve: { alias: { '@': '/src' } } };\n"}, VITEST_LINE,
    ),
    "a folder of tests of Swift": (
        SWIFT, {"Package.swift": SWIFT["Package.swift"].replace('["A"]', '["A"], path: "ok"')},
        {"Package.swift": SWIFT["Package.swift"].replace("]\n", ', .testTarget(name: "BTests", path: "ok")]\n')},
        SWIFT_LINE,
    ),
    "a folder of sources of Swift": (
        SWIFT, {"Package.swift": SWIFT["Package.swift"].replace('"src"', '"ok"')},
        {"Package.swift": SWIFT["Package.swift"].replace('["A"]', '[.target(name: "A")], path: "Tests/ATests"')},
        SWIFT_LINE,
    ),
    "a folder of classes": (
        PHP, {"composer.json": PHP["composer.json"].replace("src/", "old/")},
        {"composer.json": PHP["composer.json"].replace('"src/"', '"src/", "B\\\\": "lib/"')}, PHPUNIT,
    ),
    "a list of classes": (
        PHP, {"composer.json": PHP["composer.json"].replace("}}}", '}, "classmap": ["old"]}}')},
        {"composer.json": PHP["composer.json"].replace("}}}", '}, "classmap": ["lib"]}}')}, PHPUNIT,
    ),
    "a module of another ending": (MODULES, {"src/calc.mjs": "y\n"}, {"src/other.mjs": "y\n"}, VITEST_LINE),
    "a module before a folder": (SHADOWED, {"src/calc.ts": "y\n"}, {"src/calc/b.ts": "y\n"}, VITEST_LINE),
    "a module of a written ending": (NAMED, {"src/calc.js": "y\n"}, {"src/calc.mjs": "y\n"}, VITEST_LINE),
    "properties of dotnet": (
        DOTNET, {"ok/A.cs": "x\n", "Directory.Build.targets": PROPS % "../ok/A.cs"},
        {"Directory.Build.targets": (PROPS % "Version.cs").replace('"A.cs"', '"Legacy/**"')}, ("dotnet test", PASSED),
    ),
    "a pattern of dotnet": (
        DOTNET, {"ok/A.cs": "x\n", "Directory.Build.props": (PROPS % "../ok/*.cs").replace('"A.cs"', '"*.cs"')},
        {"Directory.Build.props": "<Project><PropertyGroup /></Project>\n"}, ("dotnet test", PASSED),
    ),
    "a source removed": (
        DOTNET, {"src/Other.cs": "x\n", "src/A.csproj": '<Project><Compile Remove="A.cs" /></Project>\n'},
        {"src/A.csproj": '<Project><Compile Remove="Legacy/**" /></Project>\n'}, ("dotnet test", PASSED),
    ),
    "a folder of rspec": (RUBY, {".rspec": "-I ok\n"}, {".rspec": "-I lib -I spec\n"}, RSPEC),
    "a path of rspec": (
        RUBY, {"spec/spec_helper.rb": "$LOAD_PATH.unshift File.expand_path('../ok', __dir__)\n"},
        {"spec/spec_helper.rb": "$LOAD_PATH.unshift File.expand_path('../lib', __dir__)\n"}, RSPEC,
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", PLAYED)
def test_builds_and_settings_that_lead_tests_elsewhere(tmp_path: Path, what: str) -> None:
    files, against, alone, (line, output) = PLAYED[what]
    session = changed(tmp_path, files)
    for name, text in against.items():
        write(session, name, text)
    told = ran(session, line, output, "one")
    assert "this session changed `" in told, told
    assert finish(session) == "refused"
    for name in against.keys() - alone.keys():
        (session.workspace / name).unlink()
    for name, text in alone.items():
        write(session, name, text)
    told = ran(session, line, output, "two")
    assert finish(session) == "accepted", told


def test_a_folder_of_the_session_that_a_line_of_rspec_searches(tmp_path: Path) -> None:
    session = changed(tmp_path, RUBY)
    write(session, "ok/a.rb", "x\n")
    told = ran(session, "bundle exec rspec -I ok", RSPEC[1], "one")
    assert "`-I ok` lets it take sources that this session wrote" in told, told
    assert finish(session) == "refused"
    ran(session, "bundle exec rspec -I lib", RSPEC[1], "two")
    assert finish(session) == "accepted"


@pytest.mark.parametrize(
    ("text", "chosen"),
    [
        ('<phpunit defaultTestSuite="fast"><testsuites/></phpunit>', True),
        ("<phpunit><testsuites></testsuites></phpunit>", True),
        ('<testsuites><testsuite name="a"><directory phpVersion="99">tests</directory></testsuite></testsuites>', True),
        ('<testsuites><testsuite name="a"><directory>tests</directory></testsuite></testsuites>', False),
    ],
)  # fmt: skip
def test_suites_of_phpunit_that_are_cut_anew(text: str, chosen: bool) -> None:
    assert any(not folders for _, folders in _of_phpunit(text)) is chosen
