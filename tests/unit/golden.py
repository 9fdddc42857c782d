"""Golden files: what was recorded, rewritten on demand."""

from __future__ import annotations

import os
from pathlib import Path

CASES = Path(__file__).parents[1] / "cases"
LANGUAGE = CASES / "compiler"
POLICIES = sorted(path.stem for path in LANGUAGE.glob("*.policy"))
"""Those that together use every form of the language."""


def recorded(path: Path, found: str) -> str:
    """The recorded text; with UPDATE_CASES=1 what was found is recorded first: read the difference."""
    if os.environ.get("UPDATE_CASES") == "1":
        path.write_text(found, encoding="utf-8")
    return path.read_text(encoding="utf-8") if path.exists() else ""
