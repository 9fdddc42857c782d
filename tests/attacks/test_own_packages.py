"""Package managers that change the environment which the engine runs from, against the real hook."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from policy_engine.effects.own_packages import distribution
from policy_engine.model.own_entries import DEPENDENCIES
from tests.attacks.session import Session

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    return Session(tmp_path_factory.mktemp("own"))


@pytest.mark.skipif(sys.prefix == sys.base_prefix, reason="the engine has no environment of its own")
@pytest.mark.parametrize(
    "line",
    [
        "{env}/bin/pip uninstall -y lark",
        "{env}/bin/pip install requests",
        "{env}/bin/python -m pip install -U google-re2",
        "pip install --target {env}/lib requests",
        "uv pip install --python {env}/bin/python requests",
        "VIRTUAL_ENV={env} uv pip install requests",
        "uv tool uninstall policy-engine",
        "pipx uninstall-all",
        "pip uninstall -y Policy.Engine",
    ],
)
def test_the_engine_s_environment_stays(session: Session, line: str) -> None:
    assert session.asked(line.format(env=sys.prefix)) in ("ask", "deny")


@pytest.mark.parametrize(
    "line", ["pip install requests", "pip show policy-engine", "venv/bin/pip install x", "uv sync", "npm install lark"]
)
def test_other_environments_are_free(session: Session, line: str) -> None:
    assert session.asked(line) == "allow"


@pytest.mark.skipif(sys.prefix == sys.base_prefix, reason="the engine has no environment of its own")
def test_the_interpreter_of_its_environment_is_free() -> None:
    """A registered hook runs by the plain interpreter, with the libraries of the environment."""
    libraries = next(place for place in sys.path if place.endswith("-packages"))
    told = f"import sys; sys.path += [{str(ROOT)!r}, {libraries!r}]; from policy_engine.effects import own_packages"
    code = f"{told}; print(own_packages.own_environments())"
    plain = str(Path(sys.executable).resolve())
    done = subprocess.run([plain, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == repr((sys.prefix,))


def test_what_the_engine_depends_on_is_known() -> None:
    told = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    assert {distribution(one) for one in told} <= DEPENDENCIES
