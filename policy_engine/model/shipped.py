"""Find a file that comes with the package (`grammar/policy.lark`, `rules/…`) on this machine.

Such files hold no Python and stand at the root of a checkout, where people look for them; a wheel carries them inside
the package. What imitates other systems is a package of its own beside this one, which may be missing. Not on the hook
path, which reads compiled programs only.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent
ADDED = "policy_engine_compat"
"""The package beside this one that may be missing: the packs of THEME, and formats of `policy migrate`."""
THEME = "compat"


def added() -> Path | None:
    """Return the folder of the package ADDED; None if it is not installed."""
    folder = _PACKAGE.parent / ADDED
    return folder if folder.is_dir() else None


def pack_folder(name: str) -> Path:
    """Return the folder below which the pack `THEME/NAME` is looked for."""
    folder = added()
    return folder / "rules" if folder is not None and name.partition("/")[0] == THEME else shipped("rules")


def pack_folders() -> tuple[Path, ...]:
    """Return the folders below which there are packs."""
    return tuple(dict.fromkeys((shipped("rules"), pack_folder(f"{THEME}/"))))


def shipped(name: str) -> Path:
    """Return where `name` is, a file or folder given with `/`. Raises FileNotFoundError if it is not installed."""
    for root in (_PACKAGE / "shipped", _PACKAGE.parent):
        path = root / name
        if path.exists():
            return path
    raise FileNotFoundError(f"the installation lacks `{name}`")
