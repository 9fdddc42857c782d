"""Predicates about the history of the session: files under a glob that were written and still exist."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    Changed = Sequence[Any]

NEEDS = "changed"


def workspace_changed(changed: Changed) -> bool:
    """True if a path under the glob was written in this session and still exists: `changed(glob) != []`.

    The argument that a policy writes is a glob; the checker puts `changed(glob)` in its place.

    Holds:

        write "src/a.py"
        workspace_changed("src/**")

    Does not hold:

        write "docs/a.md"
        workspace_changed("src/**")
    """
    return len(changed) > 0
