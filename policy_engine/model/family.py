"""List the members of a plural folder: every module-level value of the family's class, found by file name.

No registration, no table: a file that is there is a member (house rule 7). Used where policies are compiled and by the
command line, never on the hook path.
"""

from __future__ import annotations

import importlib
import pkgutil
from types import ModuleType
from typing import TypeVar

T = TypeVar("T")


def modules(package: str) -> list[ModuleType]:
    """The modules of a family, sorted by name, without `base`."""
    imported = importlib.import_module(package)
    names = sorted(info.name for info in pkgutil.iter_modules(imported.__path__))
    return [
        importlib.import_module(f"{package}.{name}") for name in names if name != "base" and not name.startswith("_")
    ]


def members(package: str, kind: type[T]) -> list[T]:
    """Every public module-level value of class `kind` in the family, in file then name order."""
    collected: list[T] = []
    for module in modules(package):
        for name, value in sorted(vars(module).items()):
            if isinstance(value, kind) and not name.startswith("_") and value not in collected:
                collected.append(value)
    return collected
