"""The manual page of each complaint has an example that causes it and a repaired one that causes none."""

from __future__ import annotations

import re

import pytest

from policy_engine.pages import pages
from tests.unit.syntax.reading import read

PAGES = {code: page.body for code, page in pages().items() if code.startswith("PE1")}
# bytes, invisible characters, counts and the JSON form cannot be shown in a page's example; other tests show them
WITHOUT_EXAMPLE = set(
    "PE101 PE102 PE103 PE104 PE105 PE106 PE107 PE108 PE131 PE142 PE148 PE149 PE150 PE151 PE152".split()
)


@pytest.mark.parametrize("code", PAGES)
def test_the_example_causes_its_code_and_the_repaired_one_none(code: str) -> None:
    examples = re.findall(r"```policy\n(.*?)```", PAGES[code], re.DOTALL)
    if code in WITHOUT_EXAMPLE:
        assert examples == []
        return
    wrong, right = examples
    assert [each.split()[1] for each in read(wrong)[1]] == [code]
    assert read(right)[1] == []
