"""Define a migration: a file `migrations/FORMAT.py` with one `Migration`, found by its file name (`_` is `-`).

A member reads sources of its format and writes a `Page`. Nothing of a source is ever run. Whatever it asks for becomes
a declaration with a test, or is noted with its reason (`Page.lack`); a source that its own system would refuse raises
`Refused`. Two sources of one call describe one system: what one of them says may depend on the other.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
from pathlib import Path

from policy_engine.conversion.writing import Migrated, Problem
from policy_engine.model import family
from policy_engine.model.errors import ConfigurationError
from policy_engine.model.shipped import ADDED, added
from policy_engine.model.source import Source

__all__ = ["Migrated", "Migration", "Problem", "formats", "migrate", "migrate_all", "migration"]

FAMILY = "policy_engine.migrations"


@dataclass(frozen=True, slots=True)
class Migration:
    """A format that can be read. `rewrites`: the outcome is the same file in a newer form, and no policy."""

    name: str
    reads: str
    convert: Callable[[Sequence[Source]], Migrated]
    rewrites: bool = False


def formats() -> dict[str, Migration]:
    """Return every format, by name; those of the package ADDED where it is installed."""
    migration = family.members(FAMILY, Migration)
    folder = added()
    if folder is not None:
        _import_from(folder)
        migration += family.members(f"{ADDED}.migrations", Migration)
    return {member.name: member for member in sorted(migration, key=lambda one: one.name)}


def _import_from(folder: Path) -> None:
    """Import the package ADDED from its folder beside this one, and from nowhere else."""
    if ADDED in sys.modules:
        return
    spec = PathFinder.find_spec(ADDED, [str(folder.parent)])
    assert spec is not None and spec.loader is not None
    module = sys.modules[ADDED] = module_from_spec(spec)
    spec.loader.exec_module(module)


def migration(name: str) -> Migration:
    """Return the migration from a format. Raises ConfigurationError for an unknown one, with the nearest name."""
    known = formats()
    if name in known:
        return known[name]
    near = get_close_matches(name, known, n=1)
    advice = f"; did you mean `{near[0]}`?" if near else f"; there are {', '.join(known)}"
    if added() is None:
        advice += f"; formats of neo-code and iceCoder come with the package `{ADDED}`, which is not installed"
    raise ConfigurationError(f"no such format `{name}`{advice}")


def migrate(format: str, text: str, name: str = "source") -> Migrated:
    """Return the policy that one source stands for, and what of it the policy does not say.

    `name` is the source's name for people. Raises Refused, with places, if the source is not valid.
    """
    return migrate_all(format, [Source(name, text)])


def migrate_all(format: str, sources: Sequence[Source]) -> Migrated:
    """As `migrate`, for several sources that are in force together."""
    return migration(format).convert([Source(one.name, one.text.replace("\r\n", "\n")) for one in sources])
