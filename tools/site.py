"""Hooks of mkdocs: the site has every page of docs/ and all that they link to, where it is in the repository.

So each link of the repository leads in the site where it leads here, and mkdocs complains of one that does not.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[1]
LINK = re.compile(r"\[([^\]\[]*)\]\(([^)\s:#]+)(#[^)\s]*)?\)")
PLAYGROUND = "docs/playground"  # a page of its own, whose engine `tools/playground.py` brings
FENCE = re.compile(r"^( *`{3,})(\w+)(.+)$", re.M)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Make the anchors of headings those of the repository."""
    config.mdx_configs["toc"] = {
        "slugify": lambda text, _: re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")
    }
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Replace the files of docs/ by its pages and whatever one of them links to, each by its path in the repository."""
    theme = [file for file in files if file.src_dir != config.docs_dir]
    found: set[str] = set()
    todo = ["README.md", *(str(path.relative_to(ROOT)) for path in sorted((ROOT / "docs").rglob("*.md")))]
    while todo:
        name = todo.pop()
        if name in found:
            continue
        found.add(name)
        if name.endswith(".md"):
            todo += [
                linked
                for _, target, _ in LINK.findall((ROOT / name).read_text("utf-8"))
                if (linked := _named(name, target))
            ]
    found |= {str(path.relative_to(ROOT)) for path in sorted((ROOT / PLAYGROUND).iterdir()) if path.is_file()}
    return Files([*theme, *(File.generated(config, name, abs_src_path=str(ROOT / name)) for name in sorted(found))])


def _named(page: str, target: str) -> str:
    """The file of the repository that a link of a page leads to, or nothing."""
    name = os.path.normpath(os.path.join(os.path.dirname(page), target))
    return name if not name.startswith("..") and (ROOT / name).is_file() else ""


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Take from code what tests alone read behind its language, and the link from the name of a folder."""

    def words(match: re.Match[str]) -> str:
        file = re.search(r" file:(\S+)", match[3])
        return f"{match[1]}{match[2]}" + (f' title="{file[1]}"' if file else "")

    def link(match: re.Match[str]) -> str:
        path = ROOT / Path(page.file.src_uri).parent / match[2]
        return match[1] if path.is_dir() else match[0]

    return LINK.sub(link, FENCE.sub(words, markdown))
