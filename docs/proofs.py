"""Write docs/security.md from the requirements under tests/faults/ and the marks of the tests.

`python -m docs.proofs FOLDER` also writes `faults.md`, the table of all faults with the tests that inject them: a
record of the tests, made when somebody wants it and not kept in the repository.
"""

from __future__ import annotations

import sys
from itertools import groupby
from pathlib import Path

from docs.chapters.base import page, table
from tests.faults.marks import Proof, proofs
from tests.faults.requirements import ABOUT, REQUIREMENTS
from tests.faults.rows import OPEN, SECTIONS, UNMADE

FAULTS = """What can be wrong with the engine's input and environment, what must happen then, and the tests that inject
it. *The failure verdict of the point* is `deny` where the point can refuse, otherwise `warn`."""


def pages() -> dict[str, str]:
    """Return the pages that are kept: name below docs/ -> text."""
    tests = proofs("requirement")
    lines = [(name, asks, met, _files(tests.get(name, ()))) for name, (asks, met) in REQUIREMENTS.items()]
    return {"security.md": page("Security", ABOUT, table(("", "requirement", "how it is met", "proved by"), lines))}


def faults() -> str:
    """Return the table of faults, each with its tests or the reason why it cannot be injected."""
    tests = proofs("fault")
    parts = []
    for section, rows in SECTIONS.items():
        lines = [
            (str(number), name, must, _tests(tests.get(number, ()), UNMADE.get(number) or OPEN.get(number) or ""))
            for number, (name, must) in rows.items()
        ]
        parts += [f"## {section}", table(("no.", "fault", "what must happen", "injected by"), lines)]
    return page("Faults", FAULTS, *parts)


def _files(tests: tuple[Proof, ...]) -> str:
    """Return links to the files that hold the tests."""
    paths = dict.fromkeys(path for path, _ in tests)
    return ", ".join(f"[{path.stem.removeprefix('test_')}](../{path})" for path in paths)


def _tests(tests: tuple[Proof, ...], reason: str) -> str:
    """Return the tests by file, and the reason why not all of it is injected."""
    listed = [
        f"{path}: {', '.join(name for _, name in group)}" for path, group in groupby(tests, lambda proof: proof[0])
    ]
    return "; ".join([*listed, *([reason] if reason else [])])


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "faults.md").write_text(faults(), "utf-8")
