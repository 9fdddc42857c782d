"""Families of disguises → `DISGUISES`, all of them by `family.name`, and `disguised`: a line under several of them."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from random import Random

from tests.generated.disguises.base import HERE, Disguise, Line, Place

FAMILIES = sorted(file.stem for file in Path(__file__).parent.glob("*.py") if file.stem not in ("__init__", "base"))
_MEMBERS = {family: import_module(f"{__name__}.{family}") for family in FAMILIES}
DISGUISES: dict[str, Disguise] = {
    f"{family}.{name}": disguise for family, member in _MEMBERS.items() for name, disguise in member.DISGUISES.items()
}
NEEDS: dict[str, tuple[str, ...]] = {
    f"{family}.{name}": programs
    for family, member in _MEMBERS.items()
    for name, programs in getattr(member, "NEEDS", {}).items()
}
"""The programs that must be there to see that a disguise keeps the meaning."""


def disguised(
    line: Line, rng: Random, depth: int, place: Place = HERE, families: list[str] | None = None
) -> tuple[Line, tuple[str, ...]]:
    """The line under as many disguises as could be put on it, and their names."""
    names: list[str] = []
    for _ in range(depth):
        for _ in range(6):
            family = rng.choice(families or FAMILIES)
            name = f"{family}.{rng.choice(sorted(_MEMBERS[family].DISGUISES))}"
            made = DISGUISES[name](line, rng, place)
            if made is not None:
                line = made
                names.append(name)
                break
    return line, tuple(names)
