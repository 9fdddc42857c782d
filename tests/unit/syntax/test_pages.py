"""The manual page of each complaint has an example that causes it and a repaired one that causes none."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable

import pytest

from policy_engine.syntax import character_messages, messages, structure_messages, word_messages
from tests.unit.syntax.reading import read

MODULES = (character_messages, word_messages, messages, structure_messages)
FUNCTIONS = [
    function
    for module in MODULES
    for _, function in inspect.getmembers(module, inspect.isfunction)
    if function.__module__ == module.__name__
]
# bytes, invisible characters, counts and the JSON form cannot be shown in a page's example; other tests show them
WITHOUT_EXAMPLE = set(
    "PE101 PE102 PE103 PE104 PE105 PE106 PE107 PE108 PE131 PE142 PE148 PE149 PE150 PE151 PE152".split()
)


def _page(function: Callable[..., object]) -> tuple[str, list[str]]:
    text = inspect.getdoc(function) or ""
    return text.partition(":")[0], re.findall(r"```policy\n(.*?)```", text, re.DOTALL)


def test_codes_are_not_used_twice() -> None:
    codes = [_page(function)[0] for function in FUNCTIONS]
    assert sorted(codes) == sorted(set(codes))
    assert all(re.fullmatch(r"PE1\d\d", code) for code in codes)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_the_example_causes_its_code_and_the_repaired_one_none(function: Callable[..., object]) -> None:
    code, examples = _page(function)
    if code in WITHOUT_EXAMPLE:
        assert examples == []
        return
    wrong, right = examples
    assert [each.split()[1] for each in read(wrong)[1]] == [code]
    assert read(right)[1] == []
