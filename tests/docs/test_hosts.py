"""The README says of the hosts what their adapters declare."""

from __future__ import annotations

from docs.chapters.hosts import short
from tests.house.sources import ROOT


def test_the_readme_shows_the_table_of_the_adapters() -> None:
    assert short() in (ROOT / "README.md").read_text("utf-8")
