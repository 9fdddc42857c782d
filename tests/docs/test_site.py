"""The site has every page of the repository, one path for each reader, and no link or file that leads nowhere."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest
import yaml

from tests.docs.blocks import ROOT

CONFIG = yaml.safe_load((ROOT / "mkdocs.yml").read_text("utf-8"))


class _Links(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src") and value:
                (self.targets if tag == "a" else self.loaded).append(value)
            elif name in ("id", "name") and value:
                self.anchors.add(value)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if importlib.util.find_spec("material") is None:
        pytest.skip("the extra `site` is not installed: `make site` installs it")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return folder


@cache
def _links(page: Path) -> _Links:
    return _Links(page.read_text("utf-8"))


def test_every_link_and_file_of_the_site_is_there(site: Path) -> None:
    broken = []
    for page in sorted(site.rglob("*.html")):
        for target in (*_links(page).targets, *_links(page).loaded):
            if target.startswith(("http://", "https://", "mailto:", "data:")) or page.name == "404.html":
                continue
            name, _, anchor = unquote(target).partition("#")
            path = (page.parent / name).resolve() if name else page
            path = path / "index.html" if path.is_dir() else path
            known = path.suffix != ".html" or not path.is_file() or not anchor or anchor in _links(path).anchors
            if not path.is_file() or not known:
                broken.append(f"{page.relative_to(site)}: {target}")
    assert broken == []


def test_the_site_loads_nothing_from_elsewhere(site: Path) -> None:
    loaded = {target for page in site.rglob("*.html") for target in _links(page).loaded}
    assert loaded
    assert [target for target in loaded if target.startswith(("http:", "https:", "//"))] == []


def test_every_page_is_in_the_site_and_can_be_searched(site: Path) -> None:
    index = (site / "search" / "search_index.json").read_text("utf-8")
    for page in (ROOT / "docs").rglob("*.md"):
        name = str(page.relative_to(ROOT).with_suffix(".html")).replace("README.html", "index.html")
        assert (site / name).is_file()
        assert f'"location":"{name}"' in index


def test_each_reader_has_a_path_of_pages() -> None:
    paths = {title: pages for entry in CONFIG["nav"] for title, pages in entry.items() if isinstance(pages, list)}
    assert list(paths)[:4] == ["Write rules", "Guard a team", "Review security", "Extend"]
    entries = [page for pages in paths.values() for page in pages]
    listed = [page for entry in entries for page in (entry.values() if isinstance(entry, dict) else (entry,))]
    assert len(set(listed)) == len(listed)
    assert [page for page in listed if not (ROOT / page).is_file()] == []
