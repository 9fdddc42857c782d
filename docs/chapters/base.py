"""What a chapter is: a title, a line about it and a function that gives its files below docs/reference/.

A member file holds one `CHAPTER`. Chapters read the code as it is and the same code gives the same text, whatever the
versions of the libraries.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

MADE = "<!-- Made by `make docs` from the code: change it there. -->"


@dataclass(frozen=True, slots=True)
class Chapter:
    """`files` gives name → text, the chapter's page first; `about` is one line for the table of contents."""

    title: str
    about: str
    files: Callable[[], dict[str, str]]


def chapters() -> list[Chapter]:
    """Every member, by file name."""
    package = importlib.import_module("docs.chapters")
    names = sorted(info.name for info in pkgutil.iter_modules(package.__path__))
    found = [importlib.import_module(f"docs.chapters.{name}").CHAPTER for name in names if name != "base"]
    return [chapter for chapter in found if isinstance(chapter, Chapter)]


def page(title: str, *parts: str) -> str:
    """A page: its title and its parts, with an empty line between each."""
    return "\n\n".join([MADE, f"# {title}", *(part.strip("\n") for part in parts if part.strip())]) + "\n"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; a `|` in a cell is escaped, a line end becomes a blank."""
    lines = [_row(heads), _row(["---"] * len(heads))]
    return "\n".join([*lines, *(_row(row) for row in rows)])


def _row(cells: Sequence[str]) -> str:
    shown = (" ".join(cell.replace("|", "\\|").split()) for cell in cells)
    return f"| {' | '.join(shown)} |"


def code(word: str) -> str:
    """A word as code; nothing for an empty one."""
    return f"`{word}`" if word else ""


def words(listed: Iterable[str]) -> str:
    """Words as code, with commas."""
    return ", ".join(map(code, listed))


def first_line(text: str | None) -> str:
    """The first paragraph of a docstring, on one line."""
    return " ".join((text or "").strip().split("\n\n", 1)[0].split())


def deeper(text: str, levels: int) -> str:
    """Markdown whose headings stand so many levels deeper; code blocks stay."""
    found, fenced = [], False
    for line in text.split("\n"):
        fenced ^= line.startswith("```")
        found.append("#" * levels + line if line.startswith("#") and not fenced else line)
    return "\n".join(found)
