"""A Markdown page → its fenced blocks, each with its info string, its text and its line."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_FENCE = re.compile(r"( *)(`{3,})(.*)")


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block: `words` of its info string, `text` with its closing line end, `line` of its first line."""

    page: str
    line: int
    words: tuple[str, ...]
    text: str

    @property
    def kind(self) -> str:
        """The first word of the info string, such as `policy` or `console`."""
        return self.words[0] if self.words else ""

    @property
    def file(self) -> str:
        """What `file:NAME` in the info string names, or an empty text."""
        return next((word.removeprefix("file:") for word in self.words if word.startswith("file:")), "")

    @property
    def name(self) -> str:
        """`page:line`, for the names of tests."""
        return f"{self.page}:{self.line}"


def pages() -> list[Path]:
    """Every page for people, relative to the root: the ones at the root and the ones below docs/, but the reference."""
    found = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "rules").rglob("*.md")]
    found += [*(ROOT / "grammar").glob("*.md"), *(ROOT / "examples").rglob("*.md"), *(ROOT / "tests").glob("*/*.md")]
    found += (ROOT / "plugins").rglob("*.md")
    made = ROOT / "docs" / "reference"
    return sorted(page.relative_to(ROOT) for page in found if made not in page.parents)


def blocks(page: Path) -> list[Block]:
    """The fenced blocks of a page, given relative to the root. Raises ValueError for a fence that is not closed."""
    found: list[Block] = []
    inside: list[str] | None = None
    indent, fence, words, start = "", "", (), 0
    for number, line in enumerate((ROOT / page).read_text("utf-8").split("\n"), 1):
        match = _FENCE.fullmatch(line)
        if inside is None:
            if match:
                indent, fence, words = match[1], match[2], tuple(match[3].split())
                inside, start = [], number + 1
        elif match and match[2] == fence and not match[3]:
            found.append(Block(str(page), start, words, "".join(f"{text}\n" for text in inside)))
            inside = None
        else:
            inside.append(line.removeprefix(indent))
    if inside is not None:
        raise ValueError(f"{page}:{start - 1}: a fence is not closed")
    return found
