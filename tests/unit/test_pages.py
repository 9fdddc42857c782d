"""The page of a diagnostic stands in the `diagnostics.md` of its room, the page of a lint at the lint."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from policy_engine import pages as pages_module
from policy_engine.model.page import Page
from policy_engine.pages import PACKAGE, pages

ROOMS = sorted(path.parent for path in PACKAGE.glob("*/diagnostics.md"))


@pytest.fixture
def only(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., None]:
    """Let the given texts, one for each room, be all pages; no lints."""

    def install(**rooms: str) -> None:
        for room, text in rooms.items():
            (tmp_path / room).mkdir()
            (tmp_path / room / "diagnostics.md").write_text(text, "utf-8")
        monkeypatch.setattr(pages_module, "PACKAGE", tmp_path)
        monkeypatch.setattr(pages_module.family, "modules", lambda _package: [])

    return install


def test_a_page_is_a_section_with_code_and_title(only: Callable[..., None]) -> None:
    only(
        checker="## PE202: unclosed string\n\nA string ends on its line.\n\n# no page\n",
        syntax="Not a page.\n\n## PE101: unexpected word\n",
    )
    assert list(pages().values()) == [
        Page("PE101", "unexpected word", ""),
        Page("PE202", "unclosed string", "A string ends on its line.\n\n# no page"),
    ]


def test_a_code_with_two_pages_is_refused(only: Callable[..., None]) -> None:
    only(checker="## PE101: one\n", syntax="## PE101: another\n")
    with pytest.raises(ValueError, match="`PE101` has two pages"):
        pages()


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_a_room_has_a_page_for_each_code_that_it_reports_and_for_no_other(room: Path) -> None:
    reported = _reported(room / "messages.py")
    assert re.findall(r"^## (PE\d{3}): ", (room / "diagnostics.md").read_text("utf-8"), re.M) == sorted(reported)


def test_every_room_that_reports_has_pages() -> None:
    assert {path.parent for path in PACKAGE.glob("*/*.py") if _reported(path)} == set(ROOMS)


def _reported(path: Path) -> set[str]:
    """Return the codes that a module makes diagnostics of."""
    return set(re.findall(r'(?:error|Diagnostic)\(\s*"(PE\d{3})"', path.read_text("utf-8")))


def test_every_page_of_the_package_has_a_title_and_a_body() -> None:
    found = pages()
    assert [page.code for page in found.values() if not page.title or not page.body] == []
    assert list(found) == sorted(found, key=lambda code: (not code.startswith("PE"), code))
