"""A Program's text is the golden picture of what the compiler makes of a policy."""

from __future__ import annotations

import os
from pathlib import Path

from policy_engine.compiler.dump import dump
from policy_engine.loading.loader import load_text

CASES = Path(__file__).parents[2] / "cases" / "compiler"


def test_a_program_looks_as_recorded() -> None:
    """Rewrite the recorded half with UPDATE_CASES=1 after reading the difference."""
    found = dump(load_text((CASES / "dump.policy").read_text(), "dump.policy").require_program())
    recorded = CASES / "dump.txt"
    if os.environ.get("UPDATE_CASES") == "1":
        recorded.write_text(found)
    assert found == recorded.read_text()


def test_the_same_source_gives_the_same_text() -> None:
    text = (CASES / "dump.policy").read_text()
    assert dump(load_text(text).require_program()) == dump(load_text(text).require_program())
