"""Code that skips tests from outside of them, and hooks that choose tests by the session of pytest."""

from __future__ import annotations

import pytest

from policy_engine.test_runs.outcome_changes import why_changes

SKIPS = (
    "import pytest\n\n\ndef add(a, b):\n    raise pytest.skip.Exception('n/a')\n",
    "import pytest as p\n\n\ndef add(a, b):\n    raise p.xfail.Exception\n",
    "def add(a, b):\n    from pytest import skip as s\n\n    raise s.Exception('x')\n",
    "def add(a, b):\n    raise __import__('pytest').skip.Exception('x')\n",
    "import pytest\n\n\ndef add(a, b):\n    raise pytest.importorskip.__globals__['skip'].Exception('x')\n",
    "from _pytest import outcomes as o\n\n\ndef add(a, b):\n    raise o.OutcomeException.__subclasses__()[0]('x')\n",
    "import pytest\n\nNotReady = pytest.skip.Exception\n",
    "import unittest as u\n\n\ndef add(a, b):\n    raise u.case.SkipTest\n",
)
OTHERS = (
    "import pytest\n\nslow = pytest.mark.skip\n",
    "def skip(a):\n    return a\n\n\ndef add(a, b):\n    return skip(a) + b\n",
    "class Skipped(Exception):\n    pass\n\n\ndef add(a, b):\n    raise Skipped\n",
    "import sys\n\n\ndef main():\n    sys.exit(1)\n",
)
CHOOSES = (
    "def pytest_collection(session):\n    session.config.args[:] = ['tests/test_a.py::test_b']\n",
    "def pytest_configure(config):\n    config.args = ['tests/test_a.py::test_b']\n",
    "def pytest_configure(config):\n    c = config\n    c.args.clear()\n",
    "def pytest_collection_finish(session):\n    session.items[:] = [i for i in session.items if i.name == 'test_b']\n",
    "def pytest_collection_finish(session):\n    session.items = session.items[1::2]\n",
    "def pytest_collection_finish(session):\n    session.items.pop()\n",
    "def pytest_collection_finish(session):\n    del session.items[1:]\n",
    "def pytest_collection(session):\n    setattr(session, '_initialpaths', ())\n",
    "def pytest_sessionstart(session):\n    session.config.inicfg['python_functions'] = 'test_b'\n",
)
REPORTS = (
    "    vars(r).update({'out' 'come': 'passed', 'longrepr': None})\n",
    "    r.__dict__.update(x)\n",
    "    r.__dict__ |= x\n",
    "    r.__setattr__('outcome', 'passed')\n",
    "    r.__class__ = Passed\n",
)
ORDERS = (
    "def pytest_collection_finish(session):\n    session.items[:] = sorted(session.items)\n",
    "def pytest_configure(config):\n    config.addinivalue_line('markers', 'slow: x')\n",
    "def pytest_sessionstart(session):\n    session.started = 1\n",
    "def pytest_configure(config):\n    print(config.args)\n",
)


@pytest.mark.parametrize("text", SKIPS)
def test_a_source_that_skips_tests_is_found(text: str) -> None:
    assert "it skips or ends tests from outside of them" in why_changes("src/app.py", text)[1]


@pytest.mark.parametrize("text", OTHERS)
def test_a_source_that_skips_no_test_is_not(text: str) -> None:
    assert "tests" not in why_changes("src/app.py", text)[1]


@pytest.mark.parametrize("text", CHOOSES)
def test_a_hook_that_chooses_tests_is_found(text: str) -> None:
    assert "tests" in why_changes("tests/conftest.py", text)[1], text


@pytest.mark.parametrize("text", REPORTS)
def test_a_hook_that_sets_what_it_does_not_name_is_found(text: str) -> None:
    text = (
        "import pytest\n\n\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n"
        f"    r = (yield).get_result()\n{text}"
    )
    assert why_changes("tests/conftest.py", text)[1] and why_changes("src/app/plug.py", text)[1]


@pytest.mark.parametrize("text", ORDERS)
def test_a_hook_that_leaves_all_tests_is_not(text: str) -> None:
    assert why_changes("tests/conftest.py", text)[1] == ""


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("src/sum.js", "export { sum } from '/tmp/x/impl.mjs';\n"),
        ("src/sum.cjs", "module.exports = require('/var/tmp/impl.cjs');\n"),
        ("src/app.py", "import sys\n\nsys.path.insert(0, '/tmp/x')\nfrom implx import add\n"),
        ("src/app.py", "from runpy import run_path\n\nadd = run_path('/tmp/x/implx.py')['add']\n"),
    ],
)
def test_a_source_that_takes_code_from_a_scratch_folder_is_found(path: str, text: str) -> None:
    assert "it takes code from `/" in why_changes(path, text)[1]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("src/sum.js", "const log = '/tmp/x.log';\nimport { a } from './a.js';\n"),
        ("src/app.py", "import tempfile\n\nPLACE = '/tmp/x'\n"),
        ("src/app.py", "import sys\n\nsys.path.insert(0, 'src')\nopen('/tmp/x')\n"),
    ],
)
def test_a_source_that_uses_a_scratch_folder_for_files_is_not(path: str, text: str) -> None:
    assert why_changes(path, text)[1] == ""
