"""The documentation is in step with the code: made pages are as they would be made now, links lead somewhere."""

from __future__ import annotations

import re
import subprocess
from itertools import zip_longest
from pathlib import Path

import pytest

from docs.chapters.base import chapters
from docs.proofs import pages
from docs.reference import FOLDER, files
from tests.house.sources import ROOT, families, member_files, text_of

_LINK = re.compile(r"\[[^\]\[]*\]\(([^)\s]+)\)")
_FENCED = re.compile(r"^( *)(`{3,}).*?^\1\2$", re.M | re.S)


def _pages() -> list[Path]:
    """Every Markdown page that git knows or would add, relative to the root."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", "*.md"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    names = (
        done.stdout.split("\0")
        if done.returncode == 0
        else [str(path.relative_to(ROOT)) for path in ROOT.rglob("*.md")]
    )
    return sorted(Path(name) for name in names if name and (ROOT / name).is_file() and not name.startswith("."))


def _prose(page: Path) -> str:
    return re.sub(r"`[^`\n]*`", "", _FENCED.sub("", text_of(page)))


def _anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as they are made from their text."""
    heads = re.findall(r"^#+ (.+)$", _FENCED.sub("", text_of(page)), re.M)
    return {re.sub(r"[^\w\- ]", "", head.strip().lower()).replace(" ", "-") for head in heads}


def _first_difference(kept: str, made: str) -> tuple[str, str]:
    pairs = zip_longest(kept.splitlines(), made.splitlines(), fillvalue="")
    return next(((old, new) for old, new in pairs if old != new), ("", ""))


def test_the_reference_is_what_the_code_says() -> None:
    made = files()
    kept = {name: (FOLDER / name).read_text("utf-8") for name in made if (FOLDER / name).is_file()}
    stale = {name: _first_difference(kept.get(name, ""), text) for name, text in made.items() if kept.get(name) != text}
    assert stale == {}, "run `make docs`"
    assert sorted(path.name for path in FOLDER.iterdir()) == sorted(made)


def test_the_page_of_requirements_names_the_tests_there_are() -> None:
    kept = {name: (FOLDER.parent / name).read_text("utf-8") for name in pages()}
    assert {name: _first_difference(kept[name], text) for name, text in pages().items() if kept[name] != text} == {}, (
        "run `make docs`"
    )


@pytest.mark.parametrize("page", _pages(), ids=str)
def test_every_link_leads_somewhere(page: Path) -> None:
    broken = []
    for target in _LINK.findall(_prose(page)):
        if target.startswith(("http://", "https://", "mailto:")):
            continue
        name, _, anchor = target.partition("#")
        path = (ROOT / page.parent / name).resolve() if name else ROOT / page
        if not path.exists() or (anchor and anchor not in _anchors(path.relative_to(ROOT))):
            broken.append(target)
    assert broken == []


def test_every_member_of_a_family_is_in_the_reference() -> None:
    page = text_of(Path("docs/reference/families.md"))
    missing = [str(path) for family in families() for path in member_files(family) if f"`{path.stem}`" not in page]
    assert missing == []


def test_every_page_can_be_reached_from_the_first() -> None:
    reached, todo = set(), [Path("README.md")]
    while todo:
        page = todo.pop()
        if page in reached:
            continue
        reached.add(page)
        for target in _LINK.findall(_prose(page)):
            path = (ROOT / page.parent / target.partition("#")[0]).resolve()
            if path.suffix == ".md" and path.is_relative_to(ROOT) and path.is_file():
                todo.append(path.relative_to(ROOT))
    assert [str(page) for page in _pages() if page.parts[0] == "docs" and page not in reached] == []


@pytest.mark.parametrize("page", sorted((ROOT / "docs" / "decisions").glob("[!R]*.md")), ids=lambda page: page.stem)
def test_a_decision_is_dated_has_a_state_and_is_short(page: Path) -> None:
    text = page.read_text("utf-8")
    assert re.fullmatch(r"\d{4}-\d\d-\d\d\. State: (proposed|accepted)\.", text.split("\n")[2])
    assert len(text.split()) <= 500


def test_every_chapter_has_a_title_of_its_own() -> None:
    titles = [chapter.title for chapter in chapters()]
    assert len(set(titles)) == len(titles)
