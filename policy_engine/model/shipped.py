"""Find a file that comes with the package (`grammar/policy.lark`, `rules/…`) on this machine.

Such files hold no Python and stand at the root of a checkout, where people look for them; a wheel carries them inside
the package. Not on the hook path, which reads compiled programs only.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent


def shipped(name: str) -> Path:
    """Return where `name` is, a file or folder given with `/`. Raises FileNotFoundError if the installation lacks
    it.
    """
    for root in (_PACKAGE / "shipped", _PACKAGE.parent):
        path = root / name
        if path.exists():
            return path
    raise FileNotFoundError(f"the installation lacks `{name}`")
