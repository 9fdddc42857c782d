"""Plugins of the test runner that lie in the workspace and that the session wrote."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.attacks.session import Session
from tests.attacks.test_made_green import GREEN
from tests.attacks.test_runs_of_tests import begun, dirty, finish, ran, repository, write  # noqa: F401 -- a fixture

PLAIN = "def pytest_collection_modifyitems(items):\n    items[:] = items[:1]\n"
HIDDEN = (
    "def _m(items):\n    items[:] = items[:1]\n\n\nglobals()['pytest_' + chr(99) + NAME] = _m\n",
    "import sys\nsetattr(sys.modules[__name__], open('n').read(), lambda pyfuncitem: True)\n",
    "import zlib\nexec(zlib.decompress(open('x', 'rb').read()))\n",
)
ENTRY = "[console_scripts]\nx = app:main\n\n[pytest11]\nhelper = helper\n"
PLACES = ("helper-1.0.dist-info", "helper.egg-info", "src/helper-1.0.dist-info", "tools/a.d/helper.egg-info")


@pytest.mark.parametrize("place", PLACES)
def test_metadata_that_names_a_plugin_is_configuration_of_the_run(dirty: Session, place: str) -> None:  # noqa: F811
    write(dirty, "helper.py", "x = 1\n")
    write(dirty, f"{place}/entry_points.txt", ENTRY)
    line = "PYTHONPATH=src:tools/a.d pytest -q" if place[:5] == "tools" else "python -m pytest -q"
    told = ran(dirty, line, GREEN)
    assert "which names plugins of the test runner (" in told and finish(dirty) == "refused"
    write(dirty, f"{place}/entry_points.txt", "[console_scripts]\nx = app:main\n")
    ran(dirty, line, GREEN, "again")
    assert finish(dirty) == "accepted"


LOADERS = {
    "all names": ("tests/conftest.py", "from helper import *\n"),
    "a plugin": ("conftest.py", "pytest_plugins = ['helper']\n"),
    "one plugin": ("conftest.py", "pytest_plugins = 'helper'\n"),
    "registered": (
        "conftest.py", "import helper\ndef pytest_configure(config):\n    config.pluginmanager.register(helper)\n",
    ),
    "by the settings": ("pytest.ini", "[pytest]\naddopts = -p helper\n"),
}  # fmt: skip


@pytest.mark.parametrize(("loader", "text"), list(zip(LOADERS, (*HIDDEN, PLAIN, HIDDEN[0]), strict=True)))
def test_what_is_loaded_as_a_plugin_is_judged_as_one(tmp_path: Path, loader: str, text: str) -> None:
    session = repository(tmp_path)
    session.put(*LOADERS[loader])
    begun(session)
    write(session, "src/helper.py", text)
    told = ran(session, "pytest -q", GREEN)
    assert "this session wrote `src/helper.py`, which `" in told and "loads as a plugin, and " in told, told
    assert finish(session) == "refused"
    write(session, "src/helper.py", "import pytest\n\n\n@pytest.fixture\ndef one():\n    return 1\n")
    ran(session, "pytest -q", GREEN, "again")
    assert finish(session) == "accepted"


def test_a_module_that_a_conftest_imports_for_its_fixtures_is_no_plugin(dirty: Session) -> None:  # noqa: F811
    write(
        dirty,
        "conftest.py",
        "import pytest\nfrom app.factory import make\n\n\n@pytest.fixture\ndef app():\n    return make()\n",
    )
    text = "import sys\n\n\ndef make():\n    return dict(globals())\n\n\ndef main():\n    sys.exit(0)\n"
    write(dirty, "src/app/factory.py", text)
    ran(dirty, "pytest -q", GREEN)
    assert finish(dirty) == "accepted"


FILTERS = {
    "an option": ("README.md", "", "pytest -q -W ignore::quiet.Q"),
    "an option of Python": ("README.md", "", "python -W ignore::quiet.Q -m pytest -q"),
    "a variable": ("README.md", "", "PYTHONWARNINGS=ignore::quiet.Q pytest -q"),
    "the settings": ("pytest.ini", "[pytest]\nfilterwarnings =\n    ignore::quiet.Q\n", "pytest -q"),
}


@pytest.mark.parametrize(("name", "text", "line"), FILTERS.values(), ids=FILTERS)
def test_a_module_of_a_category_of_warnings_is_loaded_before_the_tests(
    tmp_path: Path, name: str, text: str, line: str
) -> None:
    session = repository(tmp_path)
    session.put(name, text)
    begun(session)
    write(session, "src/quiet.py", "import app\napp.x = lambda: 3\n\n\nclass Q(Warning):\n    pass\n")
    told = ran(session, line, GREEN)
    assert "this session wrote `src/quiet.py`, which `" in told and "loads as a plugin, and " in told, told
    assert finish(session) == "refused"
    write(session, "src/quiet.py", "class Q(Warning):\n    pass\n")
    ran(session, line, GREEN, "again")
    assert finish(session) == "accepted"
