"""Write `limits.md`: every bound of `model/limits.py` with its value and its comment."""

from __future__ import annotations

import inspect
import re

from docs.chapters.base import Chapter, code, page, table
from policy_engine.model import limits

ABOUT = "Every bound by name; behind the colon stands what happens beyond it."
_LINE = re.compile(r"([A-Z_]+) = [^#\n]+?(?:  # (.+))?")


def _files() -> dict[str, str]:
    matches = [match for line in inspect.getsource(limits).split("\n") if (match := _LINE.fullmatch(line))]
    rows = [(code(match[1]), f"{vars(limits)[match[1]]:,}", match[2] or "") for match in matches]
    return {"limits.md": page("Limits", ABOUT, table(("name", "value", "what is bounded: beyond it"), rows))}


CHAPTER = Chapter("Limits", "every bound of the language and of its inputs", _files)
