"""What settings of runners choose among tests, and what they leave alone."""

from __future__ import annotations

import pytest

from policy_engine.test_runs.settings import _leaves_out, _reader

LEAVE_OUT = {
    "jest.config.js": (
        "module.exports = { testPathIgnorePatterns: ['/node_modules/', 'test/app.test.js'] };",
        "module.exports = { testMatch: ['**/ok.test.js'] };",
        "module.exports = { testRegex: 'ok\\\\.test\\\\.js$' };",
        "module.exports = { testNamePattern: 'ok' };",
        "module.exports = { moduleNameMapper: { '^./calc$': '<rootDir>/ok/calc.js' } };",
        "module.exports = { moduleNameMapper: { 'src/calc.js$': '<rootDir>/test/ok.js' } };",
        "module.exports = { automock: true };", "module.exports = { testFailureExitCode: 0 };",
        "module.exports = { resolver: '<rootDir>/calm.js' };",
        "module.exports = { testEnvironment: '<rootDir>/env.js' };",
        "module.exports = { transform: { '\\\\.js$': '<rootDir>/t.js' } };",
    ),
    "Cargo.toml": (
        "[package]\nname = 'a'\nautotests = false\n", "[lib]\ntest = false\n",
        "[[test]]\nname = 'ok'\nharness = false\n", "[[test]]\nname = 'ok'\nrequired-features = ['slow']\n",
    ),
    "bunfig.toml": ("[test]\npathIgnorePatterns = ['test/a.test.ts']\n",),
    "deno.json": ('{"test": {"exclude": ["test/app.test.ts"]}}', '{"exclude": ["test/"],\n // a\n "imports": {}}'),
    "package.json": ('{"jest": {"testPathIgnorePatterns": ["test/app"]}}', '{"mocha": {"spec": "test/ok.test.js"}}',
                     '{"imports": {"#a": "./test/stubs/a.js"}}'),
    "vitest.config.ts": (
        "export default defineConfig({ test: { exclude: ['test/app.test.ts'] } })",
        "export default defineConfig({ test: { include: ['test/ok*.test.ts'] } })",
        "export default { resolve: { alias: [{ find: /^.\\/calc.js$/, replacement: path.resolve('ok/calc.js') }] } };",
        "export default { test: { alias: { '../src/calc': '/ok/calc.js' } } };",
        "export default { plugins: [{ transform(code, id) { return fix(code) } }] };",
        "export default { test: { ['inc' + 'lude']: ['test/ok/**'] } };",
        "export default { test: { [key]: ['test/ok/**'] } };", "c.test['inc' + 'lude'] = ['ok/**'];",
        "export default { test: { 'inc\\u006cude': ['ok/**'] } };",
        "export default { resolve: { alias: [{ find: /.*a$/, replacement: new URL('./ok/a.js', base).href }] } };",
    ),
    ".mocharc.yml": ("ui: ./tools/ui.js\n", "spec:\n  - 'test/ok.test.js'\n", "grep: ok\n"),
    "phpunit.xml": (
        "<testsuite name='a'><file>tests/OkTest.php</file></testsuite>",
        "<testsuite name='a'><directory>tests</directory><exclude>tests/AppTest.php</exclude></testsuite>",
        "<testsuite name='a'><directory suffix='OkTest.php'>tests</directory></testsuite>",
        "<testsuite name='a'><directory>tests</directory></testsuite><groups><include>a</include></groups>",
    ),
    "pytest.ini": ("[pytest]\npython_files = test_ok.py\n", "[pytest]\npython_files = ok_*.py\n",
                   "[pytest]\npython_files = test_tax*.py\n",
                   "[pytest]\npython_functions =\n    test_v*\n",
                   "[pytest]\naddopts = --ignore=tests/test_app.py\n",
                   "[pytest]\naddopts = -m 'not legacy'\n", "[pytest]\nnorecursedirs = tests\n"),
}  # fmt: skip
LEAVE_ALONE = {
    "jest.config.js": (
        "module.exports = { testMatch: ['<rootDir>/test/**/*.test.js', '**/?(*.)+(spec|test).[jt]s?(x)'] };",
        "module.exports = { testRegex: '(/__tests__/.*|(\\\\.|/)(test|spec))\\\\.[jt]sx?$' };",
        "module.exports = { testPathIgnorePatterns: ['/node_modules/', '/dist/', 'e2e'], collectCoverageFrom: ['a'] };",
        "// testNamePattern: 'ok'\nmodule.exports = {};",
        "module.exports = { moduleNameMapper: { '^@/(.*)$': '<rootDir>/src/$1', '\\\\.(css|less)$': 'css',"
        " '^(\\\\.{1,2}/.*)\\\\.js$': '$1', './icon.svg': '<rootDir>/test/icon.js' } };",
    ),
    "bunfig.toml": ("[install]\nexact = true\n[test]\ncoverage = true\npreload = ['./happydom.ts']\n", "["),
    "deno.json": ('{"imports": {"a": "jsr:@a/a"}, "tasks": {"test": "deno test"}, "lint": {"exclude": ["test/"]}}',),
    "Cargo.toml": (
        "[package]\nname = 'a'\n[lib]\ndoctest = false\n[[bench]]\nname = 'b'\nharness = false\n"
        "[[test]]\nname = 'it'\npath = 'it.rs'\n", "[",
    ),
    "package.json": (
        '{"files": ["test/a.js"], "nyc": {"exclude": ["test/**"]}, "jest": {"testEnvironment": "node"}}', "[]", "{",
        '{"imports": {"#lib/*": "./src/lib/*"}, "jest": {"transform": {"ts": "ts-jest"}}}',
    ),
    "vitest.config.ts": (
        "export default { plugins: [react({ include: /\\.(js|ts)$/ })], optimizeDeps: { include: ['lodash.merge'] },"
        " test: { coverage: { include: ['src/app.ts'], exclude: ['test/**'] } } }",
        "export default { resolve: { alias: { '@': resolve('./src'), '~/lib': './src/lib', react: 'preact' } } }",
    ),
    ".mocharc.yml": ("spec:\n  - 'test/**/*.test.js'\ntimeout: 5000\n",),
    "phpunit.xml": (
        "<testsuite name='a'><directory suffix='Test.php'>./tests</directory></testsuite>"
        "<source><exclude><directory>src/x</directory></exclude></source>",
    ),
    "pytest.ini": (
        "[pytest]\npython_files = test_*.py check_*.py\naddopts = -q\n", "[pytest]\npython_files = *.py\n",
        "[pytest]\npython_files = tests.py *_tests.py\npython_classes = *Test Test\npython_functions = test\n",
    ),
    "eslint.config.js": ("export default [{ ignores: ['test/app.test.js'] }]",),
}  # fmt: skip


def certain(name: str, text: str) -> list[str]:
    read = _reader(name)[1]
    return [choice for choice, folders in read(text) if not folders] if read is not None else []


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in LEAVE_OUT.items() for text in texts])
def test_settings_that_choose_single_tests_leave_others_out(name: str, text: str) -> None:
    found = certain(name, text)
    if "<file>" in text:
        read = _reader(name)[1]
        assert read is not None
        found = [choice for choice, _ in read(text)]
    assert found


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in LEAVE_ALONE.items() for text in texts])
def test_usual_settings_leave_none_out(name: str, text: str) -> None:
    assert certain(name, text) == []


@pytest.mark.parametrize(
    ("chosen", "folders", "expected"),
    [
        (("tests",), ["tests"], False), (("./tests/", "src"), ["src/a/tests", "tests"], False),
        (("src/*/tests",), ["src/a/tests"], False), ((".",), ["tests"], False), (("a/b/c/d",), ["a/b/c"], False),
        (("other",), ["tests"], True), (("tests/unit",), ["tests"], True), (("other",), [], False),
        (("api/tests",), ["api/tests", "web/tests"], True),
    ],
)  # fmt: skip
def test_settings_that_confine_a_run_leave_out_what_lies_elsewhere(
    chosen: tuple[str, ...], folders: list[str], expected: bool
) -> None:
    assert _leaves_out(chosen, folders) is expected


CONFINED = {
    "vitest.config.ts": (
        "export default { root: './extra', test: { setupFiles: ['./test/a.js'] } };",
        "export default { root: path.join(__dirname, 'extra') };", "export default { test: { projects: ['extra'] } };",
    ),
    "jest.config.js": ("module.exports = { rootDir: 'extra', verbose: true };",
                       "module.exports = { projects: ['<rootDir>/extra'] };",
                       "module.exports = { testMatch: ['**/extra/**'] };"),
    "vitest.workspace.ts": ("import { defineWorkspace } from 'vitest/config';\nexport default f(['extra']);",
                            "export default ['*', '!test'];"),
    "vitest.projects.json": ('["extra"]',),
}  # fmt: skip
WHOLE = {
    "vitest.config.ts": (
        "export default { root: '.', test: { projects: ['.', 'extra'] } };", "export default { root: '../' };",
        "export default { root: path.resolve(__dirname, '.'), define: { [`a`]: 1 } };",
        "export default { test: { projects: [{ extends: true, test: { include: ['test/**/*.test.ts'] } }] } };",
        "export default { test: { include: ['**/test/**/*.test.ts'], reporters: [a, b] } };",
    ),
    "jest.config.js": ("module.exports = { rootDir: '../', projects: ['<rootDir>/test', './jest.e2e.config.js'] };",
                       "module.exports = { projects: ['<rootDir>'] };", "module.exports = { rootDir: __dirname };"),
    "vitest.workspace.ts": ("import { defineWorkspace } from 'vitest/config';\nexport default ['test', 'extra'];",
                            "export default [{ test: { name: 'unit' } }, 'extra'];",
                            "export default ['./vitest.unit.config.ts'];"),
    ".mocharc.yml": ("ui: bdd\nspec: test/**/*.js\n",),
}  # fmt: skip


@pytest.mark.parametrize("texts", [CONFINED, WHOLE], ids=["confined", "whole"])
def test_folders_of_projects_confine_a_run(texts: dict[str, tuple[str, ...]]) -> None:
    for name, text in ((name, text) for name, listed in texts.items() for text in listed):
        read = _reader(name)[1]
        assert read is not None
        left = [one for one, folders in read(text) if not folders or _leaves_out(folders, ["test", "test/unit"])]
        assert bool(left) is (texts is CONFINED), (name, text, left)
