"""Fixtures, mocks and set-up files of a session that replace what tests of before are about."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.attacks.test_runner_settings import changed
from tests.attacks.test_runs_of_tests import finish, ran, write

CALC = "import clock\n\n\ndef add(a, b):\n    return a + b\n\n\nclass Till:\n    def total(self):\n        return 0\n"
TESTS = """\
from app import calc
from app.calc import Till, add


def test_add():
    assert add(1, 2) == 3


def test_calc():
    assert calc.add(1, 2) == 3


def test_till():
    assert Till().total() == 0
"""
PYTHON = {
    "src/app/calc.py": CALC, "src/app/clock.py": "def now():\n    return 0\n", "src/app/__init__.py": "",
    "tests/test_calc.py": TESTS, "pyproject.toml": "[project]\nname = 'app'\n",
}  # fmt: skip
FIXTURE = (
    "import pytest\nfrom app import calc, clock\nfrom helpers import good\n\n\n@pytest.fixture{0}\ndef calm({1}):\n{2}"
)
ALL = "(autouse=True)"


def fixture(body: str, given: str = "monkeypatch", how: str = ALL) -> str:
    return FIXTURE.format(how, given, "".join(f"    {line}\n" for line in body.split("\n")))


REPLACES = {
    "by its path": ("tests/conftest.py", fixture("monkeypatch.setattr('app.calc.add', good)")),
    "by its module": ("conftest.py", fixture("monkeypatch.setattr(calc, 'add', good)")),
    "by a patch": ("conftest.py", fixture("with patch('app.calc.add', return_value=3):\n    yield", "")),
    "by a mocker": ("conftest.py", fixture("mocker.patch.object(calc, 'add', side_effect=good)", "mocker")),
    "a method": ("conftest.py", fixture("monkeypatch.setattr('app.calc.Till.total', good)")),
    "what it calls": ("conftest.py", fixture("monkeypatch.setattr(calc, 'Till', good)")),
    "the code of a function": ("conftest.py", fixture("calc.add.__code__ = good.__code__", "")),
    "the code of a name": ("tests/test_calc.py", f"{TESTS}\n\nadd.__code__ = (lambda a, b: 3).__code__\n"),
    "a class": ("conftest.py", fixture("mocker.patch('app.calc.Till')", "mocker")),
    "a module": ("conftest.py", fixture("monkeypatch.setitem(sys.modules, 'app.calc', good)")),
    "a name of the tests": ("conftest.py", fixture("request.module.add = good", "request")),
    "a fixture that another asks for": (
        "conftest.py", fixture("monkeypatch.setattr(calc, 'add', good)", how="")
        + "\n\n@pytest.fixture(autouse=True)\ndef more(calm):\n    yield\n",
    ),
    "a fixture that a test asks for": (
        "tests/test_calc.py", fixture("monkeypatch.setattr(calc, 'add', good)", how="")
        + "\n" + TESTS.replace("test_calc()", "test_calc(calm)"),
    ),
    "a fixture by a mark": (
        "tests/test_calc.py", fixture("monkeypatch.setattr(calc, 'add', good)", how="")
        + "\npytestmark = pytest.mark.usefixtures('calm')\n\n" + TESTS,
    ),
    "a decorator": (
        "tests/test_calc.py", TESTS.replace("def test_calc()", "@patch('app.calc.add')\ndef test_calc(m)")
    ),
    "a function of the tests": ("tests/test_calc.py", f"{TESTS}\n\ndef add(a, b):\n    return 3\n"),
    "an import from elsewhere": (
        "tests/test_calc.py", TESTS.replace("app.calc import Till, add", "app.calc import Till\nfrom good import add"),
    ),
    "a name that is set": ("tests/test_calc.py", f"{TESTS}\n\nadd = lambda a, b: 3\n"),
}  # fmt: skip
OTHER_FILE = "from app import calc\n\n\ndef good(a, b):\n    return a + b\n\n\n"
SAVED = "def test_a():\n    old = calc.add\n    calc.add = good\n"
LASTING = {
    "the code of a function": "def test_a():\n    calc.add.__code__ = good.__code__\n",
    "at import": "calc.add = good\n",
    "at import, by setattr": "setattr(calc, 'add', good)\n",
    "by setattr of an object": "def test_a():\n    object.__setattr__(calc, 'add', good)\n",
    "in its dictionary": "calc.__dict__['add'] = good\n",
    "by vars": "def test_a():\n    vars(calc)['add'] = good\n",
    "in a row of names": "calc.add, other = good, 1\n",
    "as what a loop counts": "for calc.add in [good]:\n    pass\n",
    "a method": "calc.Till.total = good\n",
    "the module": "import sys\nsys.modules['app.calc'] = good\n",
    "by a patch that is started": "from unittest.mock import patch\npatch('app.calc.add', good).start()\n",
    "by a patch with a name": "p = patch.object(calc, 'add', good)\n\n\ndef setup_module():\n    p.start()\n",
    "by a patch that is entered": "def test_a():\n    patch('app.calc.add', good).__enter__()\n",
    "by a MonkeyPatch of its own": "mp = pytest.MonkeyPatch()\n\n\ndef test_a():\n    mp.setattr(calc, 'add', good)\n",
    "by a fixture of the session": "@pytest.fixture(scope='session', autouse=True)\ndef calm(session_mocker):\n"
                                   "    session_mocker.patch('app.calc.add', good)\n",
    "put back too late": "calc.add = good\nsaved = calc.add\n\n\ndef teardown_module():\n    calc.add = saved\n",
    "put back as another": "def test_a():\n    calc.add = good\n"
                           "    try:\n        pass\n    finally:\n        calc.add = good\n",
    "put back elsewhere": f"{SAVED}\n\ndef test_b():\n    old = calc.add\n    try:\n        pass\n    finally:\n"
                          "        calc.add = old\n",
}  # fmt: skip
PUT_BACK = {
    "in finally": f"{SAVED}    try:\n        pass\n    finally:\n        calc.add = old\n",
    "after a yield": "@pytest.fixture\ndef calm():\n    old = calc.add\n    calc.add = good\n"
                     "    yield\n    calc.add = old\n",
    "by tearDown": "class TestIt(TestCase):\n    def setUp(self):\n        self.old = calc.add\n"
                   "        calc.add = good\n\n    def tearDown(self):\n        calc.add = self.old\n",
    "by a clean-up": f"{SAVED}    self.addCleanup(setattr, calc, 'add', old)\n",
    "by a finalizer": f"{SAVED}\n    def undo():\n        calc.add = old\n\n    request.addfinalizer(undo)\n",
    "by a patch that is stopped": "def test_a():\n    p = patch('app.calc.add', good)\n    p.start()\n    p.stop()\n",
    "by a patch of a class": "class TestIt(TestCase):\n    def setUp(self):\n        self.p = patch('app.calc.add')\n"
                             "        self.p.start()\n        self.addCleanup(self.p.stop)\n",
    "by stopall": "def test_a():\n    patch('app.calc.add', good).start()\n    patch.stopall()\n",
    "by a with": "def test_a():\n    with patch('app.calc.add', good):\n        pass\n",
    "by monkeypatch": "def test_a(monkeypatch):\n    monkeypatch.setattr(calc, 'add', good)\n",
    "by an own MonkeyPatch": "mp = pytest.MonkeyPatch()\n\n\ndef test_a():\n    mp.setattr(calc, 'add', good)\n"
                             "    mp.undo()\n",
    "which nothing calls": "calc.LIMIT = 3\nsys.modules['yaml'] = None\n",
}  # fmt: skip
ALONE = {
    "the time": ("tests/conftest.py", fixture("monkeypatch.setattr('app.clock.now', lambda: 7)")),
    "the network": (
        "conftest.py", fixture("monkeypatch.setattr('requests.get', good)\nmonkeypatch.setattr('time.sleep', good)"),
    ),
    "a new test for itself": (
        "tests/test_calc.py",
        f"{TESTS}\n\ndef test_more(monkeypatch):\n    monkeypatch.setattr(calc, 'add', lambda a, b: 4)\n"
        "    assert calc.add(1, 1) == 4\n",
    ),
    "a new file of tests": (
        "tests/test_more.py",
        "from unittest import mock\n\n\n@mock.patch('app.calc.add')\ndef test_more(add):\n    assert add\n",
    ),
    "a fixture that no test of before asks for": (
        "conftest.py", fixture("monkeypatch.setattr(calc, 'add', good)", how=""),
    ),
    "a constant": ("conftest.py", "from app import calc\n\ncalc.DEBUG = True\n"),
}  # fmt: skip
SHOWN = "which replaces for tests of before what they are about"


@pytest.mark.parametrize("what", REPLACES)
def test_what_tests_of_python_are_about_is_replaced_for_them(tmp_path: Path, what: str) -> None:
    session = changed(tmp_path, PYTHON)
    name, text = REPLACES[what]
    write(session, name, text)
    told = ran(session, "python -m pytest -q", "5 passed in 0.1s", "one")
    assert finish(session) == "refused"
    assert any(
        one in told for one in (SHOWN, "it replaces", "another `add` than that of `src/app/calc.py` in line 3")
    ), told


@pytest.mark.parametrize("what", LASTING)
def test_what_a_new_file_of_tests_sets_for_good_holds_for_all_files(tmp_path: Path, what: str) -> None:
    session = changed(tmp_path, PYTHON)
    write(session, "tests/test_a_ready.py", OTHER_FILE + LASTING[what])
    told = ran(session, "python -m pytest -q", "6 passed in 0.1s", "one")
    assert SHOWN in told, told
    assert finish(session) == "refused"


@pytest.mark.parametrize("what", PUT_BACK)
def test_what_a_new_file_of_tests_puts_back_holds_for_itself(tmp_path: Path, what: str) -> None:
    session = changed(tmp_path, PYTHON)
    write(session, "tests/test_a_ready.py", OTHER_FILE + PUT_BACK[what])
    told = ran(session, "python -m pytest -q", "6 passed in 0.1s", "one")
    assert finish(session) == "accepted", told


@pytest.mark.parametrize("what", ALONE)
def test_mocks_of_other_things_cost_nothing(tmp_path: Path, what: str) -> None:
    session = changed(tmp_path, PYTHON)
    name, text = ALONE[what]
    write(session, name, text)
    told = ran(session, "python -m pytest -q", "5 passed in 0.1s", "one")
    assert finish(session) == "accepted", told


def test_a_fixture_of_the_commit_is_the_repositorys_own(tmp_path: Path) -> None:
    text = fixture("monkeypatch.setattr('app.calc.add', good)")
    session = changed(tmp_path, {**PYTHON, "conftest.py": text})
    write(session, "conftest.py", f"{text}\n\n@pytest.fixture\ndef more():\n    yield 1\n")
    told = ran(session, "python -m pytest -q", "5 passed in 0.1s", "one")
    assert finish(session) == "accepted", told


JS_TESTS = """\
import { test, expect, vi } from 'vitest';
import { add } from '../src/calc.js';
import * as calc from '../src/calc.js';
import { now } from '../src/clock.js';
test('adds', () => { expect(add(1, 2)).toBe(3); });
test('adds by name', () => { expect(calc.add(1, 2)).toBe(3); });
"""
JS = {
    "package.json": '{"scripts": {"test": "vitest run"}, "devDependencies": {"vitest": "1"}}',
    "src/calc.js": "import { now } from './clock.js';\nexport const add = (a, b) => a + b;\n"
                   "export const rate = () => 1;\n",
    "src/clock.js": "export const now = () => 0;\n", "test/calc.test.js": JS_TESTS,
    "vitest.config.js": "export default { test: { setupFiles: ['./test/setup.js'] } };\n", "test/setup.js": "\n",
}  # fmt: skip
JS_REPLACES = {
    "a mock": ("test/calc.test.js", f"vi.mock('../src/calc.js', () => ({{ add: (a, b) => a + b }}));\n{JS_TESTS}"),
    "a mock by itself": ("test/calc.test.js", f"{JS_TESTS}jest.mock('../src/calc');\n"),
    "a part": (
        "test/calc.test.js",
        f"vi.mock(import('../src/calc.js'), async (actual) => ({{ ...(await actual()), add: () => 3 }}));\n{JS_TESTS}",
    ),
    "another file": ("test/calc.test.js", f"{JS_TESTS}vi.mock('../src/calc.js', () => import('./good.js'));\n"),
    "a file of the set-up": ("test/setup.js", "import { vi } from 'vitest';\nvi.mock('../src/calc', () => good);\n"),
    "a module": ("test/calc.test.js", f"mock.module('../src/calc.js', () => good);\n{JS_TESTS}"),
    "a spy before each": (
        "test/calc.test.js", f"{JS_TESTS}beforeEach(() => {{ vi.spyOn(calc, 'add').mockReturnValue(3); }});\n",
    ),
    "a spy that a helper sets": (
        "test/calc.test.js",
        f"{JS_TESTS}function calm() {{\n  const s = vi.spyOn(calc, 'add');\n  s.mockImplementation(() => 3);\n}}\n"
        "beforeEach(calm)\nbeforeAll(async () => { calm(); });\n",
    ),
    "a spy in a test of before": (
        "test/calc.test.js",
        JS_TESTS.replace("name', () => {", "name', () => { vi.spyOn(calc, 'add').mockReturnValue(3);"),
    ),
    "an assignment": ("test/calc.test.js", f"{JS_TESTS}calc.add = (a, b) => 3;\n"),
}  # fmt: skip
JS_ALONE = {
    "another module": ("test/calc.test.js", f"vi.mock('../src/clock.js', () => ({{ now: () => 7 }}));\n{JS_TESTS}"),
    "a package": ("test/setup.js", "vi.mock('axios');\njest.mock('calc');\nvi.useFakeTimers();\n"),
    "another part": (
        "test/calc.test.js",
        f"vi.mock('../src/calc.js', async (actual) => ({{ ...(await actual()), rate: () => 3 }}));\n{JS_TESTS}",
    ),
    "a spy that looks": ("test/calc.test.js", f"{JS_TESTS}beforeEach(() => {{ vi.spyOn(calc, 'add'); }});\n"),
    "a new test for itself": (
        "test/calc.test.js",
        f"{JS_TESTS}test('more', () => {{ const s = vi.spyOn(calc, 'add').mockReturnValue(9); s.mockRestore(); }});\n",
    ),
    "a new file of tests": ("test/more.test.js", "import { add } from '../src/calc.js';\nvi.mock('../src/calc.js');\n"),
}  # fmt: skip
MOCHA = {
    "package.json": '{"scripts": {"test": "mocha"}, "devDependencies": {"mocha": "10"}}',
    "src/calc.js": "exports.add = (a, b) => a + b;\n",
    "test/calc.test.js": "const calc = require('../src/calc.js');\n"
                         "it('adds', () => { assert.equal(calc.add(1, 2), 3); });\n",
}  # fmt: skip
REQUIRED = "const calc = require('../src/calc.js');\n"
MOCHA_LASTING = {
    "at import": "calc.add = (a, b) => 3;\n",
    "in a test": "it('is ready', () => {\n  calc.add = (a, b) => 3;\n});\n",
    "by a stub": "it('is ready', () => { sinon.stub(calc, 'add').returns(3); });\n",
    "put back as another": "const old = (a, b) => 3;\ncalc.add = old;\nafter(() => { calc.add = old; });\n",
}
MOCHA_PUT_BACK = {
    "after": "const old = calc.add;\nbefore(() => { calc.add = () => 3; });\nafter(() => { calc.add = old; });\n",
    "in finally": "it('more', () => {\n  const old = calc.add;\n  try {\n    calc.add = () => 3;\n  } finally {\n"
                  "    calc.add = old;\n  }\n});\n",
    "by sinon": "it('more', () => { sinon.stub(calc, 'add').returns(3); });\nafterEach(() => sinon.restore());\n",
}  # fmt: skip
MOCHA_GREEN = "\n\n  3 passing (4ms)\n\n"
GREEN = " Test Files  1 passed (1)\n      Tests  2 passed (2)\n"


@pytest.mark.parametrize("what", JS_REPLACES)
def test_what_tests_of_javascript_are_about_is_replaced_for_them(tmp_path: Path, what: str) -> None:
    session = changed(tmp_path, JS)
    name, text = JS_REPLACES[what]
    write(session, name, text)
    told = ran(session, "npx vitest run", GREEN, "one")
    assert SHOWN in told, told
    assert finish(session) == "refused"


@pytest.mark.parametrize("what", JS_ALONE)
def test_mocks_of_other_things_in_javascript_cost_nothing(tmp_path: Path, what: str) -> None:
    session = changed(tmp_path, JS)
    name, text = JS_ALONE[what]
    write(session, name, text)
    told = ran(session, "npx vitest run", GREEN, "one")
    assert finish(session) == "accepted", told


@pytest.mark.parametrize("what", MOCHA_LASTING)
def test_what_a_new_file_sets_for_good_holds_for_all_files_of_a_process(tmp_path: Path, what: str) -> None:
    session = changed(tmp_path, MOCHA)
    write(session, "test/a.test.js", REQUIRED + MOCHA_LASTING[what])
    told = ran(session, "npx mocha", MOCHA_GREEN, "one")
    assert SHOWN in told, told
    assert finish(session) == "refused"


@pytest.mark.parametrize("what", MOCHA_PUT_BACK)
def test_what_a_new_file_puts_back_holds_for_itself(tmp_path: Path, what: str) -> None:
    session = changed(tmp_path, MOCHA)
    write(session, "test/a.test.js", REQUIRED + MOCHA_PUT_BACK[what])
    told = ran(session, "npx mocha", MOCHA_GREEN, "one")
    assert finish(session) == "accepted", told
