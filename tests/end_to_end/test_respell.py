"""What the shipped packs and the examples of the documentation refuse, they refuse in every other spelling."""

from __future__ import annotations

from pathlib import Path

import pytest

from policy_engine.loading.loader import load
from policy_engine.reports.base import TestOutcome
from policy_engine.testing.respell import respell
from policy_engine.testing.runner import suite
from tests.docs.blocks import Block
from tests.docs.test_examples import _loaded, _policies
from tests.unit.compiler.asking import engine, shell

RULES = Path(__file__).resolve().parents[2] / "rules"
PACKS = sorted(path for path in RULES.rglob("*.policy") if path.parent.name != "neocode")
"""All but those that imitate how another system compares the text of a line."""
ACCEPTED = {
    'curl "$UNKNOWN"': "no-secret-read",
    'cd "$UNKNOWN" && npm install x': "no-unasked-dependency",
}
"""Everyday lines about which a pack says nothing, with another one that asks about them."""


NOT_DYNAMIC = "no-interactive-shell"
"""The pack says that it leaves out a command some of whose words are not known."""


def _leaks(outcomes: tuple[TestOutcome, ...]) -> list[str]:
    lines = [line for outcome in outcomes if outcome.failed for line in outcome.message.splitlines()]
    found = [line for line in lines if line.startswith("  ") and ": " in line]
    return [line for line in found if not line.endswith(tuple(ACCEPTED))]


@pytest.mark.parametrize("pack", PACKS, ids=lambda path: path.relative_to(RULES).as_posix())
def test_a_shipped_pack_refuses_every_spelling(pack: Path) -> None:
    leaks = _leaks(respell(suite(load([pack]), [pack])))
    assert [leak for leak in leaks if pack.stem != NOT_DYNAMIC or "unknown" not in leak] == []


@pytest.mark.parametrize("line", ACCEPTED)
def test_an_accepted_line_is_refused_by_another_pack(line: str) -> None:
    guard = engine((RULES / "security" / f"{ACCEPTED[line]}.policy").read_text().removeprefix("language 1\n"))
    assert guard.decide(shell(line.replace("$UNKNOWN", "$X"))).verdict == "ask"


@pytest.mark.parametrize(
    "block", [one for one in _policies(False) if not {"fails", "leaks"} & set(one.words)], ids=lambda block: block.name
)
def test_an_example_of_the_documentation_refuses_every_spelling(block: Block, tmp_path: Path) -> None:
    loaded, path = _loaded(block, tmp_path)
    assert _leaks(respell(suite(loaded, [path]))) == []
