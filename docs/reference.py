"""Write docs/reference/ and docs/security.md from the code: `python -m docs.reference`.

A test compares the files with what would be written.
"""

from __future__ import annotations

from pathlib import Path

from docs.chapters.base import chapters, page, table
from docs.proofs import pages

FOLDER = Path(__file__).parent / "reference"
ABOUT = """Tables made from the code by `make docs`. [The language](../language.md) explains how the words work
together. The programs of shell lines that the engine knows are one table:
[programs.toml](../../policy_engine/programs/programs.toml)."""


def files() -> dict[str, str]:
    """Name below docs/reference/ → text, of everything that belongs there."""
    found: dict[str, str] = {}
    rows = []
    for chapter in chapters():
        made = chapter.files()
        rows.append((f"[{chapter.title}]({next(iter(made))})", chapter.about))
        found.update(made)
    return {"README.md": page("Reference", ABOUT, table(("chapter", "what it holds"), rows)), **found}


def main() -> None:
    """Write every file and take away what no chapter makes any more."""
    made = files()
    FOLDER.mkdir(exist_ok=True)
    for path in FOLDER.iterdir():
        if path.name not in made:
            path.unlink()
    for name, text in made.items():
        (FOLDER / name).write_text(text, "utf-8")
    for name, text in pages().items():
        (FOLDER.parent / name).write_text(text, "utf-8")


if __name__ == "__main__":
    main()
