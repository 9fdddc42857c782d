"""Every policy in the documentation is what the page says: it loads and passes its tests, or it is wrong as claimed.

A block ```` ```policy ```` holds whole items; `language 1` is put before them if it is not there. A block
```` ```policy wrong PE203 ```` must be refused with that code; without a code, any error will do. In a block
```` ```policy fails ```` a test fails, as the page says; in ```` ```policy leaks ```` another spelling gets through.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from policy_engine.loading.loader import Loaded, load
from policy_engine.testing.runner import run, suite
from tests.docs.blocks import Block, blocks, pages

HEAD = "language 1\n\n"


def _policies(wrong: bool) -> list[Block]:
    found = [block for page in pages() for block in blocks(page) if block.kind == "policy"]
    return [block for block in found if ("wrong" in block.words) is wrong]


def _loaded(block: Block, folder: Path) -> tuple[Loaded, Path]:
    text = block.text if "language " in block.text else HEAD + block.text
    path = folder / "example.policy"
    path.write_text(text, "utf-8")
    return load([path]), path


def test_there_are_examples() -> None:
    assert _policies(False)
    assert _policies(True)


@pytest.mark.parametrize("block", _policies(False), ids=lambda block: block.name)
def test_an_example_loads_and_passes_its_own_tests(block: Block, tmp_path: Path) -> None:
    loaded, path = _loaded(block, tmp_path)
    assert [f"{found.location}: {found.code}: {found.message}" for found in loaded.diagnostics] == []
    outcomes = run(suite(loaded, [path]))
    failed = [outcome.message for outcome in outcomes if outcome.failed]
    assert failed if "fails" in block.words else failed == []


@pytest.mark.parametrize("block", _policies(True), ids=lambda block: block.name)
def test_an_example_of_a_mistake_is_one(block: Block, tmp_path: Path) -> None:
    loaded, _ = _loaded(block, tmp_path)
    codes = {found.code for found in loaded.errors}
    expected = {word for word in block.words if word.startswith("PE")}
    assert codes == expected if expected else codes
