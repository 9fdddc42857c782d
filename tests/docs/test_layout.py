"""The policies that a newcomer copies first pass the check of the layout that the page on CI puts into a pipeline."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from policy_engine import cli
from tests.house.sources import ROOT

BLOCK = re.compile(r"^```policy[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", ["README.md", "docs/tutorial.md", "docs/how-to/ci.md"])
def test_policies_of_the_first_pages_are_in_layout(page: str, tmp_path: Path) -> None:
    blocks = BLOCK.findall((ROOT / page).read_text("utf-8"))
    for number, text in enumerate(blocks):
        (tmp_path / f"{number}.policy").write_text(text)
    assert blocks
    assert cli.main(["fmt", "--check", str(tmp_path)]) == 0
