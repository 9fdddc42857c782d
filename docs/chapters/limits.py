"""`model/limits.py` → `limits.md`: every bound with its value and its comment."""

from __future__ import annotations

import inspect
import re

from docs.chapters.base import Chapter, code, page, table
from policy_engine.model import limits

ABOUT = "Every bound by name; the [language page](../language.md#bounds) says what happens where one is exceeded."
_LINE = re.compile(r"([A-Z_]+) = [^#\n]+?(?:  # (.+))?")


def _files() -> dict[str, str]:
    matches = [match for line in inspect.getsource(limits).split("\n") if (match := _LINE.fullmatch(line))]
    rows = [(code(match[1]), f"{vars(limits)[match[1]]:,}", match[2] or "") for match in matches]
    return {"limits.md": page("Limits", ABOUT, table(("name", "value", "remark"), rows))}


CHAPTER = Chapter("Limits", "every bound of the language and of its inputs", _files)
