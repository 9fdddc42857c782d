"""A Program's text is the golden picture of what the compiler makes of a policy."""

from __future__ import annotations

import pytest

from policy_engine.compiler.dump import dump
from policy_engine.evaluators.base import Program
from policy_engine.loading.loader import load_text
from tests.unit.golden import LANGUAGE, POLICIES, recorded


def plain(program: Program) -> str:
    """What the dump leaves out: the plain half of each spec, and what the Program holds as a whole."""
    specs = [*(program.spec(number) for number in range(program.rules)), *program.modes, *program.verifies]
    verifies = [f"{one[0]}: {one[-1]!r}" for one in program.verifies]
    whole = [f"{name} {getattr(program, name)!r}" for name in ("effects", "budgets", "watch", "monitor_index")]
    facts = f"facts {' '.join(sorted(program.facts))}, monitors {program.monitor_digest}"
    return "\n".join(["", *(repr(spec[:-1]) for spec in specs), "", *verifies, *whole, facts, ""])


@pytest.mark.parametrize("name", POLICIES)
def test_a_program_looks_as_recorded(name: str) -> None:
    program = load_text((LANGUAGE / f"{name}.policy").read_text(), f"{name}.policy").require_program()
    found = dump(program) + plain(program)
    assert found == recorded(LANGUAGE / f"{name}.txt", found)


def test_the_same_source_gives_the_same_text() -> None:
    text = (LANGUAGE / "dump.policy").read_text()
    assert dump(load_text(text).require_program()) == dump(load_text(text).require_program())
