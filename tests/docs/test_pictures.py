"""Every picture that a page names is there, and each that is there is shown, small, and of no address or machine."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.clients.hosts.base import clients
from tests.docs.blocks import ROOT, pages

FOLDER = ROOT / "docs" / "pictures"
PICTURES = sorted(FOLDER.iterdir())
IMAGE = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)\)")
MOST = 100 * 1024  # bytes
PLACE = re.compile(r"/(tmp|root|work|private|Users|home|var/folders)\b")
NAMESPACE = ' xmlns="http://www.w3.org/2000/svg"'


def _named() -> dict[Path, list[str]]:
    """Return the pictures that pages name, each with its texts for whoever does not see it."""
    found: dict[Path, list[str]] = {}
    for page in pages():
        for text, target in IMAGE.findall((ROOT / page).read_text("utf-8")):
            found.setdefault((ROOT / page.parent / target).resolve(), []).append(text)
    return found


def test_pages_name_the_pictures_that_there_are() -> None:
    assert sorted(_named()) == PICTURES


def test_every_picture_says_in_words_what_it_shows() -> None:
    assert [path.name for path, texts in _named().items() if any(len(text.split()) < 5 for text in texts)] == []


def test_every_client_that_is_played_has_a_picture() -> None:
    assert [one.host for one in clients() if FOLDER / f"host-{one.host}.svg" not in PICTURES] == []


@pytest.mark.parametrize("path", PICTURES, ids=lambda path: path.name)
def test_a_picture_is_small_and_names_no_address_and_no_machine(path: Path) -> None:
    data = path.read_bytes()
    assert len(data) < MOST
    if path.suffix == ".svg":
        text = data.decode().replace(NAMESPACE, "", 1).replace("&#160;", " ")
        assert [re.findall(r"\w+://", text), re.findall(r"@import|@font-face|<image|<script|href|url\(", text)] == [
            [],
            [],
        ]
        words = "".join(ElementTree.fromstring(data).itertext())
        assert PLACE.findall(words) == []
    else:
        assert path.suffix == ".webp" and data[:4] == b"RIFF" and data[8:12] == b"WEBP"
        assert re.findall(rb"https?://|/tmp/|/root/", data) == []
