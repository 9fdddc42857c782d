"""Code beside tests that has Python find the sources in another folder."""

from __future__ import annotations

import pytest

from policy_engine.filesystem.file_system import Virtual
from policy_engine.test_runs.replaced_sources import why_replaces

FILES = (
    "/workspace/src/app/__init__.py", "/workspace/src/app/calc.py", "/workspace/tests/test_a.py",
    "/workspace/alt/app/__init__.py", "/tmp/good/app/__init__.py", "/tmp/good/app/calc.py", "/workspace/lib/tool.py",
)  # fmt: skip
ELSEWHERE = (
    "import sys\nsys.path.insert(0, '/tmp/good')\n",
    "import sys\nsys.path[:0] = ['/tmp' + '/good']\n",
    "import sys\nPLACE = '/tmp'\nsys.path.insert(0, f'{PLACE}/good')\n",
    "import site\nsite.addsitedir('/tmp/good')\n",
    "import sys\nsys.path.insert(0, '../alt')\n",
    "import os, sys\nsys.path.insert(0, os.path.join(os.path.dirname(__file__), '../alt'))\n",
    "from importlib.util import spec_from_file_location as load\nload('app.calc', '/tmp/good/app/calc.py')\n",
    "def pytest_configure(config):\n    import sys\n    sys.path.insert(0, '/tmp/good')\n",
)
HERE = (
    "import sys\nsys.path.insert(0, 'src')\n",
    "import os, sys\nsys.path.insert(0, os.path.join(os.path.dirname(__file__), '..', 'src'))\n",
    "import sys\nsys.path.insert(0, '/tmp/other')\n",
    "import sys\nsys.path.insert(0, '../lib')\n",
    "FOLDER = '/tmp/good'\n",
)


def why(path: str, text: str) -> str:
    filesystem = Virtual("/workspace", "/home/user")
    for name in FILES:
        content = b"def add(a, b):\n    return a + b\n" if name.endswith("calc.py") else b""
        filesystem.write(filesystem.resolve(name, "/workspace"), content)
    return why_replaces(path, text, "/workspace", filesystem)


@pytest.mark.parametrize("text", ELSEWHERE)
@pytest.mark.parametrize("path", ["tests/conftest.py", "tests/__init__.py"])
def test_sources_that_are_found_elsewhere(path: str, text: str) -> None:
    assert "it makes Python find `app` in" in (said := why(path, text)) or "it loads" in said, text


def test_a_package_that_looks_for_its_own_modules_elsewhere() -> None:
    assert "it makes Python find `app`" in why("src/app/__init__.py", "__path__.insert(0, '/tmp/good')\n")
    text = "import app\napp.__path__.insert(0, '/tmp/good/app')\n"
    assert "it makes Python find `calc.py` in `/tmp/good/app`" in why("tests/conftest.py", text)


@pytest.mark.parametrize("text", HERE)
def test_sources_that_are_found_where_they_are(text: str) -> None:
    assert why("tests/conftest.py", text) == ""


REPLACED = (
    "import app.calc, operator\nvars(app.calc).update(add=operator.add)\n",
    "import app.calc, operator\napp.calc.__dict__['add'] = operator.add\n",
    "import app.calc, operator\napp.calc.__dict__.update({'add': operator.add})\n",
    "import app.calc, operator\nfor m in (app.calc,):\n    m.__dict__['add'] = operator.add\n",
    "import app.calc, operator\napp.calc.add = operator.add\n",
    "import app.calc, operator\nsetattr(app.calc, 'add', operator.add)\n",
)
SET = (
    "import app.calc\napp.calc.DEBUG = True\n",
    "import app.calc\nvars(app.calc).update(DEBUG=True)\n",
    "settings = {}\nsettings.update(add=1)\n",
)


@pytest.mark.parametrize("text", REPLACED)
@pytest.mark.parametrize("path", ["tests/conftest.py", "tests/_boot.py"])
def test_a_function_of_a_source_that_is_replaced_at_the_import(path: str, text: str) -> None:
    assert "it replaces `" in why(path, text)


@pytest.mark.parametrize("text", SET)
def test_a_setting_of_a_source_is_no_replacement(text: str) -> None:
    assert why("tests/conftest.py", text) == ""
