"""`policy explain-code`: the page of a code, found without a network, with the nearest for a wrong one."""

from __future__ import annotations

import json

import pytest

from policy_engine import cli
from policy_engine.commands import explain_code
from policy_engine.model.page import Page
from policy_engine.reports.base import Style

PAGES = {
    "PE203": Page("PE203", "unknown field", "A rule reads a field that its point does not have."),
    "PE204": Page("PE204", "unknown point", ""),
    "unused-define": Page("unused-define", "nothing uses a define", "Delete it, or use it:\n\n- **here**"),
}


@pytest.fixture(autouse=True)
def _pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explain_code, "pages", lambda: PAGES)


@pytest.mark.parametrize("code", ["PE203", "pe203"])
def test_the_page_is_plain_markdown_when_piped(capsysbinary: pytest.CaptureFixture[bytes], code: str) -> None:
    assert cli.main(["explain-code", code]) == 0
    assert capsysbinary.readouterr().out.decode() == (
        "# PE203: unknown field\n\nA rule reads a field that its point does not have.\n"
    )


def test_the_page_as_json(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert cli.main(["explain-code", "unused-define", "--format", "json"]) == 0
    assert json.loads(capsysbinary.readouterr().out) == {
        "code": "unused-define",
        "title": "nothing uses a define",
        "body": "Delete it, or use it:\n\n- **here**",
    }


def test_without_a_code_all_are_listed(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert cli.main(["explain-code"]) == 0
    assert capsysbinary.readouterr().out.decode().splitlines() == [
        "PE203          unknown field",
        "PE204          unknown point",
        "unused-define  nothing uses a define",
    ]
    assert cli.main(["explain-code", "--format", "json"]) == 0
    assert json.loads(capsysbinary.readouterr().out)[1] == {"code": "PE204", "title": "unknown point"}


@pytest.mark.parametrize(
    ("code", "nearest"),
    [("PE205", "`PE20"), ("unused-defines", "`unused-define`"), ("zzz", "no page for `zzz`; `policy explain-code`")],
)
def test_an_unknown_code_is_status_2_with_the_nearest(
    capsys: pytest.CaptureFixture[str], code: str, nearest: str
) -> None:
    assert cli.main(["explain-code", code]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert nearest in captured.err


def test_a_terminal_gets_the_page_rendered() -> None:
    text = explain_code._page(PAGES["unused-define"], "text", Style(color=True, width=60))
    assert "\x1b[" in text
    assert "**" not in text
