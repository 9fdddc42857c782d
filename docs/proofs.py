"""The faults and requirements under tests/faults/ and the marks of the tests → docs/faults.md and docs/security.md."""

from __future__ import annotations

from itertools import groupby

from docs.chapters.base import page, table
from tests.faults.marks import Proof, proofs
from tests.faults.requirements import REQUIREMENTS
from tests.faults.rows import OPEN, SECTIONS, UNMADE

FAULTS = """What can be wrong with what the engine is given and with the world that it runs in, what must happen then,
and the tests that make it happen. *The failure verdict of the point* is `deny` where the point can refuse and `warn`
where it can only speak; it goes out on both channels, and nothing fails into consent. A test that injects a row carries
its number as a mark; a page that lags behind the marks fails the tests."""
SECURITY = """What a guard in front of a coding agent must hold, how it is met here, and the tests that prove it. The
[faults](faults.md) are the other half: what is done to the engine to see whether it holds."""


def pages() -> dict[str, str]:
    """Name below docs/ → text."""
    return {"faults.md": _faults(), "security.md": _security()}


def _faults() -> str:
    tests = proofs("fault")
    parts = []
    for section, rows in SECTIONS.items():
        lines = [
            (str(number), name, must, _proved(tests.get(number, ()), UNMADE.get(number) or OPEN.get(number) or ""))
            for number, (name, must) in rows.items()
        ]
        parts += [f"## {section}", table(("no.", "fault", "what must happen", "injected by"), lines)]
    return page("Faults", FAULTS, *parts)


def _security() -> str:
    tests = proofs("requirement")
    lines = [(name, asks, met, _proved(tests.get(name, ()), "")) for name, (asks, met) in REQUIREMENTS.items()]
    return page("Security", SECURITY, table(("", "what it asks", "how it is met", "proved by"), lines))


def _proved(tests: tuple[Proof, ...], reason: str) -> str:
    """The tests, by file, and the reason why not all of it is made."""
    found = []
    for path, group in groupby(tests, lambda proof: proof[0]):
        names = ", ".join(name.removeprefix("test_").replace("_", " ") for _, name in group)
        found.append(f"[{path.stem.removeprefix('test_').replace('_', ' ')}](../{path}): {names}")
    return "; ".join([*found, *([reason] if reason else [])])
