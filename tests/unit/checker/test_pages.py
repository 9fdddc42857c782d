"""The manual page of each code → its example gives exactly that code, and the repaired one gives nothing."""

from __future__ import annotations

import re

import pytest

from policy_engine.pages import pages
from tests.unit.checker.build import checked

WITHOUT_EXAMPLE = {"PE212", "PE263"}  # too long to read; not reachable from a text
PAGES = {code: page.body for code, page in pages().items() if code.startswith("PE2")}


@pytest.mark.parametrize("code", sorted(PAGES.keys() - WITHOUT_EXAMPLE))
def test_the_example_of_a_page_gives_its_code_and_the_repaired_one_nothing(code: str) -> None:
    wrong, repaired = re.findall(r"```policy\nlanguage 1\n(.*?)```", PAGES[code], re.DOTALL)
    assert [d.code for d in checked(wrong)[1]] == [code]
    assert checked(repaired)[1] == []
