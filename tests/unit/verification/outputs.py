"""The recorded outputs of tools: text, argv, exit status and the failures that a person reads in them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[2] / "data" / "outputs"
ROOT = "/workspace"


@dataclass(frozen=True, slots=True)
class Recorded:
    """One recorded run."""

    name: str
    text: str
    argv: tuple[str, ...]
    exit: int
    failures: list[list[Any]]


def recorded(tool: str = "*") -> list[Recorded]:
    """Every recorded run of a tool, by name."""
    return [_read(path) for path in sorted(FOLDER.glob(f"{tool}/*.txt"))]


def _read(path: Path) -> Recorded:
    aside = json.loads(path.with_suffix(".json").read_text("utf-8"))
    name = f"{path.parent.name}/{path.stem}"
    return Recorded(name, path.read_text("utf-8"), tuple(aside["argv"]), aside["exit"], aside["failures"])
