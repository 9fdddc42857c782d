"""A source in another system's format → what became of it; and what is wrong with the policy that was made."""

from __future__ import annotations

from pathlib import Path

from policy_engine.loading.loader import Loaded, load_text
from policy_engine.migrations.base import Migrated, migrate
from policy_engine.syntax.parser import parse
from policy_engine.syntax.printer import format_file
from policy_engine.testing.runner import run, suite

NAME = "made.policy"
CASES = Path(__file__).resolve().parents[2] / "cases" / "migrations"


def faults(made: Migrated) -> list[str]:
    """Why a policy is not good: it does not load, is not in layout, or fails its own tests."""
    loaded = load_text(made.policy_text, NAME)
    found = [f"{item.location}: {item.message}" for item in loaded.errors]
    if loaded.program is None:
        return found or ["it does not compile"]
    if format_file(parse(loaded.parsed[0].tree.source)[0]) != made.policy_text:
        found.append("it is not in layout")
    return found + failures(loaded)


def failures(loaded: Loaded) -> list[str]:
    """The tests that do not pass."""
    return [f"{one.line} {one.name}: {one.message}" for one in run(suite(loaded, [Path(NAME)])) if one.failed]


def lacking(format_name: str, text: str) -> list[str]:
    """What a source asks for and the policy does not say, as `line: why`; the policy itself must be good."""
    made = migrate(format_name, text, "s")
    assert faults(made) == []
    return [f"{problem.where.removeprefix('s:')}: {problem.why}" for problem in made.problems]
