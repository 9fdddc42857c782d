"""The C module below `sqlite3`, imported without what it drags along. Imported by the hook path.

`_sqlite3` imports `functools` (and with it `collections`: half as long as the interpreter's own start) for one name,
the `lru_cache` around a connection's prepared statements. A process of one event prepares each statement once anyway.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType


def sqlite() -> ModuleType:
    """`_sqlite3`; statements are not cached if this is the first import of it in a process without `functools`."""
    if "_sqlite3" not in sys.modules and "functools" not in sys.modules:
        standing_in = type(sys)("functools")
        standing_in.lru_cache = _uncached  # type: ignore[attr-defined]
        sys.modules["functools"] = standing_in
        try:
            import _sqlite3
        except (ImportError, AttributeError):
            sys.modules.pop("_sqlite3", None)  # a version that needs more than that: import it plainly below
        else:
            return _sqlite3
        finally:
            del sys.modules["functools"]
    import _sqlite3

    return _sqlite3


def _uncached(_size: int) -> Callable[[object], object]:
    return lambda connection: connection
