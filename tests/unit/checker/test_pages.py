"""The manual page of each code → its example gives exactly that code, and the repaired one gives nothing."""

from __future__ import annotations

import importlib
import inspect
import re
from pathlib import Path

import pytest

from tests.unit.checker.build import checked

WITHOUT_EXAMPLE = {"PE212", "PE263"}  # too long to read; not reachable from a text


def _pages() -> dict[str, str]:
    found = {}
    for path in sorted(Path("policy_engine/checker").glob("*messages.py")):
        module = importlib.import_module(f"policy_engine.checker.{path.stem}")
        for function in vars(module).values():
            if inspect.isfunction(function) and function.__module__ == module.__name__:
                page = inspect.getdoc(function) or ""
                assert re.match(r"PE\d{3}: \S", page), function.__name__
                assert page[:5] not in found, page[:5]
                found[page[:5]] = page
    return found


PAGES = _pages()


@pytest.mark.parametrize("code", sorted(PAGES.keys() - WITHOUT_EXAMPLE))
def test_the_example_of_a_page_gives_its_code_and_the_repaired_one_nothing(code: str) -> None:
    wrong, repaired = re.findall(r"```policy\nlanguage 1\n(.*?)```", PAGES[code], re.DOTALL)
    assert [d.code for d in checked(wrong)[1]] == [code]
    assert checked(repaired)[1] == []
