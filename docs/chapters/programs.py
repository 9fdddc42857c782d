"""The table of programs → `programs.md`: what the engine knows of each program that a shell line starts."""

from __future__ import annotations

from docs.chapters.base import Chapter, code, page, table, words
from tools.programs import table as rows

ABOUT = """Programs whose words are understood. A program that is not here is known only by the words that it is given.
[How to add one](../how-to/add-a-shell-program.md)."""
_TRAITS = ("agent", "elevates", "authors", "looks", "read_only", "shows_content", "works")


def _files() -> dict[str, str]:
    cells = [
        (
            code(key),
            words(row.get("names", "").split()),
            row["about"].partition(": ")[2] or row["about"],
            words(trait.replace("_", "-") for trait in _TRAITS if row.get(trait)),
        )
        for key, row in sorted(rows().items())
    ]
    return {"programs.md": page("Programs", ABOUT, table(("program", "also", "what it does", "traits"), cells))}


CHAPTER = Chapter("Programs", "every program whose words are understood, in one line each", _files)
