"""The page of `policy serve` as axe sees it in Chromium: nothing that keeps a reader or a keyboard from using it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.clients.packages import Absent, install, offline
from tests.end_to_end.browser import PROGRAM, Browser
from tests.end_to_end.conftest import host
from tests.end_to_end.test_approve import headless
from tests.end_to_end.test_serve_approve import Door, door, terminal
from tests.end_to_end.test_serve_http import Http, http
from tests.end_to_end.test_serve_pages import pages_of_questions

__all__ = ["door", "headless", "host", "http", "terminal"]  # fixtures

AXE = ("axe-core", "4.11.0")


@pytest.fixture(scope="module")
def axe() -> str:
    """The source of axe."""
    try:
        return (install(*AXE) / "axe-core" / "axe.min.js").read_text("utf-8")
    except Absent as why:
        if offline():
            pytest.skip(str(why))
        pytest.fail(str(why))


def found(browser: Browser, axe: str, address: str) -> list[str]:
    """What axe finds on a page where everything is open."""
    browser.open(address)
    browser.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
    browser.evaluate(f"{axe}; true")
    return list(
        browser.evaluate(
            "axe.run().then(({violations}) => violations.map(({id, impact, nodes}) => "
            "`${impact} ${id}: ${nodes[0].html}`))"
        )
    )


@pytest.mark.skipif(PROGRAM is None, reason="no Chromium on this machine")
@pytest.mark.parametrize("width", [1200, 480])
def test_axe_finds_nothing_on_the_page(http: Http, axe: str, tmp_path: Path, width: int) -> None:
    http.hook(http.host.shell("rm a"))
    http.hook(http.host.shell("ls 'not ended"))
    with Browser(tmp_path / "browser", width) as browser:
        for path in ("/", "/?session=s-1", *pages_of_questions(http)):
            assert found(browser, axe, f"http://x:{http.token}@{http.address}{path}") == []


@pytest.mark.skipif(PROGRAM is None, reason="no Chromium on this machine")
@pytest.mark.parametrize("width", [1200, 480])
def test_axe_finds_nothing_where_a_call_is_approved(door: Door, axe: str, tmp_path: Path, width: int) -> None:
    with Browser(tmp_path / "browser", width) as browser:
        for path in ("/", door.form()[0]):
            assert found(browser, axe, f"http://x:{door.token}@{door.address}{path}") == []
