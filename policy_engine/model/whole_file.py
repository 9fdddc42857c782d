"""A path and bytes → a private file that a reader sees as it was or as it is, never half."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def replace(path: Path, data: bytes) -> None:
    """Write the file, 0600; its folder must exist. Raises OSError, and then the file is as it was."""
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".writing-")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
