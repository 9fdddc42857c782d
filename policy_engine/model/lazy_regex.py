"""Regular expressions of Python that are compiled when they are first used.

A hook process that reads a prompt needs some fifty of four hundred; compiling all cost it a quarter of a second. On the
hook path.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from typing import Any


def lazy(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Return what stands for a compiled pattern; a bad one raises `re.error` when it is first used."""
    return _Lazy(pattern, flags)  # type: ignore[return-value]


class _Lazy:
    """A pattern, with the attributes of what it compiles to."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        """Compile the pattern; its attributes are kept, so that this is asked once for each."""
        import re

        value = getattr(re.compile(self.pattern, self._flags), name)  # `re` keeps what it compiled
        setattr(self, name, value)
        return value
