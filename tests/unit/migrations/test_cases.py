"""`tests/cases/migrations/FORMAT/NAME.in` becomes `NAME.policy`, which behaves as `NAME.test.policy` says."""

from __future__ import annotations

from pathlib import Path

import pytest

from policy_engine.loading.loader import load
from policy_engine.migrations.base import formats, migrate
from policy_engine.testing.runner import run, suite
from tests.unit.migrations.sources import CASES, faults

SOURCES = sorted(path for path in CASES.glob("*/*.in") if not formats()[path.parent.name.replace("_", "-")].rewrites)


def _name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


@pytest.mark.parametrize("source", SOURCES, ids=_name)
def test_a_source_becomes_this_policy(source: Path) -> None:
    made = migrate(source.parent.name.replace("_", "-"), source.read_text("utf-8"), source.name)
    assert made.policy_text == source.with_suffix(".policy").read_text("utf-8")
    assert faults(made) == []


@pytest.mark.parametrize("source", SOURCES, ids=_name)
def test_the_policy_behaves_as_its_source_did(source: Path) -> None:
    events = source.with_suffix(".test.policy")
    loaded = load([events])
    assert [f"{item.location}: {item.message}" for item in loaded.errors] == []
    outcomes = run(suite(loaded, [events]))
    assert outcomes != ()
    assert [f"{one.name}: {one.message}" for one in outcomes if one.failed] == []


def test_every_problem_stands_in_the_policy_too() -> None:
    for source in SOURCES:
        made = migrate(source.parent.name.replace("_", "-"), source.read_text("utf-8"), source.name)
        text = " ".join(made.policy_text.replace("\n#", " ").split())
        missing = [problem for problem in made.problems if " ".join(problem.why.split()) not in text]
        assert missing == []
