"""The face of the package is small, sorted, and costs nothing until it is used."""

from __future__ import annotations

import subprocess
import sys

import pytest

import policy_engine
from tests.house.sources import ROOT


def test_the_face_is_sorted() -> None:
    assert policy_engine.__all__ == sorted(policy_engine.__all__)


@pytest.mark.parametrize("name", policy_engine.__all__)
def test_every_name_of_the_face_is_there_and_described(name: str) -> None:
    value = getattr(policy_engine, name)
    assert name in dir(policy_engine)
    assert isinstance(value, str) or value.__doc__


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute `nonsense`"):
        _ = policy_engine.nonsense


def test_importing_the_package_imports_nothing_else() -> None:
    program = (
        "import sys; sys.path.insert(0, sys.argv[1]); before = set(sys.modules); import policy_engine;"
        "print(sorted(set(sys.modules) - before))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program, str(ROOT)], capture_output=True, text=True, check=True
    )
    assert done.stdout == "['__future__', 'policy_engine']\n"
